"""Defects of the one check run on a commit that several records, or several pull requests, have."""

from tests.rules.mutants.mutant import Mutant

PUBLISH = "bot/app/publish.py"
STORIES = "scenarios/test_shared_heads.py"
LOST = "scenarios/test_lost_success.py"

SHARED_HEADS = (
    Mutant(
        "each record writes a run of its own",
        PUBLISH,
        '            state.slots[name] = Slot(name=name, state="unsure")\n',
        "            pass\n",
        f"{STORIES}::test_what_was_merged_of_one_pull_request_is_no_success_of_another_that_comes_to_the_commit",
        "two runs stand on one commit, and the newest hides the other",
    ),
    Mutant(
        "of several records only the first says whether something changed",
        "bot/app/brought.py",
        "any(part.changed for part in parts)",
        "parts[0].changed and len(parts) == 1",
        f"{STORIES}::test_in_the_list_of_deliveries_what_changed_one_of_two_records_is_applied",
        "a delivery that changed a record is listed as one that did nothing",
    ),
    Mutant(
        "success of a head that another record judges",
        "bot/domain/projections/check_run.py",
        'if head in show.contested and says.conclusion in {"success", "neutral"}:',
        'if head in show.contested and says.conclusion == "neutral":',
        "domain/projections/test_speaker.py::test_success_is_never_shown_on_a_head_that_another_record_judges",
        "one record's authority is shown on the pull request of another",
    ),
    Mutant(
        "who judges a commit does not speak first",
        "bot/domain/projections/speaker.py",
        "        return 0, record.issue\n",
        "        return 4, record.issue\n",
        "domain/projections/test_speaker.py::test_exactly_one_speaks_whoever_asks",
        "a record that left the commit hides the success of the one that is judged",
    ),
    Mutant(
        "what was merged stays success for whoever comes to the commit",
        "bot/domain/lifecycle/twins.py",
        "    if signal.head != turn.record.head:\n",
        '    if signal.head != turn.record.head or turn.record.phase == "done":\n',
        f"{STORIES}::test_what_was_merged_is_no_success_of_a_pull_request_that_nobody_governs_either",
        "a pull request for another branch carries a success that nobody gave it",
    ),
    Mutant(
        "who has the commit is asked of the commit",
        "bot/github/facts/pulls.py",
        'pulls, reply = await api.rows("/pulls", ListedPull, state="open")',
        'pulls, reply = await api.rows(f"/commits/{question.head}/pulls", ListedPull)',
        "scenarios/test_twins.py::test_a_twin_is_seen_where_the_default_branch_has_the_commit_already",
        "GitHub lists only merged ones by a commit that the default branch has",
    ),
    Mutant(
        "a list that lacks our own pull request takes a twin away",
        "bot/domain/lifecycle/twins.py",
        "others if _is_whole(turn.record, found) else {*others, *turn.record.twins}",
        "others",
        "domain/lifecycle/test_twins.py::test_a_list_that_lacks_our_own_takes_no_twin_away",
        "success comes back while another pull request has the commit",
    ),
    Mutant(
        "a refused check is tried every half minute for ever",
        PUBLISH,
        "PAUSE_AFTER_REFUSAL * (1 << min(times - 1, 10))",
        "PAUSE_AFTER_REFUSAL * min(times, 1)",
        f"{STORIES}::test_a_check_that_github_refuses_for_ever_is_tried_ever_more_rarely_and_comments_go_on",
        "the rate limit goes to a permission that is missing",
    ),
    Mutant(
        "a success on its way is not known as one",
        "bot/app/writing.py",
        'extra = "success" if step.extra == "success" else before.extra',
        "extra = before.extra",
        f"{LOST}::test_a_success_without_an_answer_does_not_stand_on_a_commit_that_another_record_judges",
        "its record is silent, and the success stands on the pull request of another",
    ),
    Mutant(
        "who writes over a success on its way makes it forgotten",
        "bot/app/heads.py",
        '        if theirs.state == "clean":\n',
        '        if theirs.state != "unsure":\n',
        f"{LOST}::test_a_success_without_an_answer_does_not_stand_on_a_commit_that_another_record_judges",
        "the success stands on the pull request of another",
    ),
    Mutant(
        "a success without an answer is looked at once and never again",
        "bot/app/slots.py",
        "                if each.late:\n",
        "                if each.late and each.shows_since is not None:\n",
        f"{LOST}::test_a_success_that_lands_after_the_commit_was_left_is_taken_away",
        "a success that lands late stands for ever on a commit that was left",
    ),
    Mutant(
        "it is looked again while the success may still be on its way, and not after",
        "bot/app/late.py",
        "if mark.looks + 1 < len(LOOKS):",
        "if mark.looks + 2 < len(LOOKS):",
        f"{LOST}::test_a_success_that_lands_minutes_late_is_taken_away_after_a_restart_as_well",
        "a success that lands after minutes stands for ever",
    ),
    Mutant(
        "it is looked for ever",
        "bot/app/late.py",
        '"state": "unsure", "extra": "success"',
        '"state": "sending", "extra": "success"',
        f"{LOST}::test_when_nothing_can_come_any_more_github_is_left_alone",
        "a check is read and written every few seconds, for nothing",
    ),
)
