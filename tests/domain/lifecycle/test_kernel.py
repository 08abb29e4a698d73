"""The safety kernel: each rule by a version that breaks it, and the versions of a whole lifecycle that break none."""

from typing import Any

import pytest

from bot.domain.lifecycle.kernel import KernelRefused, check
from bot.domain.model.merge import Merge
from bot.domain.model.policy import STRICT, GateRule, GateRules
from bot.domain.model.record import Held, OpenedGate, Record
from tests.kit.cases import MERGE_SHA, NOW
from tests.kit.records import (
    NEW_HEAD,
    PEOPLE,
    a_record,
    approved,
    authorised,
    green,
    in_submit,
    in_testing,
    linked,
    merged,
    merging,
    planned,
)


def objection(before: Record | None, after: Record, event: str = "event") -> str:
    """The kernel's words; empty where it lets the version pass."""
    try:
        check(before, after, STRICT, event)
    except KernelRefused as refused:
        return str(refused)
    return ""


def next_to(record: Record, **changes: Any) -> Record:
    return record.model_copy(update={"version": record.version + 1} | changes)


def replanned(**plan: Any) -> dict[str, Any]:
    stored = planned().plan
    assert stored is not None
    return {"plan": stored.model_copy(update=plan)}


NEW_ROUND = planned().gates_opened.model_copy(update={"plan": OpenedGate(round=9, opened_at=NOW)})
HELD = Held(by=PEOPLE["omar"], since=NOW)
BLOCKED = {"phase": "blocked"}


@pytest.mark.parametrize(
    ("after", "words"),
    [
        (linked(decisions=()), "needs a plan approval"),
        (in_testing(decisions=()), "needs a plan approval"),
        (in_submit(decisions=()), "needs a plan approval"),
        (linked(**replanned(revision=3)), "needs a plan approval"),
        (linked(**replanned(digest="sha256:" + "1" * 64)), "needs a plan approval"),
        (linked(gates_opened=NEW_ROUND), "needs a plan approval"),
        (in_testing(head=None), "needs a head"),
        (in_submit(head=None), "needs a head"),
        (merging("reserved").model_copy(update={"phase": "testing"}), "only in submit"),
        (merging("requested").model_copy(update={"phase": "building"}), "only in submit"),
        (merging("reserved").model_copy(update={"decisions": authorised().decisions[:-1]}), "complete authority"),
        (merging("requested").model_copy(update={"decisions": authorised().decisions[:-1]}), "complete authority"),
        (merging("requested").model_copy(update={"head_epoch": 4}), "complete authority"),
        (merging("reserved").model_copy(update={"verification": green(head=NEW_HEAD)}), "complete authority"),
        (merging("reserved", head=NEW_HEAD), "of the present head"),
        (merging("requested", head=NEW_HEAD), "of the present head"),
        (merging("reserved").model_copy(update={"held": HELD}), "nothing held"),
        (merging("reserved").model_copy(update={"withdrawn": True}), "nothing held"),
        (merging("reserved").model_copy(update={"frozen": "suspended"}), "nothing held"),
        (merged().model_copy(update={"merge": Merge()}), "confirmed merge"),
        (merged(state="confirming"), "confirmed merge"),
        (merged(sha=None), "confirmed merge"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{value.phase}-{value.merge.state}",
)
def test_no_version_stands_that_breaks_a_rule_by_itself(after: Record, words: str) -> None:
    assert words in objection(None, after)


def moved(record: Record, **binding: Any) -> Record:
    """The phase stays although what was judged is no longer what is there."""
    return next_to(record, **binding)


@pytest.mark.parametrize(
    ("before", "after", "event", "words"),
    [
        (planned(), planned(version=6), "e", "no gaps"),
        (planned(), planned(), "e", "no gaps"),
        (merged(), next_to(merged(), phase="submit"), "e", "done never changes"),
        (merged(), next_to(merged(sha=MERGE_SHA), merge=merged(sha=NEW_HEAD).merge), "e", "done never changes"),
        (linked(), next_to(linked(), review_round=1), "e", "never decrease"),
        (linked(), next_to(linked(), head_epoch=2), "e", "never decrease"),
        (linked(), next_to(linked(), head=NEW_HEAD), "e", "raises the epoch"),
        (in_testing(), moved(in_testing(), head=NEW_HEAD, head_epoch=4), "e", "leaves testing and submit"),
        (in_testing(), moved(in_testing(), head_epoch=4), "e", "leaves testing and submit"),
        (in_testing(), moved(in_testing(), base="next"), "e", "leaves testing and submit"),
        (in_submit(), moved(in_submit(), pull_request=35), "e", "leaves testing and submit"),
        (merging("requested"), next_to(merging("requested"), phase="building"), "e", "nothing moves while"),
        (merging("ambiguous"), next_to(merging("ambiguous"), head=NEW_HEAD, head_epoch=4), "e", "nothing moves while"),
        (merging("confirming"), next_to(merging("confirming"), phase="planning"), "e", "nothing moves while"),
        (in_testing(), next_to(in_testing(), phase="submit"), "e", "complete testing authority"),
        (linked(), next_to(linked(), phase="submit"), "e", "complete testing authority"),
        (planned(), next_to(linked(version=4, decisions=())), "e", "everybody's approval"),
        (planned(**BLOCKED), planned(version=5), "candidate", "only by a person or a merge"),
        (planned(**BLOCKED), planned(version=5), "time_came", "only by a person or a merge"),
        (authorised(), next_to(merging("requested"), version=17), "e", "only a reservation may ask"),
        (merging("ambiguous"), next_to(merging("requested")), "e", "only a reservation may ask"),
        (merging("confirming"), next_to(merging("requested")), "e", "only a reservation may ask"),
        (merging("refused"), next_to(merging("requested")), "e", "only a reservation may ask"),
        (merging("requested"), next_to(authorised()), "e", "never simply given back"),
        (merging("ambiguous"), next_to(authorised()), "e", "never simply given back"),
        (merging("confirming"), next_to(authorised()), "e", "never simply given back"),
        (merging("ambiguous"), next_to(merging("reserved", id="r-40")), "e", "not replaced by another"),
        (merging("requested"), next_to(merging("reserved", id="r-40")), "e", "not replaced by another"),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else f"{value.phase}-{value.merge.state}",
)
def test_no_version_follows_that_breaks_a_rule_with_the_one_before(
    before: Record, after: Record, event: str, words: str
) -> None:
    assert words in objection(before, after, event)


LIFE = [
    (None, a_record(), "started"),
    (a_record(version=3), planned(), "plan_submitted"),
    (planned(), approved(version=5), "plan_approved"),
    (approved(), linked(), "link"),
    (linked(version=10), in_testing(), "candidate"),
    (in_testing(), next_to(linked(version=11, head=NEW_HEAD, head_epoch=4, review_round=5)), "head_moved"),
    (authorised(version=16), merging("reserved"), "reserved"),
    (merging("reserved"), next_to(merging("requested")), "merge_requested"),
    (merging("requested"), next_to(merging("reserved")), "merge_answered"),
    (merging("requested"), next_to(merging("ambiguous")), "merge_lease_expired"),
    (merging("requested"), next_to(merging("refused")), "merge_refused"),
    (merging("ambiguous"), next_to(merging("confirming")), "merge_looked"),
    (merging("confirming"), merged(), "merge_confirmed"),
    (merged(), next_to(merged()), "repository_renamed"),
    (next_to(planned(**BLOCKED)), planned(version=6), "resume_unchanged"),
    (planned(**BLOCKED), merged(version=5, external=True).model_copy(update={"version": 5}), "merged_externally"),
]


@pytest.mark.parametrize(("before", "after", "event"), LIFE, ids=[event for _, _, event in LIFE])
def test_the_versions_of_an_honest_life_pass(before: Record | None, after: Record, event: str) -> None:
    if before is not None:
        after = after.model_copy(update={"review_round": max(after.review_round, before.review_round)})
    assert objection(before, after, event) == ""


def test_every_broken_rule_is_named() -> None:
    said = objection(merged(), merging("reserved", head=NEW_HEAD).model_copy(update={"held": HELD, "version": 30}))
    assert all(words in said for words in ("no gaps", "done never changes", "of the present head", "nothing held"))
    assert "octo/app#12 version 30" in said


def test_what_was_asked_under_older_rules_is_answered_under_those_that_ask_for_more() -> None:
    two = GateRules(submit=GateRule(reviews=2, operators=1))
    stricter = STRICT.model_copy(update={"gates": two})
    asked = merging("requested")
    named = asked.model_copy(
        update={"version": asked.version + 1, "merge": asked.merge.model_copy(update={"uuid": "a-name"})}
    )

    check(asked, named, stricter, "merge_answered")  # raises where it may not be written
    with pytest.raises(KernelRefused, match="complete authority"):
        check(merging("reserved"), named, stricter, "merge_requested")
