"""Out of blocked, withdrawn and away: what goes on, and from where."""

from typing import Any

import pytest

from bot.domain.lifecycle.results import Advance
from bot.domain.model import command_signals, own_signals, sightings
from bot.domain.model.policy import STRICT
from bot.domain.model.record import Record
from bot.domain.model.signals import Signal
from tests.domain.lifecycle import columns, marks
from tests.domain.lifecycle.cells import load
from tests.domain.lifecycle.circumstances import external
from tests.domain.lifecycle.columns import adding, blocked
from tests.domain.lifecycle.happenings import HAPPENINGS, fact, ours, said
from tests.domain.lifecycle.scene import RED, Scene, gathered
from tests.kit.cases import MERGE_SHA, evidence, pull_facts, runs
from tests.kit.records import HEAD, NEW_HEAD, PEOPLE, linked

RETRY = said(command_signals.Retry, "omar", "issue")


def then(record: Record, signal: Signal, **world: Any) -> Record:
    scene = Scene(record, signal, world=world)
    return marks.after(scene, gathered(scene))


def resumes(phase: str) -> Any:
    return said(command_signals.Resume, "omar", "issue", phase=phase)


def test_where_the_policy_lets_builders_resume_a_builder_does_and_nothing_else_of_an_operators() -> None:
    ruled = STRICT.model_copy(update={"blocked_recovery": "builder"})
    asked = blocked(columns.testing())
    resumed = gathered(Scene(asked, said(command_signals.Resume, "ada", "issue", phase="testing"), ruled))
    assert isinstance(resumed, Advance)
    assert resumed.record.phase == "testing"
    answer = said(command_signals.AnswerQuestion, "ada", "issue", text="The old one.")
    assert marks.refusal(gathered(Scene(asked, answer, ruled))) == "not_allowed"
    used_up = blocked(columns.testing(), cause="budget")
    assert marks.refusal(gathered(Scene(used_up, said(command_signals.Retry, "ada", "issue"), ruled))) == "not_allowed"


def test_a_testing_round_that_was_voided_long_ago_does_not_keep_a_record_out_of_submit() -> None:
    """The head before was judged and sent back; its decisions are consumed and void for ever."""
    submit = columns.submit()
    old = adding(
        submit, "testing", "review", "lin", head=NEW_HEAD, round=3, consumed=True, void="the head was sent back"
    )
    assert then(blocked(old), resumes("submit")).phase == "submit"


def test_checks_that_turned_red_while_it_was_blocked_send_it_back_when_it_goes_on() -> None:
    stopped = blocked(columns.complete_testing())
    result = gathered(Scene(stopped, resumes("testing"), red=True))
    assert isinstance(result, Advance)
    assert [step.event for step in result.steps] == ["resume_unchanged", "check_failed"]
    assert result.record.phase == "building"


@pytest.mark.parametrize(
    ("stopped", "head", "phase"),
    [
        (columns.testing(), HEAD, "testing"),
        (columns.testing(), NEW_HEAD, "building"),
        (columns.submit(), HEAD, "submit"),
    ],
    ids=["nothing moved", "the head moved", "in submit"],
)
def test_a_retry_goes_on_where_it_stopped_unless_what_was_judged_is_gone(
    stopped: Record, head: str, phase: str
) -> None:
    record = blocked(stopped, cause="budget")
    red = {"checks": runs(head, **RED)} if head == NEW_HEAD else {}
    assert then(record, RETRY, pull=pull_facts(record, head_sha=head), **red).phase == phase


def test_a_retry_without_an_approved_plan_goes_back_to_planning() -> None:
    building = columns.column("building")
    gone = tuple(d.model_copy(update={"void": "revoked by grace"}) for d in building.decisions)
    assert then(blocked(building, cause="budget", decisions=gone), RETRY).phase == "planning"


def test_a_merge_outside_keeps_a_blocked_record_blocked_until_it_is_settled() -> None:
    """Policy `block`: every later look sees the merge again, and none of them is an operator."""
    cell = load()[0]
    scene = HAPPENINGS["merged_by_other"]("blocked")
    external("block")(scene, cell)
    record = marks.after(scene, gathered(scene))
    assert record.blocked is not None
    assert (record.phase, record.blocked.cause, record.blocked.from_) == ("blocked", "external_merge", "testing")
    for signal in (ours(own_signals.TimeCame), fact(sightings.PullClosed, pull=34), resumes("testing")):
        again = Scene(record, signal, scene.policy, world=scene.world)
        assert marks.after(again, gathered(again)) == record
    assert then(record, said(command_signals.SettleMerged, "omar", sha=MERGE_SHA), **scene.world).phase == "done"


def test_a_head_that_may_be_merged_already_becomes_no_candidate() -> None:
    """GitHub shows the pull request as merged, the base does not show it yet; nobody judges that head now."""
    record = linked()
    merged = pull_facts(record, open=False, merged=True, merge_sha=MERGE_SHA)
    half = evidence(record, on_base=None)
    after = then(record, ours(own_signals.TimeCame), pull=merged, evidence=half)
    assert after.model_copy(update={"version": record.version, "merge": record.merge}) == record
    assert after.merge.model_copy(update={"one_sided_since": None}) == record.merge


def test_an_issue_that_came_back_does_not_keep_its_record_blocked() -> None:
    away = columns.testing(issue_gone="transferred", withdrawn=True, withdrawn_by=PEOPLE["ada"])
    back = then(away, fact(sightings.IssueReopened, issue=12))
    asked = then(back, said(command_signals.BlockWork, "ada", "issue", question="Which?"))
    assert then(asked, resumes("planning")).phase == "planning"


def test_a_question_does_not_hide_that_the_issue_is_gone() -> None:
    gone = then(blocked(columns.testing()), fact(sightings.IssueGone, issue=12, how="deleted"))
    scene = Scene(gone, resumes("testing"))
    assert marks.refusal(gathered(scene)) == "issue_gone"


def test_a_revoked_reservation_is_taken_again_by_the_next_look_and_not_by_the_revocation() -> None:
    reserved = adding(columns.asked("reserved"), "plan", "plan", "lin")
    released = then(reserved, said(command_signals.Revoke, "grace", "issue"))
    assert (released.phase, released.merge.state) == ("submit", "none")
    assert then(released, ours(own_signals.TimeCame)).merge.state == "reserved"
