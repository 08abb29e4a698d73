"""Only the difference is written, in an order that never leaves success on a head that lost it."""

from dataclasses import replace
from typing import get_args

from bot.domain.model.effects import (
    AddLabels,
    CreateCheckRun,
    CreateComment,
    RemoveLabel,
    UpdateCheckRun,
    UpdateComment,
)
from bot.domain.model.record import Phase, Record
from bot.domain.projections.desired import desired
from bot.domain.projections.labels import PHASE_LABELS
from bot.domain.projections.plan import LastWritten, Planned, digest_of, plan, watched
from bot.domain.projections.shown import shown
from tests.kit.records import HEAD, NEW_HEAD, a_record, at, authorised, in_testing, planned
from tests.kit.shows import show

Slots = dict[str, LastWritten]


def after(slots: Slots, steps: tuple[Planned, ...]) -> Slots:
    """What the shell stores when GitHub has answered each write with an id."""
    done = dict(slots)
    for number, step in enumerate(steps, start=500):
        known = done.get(step.slot, LastWritten()).remote_id
        done[step.slot] = LastWritten(remote_id=known or number, digest=step.digest, extra=step.extra)
    return done


def wanted(record: Record, slots: Slots, observed: dict[int, tuple[str, ...]] | None = None) -> tuple[Planned, ...]:
    heads, pulls = watched(slots)
    return plan(desired(show(record, at("14:00"), watched_heads=heads, watched_pulls=pulls)), slots, observed)


def test_everything_is_created_once_and_then_nothing_is_written() -> None:
    first = wanted(in_testing(), {})
    assert [type(step.write) for step in first] == [CreateCheckRun, CreateComment, CreateComment, AddLabels, AddLabels]
    assert wanted(in_testing(), after({}, first)) == ()


def test_a_version_that_shows_nothing_new_writes_nothing() -> None:
    slots = after({}, wanted(in_testing(), {}))
    later = show(in_testing(version=12), at("15:30"), watched_heads=(HEAD,), watched_pulls=(34,))
    assert plan(desired(later), slots) == ()


def test_a_new_round_is_written_although_the_issue_says_the_same() -> None:
    slots = after({}, wanted(planned(), {}))
    gates = planned().gates_opened
    again = gates.model_copy(update={"plan": gates.plan.model_copy(update={"round": 3})})
    assert [step.slot for step in wanted(planned(gates_opened=again), slots)] == ["comment:issue"]


def test_the_check_that_loses_success_comes_first() -> None:
    slots = after({}, wanted(authorised(), {}))
    assert slots[f"check:{HEAD}"].extra == "success"
    moved = authorised(head=NEW_HEAD, phase="building")
    steps = wanted(moved, slots)
    first = steps[0]
    assert first.slot == f"check:{HEAD}"
    assert isinstance(first.write, UpdateCheckRun)
    assert first.write.conclusion == "cancelled"
    order = dict.fromkeys(step.slot.split(":")[0] for step in steps)
    assert list(order) == ["check", "comment", "labels"]


def test_a_check_that_waits_again_loses_success_before_anything_is_written() -> None:
    slots = after({}, wanted(authorised(), {}))
    slots[f"check:{HEAD}"] = replace(slots[f"check:{HEAD}"], remote_id=7)
    first, second, *_ = wanted(in_testing(), slots)
    assert {first.slot, second.slot} == {f"check:{HEAD}"}
    assert isinstance(first.write, UpdateCheckRun)
    assert isinstance(second.write, UpdateCheckRun)
    assert (first.write.status, first.write.conclusion) == ("completed", "action_required")
    assert (second.write.status, second.write.conclusion) == ("in_progress", None)
    assert first.digest != second.digest


def test_an_old_head_that_is_cancelled_is_left_alone_when_the_head_moves_again() -> None:
    slots = after({}, wanted(in_testing(), {}))
    slots = after(slots, wanted(in_testing(head=NEW_HEAD), slots))
    steps = wanted(in_testing(head="a" * 40), slots)
    assert f"check:{HEAD}" not in {step.slot for step in steps}
    assert f"check:{NEW_HEAD}" in {step.slot for step in steps}


def test_a_slot_that_is_not_known_to_be_right_is_written_again() -> None:
    slots = after({}, wanted(in_testing(), {}))
    slots["comment:pull:34"] = LastWritten(remote_id=501, digest=None)
    (step,) = wanted(in_testing(), slots)
    assert isinstance(step.write, UpdateComment)
    assert step.write.comment_id == 501


def test_a_comment_that_was_read_and_is_right_is_left_alone() -> None:
    slots = after({}, wanted(in_testing(), {}))
    body = next(step.write.body for step in wanted(in_testing(), {}) if step.slot == "comment:pull:34")  # type: ignore[union-attr]  # a comment
    slots["comment:pull:34"] = LastWritten(remote_id=501, digest=digest_of(body))
    assert wanted(in_testing(), slots) == ()
    slots["comment:pull:34"] = LastWritten(remote_id=501, digest=digest_of(f"{body} and more"))
    assert [step.slot for step in wanted(in_testing(), slots)] == ["comment:pull:34"]


def test_a_phase_label_changed_by_hand_is_restored_and_others_are_left() -> None:
    slots = after({}, wanted(in_testing(), {}))
    steps = wanted(in_testing(), slots, {34: ("bug", "signalbox/done", "signalbox")})
    assert [step.write for step in steps] == [
        AddLabels(number=34, names=("signalbox/testing",)),
        RemoveLabel(number=34, name="signalbox/done"),
    ]


def test_a_phase_label_that_somebody_made_in_capitals_is_that_label() -> None:
    slots = after({}, wanted(in_testing(), {}))
    assert wanted(in_testing(), slots, {12: ("Signalbox/Testing",), 34: ("bug", "SIGNALBOX/testing")}) == ()
    steps = wanted(in_testing(), slots, {34: ("Signalbox/Testing", "Signalbox/Done")})
    assert [step.write for step in steps] == [RemoveLabel(number=34, name="signalbox/done")]


def test_a_crash_between_two_label_writes_is_seen() -> None:
    slots = after({}, wanted(a_record(), {}))
    both = wanted(planned(), slots)
    added = next(step for step in both if isinstance(step.write, AddLabels))
    removal = wanted(planned(), after(slots, (added,)))
    assert [step.write for step in removal if step.slot == "labels:12"] == [
        RemoveLabel(number=12, name="signalbox/planning")
    ]


def test_a_pull_request_that_was_left_loses_its_phase_label() -> None:
    slots = after({}, wanted(in_testing(), {}))
    unlinked = in_testing(phase="building", pull_request=None, pull=None, head=None)
    writes = [step.write for step in wanted(unlinked, slots) if step.slot == "labels:34"]
    assert writes == [RemoveLabel(number=34, name="signalbox/testing")]


def test_every_phase_label_has_a_colour_and_a_short_description() -> None:
    assert {label.name for label in PHASE_LABELS} == {f"signalbox/{phase}" for phase in get_args(Phase)}
    assert all(len(label.description) <= 100 and len(label.color) == 6 for label in PHASE_LABELS)


def test_each_comment_shows_the_gate_it_asks_for() -> None:
    (issue,) = shown(planned())
    assert (issue.thread, issue.gate, issue.round, issue.revision, issue.head) == ("issue", "plan", 2, 2, None)
    on_issue, on_pull = shown(in_testing())
    assert (on_issue.gate, on_pull.gate, on_pull.round, on_pull.head) == (None, "testing", 5, HEAD)
    assert on_pull.at(at("14:00")).updated_at == at("14:00")


def test_a_withdrawn_record_shows_no_gate() -> None:
    assert [showing.gate for showing in shown(in_testing(withdrawn=True))] == [None, None]
