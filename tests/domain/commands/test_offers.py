"""What a person can do here and now."""

import pytest
from inline_snapshot import snapshot

from bot.domain.commands.offers import help_text
from bot.domain.commands.spec import Thread
from bot.domain.model.facts import Level
from bot.domain.model.policy import STRICT, Policy
from bot.domain.model.record import Merge, Phase, Record
from tests.domain.commands.kit import a_record, bare, issue, pull


def told(thread: Thread, level: Level, policy: Policy = STRICT) -> str:
    return help_text(thread, level, policy)


def test_an_operator_at_testing() -> None:
    assert told(pull(), "maintain") == snapshot("""\
With `maintain` on this repository you can do here, now:
- Use `/approve testing 3f2a91c84e07`: approves the plan revision, or the head at the open gate.
- Use `/gate testing 3f2a91c84e07`: opens the human gate for the head.
- To stop it or send it back, use `/reject` and why, `/rework` and why, `/replan` and why, `/block` and a question, `/hold`, `/cancel` and why.
- There is also `/unlink`, `/priority` and a number from 0 to 100, `/status`, `/help`.\
""")


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
