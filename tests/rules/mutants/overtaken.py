"""Defects of what happens while something else is not told, heard or looked at yet."""

from tests.rules.mutants.mutant import Mutant

OVERTAKEN = (
    Mutant(
        "a version closed under stricter rules keeps the reservation",
        "bot/domain/lifecycle/turn.py",
        "        self._give_back_what_lacks_authority()\n",
        "",
        "scenarios/test_tightened.py::test_a_word_between_stricter_rules_and_their_news_is_answered",
        "a stop crashes, is answered by nobody, and the head it was about merges later",
    ),
    Mutant(
        "a merge commit brings another head along",
        "bot/domain/lifecycle/prerequisites.py",
        "    if below:\n",
        "    if not below:\n",
        "domain/lifecycle/test_prerequisites.py::test_a_merge_commit_that_brings_another_head_along_is_not_asked_for",
        "a pull request that nobody approved is merged with one that was",
    ),
)
