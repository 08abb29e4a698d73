"""Defects of how an open merge is looked at: what is given up, and what is believed."""

from tests.rules.mutants.mutant import Mutant

MERGING = "bot/domain/lifecycle/merging.py"
ENDING = "bot/domain/lifecycle/ending.py"
WATCHING = "bot/domain/lifecycle/watching.py"
LANDING = "bot/domain/lifecycle/landing.py"
PROOF = "bot/domain/merging/proof.py"

GIVEN_UP = (
    Mutant(
        "github refused what a person settled",
        ENDING,
        'refused(turn, why, "settled_unmerged")',
        "refused(turn, why)",
        "scenarios/test_settling.py::test_settled_as_unmerged_asks_for_a_new_gate_and_then_once_more",
        "people look for a refusal that GitHub never made",
    ),
    Mutant(
        "what proof shows to be gone is not looked at",
        WATCHING,
        "        return look_after_no_merge(turn)\n",
        "        return None\n",
        "domain/lifecycle/test_before_merging.py::test_what_is_proven_unmerged_leaves_submit_in_the_same_write",
        "a record stays in submit for a head or a pull request that is gone",
    ),
    Mutant(
        "rules that ask for more leave the reservation standing",
        "bot/app/merge.py",
        "        if not await self._still_holds(record):\n            return\n",
        "",
        "scenarios/test_tightened.py::test_rules_that_ask_for_more_give_the_base_to_the_next_one_at_once",
        "the base is locked for two minutes by a merge that is not allowed any more",
    ),
    Mutant(
        "what never left counts as a try",
        MERGING,
        "        _ask_again(turn, why, turn.facts.merge_retry)\n",
        "        _try_again(turn, why, turn.facts.merge_retry)\n",
        "domain/lifecycle/test_merging.py::test_what_never_left_is_no_try_of_what_github_refuses_for_a_moment",
        "five lost connections give up a merge that GitHub never saw",
    ),
    Mutant(
        "a base is kept for what cannot be sent",
        "bot/domain/merging/reservation.py",
        "return now - (merge.reserved_at or now) < PATIENCE",
        "return merge.reserved_at is not None or now < now + PATIENCE",
        "domain/merging/test_reservation.py::"
        "test_a_base_is_kept_for_two_minutes_and_the_check_is_tried_less_and_less_often",
        "everybody else waits for ever for a change whose check cannot be written",
    ),
    Mutant(
        "an attempt that never left ends the reservation of another one",
        MERGING,
        "    others = tuple(a for a in merge.live_attempts if a != signal.attempt)\n    if others:\n",
        "    others = tuple(a for a in merge.live_attempts if a != signal.attempt)\n    if len(others) > 9:\n",
        "domain/lifecycle/test_merging.py::test_what_never_left_does_not_release_while_another_attempt_can_still_land",
        "an attempt lands that nobody waits for",
    ),
    Mutant(
        "one read without a merge is proof",
        PROOF,
        "return len(agreeing) >= 2 and agreeing[-1].at - agreeing[0].at >= distance(settle_window)",
        "return len(agreeing) >= 1",
        "domain/merging/test_proof.py::test_less_than_that_proves_nothing",
        "a request that waits inside GitHub lands after its release",
    ),
    Mutant(
        "two reads at once are proof",
        PROOF,
        " and agreeing[-1].at - agreeing[0].at >= distance(settle_window)",
        "",
        "domain/merging/test_proof.py::test_less_than_that_proves_nothing",
        "the window in which a request can land is never waited for",
    ),
    Mutant(
        "a read that disagrees is passed over",
        PROOF,
        "            break\n",
        "            continue\n",
        "domain/merging/test_proof.py::test_a_read_that_shows_anything_else_starts_the_count_again",
        "a merge that one read showed is called unmerged",
    ),
    Mutant(
        "a head that is still there counts as gone",
        PROOF,
        "(read.head != head or read.open is False)",
        "(read.head != head or read.open is not None)",
        "domain/merging/test_proof.py::test_less_than_that_proves_nothing",
        "the guard of the head cannot stop what can still land",
    ),
    Mutant(
        "reads before the window count as proof",
        PROOF,
        "if read.live or read.at <= window_ends or ",
        "if read.live or ",
        "domain/merging/test_proof.py::test_less_than_that_proves_nothing",
        "a request whose owner may still send is called dead",
    ),
    Mutant(
        "a pending request is dead after the window",
        WATCHING,
        "live=not may_be_dead,",
        "live=False,",
        "domain/lifecycle/test_looking.py::test_a_pending_request_is_never_dead",
        "GitHub carries out later what was released",
    ),
    Mutant(
        "time releases what was asked",
        MERGING,
        '    ambiguous(turn, merge.answer or "no answer was stored", merge.uuid)\n    return None\n',
        '    refused(turn, "no answer")\n    return None\n',
        "domain/lifecycle/test_merging.py::test_a_request_whose_owner_is_gone_is_ambiguous_and_never_released",
        "a restart or a time-out gives a request up that can still land",
    ),
    Mutant(
        "an answer that was kept is never judged",
        "bot/app/merge.py",
        "if row is not None and row.replies else expired",
        'if row is not None and row.state == "never" else expired',
        "app/test_answers.py::test_a_refusal_whose_consequences_could_not_be_read_is_judged_later_and_not_forgotten",
        "a definitive no becomes an unknown merge that only an operator can settle",
    ),
    Mutant(
        "a lease that still runs counts as over",
        MERGING,
        "if merge.lease_ends is not None and turn.now < merge.lease_ends:",
        "if merge.lease_ends is None:",
        "domain/lifecycle/test_merging.py::test_a_lease_that_still_runs_is_not_over",
        "two processes act for one request",
    ),
    Mutant(
        "remembered facts are dropped",
        ENDING,
        "    for item in merge.remembered:\n",
        "    for item in merge.remembered[:0]:\n",
        "domain/lifecycle/test_merging.py::test_what_happened_meanwhile_happens_when_the_merge_did_not",
        "a push or a rejection during a merge is lost, and the old approvals count on",
    ),
    Mutant(
        "what happened meanwhile is no reason to stop asking",
        MERGING,
        "if merge.remembered or merge.tries",
        "if merge.tries",
        "domain/lifecycle/test_merging.py::test_something_remembered_ends_the_reservation_instead_of_asking_again",
        "the next attempt ignores a push that is known already",
    ),
    Mutant(
        "a push moves the head while github may be merging",
        "bot/domain/lifecycle/decide.py",
        '        "head_pushed",\n',
        "",
        "domain/lifecycle/test_merging.py::test_a_push_is_remembered_in_order_and_changes_no_head",
        "the record no longer says which head was asked for",
    ),
    Mutant(
        "an ambiguous merge is reserved again",
        "bot/domain/lifecycle/following.py",
        'case "submit" if not record.in_flight:',
        'case "submit":',
        "domain/lifecycle/test_issues.py::test_an_app_that_is_back_asks_nothing_again",
        "a second request leaves while the first is unknown",
    ),
)

CONFIRMED = (
    Mutant(
        "done without the base",
        LANDING,
        "evidence.pull_merged is True and evidence.on_base is True and",
        "evidence.pull_merged is True and",
        "domain/lifecycle/test_looking.py::test_one_side_alone_never_makes_it_done",
        "a record is done whose commit is nowhere",
    ),
    Mutant(
        "done without the pull request",
        LANDING,
        "evidence.pull_merged is True and evidence.on_base is True and",
        "evidence.on_base is True and",
        "domain/lifecycle/test_looking.py::test_one_side_alone_never_makes_it_done",
        "a commit that only looks like the merge makes it done",
    ),
    Mutant(
        "an unreadable side counts as shown",
        LANDING,
        "evidence.pull_merged is True and evidence.on_base is True and",
        "evidence.pull_merged is not False and evidence.on_base is not False and",
        "domain/lifecycle/test_looking.py::test_one_side_alone_never_makes_it_done",
        "an error of GitHub confirms a merge",
    ),
    Mutant(
        "a success is done at once",
        MERGING,
        'state="confirming", sha=outcome.sha, answer=outcome.text,',
        'state="merged", sha=outcome.sha, answer=outcome.text,',
        "domain/lifecycle/test_merging.py::test_a_success_is_confirmed_before_it_is_believed",
        "an answer alone is taken for the merge",
    ),
    Mutant(
        "one side for ever",
        LANDING,
        "if turn.now - since < timedelta(seconds=turn.facts.settle_window):",
        "if since <= turn.now:",
        "domain/lifecycle/test_looking.py::test_one_side_alone_for_longer_than_the_window_is_not_known",
        "nobody is told, and the base stays locked",
    ),
    Mutant(
        "every merge by our app is ours",
        LANDING,
        " and evidence.head in record.asked_heads",
        "",
        "domain/lifecycle/test_looking.py::test_a_head_we_never_asked_for_is_not_ours_though_our_app_merged_it",
        "a merge without authority is shown as authorised",
    ),
)

SETTLEMENTS = (*GIVEN_UP, *CONFIRMED)
