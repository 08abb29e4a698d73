"""The issue: starting, withdrawing, reviving, and the App coming and going."""

from datetime import timedelta
from typing import Any

import pytest

from bot.domain.lifecycle.decide import decide, decide_start
from bot.domain.lifecycle.facts import Facts
from bot.domain.lifecycle.results import Advance, Gather, Ignore, NotYet
from bot.domain.lifecycle.waking import wake_at
from bot.domain.model.command_signals import Replan
from bot.domain.model.effects import AddLabels
from bot.domain.model.policy import STRICT
from bot.domain.model.questions import PermissionOf
from bot.domain.model.record import Record
from bot.domain.model.sightings import (
    InstallationChanged,
    IssueClosed,
    IssueGone,
    IssueReopened,
    LabelRemoved,
    RepositoryRenamed,
    StartLabelAdded,
)
from tests.kit.cases import (
    MERGE_SHA,
    NOW,
    SILENT,
    actor,
    advanced,
    evidence,
    facts,
    judge,
    left_alone,
    permission,
    pull_facts,
    source,
    waits,
)
from tests.kit.records import (
    HEAD,
    PEOPLE,
    a_record,
    approved,
    at,
    authorised,
    in_submit,
    in_testing,
    linked,
    merged,
    merging,
    planned,
)


def labelled(by: str = "ada", label: str = "signalbox", kind: Any = "person") -> StartLabelAdded:
    return StartLabelAdded(key="s", actor=actor(by, kind), issue=12, issue_id=1200, title="Retry", label=label)


def started(signal: StartLabelAdded, **world: Any) -> Any:
    record = a_record()
    return decide_start(record.repo, signal, facts(record, **world), STRICT, NOW)


CLOSED = IssueClosed(key="c", actor=actor("ada"), issue=12)


def test_a_builder_starts_a_record_in_planning() -> None:
    result = started(labelled())
    assert isinstance(result, Advance)
    assert (result.record.version, result.record.phase, result.record.requester) == (1, "planning", PEOPLE["ada"])


@pytest.mark.parametrize(
    ("signal", "level", "kind"),
    [
        (labelled(label="bug"), "admin", Ignore),
        (labelled(kind="bot"), "admin", Ignore),
        (labelled(), "triage", Ignore),
        (labelled(), permission("ada", "admin", user_id=999), Ignore),
        (labelled(), SILENT, NotYet),
    ],
    ids=["another label", "a bot", "no right", "another account", "unknown"],
)
def test_nobody_else_starts_one(signal: StartLabelAdded, level: Any, kind: type) -> None:
    assert isinstance(started(signal, level={"ada": level}), kind)


@pytest.mark.parametrize("record", [a_record(), planned(), linked(), in_testing(), in_submit()], ids=lambda r: r.phase)
def test_a_closed_issue_withdraws_the_work(record: Record) -> None:
    after = advanced(judge(record, CLOSED))
    assert (after.withdrawn, after.phase) == (True, record.phase)


def test_a_withdrawal_gives_a_reservation_back() -> None:
    after = advanced(judge(merging("reserved", locked=True), CLOSED))
    assert (after.withdrawn, after.merge.state) == (True, "none")


def test_our_own_merge_that_closes_the_issue_withdraws_nothing() -> None:
    record = authorised(asked_heads=(authorised().head,))
    merged_pull = pull_facts(record, merged=True, open=False, merge_sha=MERGE_SHA)
    after = advanced(judge(record, CLOSED, pull=merged_pull, evidence=evidence(record)))
    assert (after.phase, after.withdrawn) == ("done", False)
    assert waits(judge(record, CLOSED, pull=SILENT))


@pytest.mark.parametrize(
    ("by", "level", "revived"), [("ada", "write", True), ("ada", "read", False), ("ada", SILENT, None)]
)
@pytest.mark.parametrize("signal", ["label", "reopened"])
def test_only_a_builder_revives_what_was_withdrawn(by: str, level: Any, revived: bool | None, signal: str) -> None:
    record = approved(withdrawn=True)
    said = labelled(by) if signal == "label" else IssueReopened(key="r", actor=actor(by), issue=12)
    result = judge(record, said, level={by: level})
    if revived:
        after = advanced(result)
        assert (after.phase, after.withdrawn) == ("planning", False)
        assert all(d.void is not None for d in after.decisions)
    else:
        assert waits(result) if revived is None else left_alone(result)


def test_done_is_final() -> None:
    result = judge(merged(), labelled())
    assert isinstance(result, Ignore)
    assert "**done**" in getattr(result.effects[0].write, "body", "")


def removed(by: str) -> LabelRemoved:
    return LabelRemoved(key="l", actor=actor(by), issue=12, label="signalbox")


def test_a_builder_withdraws_by_taking_the_label_away_and_nobody_else() -> None:
    assert advanced(judge(planned(), removed("ada"))).withdrawn
    result = judge(planned(), removed("forge-1"))
    assert isinstance(result, Ignore)
    assert [effect.write for effect in result.effects] == [AddLabels(number=12, names=("signalbox",))]
    assert waits(judge(planned(), removed("ada"), level={"ada": SILENT}))


def test_an_issue_that_is_gone_blocks_the_work() -> None:
    after = advanced(judge(in_testing(), IssueGone(key="g", actor=actor("ada"), issue=12, how="transferred")))
    assert after.blocked is not None
    assert (after.phase, after.blocked.from_, after.blocked.cause) == ("blocked", "testing", "issue_gone")


def access(state: Any) -> InstallationChanged:
    return InstallationChanged(key="i", actor=actor("ada"), installation_id=77, state=state)


def test_a_suspended_app_freezes_the_record_and_asks_nothing_more() -> None:
    frozen = advanced(judge(merging("reserved", locked=True), access("suspended")))
    assert (frozen.frozen, frozen.merge.state) == ("suspended", "none")
    back = judge(frozen, access("present"))
    assert advanced(back).frozen is None


def test_a_suspension_gives_nothing_back_that_was_asked() -> None:
    frozen = advanced(judge(merging("requested"), access("suspended")))
    assert (frozen.frozen, frozen.merge.state) == ("suspended", "requested")


@pytest.mark.parametrize("state", ["requested", "ambiguous", "confirming"])
def test_an_app_that_is_back_asks_nothing_again(state: str) -> None:
    """What was asked before is looked at, and that is all: a second request could land beside the first."""
    frozen = merging(state, live_attempts=("a-1",)).model_copy(update={"frozen": "suspended"})
    after = advanced(judge(frozen, access("present")))
    assert (after.frozen, after.merge.state, after.merge.id) == (None, state, "r-39")
    assert after.merge.live_attempts == ("a-1",)


def test_a_repository_keeps_its_number_under_another_name() -> None:
    renamed = RepositoryRenamed(key="n", actor=actor("ada"), full_name="octo/better")
    after = advanced(judge(merged(), renamed))
    assert (after.repository, after.repository_id, after.phase) == ("octo/better", 1, "done")
    assert left_alone(judge(after, renamed))


def test_what_a_rule_needs_is_asked_for_before_anything_is_said() -> None:
    result = decide(planned(), removed("ada"), Facts(), STRICT, NOW)
    assert result == Gather(frozenset({PermissionOf(PEOPLE["ada"].id, "ada")}))


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (merged(), None),
        (authorised(withdrawn=True), None),
        (authorised(frozen="suspended"), None),
        (merging("requested"), None),
        (merging("reserved"), None),
        (merging("refused", look_at=NOW + timedelta(seconds=9)), NOW + timedelta(seconds=9)),
        (merging("refused", refused_since=NOW), NOW + timedelta(hours=24)),
    ],
    ids=["done", "withdrawn", "frozen", "requested", "reserved", "paused", "refused"],
)
def test_when_a_record_wants_to_be_looked_at_again(record: Record, expected: Any) -> None:
    assert wake_at(record, STRICT, NOW) == expected


def test_work_that_is_taken_up_again_remembers_no_refused_merge() -> None:
    record = merging("refused", refused_since=at("09:00"), reason="x").model_copy(update={"withdrawn": True})
    after = advanced(judge(record, IssueReopened(key="k", actor=actor("ada"), issue=12)))
    assert (after.phase, after.merge.state, after.merge.refused_since) == ("planning", "none", None)


def test_a_rejected_commit_is_not_offered_again_under_a_new_plan() -> None:
    said = Replan(key="r", actor=actor("ada"), source=source(NOW, "issue"), why="x")
    planning = advanced(judge(linked(rejected_heads=(HEAD,)), said))
    assert (planning.phase, planning.rejected_heads) == ("planning", (HEAD,))
