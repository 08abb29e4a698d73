"""The catalogue, and what each command makes of its arguments."""

from pathlib import Path

import pytest

import bot.domain.commands as package
from bot.domain.commands.arguments import CUT
from bot.domain.commands.catalogue import BY_NAME, COMMANDS, by_name
from bot.domain.commands.reading import Misread, Thread
from bot.domain.commands.spec import CommandSpec
from bot.domain.model.command_signals import Approve, AskStatus, DeclareCandidate, Link, OpenGate, Reject, SubmitPlan
from tests.domain.commands.kit import HEAD, hear, issue, only, pull, refused

MACHINERY = {
    *[
        "__init__",
        "replying",
        "arguments",
        "catalogue",
        "commonmark",
        "contradicting",
        "grammar",
        "mail",
        "offers",
        "reading",
        "sentences",
    ],
    "spec",
}
EXAMPLES = [(command.name, place, text) for command in COMMANDS for place, text in command.examples]


def test_every_command_file_is_in_the_catalogue_under_its_name() -> None:
    files = {path.stem for path in Path(package.__path__[0]).glob("*.py")} - MACHINERY
    assert files == set(BY_NAME)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_says_what_it_does_where_and_for_whom(command: CommandSpec) -> None:
    assert command.summary.split()[0].endswith("s")
    assert not command.summary.endswith(".")
    assert command.examples
    assert {place for place, _ in command.examples} == (
        {"issue", "pull"} if command.where == "both" else {command.where}
    )
    assert bool(command.bound) == (command.where != "both")
    assert command.who or command.name in {"status", "help", "revoke"}


@pytest.mark.parametrize(("name", "place", "text"), EXAMPLES)
@pytest.mark.parametrize("prefix", ["/", "/signalbox ", "/SIGNALBOX "])
def test_every_example_is_understood_as_its_command(name: str, place: str, text: str, prefix: str) -> None:
    item = only(hear(prefix + text.removeprefix("/"), issue() if place == "issue" else pull()))
    assert not isinstance(item, Misread), item
    assert item.kind in SIGNALS[name]


SIGNALS = {
    "plan": {"submit_plan"},
    "approve": {"approve"},
    "reject": {"reject"},
    "gate": {"open_gate"},
    "candidate": {"declare_candidate"},
    "link": {"link"},
    "merge": {"merge_now"},
    "settle": {"settle_merged", "settle_unmerged"},
    "answer": {"answer_question"},
    "resume": {"resume"},
    "retry": {"retry"},
    "unhold": {"unhold"},
    "rework": {"rework"},
    "replan": {"replan"},
    "block": {"block_work"},
    "hold": {"hold"},
    "revoke": {"revoke"},
    "cancel": {"cancel"},
    "unlink": {"unlink"},
    "priority": {"set_priority"},
    "status": {"ask_status"},
    "help": {"ask_help"},
}


def test_two_commands_of_one_name_cannot_be() -> None:
    with pytest.raises(ValueError, match="'plan' is taken"):
        by_name((BY_NAME["plan"], BY_NAME["plan"]))


def test_usage_follows_the_place() -> None:
    approve = BY_NAME["approve"]
    assert (approve.usage("issue"), approve.usage("pull")) == ("/approve [rN]", "/approve [testing or submit] [SHA]")
    assert BY_NAME["status"].usage("pull") == "/status"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("/approve", (None, None, None)),
        ("/approve testing", (None, "testing", None)),
        ("/approve SUBMIT", (None, "submit", None)),
        ("/approve 3F2A91C", (None, None, "3f2a91c")),
        (f"/approve testing {HEAD}", (None, "testing", HEAD)),
        ("/approve R2", (2, None, None)),
        ("/approve\u00a0testing\u30003f2a91c\u200b", (None, "testing", "3f2a91c")),
    ],
)
def test_approve_on_a_pull_request(body: str, expected: tuple[int | None, str | None, str | None]) -> None:
    item = only(hear(body, pull()))
    assert isinstance(item, Approve)
    assert (item.revision, item.gate, item.sha) == expected


@pytest.mark.parametrize("body", ["/approve", "/approve r2", "/approve r999999"])
def test_approve_on_an_issue_names_at_most_a_revision(body: str) -> None:
    item = only(hear(body, issue()))
    assert isinstance(item, Approve)
    assert (item.gate, item.sha) == (None, None)


@pytest.mark.parametrize(
    "rest",
    [
        *["not yet", "r0", "r-1", "r2 r3", "2", "#2", "r99999999", "looks good!", ".", "\U0001f44d", "plan", "3f2a91"],
        *["testing submit", "3f2a91c testing", "testing 3f2a91c please", "g3f2a91c", HEAD + "0", "`r2`", "r\u0662"],
    ],
)
@pytest.mark.parametrize("thread", [issue(), pull()], ids=["issue", "pull"])
def test_approve_refuses_whatever_it_does_not_expect(rest: str, thread: Thread) -> None:
    """known-faults.md, row 4."""
    misread = refused(f"/approve {rest}", thread)
    if misread.refusal.code != "wrong_place":
        assert misread.refusal.code == "bad_argument"
        assert "nothing was approved" in misread.refusal.message
    assert thread.is_pull or misread.refusal.code == "bad_argument"


def test_a_commit_cut_too_short_is_named() -> None:
    message = refused("/approve testing 3f2a91", pull()).refusal.message
    assert "`3f2a91` has 6 digits; a commit is named by 7 to 40." in message


@pytest.mark.parametrize("body", ["/approve testing", "/approve 3f2a91c", "/approve submit 3f2a91c"])
def test_a_head_is_not_approved_on_the_issue(body: str) -> None:
    assert refused(body, issue()).refusal.code == "wrong_place"


@pytest.mark.parametrize(
    ("body", "revision", "reason"),
    [
        ("/reject r2 no rollback", 2, "no rollback"),
        ("/reject R2: no rollback", 2, "no rollback"),
        ("/reject no rollback", None, "no rollback"),
        ("/reject\nno rollback\n\nat all", None, "no rollback\n\nat all"),
        ("/reject r2\nno rollback", 2, "no rollback"),
        ("/reject r2d2 is missing", None, "r2d2 is missing"),
        ("/reject no\n```\n/approve\n```\nend", None, "no\n```\n/approve\n```\nend"),
        ("/reject no\n/etc/passwd is read\n/unknown word", None, "no\n/etc/passwd is read\n/unknown word"),
    ],
)
def test_reject_takes_its_reason_up_to_the_next_command(body: str, revision: int | None, reason: str) -> None:
    item = only(hear(body, issue()))
    assert isinstance(item, Reject)
    assert (item.revision, item.reason) == (revision, reason)


def test_a_reason_ends_at_the_next_command() -> None:
    first, second = hear("/reject no\nmore\n/status", issue())
    assert isinstance(first, Reject)
    assert first.reason == "no\nmore"
    assert isinstance(second, AskStatus)


def test_a_revision_is_a_word_of_the_reason_on_a_pull_request() -> None:
    item = only(hear("/reject r2 was better", pull()))
    assert isinstance(item, Reject)
    assert (item.revision, item.reason) == (None, "r2 was better")


@pytest.mark.parametrize("body", ["/reject", "/reject r2", "/reject .", "/reject\n\n---", "/reject r2: \n/status"])
def test_a_rejection_needs_a_reason(body: str) -> None:
    item = hear(body, issue())[0]
    assert isinstance(item, Misread)
    assert item.refusal.code == "bad_argument"
    assert "`/reject r2` and why" in item.refusal.message


def test_a_reason_is_kept_up_to_four_thousand_characters() -> None:
    item = only(hear("/reject " + "long " * 2_000, pull()))
    assert isinstance(item, Reject)
    assert len(item.reason) <= 4_000
    assert item.reason.endswith(CUT)


@pytest.mark.parametrize(
    ("body", "gate", "sha"), [("/gate", None, None), ("/gate testing 3F2A91C84E07", "testing", "3f2a91c84e07")]
)
def test_gate_takes_a_gate_and_a_commit(body: str, gate: str | None, sha: str | None) -> None:
    item = only(hear(body, pull()))
    assert isinstance(item, OpenGate)
    assert (item.gate, item.sha) == (gate, sha)


@pytest.mark.parametrize("rest", ["r2", "plan", "please", "now!", "testing now"])
def test_gate_refuses_whatever_it_does_not_expect(rest: str) -> None:
    assert refused(f"/gate {rest}", pull()).refusal.code == "bad_argument"


def test_candidate_takes_one_commit() -> None:
    item = only(hear("/candidate 3f2a91c", pull()))
    assert isinstance(item, DeclareCandidate)
    assert item.sha == "3f2a91c"
    assert refused("/candidate the last one", pull()).refusal.code == "bad_argument"


@pytest.mark.parametrize("rest", ["", "#0", "-1", "high", "#99999999999999999999", "#12 #13", "#\u0661"])
def test_link_wants_the_number_of_one_issue(rest: str) -> None:
    assert refused(f"/link {rest}", pull()).refusal.code == "bad_argument"


def test_a_pull_request_is_not_linked_to_itself() -> None:
    number = pull().number
    assert "is this pull request itself" in refused(f"/link #{number}", pull()).refusal.message


def test_link_names_the_issue() -> None:
    item = only(hear("/link #12", pull()))
    assert isinstance(item, Link)
    assert item.issue == 12


def test_a_plan_is_the_rest_of_the_comment_as_written() -> None:
    text = "# Keys\r\n\r\n1. rotate\r\n   /approve r1\r\n> quoted\r\n\r\n/status\r\n" * 20
    item = only(hear("Here it is.\n\n/plan\n" + text, issue()))
    assert isinstance(item, SubmitPlan)
    assert item.text == text.replace("\r\n", "\n").rstrip()


@pytest.mark.parametrize("body", ["/plan", "/plan\n\n \n", "/plan ---", "/plan\u200b"])
def test_an_empty_plan_is_refused(body: str) -> None:
    assert refused(body, issue()).refusal.code == "bad_argument"


def test_a_plan_must_be_the_first_command() -> None:
    status, plan = hear("/status\n/plan the plan\n/approve", issue())
    assert isinstance(status, AskStatus)
    assert isinstance(plan, Misread)
    assert plan.refusal.code == "bad_argument"
    assert "first command" in plan.refusal.message


def test_words_behind_a_command_without_arguments_are_passed_over() -> None:
    assert [item.kind for item in hear("/status please\n/help me!", pull()) if not isinstance(item, Misread)] == [
        "ask_status",
        "ask_help",
    ]
