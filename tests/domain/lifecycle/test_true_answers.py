"""Answers say what is true: what was not done, what it was about, and who is awaited."""

from datetime import timedelta

import pytest

from bot.app.evidence import stored
from bot.domain.explain.merge_row import merge_row
from bot.domain.lifecycle.results import Advance, Refuse
from bot.domain.model.command_signals import AnswerQuestion, Cancel, Resume, Revoke, Rework, SettleUnmerged
from bot.domain.model.policy import STRICT
from bot.domain.model.record import Record
from bot.domain.model.signals import Signal
from bot.domain.model.text import moment
from tests.domain.lifecycle import columns
from tests.domain.lifecycle.happenings import HAPPENINGS, said
from tests.domain.lifecycle.scene import Scene, gathered
from tests.kit.blocked_record import blocked
from tests.kit.cases import NOW, approves, declares, left_alone, opens_gate, rejects
from tests.kit.records import HEAD, OLD_HEAD, at, authorised, decided, in_testing, merged, planned
from tests.kit.verdicts import SECOND, TESTING


def answer(record: Record, signal: Signal) -> str:
    result = gathered(Scene(record, signal))
    found = result.refusal if isinstance(result, Refuse | Advance) else None
    assert found is not None, result
    return f"{found.code}: {found.message}"


@pytest.mark.parametrize("record", [in_testing(), authorised()], ids=["testing", "submit"])
def test_a_candidate_that_is_not_the_head_is_not_called_recorded_already(record: Record) -> None:
    assert answer(record, declares("ada", "0" * 12)).startswith("head_moved: ")
    assert "/candidate testing" not in answer(record, declares("ada", "0" * 12))
    assert answer(record, declares("ada", HEAD[:12])).startswith("already_recorded: ")


def test_a_head_that_was_never_there_did_not_move() -> None:
    never = answer(in_testing(), approves("grace", gate="testing", sha="0" * 12))
    moved = answer(in_testing(rejected_heads=(OLD_HEAD,)), approves("grace", gate="testing", sha=OLD_HEAD[:12]))

    assert "no head that was judged here does" in never
    assert f"comment `/approve testing {HEAD[:12]}`" in never
    assert "The head moved before it arrived." in moved


def test_a_plan_that_was_never_there_did_not_move() -> None:
    said_of_r3 = answer(planned(), approves("grace", thread="issue", revision=3))

    assert said_of_r3 == (
        "revision_moved: There is no plan r3; the plan is r2. Nothing was stored.\n"
        "Read it; if it is right, comment `/approve r2`."
    )
    assert "moved before it arrived" in answer(planned(), approves("grace", thread="issue", revision=1))


def test_whoever_answers_a_question_that_is_not_open_is_told_which_one_is() -> None:
    record = planned(questions=(columns.a_question(),))
    other = said(AnswerQuestion, "omar", thread="issue", question="q7", text="The old one.")

    assert answer(record, other) == (
        "no_question: Question `q7` is not open; open is `q1`. Nothing changed.\n"
        "An operator answers it: `/answer q1` and the text."
    )


def test_cancelling_what_is_done_says_that_it_is_done() -> None:
    assert (
        left_alone(gathered(Scene(merged(), said(Cancel, "omar", why="late")))) == "the record is done, which is final"
    )


@pytest.mark.parametrize(("after", "named"), [(79.3, ":20"), (80.0, ":20")])
def test_at_the_second_that_is_named_a_merge_can_be_settled_and_every_face_names_that_one(
    after: float, named: str
) -> None:
    """A window that ended at 00:09:20 was called over at 00:09 here, at 00:10 there and at 00:09:20 elsewhere."""
    began = NOW.replace(second=0, microsecond=0)
    ends = began + timedelta(seconds=after)
    unknown = columns.asked("ambiguous")
    waits = unknown.model_copy(update={"merge": unknown.merge.model_copy(update={"window_ends": ends})})

    result = gathered(Scene(waits, said(SettleUnmerged, "omar", why="looked"), now=began))

    assert isinstance(result, Refuse)
    end = moment(ends).replace(" UTC", f"{named} UTC")
    assert f"GitHub is still read until {end}: " in result.refusal.message
    assert merge_row(waits, STRICT, complete=True, as_of=None).how.startswith(
        f"from {end} on, comment `/settle merged` "
    )
    assert f"GitHub is read until {end} before anybody may settle it" in list(stored(waits))


def test_a_full_gate_waits_for_what_is_missing_and_not_for_another_operator() -> None:
    full = decided(
        in_testing(), ("testing", "review", "grace", at("13:00")), ("testing", "operator", "omar", at("13:01"))
    )
    waiting = full.model_copy(
        update={"verification": full.verification.model_copy(update={"state": "pending", "checks": ()})}
    )

    told = answer(waiting, opens_gate("lin", **TESTING))

    assert "The human gate is open. Waiting for the checks." in told
    assert "other than" not in told


def test_a_second_revoke_says_what_it_keeps_and_is_not_called_early() -> None:
    given = decided(in_testing(), ("testing", "review", "grace", at("13:00")))
    once = gathered(Scene(given, said(Revoke, "grace")))
    assert isinstance(once, Advance)
    later = said(Revoke, "grace")
    later = later.model_copy(
        update={"key": "again", "source": later.source.model_copy(update={"created_at": NOW + SECOND})}
    )

    twice = gathered(Scene(once.record, later))

    assert isinstance(twice, Advance)
    assert twice.refusal is not None
    assert "Nothing changed" not in twice.refusal.message
    assert twice.steps[-1].detail == "revoked, and nothing of theirs counts any more"


def test_going_on_with_an_open_question_says_that_it_is_open() -> None:
    result = gathered(Scene(blocked(), said(Resume, "omar", "issue", phase="building")))

    assert isinstance(result, Advance)
    assert (result.steps[0].detail, result.record.questions[0].answer) == ("resumed in building; q1 left open", None)


def test_a_stale_reject_of_a_plan_does_not_advise_to_approve_what_is_approved() -> None:
    told = answer(in_testing(), rejects("grace", thread="issue", revision=1))

    assert "the plan is now r2" in told
    assert "comment `/approve" not in told
    assert "It is approved, and being carried out." in told


def test_an_approval_in_the_issue_names_the_pull_request_and_the_command_there() -> None:
    told = answer(in_testing(), approves("grace", thread="issue"))

    assert f"judged on pull request #34; a reviewer comments `/approve testing {HEAD[:12]}` there." in told


def test_an_approval_of_a_gate_that_is_not_open_gets_the_command_of_the_open_one() -> None:
    told = answer(in_testing(), approves("grace", gate="submit"))

    assert "now *testing* of" in told
    assert told.endswith(f"To judge what is open, comment `/approve testing {HEAD[:12]}`.")


def test_only_a_person_sends_a_head_back() -> None:
    def gone(scene: Scene) -> str | None:
        scene.record = decided(scene.record, ("testing", "operator", "omar", at("13:00")))
        result = gathered(scene)
        assert isinstance(result, Advance)
        return result.record.decisions[-1].void

    assert gone(HAPPENINGS["check_red"]("testing")) == "it went back to building"
    assert gone(HAPPENINGS["push"]("testing")) == "it went back to building"
    assert gone(HAPPENINGS["rework"]("testing")) == "the head was sent back"
    assert gone(HAPPENINGS["unlink"]("testing")) == "the pull request was unlinked"


def test_an_operator_who_approved_beyond_need_is_told_how_to_open_the_gate_after_all() -> None:
    surplus = decided(
        in_testing(), ("testing", "review", "grace", at("13:00")), ("testing", "review", "omar", at("13:01"))
    )

    told = answer(surplus, opens_gate("omar", **TESTING))

    assert told.endswith(f"`omar` comments `/revoke`, and then `/gate testing {HEAD[:12]}`.")


@pytest.mark.parametrize(
    "stop", [rejects("grace"), said(Rework, "grace", why="not like that")], ids=["reject", "rework"]
)
def test_who_sends_back_a_head_that_is_none_yet_is_not_shown_how_to_approve_the_plan(stop: Signal) -> None:
    told = answer(planned(), stop)

    assert told.endswith("a reviewer sends the plan back in the issue, with `/reject r2` and why.")
