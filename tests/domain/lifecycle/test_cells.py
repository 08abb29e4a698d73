"""Every cell of the table of LIFECYCLE.md 2.2 against the real `decide`."""

import pytest

from bot.domain.gates.gate import complete, counting, void_because
from bot.domain.lifecycle.handling import ROWS
from bot.domain.lifecycle.results import Ignore, NotYet, Result
from bot.domain.model.record import Record
from bot.domain.projections.causes import due
from tests.domain.lifecycle import marks
from tests.domain.lifecycle.cells import BEYOND, SHARED, Cell, load
from tests.domain.lifecycle.circumstances import by_review, with_gate
from tests.domain.lifecycle.columns import COLUMNS, refused
from tests.domain.lifecycle.conditions import ALSO, CONDITIONS
from tests.domain.lifecycle.happenings import HAPPENINGS
from tests.domain.lifecycle.scene import Scene, gathered
from tests.kit.shows import show

SHARED_CELLS = load()
CELLS = [*SHARED_CELLS, *load(BEYOND)]
#: Facts that leave no trace on the record, because they are read anew before they could ever count: column -> reason.
_NO_HEAD_JUDGED = dict.fromkeys(
    ("planning", "plan_ready", "plan_rejected", "withdrawn", "done"),
    "checks are read when a head becomes a candidate, and again by every later step",
)
_NO_GATE = dict.fromkeys(
    ("planning", "plan_ready", "plan_rejected", "building", "blocked", "withdrawn"),
    "a verdict outside testing and submit never counts; its delivery says so",
)
_LATE = dict.fromkeys(
    set(COLUMNS) - {"requested", "ambiguous"}, "kept with its attempt by the merging step; both sides are read again"
)
READ_ANEW: dict[str, dict[str, str]] = {
    "check_red": _NO_HEAD_JUDGED,
    "check_green": _NO_HEAD_JUDGED,
    "checks_overdue": _NO_HEAD_JUDGED,
    "approve_head": _NO_GATE,
    "reject_head": {column: why for column, why in _NO_GATE.items() if column in {"blocked", "withdrawn"}},
    "review_dismissed": _NO_GATE,
    "merge_answer_success": {column: why for column, why in _LATE.items() if column != "reserved"},
    "merge_answer_refused_head": _LATE,
    "merge_answer_refused_base": _LATE,
    "merge_answer_refused_policy": _LATE,
    "merge_answer_ambiguous": _LATE,
}
#: Cells that differ from the shared table, because LIFECYCLE.md says otherwise; each has its reason in the copy.
OVERRULED = frozenset(
    f"merge_answer_refused_head-{state}-no other attempt of the reservation is live"
    for state in ("requested", "ambiguous")
) | {
    "reject_head-blocked-native review",
    "reject_head-withdrawn-native review",
    "lease_expired-reserved",
    "settle_unmerged-done",
}


#: Signals without cells of their own.
WITHOUT_CELLS = {
    **dict.fromkeys(
        ("comment_created", "labels_touched", "rerun_requested", "merge_group_formed", "ask_status", "ask_help"),
        "it changes no record",
    ),
    **dict.fromkeys(
        ("branch_pushed", "head_shared", "pull_opened"),
        "a look: what it finds is in the cells of what happened, and nothing else may change",
    ),
    **dict.fromkeys(
        ("ask_merge", "release_reservation", "merge_not_sent", "merge_looked"),
        "a step of the merge section, for one merge.state only (LIFECYCLE.md 3)",
    ),
    "doubt_over": "for what is frozen by a doubt only; it thaws as installation_back does",
    "news_waits": "it says in submit that something could not be worked on, and gives a reservation back; everything else stays",
    "pull_taken": "for what is withdrawn only; what /link did elsewhere is in the cells of link_other",
    "words_changed": "it changes no record; what was decided in the words stands, and that is said once",
    "repository_renamed": "only the name changes, whatever the phase",
}


def scenes(cell: Cell) -> list[Scene]:
    """The cell, in each form it has: submit before and after a refused merge, verdicts as command and as review."""
    forms = []
    for condition in (CONDITIONS[cell.condition], *ALSO.get(cell.condition, ())):
        for variant in ("none", "refused") if cell.column == "submit" else ("none",):
            scene = HAPPENINGS[cell.event](cell.column)
            if variant == "refused":
                scene.record = refused(scene.record)
            if cell.column == "plan_ready":
                scene.policy = with_gate(scene.policy, "plan", reviews=2)
            condition(scene, cell)
            forms.append(scene)
    if cell.event in {"approve_head", "reject_head"} and cell.column in {"testing", "submit"}:
        for scene in list(forms):
            native = Scene(scene.record, scene.signal, scene.policy, scene.now, dict(scene.world))
            by_review(native, cell)
            forms.append(native)
    return forms


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.name)
def test_cell(cell: Cell) -> None:
    for scene in scenes(cell):
        _holds(cell, scene)


def _holds(cell: Cell, scene: Scene) -> None:
    if cell.condition == "completes the testing gate":
        assert not complete(scene.record, scene.policy, "testing")
    result = gathered(scene)
    assert not isinstance(result, NotYet), result
    new = marks.after(scene, result)
    assert marks.refusal(result) == cell.refusal, result
    assert marks.phases(scene, result) == cell.phases, result
    assert new.merge.state == _merge(cell, scene), result
    happened = marks.seen(scene, result)
    told = cell.effects & {"decision", "void", "remember", "release", "flag"}
    if _was_rejected(scene.record):
        assert not counting(new, "plan")
        told -= {"void"}
    if "book" in cell.effects:
        happened -= {"decision"} - told
    assert happened == told, result
    assert all(void_because(new, d) is None for d in marks.given(scene, result) if d.verdict == "approve"), result
    if "book" in cell.effects:
        left_to_later = cell.column in READ_ANEW.get(cell.event, {})
        assert marks.changed(scene, result) is not left_to_later, result
    if cell.effects <= {"none", "note", "restore"}:
        assert not marks.changed(scene, result), result
    if cell.effects == {"none"}:
        assert not marks.effects(result), result
    if "note" in cell.effects:
        assert isinstance(result, Ignore)
        assert result.why
    if "restore" in cell.effects:
        assert [effect.kind for effect in marks.effects(result)] == ["put_back_label"]
    if "notice" in cell.effects:
        assert _told(scene, result)


def _was_rejected(record: Record) -> bool:
    """A rejected plan's decisions are void already, so nothing is left that could stop counting."""
    return record.phase == "plan_rejected" or (record.blocked is not None and record.blocked.from_ == "plan_rejected")


def _merge(cell: Cell, scene: Scene) -> str:
    """Absent = unchanged, but a record that leaves submit has merge.state none (LIFECYCLE.md 2.2)."""
    if cell.merge is not None:
        return cell.merge
    if scene.record.phase == "submit" and cell.phases and cell.phases[-1] != "submit":
        return "none"
    return scene.record.merge.state


def _told(scene: Scene, result: Result) -> bool:
    """A notice that the rule itself plans, or one that the publisher makes of the record as it is then (`due`)."""
    if any(effect.kind == "notice" for effect in marks.effects(result)):
        return True
    new = marks.after(scene, result)
    cause = due(show(new, policy=scene.policy))
    if new.withdrawn:
        return new.merge.external  # told by the status comment and the check run; nobody is called any more
    return cause is not None and cause != due(show(scene.record, policy=scene.policy))


def test_each_pair_has_a_cell_and_each_condition_is_known() -> None:
    assert {cell.condition for cell in CELLS} == set(CONDITIONS)
    assert {cell.event for cell in CELLS} == set(HAPPENINGS)
    assert {(cell.event, cell.column) for cell in CELLS} == {
        (event, column) for event in HAPPENINGS for column in COLUMNS
    }
    assert len({cell.name for cell in CELLS}) == len(CELLS)


def test_each_signal_that_may_change_a_record_has_cells_or_a_reason_why_not() -> None:
    told = {HAPPENINGS[event]("submit").signal.kind for event in HAPPENINGS} | {
        "review_submitted"
    }  # a form of verdicts
    assert set(ROWS) - told == set(WITHOUT_CELLS)


@pytest.mark.skipif(not SHARED.exists(), reason="the shared table is not on this machine")
def test_the_copy_says_what_the_shared_table_says() -> None:
    told = {cell.name: cell for cell in load(SHARED)}
    assert {cell.name for cell in SHARED_CELLS if cell != told.pop(cell.name, None)} == OVERRULED
    assert not told
