"""Defects of candidates and linking: which head is judged by itself, and which only by a person's word."""

from tests.rules.mutants.mutant import Mutant

PULLS = "bot/domain/lifecycle/pulls.py"

CANDIDACY = (
    Mutant(
        "late news of a push frees a rejected head",
        PULLS,
        "        _book_pusher(turn, pushed.actor)\n    if pushed is not None and _explained",
        "        _book_pusher(turn, pushed.actor)\n        turn.set(rejected_heads=())\n    if pushed is not None and _explained",
        "scenarios/test_ways_on.py::test_late_news_of_a_push_does_not_bring_a_rejected_head_back",
        "a head that a reviewer rejected is judged again although nobody pushed",
    ),
    Mutant(
        "linking forgets what was rejected",
        PULLS,
        "        former_pulls=former_pulls(record),\n",
        "        former_pulls=former_pulls(record),\n        rejected_heads=(),\n",
        "scenarios/test_ways_on.py::test_linking_a_rejected_head_anew_does_not_bring_it_back",
        "a builder washes a rejection away by linking the pull request anew",
    ),
    Mutant(
        "an old push of a builder links a head of somebody else",
        PULLS,
        "pushed = signal.pushed if signal.pushed == pull.head_sha else None",
        "pushed = signal.pushed",
        "domain/lifecycle/test_linking.py::test_a_push_of_a_builder_links_somebody_elses_pull_request",
        "an outsider's commits become the governed change because a builder once pushed below them",
    ),
    Mutant(
        "whoever opens a pull request links it",
        PULLS,
        "    if not _of_a_builder(turn, pull, signal):\n",
        "    if False:\n",
        "domain/lifecycle/test_linking.py::test_no_other_pull_request_links_itself",
        "an outsider's pull request takes the place of the governed change",
    ),
    Mutant(
        "what is back in its place was left behind",
        "bot/domain/lifecycle/stranded.py",
        "    if tip != evidence.head:\n",
        "    if tip:\n",
        "scenarios/test_linking.py::test_a_branch_that_is_back_at_the_merged_head_has_left_nothing_behind",
        "people are called to commits that do not exist",
    ),
)
