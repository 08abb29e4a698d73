"""A definitive no is stored whatever cannot be read of what happened meanwhile; that is applied as soon as it can be."""

from typing import Any

import pytest

from bot.domain.lifecycle.kernel import KernelRefused, check
from bot.domain.lifecycle.results import Advance
from bot.domain.lifecycle.waking import wake_at
from bot.domain.model.command_signals import Revoke
from bot.domain.model.own_signals import PolicyChanged
from bot.domain.model.policy import STRICT
from bot.domain.model.record import Record
from bot.domain.model.sightings import ChecksChanged, LabelRemoved
from tests.kit.cases import (
    NOW,
    SILENT,
    actor,
    advanced,
    judge,
    left_alone,
    pull_facts,
    refusal,
    rejects,
    reviews,
    runs,
    source,
)
from tests.kit.merge_steps import PUSHED, TICK, answer, asked, remembered
from tests.kit.records import HEAD, NEW_HEAD, at

NO = answer(405, message="At least 1 approving review is required")
REVOKED = Revoke(key="r", actor=actor("grace"), source=source(NOW))
UNLABELLED = LabelRemoved(key="l", actor=actor("ada"), issue=12, label="signalbox")
POLICY = PolicyChanged(key="", actor=actor("ada"))
SILENT_ON_ADA: dict[str, Any] = {"level": {"ada": SILENT}}
RED = ChecksChanged(key="c", actor=actor("ada"), head=HEAD)


def refused(*meanwhile: Any) -> Record:
    """GitHub said no, and nothing of the head can be read."""
    record = asked(remembered=remembered(*meanwhile))
    return advanced(judge(record, NO, pull=SILENT, checks=SILENT))


@pytest.mark.parametrize("meanwhile", [PUSHED, RED], ids=["push", "checks"])
def test_a_no_of_github_is_stored_though_what_happened_meanwhile_cannot_be_read(meanwhile: Any) -> None:
    record = refused(meanwhile, REVOKED)

    assert (record.merge.state, record.merge.live_attempts) == ("refused", ())
    assert [item.signal["kind"] for item in record.merge.remembered] == [meanwhile.kind, "revoke"]
    assert wake_at(record, STRICT, NOW) == at("14:30:15")


def test_nothing_is_reserved_before_what_happened_meanwhile_is_applied() -> None:
    """Everything is there; but GitHub does not say whether ada could take the label away."""
    record = advanced(judge(asked(remembered=remembered(UNLABELLED)), NO, **SILENT_ON_ADA))
    after = advanced(judge(record, POLICY, **SILENT_ON_ADA))
    assert (after.merge.state, after.merge.reason) == (
        "refused",
        "something that happened meanwhile is not applied yet",
    )

    told = advanced(judge(after, TICK))
    assert (told.withdrawn, told.merge.remembered) == (True, ())


def test_a_red_check_that_could_not_be_read_sends_back_as_soon_as_it_can_be() -> None:
    told = advanced(judge(refused(RED), TICK, checks=runs(build="failure")))
    assert (told.phase, told.merge.state, told.merge.remembered) == ("building", "none", ())


def test_what_waited_is_applied_in_order_as_soon_as_it_can_be_read() -> None:
    record = refused(PUSHED, REVOKED)
    after = advanced(judge(record, TICK, pull=pull_facts(record, head_sha=NEW_HEAD)))
    assert (after.head, after.merge.remembered, after.merge.state) == (NEW_HEAD, (), "none")


def test_what_waits_survives_that_the_work_is_sent_back() -> None:
    after = advanced(judge(refused(PUSHED, REVOKED), rejects("grace"), pull=SILENT, checks=SILENT))
    assert (after.phase, [item.signal["kind"] for item in after.merge.remembered]) == (
        "building",
        ["head_pushed", "revoke"],
    )


@pytest.mark.parametrize("level", ["write", SILENT], ids=["reviewer", "not verified"])
def test_requested_changes_of_a_reviewer_are_kept_while_github_may_be_merging(level: Any) -> None:
    result = judge(asked(), reviews("grace", "CHANGES_REQUESTED"), level={"grace": level})
    assert isinstance(result, Advance)
    assert (len(result.record.merge.remembered), refusal(result)) == (1, "merge_in_flight")


def test_requested_changes_of_a_stranger_are_not_kept() -> None:
    assert left_alone(judge(asked(), reviews("forge-1", "CHANGES_REQUESTED"))) == "its writer is not a reviewer"


def test_the_kernel_takes_no_reservation_before_what_was_remembered_is_applied() -> None:
    record = refused(PUSHED)
    over = asked("reserved").model_copy(update={"version": record.version + 1, "asked_heads": record.asked_heads})
    with pytest.raises(KernelRefused, match="before what was remembered is applied"):
        check(record, over, STRICT, "reserved")
