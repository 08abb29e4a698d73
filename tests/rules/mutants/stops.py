"""A no that is passed over, and a merge that has no end."""

from tests.rules.mutants.mutant import Mutant

JUDGING = "bot/domain/lifecycle/judging.py"
LOOKING = "domain/lifecycle/test_looking.py"

STOPS = (
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
