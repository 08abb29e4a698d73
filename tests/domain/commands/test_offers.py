"""What a person can do here and now."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from bot.domain.commands.offers import help_text, here_now
from bot.domain.commands.spec import Thread
from bot.domain.model.facts import Level
from bot.domain.model.merge import Merge, MergeState
from bot.domain.model.policy import STRICT
from bot.domain.model.record import Phase, Record, Work
from tests.domain.commands.kit import a_question, a_record, able, bare, issue, pull
from tests.domain.commands.moments import (
    ADA,
    COMMAND,
    GRACE,
    HELD,
    LIN,
    ambiguous,
    blocked,
    decided,
    told,
)
from tests.kit import records as seats


def test_an_operator_at_testing() -> None:
    assert told(pull(), "maintain") == snapshot("""\
With `maintain` on this repository you can do here, now:
- Use `/approve testing 3f2a91c84e07`: approves the plan revision, or the head at the open gate.
- Use `/gate testing 3f2a91c84e07`: opens the human gate for the head.
- To stop it or send it back, use `/reject` and why, `/rework` and why, `/replan` and why, `/block` and a question, `/hold`, `/cancel` and why.
- There is also `/unlink`, `/priority` and a number from 0 to 100, `/status`, `/help`.\
""")  # noqa: E501 - the text is exact


def test_a_reviewer_is_not_offered_the_gate() -> None:
    assert "/gate" not in told(pull(), "write")
    assert "`/approve testing 3f2a91c84e07`" in told(pull(), "write")


def test_a_reader_is_offered_what_everybody_may() -> None:
    assert told(pull(), "read") == snapshot("""\
With `read` on this repository you can do here, now:
- Use `/status`: refreshes the status comment.
- Use `/help`: lists what you can do here now.\
""")


def test_a_plan_waits_for_a_reviewer() -> None:
    assert told(issue(), "write") == snapshot("""\
With `write` on this repository you can do here, now:
- Use `/plan` and the plan below it: submits the plan, or its next revision.
- Use `/approve r2`: approves the plan revision, or the head at the open gate.
- To stop it or send it back, use `/reject r2` and why, `/replan` and why, `/block` and a question, `/hold`, `/cancel` and why.
- There is also `/status`, `/help`.\
""")


def test_the_long_form_is_shown_where_bare_commands_are_off() -> None:
    assert told(issue(), "read", bare(False)) == snapshot("""\
With `read` on this repository you can do here, now:
- Use `/signalbox status`: refreshes the status comment.
- Use `/signalbox help`: lists what you can do here now.\
""")


def test_without_a_record() -> None:
    assert told(issue(without=True), "write") == snapshot(
        "Nothing can be done here with `write` on this repository now. This issue has no record. A "
        "builder starts one by adding the label `signalbox`."
    )
    assert told(pull(without=True), "write") == snapshot("""\
With `write` on this repository you can do here, now:
- Use `/link` and the number of the issue: binds this pull request to an issue.\
""")
    assert told(pull(without=True), "read") == snapshot(
        "Nothing can be done here with `read` on this repository now. This pull request is not linked to"
        " a record. A builder links it with `/link` and the number of the issue."
    )


@pytest.mark.parametrize(
    "record",
    [
        a_record("submit", merge=Merge(state="requested")),
        a_record("testing", withdrawn=True),
        a_record("testing", frozen="suspended"),
        a_record("done"),
        a_record("blocked"),
    ],
)
def test_nothing_to_decide_offers_no_decision(record: Record) -> None:
    text = told(pull(record), "admin")
    assert "/approve" not in text
    assert "/gate" not in text


def test_a_builder_declares_the_head() -> None:
    assert "`/candidate 3f2a91c84e07`" in told(pull(a_record("building")), "write")


@pytest.mark.parametrize("phase", ["planning", "plan_ready", "plan_rejected", "building", "testing", "submit", "done"])
def test_help_is_at_most_six_lines(phase: Phase) -> None:
    for thread in (issue(a_record(phase)), pull(a_record(phase))):
        assert len(told(thread, "admin").splitlines()) <= 6


def test_decisions_are_taken_back_by_whoever_decided() -> None:
    thread = pull(decided("testing", "testing"))
    assert "`/revoke`" in help_text(thread, able("write"), STRICT, GRACE)
    assert "`/revoke`" in help_text(thread, able("read"), STRICT, GRACE)
    assert "`/revoke`" not in help_text(thread, able("admin"), STRICT, LIN)


def test_whoever_has_a_seat_is_offered_no_other_one() -> None:
    approved = seats.decided(seats.in_testing(), ("testing", "review", "grace", seats.at("13:00")))
    thread = Thread(34, True, approved)

    seated = help_text(thread, able("maintain"), STRICT, seats.PEOPLE["grace"].id)
    free = help_text(thread, able("maintain"), STRICT, seats.PEOPLE["omar"].id)

    assert ("/approve" in seated, "/gate" in seated, "/gate" in free) == (False, False, True)


def test_a_hold_is_lifted_by_its_owner_or_an_operator() -> None:
    thread = issue(a_record("building", held=HELD))
    assert "`/unhold`" in help_text(thread, able("write"), STRICT, ADA)
    assert "`/unhold`" not in help_text(thread, able("write"), STRICT, GRACE)
    assert "`/unhold`" in help_text(thread, able("maintain"), STRICT, GRACE)


def test_an_operator_of_blocked_work() -> None:
    assert told(issue(blocked(questions=(a_question("q1"),))), "maintain") == snapshot("""\
With `maintain` on this repository you can do here, now:
- Use `/answer` and the text: answers an open question.
- Use `/resume testing`: lets blocked work go on in that phase.
- To stop it or send it back, use `/block` and a question, `/hold`, `/cancel` and why.
- There is also `/priority` and a number from 0 to 100, `/status`, `/help`.\
""")


def test_an_operator_when_it_is_not_known_whether_it_was_merged() -> None:
    assert told(pull(ambiguous()), "maintain") == snapshot("""\
With `maintain` on this repository you can do here, now:
- Use `/settle` with merged and the 40-digit merge commit, or with unmerged and why (from 30 Nov 2026, 14:02:00 UTC on): says how a merge ended that could not be proven.
- Use `/status`: refreshes the status comment.
- Use `/help`: lists what you can do here now.\
""")  # noqa: E501 - the text is exact


def test_an_operator_who_has_the_last_word() -> None:
    assert told(pull(decided("submit", "submit")), "maintain", COMMAND) == snapshot("""\
With `maintain` on this repository you can do here, now:
- Use `/approve submit 3f2a91c84e07`: approves the plan revision, or the head at the open gate.
- Use `/gate submit 3f2a91c84e07`: opens the human gate for the head.
- Use `/merge`: merges now, where the policy waits for this command.
- To stop it or send it back, use `/reject` and why, `/rework` and why, `/replan` and why, `/block` and a question, `/hold`, `/revoke`, `/cancel` and why.
- There is also `/unlink`, `/priority` and a number from 0 to 100, `/status`, `/help`.\
""")  # noqa: E501 - the text is exact


@given(
    st.sampled_from(get_args(Phase)),
    st.sampled_from(get_args(Phase)),
    st.sampled_from(["question", "budget", "checks", "issue_gone", "external_merge", "merge_refused"]),
    st.sampled_from(get_args(MergeState)),
    st.tuples(st.booleans(), st.booleans(), st.booleans(), st.booleans()),
)
def test_help_and_hints_stay_short_whatever_the_record_says(
    phase: Phase, from_: Phase, cause: str, state: MergeState, flags: tuple[bool, bool, bool, bool]
) -> None:
    held, withdrawn, asked, failed = flags
    record = blocked(
        cause,
        from_,
        held=HELD if held else None,
        withdrawn=withdrawn,
        merge=Merge(state=state),
        questions=(a_question("q1"), a_question("q2")) if asked else (),
        work=Work(task={"status": "failed"} if failed else None),
    ).model_copy(update={"phase": phase})
    for thread in (issue(record), pull(record)):
        for level in get_args(Level):
            assert len(told(thread, level, COMMAND).splitlines()) <= 6
        assert here_now(thread, COMMAND, None).count("\n") == 0
