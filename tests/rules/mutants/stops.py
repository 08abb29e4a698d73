"""A no that is passed over, and a merge that has no end."""

from tests.rules.mutants.mutant import Mutant

JUDGING = "bot/domain/lifecycle/judging.py"
LOOKING = "domain/lifecycle/test_looking.py"
UNVERIFIED = "domain/lifecycle/test_unverified.py"

STOPS = (
    Mutant(
        "a no that cannot be verified is only noted",
        JUDGING,
        "        unverified.keep(turn, signal)\n        return None\n",
        '        return Ignore("its writer is not verified")\n',
        "scenarios/test_reviews.py::test_requested_changes_that_nobody_can_verify_for_an_hour_are_never_passed_over",
        "it merges over a reviewer's no as soon as GitHub fails for a while",
    ),
    Mutant(
        "a reservation survives a no that cannot be verified",
        "bot/domain/lifecycle/unverified.py",
        "    if standing_no(turn.record) is not None:\n        give_back(",
        "    if False:\n        give_back(",
        f"{UNVERIFIED}::test_what_was_reserved_is_given_back_for_a_no_that_could_not_be_verified",
        "what waits to be asked for merges over it",
        twin=Mutant(
            "what is reserved is not looked at for a no that cannot be verified",
            "bot/domain/lifecycle/following.py",
            " or record.held or standing_no(record)",
            " or record.held",
            f"{UNVERIFIED}::test_what_was_reserved_is_given_back_for_a_no_that_could_not_be_verified",
            "what waits to be asked for merges over it",
        ),
    ),
    Mutant(
        "complete authority reserves over a no that cannot be verified",
        "bot/domain/lifecycle/following.py",
        "    if standing_no(turn.record) is not None or not authority_complete(turn.record, turn.policy):",
        "    if not authority_complete(turn.record, turn.policy):",
        f"{UNVERIFIED}::test_the_last_gate_reserves_nothing_over_a_no_that_could_not_be_verified",
        "it merges over a no that is still open",
        twin=Mutant(
            "a no that cannot be verified is no blocker",
            "bot/domain/lifecycle/prerequisites.py",
            "    if (no := standing_no(record)) is not None:\n",
            "    if (no := standing_no(record)) is not None and record.phase != 'submit':\n",
            f"{UNVERIFIED}::test_the_last_gate_reserves_nothing_over_a_no_that_could_not_be_verified",
            "it merges over a no that is still open",
        ),
    ),
    Mutant(
        "the kernel lets a reservation stand over a no that cannot be verified",
        "bot/domain/lifecycle/kernel.py",
        "and not asked_before and standing_no(after) is not None:",
        "and asked_before and standing_no(after) is not None:",
        f"{UNVERIFIED}::test_the_kernel_takes_no_reservation_over_a_no_that_could_not_be_verified",
        "whatever asks without looking merges over it",
    ),
    Mutant(
        "a no that could be verified by now is not heard again",
        "bot/domain/lifecycle/looking.py",
        "    ask_again(turn)\n    return look_at_everything(turn)\n",
        "    return look_at_everything(turn)\n",
        "domain/lifecycle/test_unverified.py::test_the_no_counts_in_testing_as_soon_as_its_writer_is_verified",
        "a reviewer's no never counts, and nothing merges for ever",
    ),
    Mutant(
        "nobody asks again who may say no",
        "bot/domain/lifecycle/waking.py",
        "        *(now + _as_long_again(no.since, now) for no in record.unverified),\n",
        "",
        f"{UNVERIFIED}::test_github_is_asked_again_for_as_long_as_it_takes",
        "a no that nobody could verify once stops the merge for ever",
    ),
    Mutant(
        "an approve in the body of an unverified no counts",
        "bot/app/comments.py",
        "        unverified = _no_above(thread.record, items)\n",
        "        unverified = False\n",
        "scenarios/test_reviews.py::test_requested_changes_that_nobody_can_verify_for_an_hour_are_never_passed_over",
        "what one text says beside its own no gives authority",
    ),
    Mutant(
        "a reject while the record is frozen is refused",
        JUDGING,
        'return None if record.phase == "plan_ready" and not record.withdrawn else _nothing_judged(record)',
        'return None if record.phase == "plan_ready" and not record.withdrawn else _closed_gate(turn)',
        "domain/lifecycle/test_judging.py::test_a_reject_counts_while_the_record_is_frozen",
        "an hour later it goes on and merges what was rejected",
    ),
    Mutant(
        "changes requested in building are only noted",
        JUDGING,
        "    else:\n        _stop_for_later(turn, signal)\n",
        "",
        "domain/lifecycle/test_reviews.py"
        "::test_changes_requested_on_a_draft_keep_that_commit_from_being_judged_when_the_draft_is_ready",
        "the same commit is offered again over a reviewer's no",
    ),
    Mutant(
        "a new plan forgives a rejected commit",
        "bot/domain/lifecycle/actions.py",
        "turn.set(verification=Verification(), tried=(), red_head=None",
        "turn.set(verification=Verification(), tried=(), rejected_heads=(), red_head=None",
        "domain/lifecycle/test_issues.py::test_a_rejected_commit_is_not_offered_again_under_a_new_plan",
        "what was rejected is judged again without a push or a word",
    ),
    Mutant(
        "what github still has is settled as dead",
        "bot/domain/lifecycle/settlement.py",
        'if request.status in {"failed", "gone"}:',
        'if request.status in {"failed", "gone", "pending", "enqueued", "unknown"}:',
        f"{LOOKING}::test_a_request_that_github_still_has_cannot_be_settled_as_unmerged",
        "a second request is made while the first one can land",
    ),
    Mutant(
        "what cannot be read is settled as dead",
        "bot/domain/lifecycle/settlement.py",
        'return refusing.unreadable("what became of the request")',
        "return None",
        f"{LOOKING}::test_a_request_whose_state_cannot_be_read_is_not_settled_as_unmerged",
        "a second request is made while the first one may land",
    ),
    Mutant(
        "a request of which github says nothing is waited for",
        "bot/domain/lifecycle/watching.py",
        "is not None and turn.now >= merge.lease_ends:\n        ambiguous(turn, why",
        "is None:\n        ambiguous(turn, why",
        f"{LOOKING}::test_a_request_of_which_github_says_nothing_is_unknown_after_its_lease_and_gives_its_base_free",
        "one merge stops its base for ever and nobody is told",
    ),
    Mutant(
        "what froze is asked again",
        "bot/domain/lifecycle/merging.py",
        "    if turn.record.frozen is not None or not authority_complete",
        "    if not authority_complete",
        "domain/lifecycle/test_merging.py::test_a_request_that_would_be_asked_again_ends_where_the_record_is_frozen",
        "the answer cannot be stored, and the base is held for ever",
    ),
)
