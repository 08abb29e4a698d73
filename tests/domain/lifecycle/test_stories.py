"""Stories of people and machines that cross each other, as the pure core sees them."""

from datetime import datetime, timedelta
from typing import Any

from bot.domain.gates.gate import counting
from bot.domain.model import command_signals, own_signals, sightings
from bot.domain.model.effects import MergeReply
from bot.domain.model.merge import Remembered
from bot.domain.model.record import Record
from bot.domain.model.signals import Signal
from tests.domain.lifecycle import columns, marks
from tests.domain.lifecycle.happenings import fact, ours, said
from tests.domain.lifecycle.scene import Scene, gathered
from tests.kit.cases import NOW, actor, evidence, order_of, pull_facts, showed
from tests.kit.records import HEAD, NEW_HEAD, OLD_HEAD, at


def written(signal: Any, when: datetime) -> Any:
    return signal.model_copy(update={"source": signal.source.model_copy(update={"created_at": when})})


def then(record: Record, signal: Signal, now: datetime = NOW, shown: tuple[Any, ...] = (), **world: Any) -> Record:
    """The record after this signal; a request at any time is the end of the story."""
    scene = Scene(record, signal, now=now, world=world, known={"shown": shown})
    result = gathered(scene)
    assert order_of(record, result) is None
    return marks.after(scene, result)


def refused(
    record: Record, signal: Signal, now: datetime = NOW, shown: tuple[Any, ...] = (), **world: Any
) -> str | None:
    scene = Scene(record, signal, now=now, world=world, known={"shown": shown})
    result = gathered(scene)
    assert marks.after(scene, result) == record or marks.refusal(result) is None
    return marks.refusal(result)


def test_two_operators_gate_at_testing_and_the_late_one_does_not_open_submit() -> None:
    """Both looked at the same status comment; omar was a second faster."""
    testing = columns.testing()
    row = showed(testing, "testing", at("14:25"))
    submit = then(testing, written(said(command_signals.OpenGate, "omar"), at("14:29:58")), shown=(row,))
    assert submit.phase == "submit"
    level = {"lin": "maintain"}
    for late in (
        said(command_signals.OpenGate, "lin"),
        said(command_signals.OpenGate, "lin", gate="testing", sha=HEAD[:12]),
    ):
        by_lin = written(late, at("14:29:59"))
        assert refused(submit, by_lin, NOW + timedelta(seconds=5), (row,), level=level) == "stale_comment"
    assert not [d for d in counting(submit, "submit") if d.kind == "operator"]


def test_a_reject_written_for_testing_and_handled_in_submit_stops_the_merge() -> None:
    reserved = columns.asked("reserved")
    row = showed(columns.testing(), "testing", at("13:45"))
    stopped = then(
        reserved,
        written(said(command_signals.Reject, "lin", reason="it drops the last byte"), at("13:49")),
        shown=(row,),
    )
    assert (stopped.phase, stopped.merge.state, stopped.feedback) == ("building", "none", "it drops the last byte")
    assert not counting(stopped, "testing")
    assert HEAD in stopped.rejected_heads


def test_an_explicit_approval_delayed_over_a_reject_and_a_new_candidate_does_not_count() -> None:
    """The same head is a candidate again, in another round: what was written about the first one is over."""
    testing = columns.without(columns.testing(), "testing", "review")
    approval = written(said(command_signals.Approve, "grace", gate="testing", sha=HEAD), at("14:28"))
    rejected = then(testing, said(command_signals.Reject, "lin", reason="not yet"))
    again = then(rejected, said(command_signals.DeclareCandidate, "ada"), NOW + timedelta(minutes=2))
    assert (again.phase, again.head) == ("testing", HEAD)
    assert again.gates_opened.testing.round > testing.gates_opened.testing.round
    assert refused(again, approval, NOW + timedelta(minutes=3)) == "stale_comment"
    assert not counting(again, "testing")


def test_an_unknown_merge_with_b_and_a_pushed_is_held_by_nobody_and_asked_for_once() -> None:
    """GitHub did not answer. The head goes to B and comes back to A, so every read shows A open and unmerged; that proves
    nothing, because the request may still land. A closed pull request does, after the window, seen twice."""
    record = columns.asked("requested")
    ends = record.merge.window_ends
    assert ends is not None
    record = then(record, ours(own_signals.MergeLeaseExpired, attempt="a-1"), at("14:31"))
    for before, after in ((HEAD, NEW_HEAD), (NEW_HEAD, HEAD)):
        push = sightings.HeadPushed(key=f"push:{after}", actor=actor("ada"), pull=34, before=before, after=after)
        record = then(record, push, at("14:32"))
    assert (record.merge.state, len(record.merge.remembered)) == ("ambiguous", 2)
    look = ours(own_signals.MergeLooked, reservation=record.merge.id or "")
    for minutes in range(20):
        when = ends + timedelta(minutes=minutes)
        assert refused(record, said(command_signals.Hold, "lin"), when) == "merge_in_flight"
        shown = evidence(record, pull_merged=False, pull_open=True, on_base=False, began_at=when)
        record = then(record, look, when, evidence=shown)
        assert record.merge.state == "ambiguous"
    for minutes in (30, 40):
        when = ends + timedelta(minutes=minutes)
        closed = evidence(record, pull_merged=False, pull_open=False, on_base=False, began_at=when)
        record = then(record, look, when, evidence=closed, pull=pull_facts(record, open=False))
    assert (record.phase, record.merge.state, record.merge.attempts) == ("building", "none", 1)
    assert record.head_epoch > columns.asked("requested").head_epoch
    assert refused(record, said(command_signals.Hold, "lin"), ends + timedelta(minutes=41)) is None


def test_blocked_is_not_left_by_replan_nor_by_cancel_and_a_new_label() -> None:
    blocked = columns.blocked(columns.ready())
    assert refused(blocked, said(command_signals.Replan, "ada", "issue", why="otherwise")) == "blocked"
    withdrawn = then(blocked, said(command_signals.Cancel, "ada", "issue", why="no need"))
    assert (withdrawn.phase, withdrawn.withdrawn) == ("blocked", True)
    label: dict[str, Any] = {"issue": 12, "issue_id": 1200, "title": "Retry uploads", "label": "signalbox"}
    back = then(withdrawn, fact(sightings.StartLabelAdded, **label))
    assert (back.phase, back.withdrawn, back.blocked) == ("blocked", False, blocked.blocked)


def test_what_was_remembered_is_applied_by_the_phase_that_is_there_then() -> None:
    """Two pushes and a closed issue while GitHub was asked; it said no."""
    pushes = [
        fact(sightings.HeadPushed, pull=34, before=a, after=b) for a, b in ((HEAD, OLD_HEAD), (OLD_HEAD, NEW_HEAD))
    ]
    kept = tuple(
        Remembered(signal=each.model_dump(mode="json"), at=at("14:31"))
        for each in (*pushes, fact(sightings.IssueClosed, issue=12))
    )
    asked = columns.asked("requested", remembered=kept)
    no = MergeReply(api="sync", sent=True, status=405, message="At least 1 approving review is required")
    answered = ours(own_signals.MergeAnswered, attempt="a-1", reply=no)
    result = then(asked, answered, pull=pull_facts(asked, head_sha=NEW_HEAD))
    assert (result.head, result.withdrawn, result.merge.remembered) == (NEW_HEAD, True, ())
    assert result.phase in {"building", "testing"}
    assert not counting(result, "submit")
