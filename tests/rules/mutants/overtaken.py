"""Defects of what happens while something else is not told, heard or looked at yet."""

from tests.rules.mutants.mutant import Mutant

LOST_STOPS = "scenarios/test_lost_stops.py::test_a_stop_whose_webhook_was_lost_is_found_before_the_merge"

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
    Mutant(
        "requested changes wait until a record thaws",
        "bot/domain/lifecycle/judging.py",
        "    return record.is_judged and not record.withdrawn\n",
        "    return record.is_judged and not record.withdrawn and record.frozen is None\n",
        "domain/lifecycle/test_reviews.py::test_changes_requested_count_while_the_record_is_frozen",
        "the head stays in testing and merges over a reviewer's no",
    ),
    Mutant(
        "what may be the head again is taken for over",
        "bot/domain/lifecycle/judging.py",
        "may_be_back=not read)",
        "may_be_back=False)",
        "domain/lifecycle/test_reviews.py::test_changes_requested_on_an_older_head_are_kept_where_nobody_can_see_whether_it_is_back",
        "a reviewer's no on the very head is lost because GitHub did not answer once",
    ),
    Mutant(
        "reviews are not read again before the merge",
        "bot/app/merge.py",
        "            return await self._rehearing.heard_all(record)\n",
        "            return True\n",
        LOST_STOPS,
        "a lost webhook of a reviewer's no, and what they said is merged over",
    ),
    Mutant(
        "the log is not read again before the merge",
        "bot/app/reheard.py",
        "log, found.since_when(record))",
        "(), found.since_when(record))",
        LOST_STOPS,
        "a head that went and came back unheard is merged on what was said before",
    ),
    Mutant(
        "stops in the words of a review are not read again",
        "bot/app/reheard.py",
        "if words is None or words.edited or",
        "if words is None or words.body or",
        LOST_STOPS,
        "a hold that stands in a review is merged over",
    ),
    Mutant(
        "who pushed is forgotten with the pull request",
        "bot/domain/lifecycle/pulls.py",
        "pushers=_pushed_before(record),",
        "pushers=(),",
        "scenarios/test_pushers.py::"
        "test_who_pushed_is_not_forgotten_when_another_pull_request_of_the_same_commits_takes_its_place",
        "whoever pushed the commits judges them in a new pull request",
    ),
    Mutant(
        "an edit within a second is taken for what was written",
        "bot/github/facts/changes.py",
        "for one in people if one.updated_at == one.created_at",
        "for one in people if one.updated_at != one.created_at",
        "github/test_agreement.py::test_both_forges_say_the_same",
        "somebody else's words decide in the name of who wrote the comment",
    ),
    Mutant(
        "labels differ by case",
        "bot/domain/model/text.py",
        "    return one.lower() == other.lower()\n",
        "    return one == other\n",
        "scenarios/test_label_names.py::test_a_start_label_that_somebody_made_in_capitals_starts_work",
        "an issue wears the label, nothing starts, and nobody is told",
    ),
    Mutant(
        "words in a repository called pull stand on pull requests",
        "bot/github/facts/changes.py",
        '    return address.partition("#")[0].split("/")[-2:-1] == ["pull"]\n',
        '    return "/pull/" in address\n',
        "github/test_agreement.py::test_both_forges_say_the_same",
        "lost words on its issues are never found",
    ),
    Mutant(
        "what stopped by itself did so by our clock",
        "bot/domain/lifecycle/outdated.py",
        "else by_github(turn, turn.now)",
        "else turn.now",
        "scenarios/test_clock.py::test_an_operator_resumes_what_blocked_by_itself_though_our_clock_is_ahead",
        "where our clock is ahead, operators are refused for as long",
    ),
    Mutant(
        "a request was asked by our clock",
        "bot/domain/lifecycle/settlement.py",
        "None if asked is None else by_github(turn, asked)",
        "asked",
        "scenarios/test_clock.py::test_an_operator_settles_though_our_clock_is_ahead",
        "where our clock is ahead, operators are refused for as long",
    ),
)
