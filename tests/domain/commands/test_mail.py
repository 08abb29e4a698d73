"""Comments that came by e-mail."""

import pytest

from bot.domain.commands.grammar import read
from bot.domain.commands.reading import Misread
from bot.domain.model.command_signals import Approve, SubmitPlan
from tests.domain.commands.kit import hear, issue, only, pull, refused

SEPARATORS = {
    "wrote": "On Mon, 30 Nov 2026 at 09:12, Ada Lovelace wrote:",
    "wrote, wrapped": "On Mon, 30 Nov 2026 at 09:12, Ada Lovelace <\nnotifications@github.com> wrote:",
    "wrote, no-break space": "On Monday Ada wrote\u00a0:",
    "original message": "-----Original Message-----",
    "original message, plain": "Original message:",
    "original message, starred": "***** ORIGINAL MESSAGE *****",
    "headers": "From: Ada <ada@example.org>\nSent: Monday\nTo: Grace",
    "bold headers": "*From:* Ada\n*Date:* Monday",
    "re-wrapped headers": "From: Ada Sent: Monday To: Grace Subject: Re: plan",
    "hidden by a zero-width space": "O\u200bn Monday Ada wrote:",
}
NO_SEPARATORS = {
    "a sentence": "On Monday we wrote the tests.",
    "a lone From": "From: the beginning",
    "a mention of the words": "the Original Message of the log",
    "a quoted one": "> On Monday, Ada wrote:",
    "one in code": "```\nOn Monday, Ada wrote:\n```",
    "an indented one": "text\n\n    From: a\n    To: b",
}
FOOTER = "Reply to this email directly, view it on GitHub <https://github.com/octo/app/issues/12>, or unsubscribe."


@pytest.mark.parametrize("separator", SEPARATORS.values(), ids=SEPARATORS.keys())
def test_reading_stops_where_a_quoted_mail_begins(separator: str) -> None:
    assert [call.verb for call in read(f"/status\n\n{separator}\n\n/approve").invocations] == ["status"]


@pytest.mark.parametrize("text", NO_SEPARATORS.values(), ids=NO_SEPARATORS.keys())
def test_reading_goes_on_where_no_mail_begins(text: str) -> None:
    assert [call.verb for call in read(f"/status\n\n{text}\n\n/approve").invocations] == ["status", "approve"]


def test_a_text_ends_where_a_quoted_mail_begins() -> None:
    item = only(hear("/reject the lock leaks\n\nOn Monday Ada wrote:\nsome plan", pull()))
    assert not isinstance(item, Misread)
    assert item.model_dump()["reason"] == "the lock leaks"


@pytest.mark.parametrize("separator", SEPARATORS.values(), ids=SEPARATORS.keys())
def test_a_plan_is_refused_rather_than_cut(separator: str) -> None:
    misread = refused(f"/plan\nfirst\n\n{separator}\n\nrest", issue())
    assert misread.refusal.code == "mail_quote"
    assert "Line 4 of the comment" in misread.refusal.message


def test_a_plan_may_show_a_mail_in_code() -> None:
    item = only(hear("/plan\nfirst\n```\nOn Monday, Ada wrote:\n```\nrest", issue()))
    assert isinstance(item, SubmitPlan)
    assert item.text == "first\n```\nOn Monday, Ada wrote:\n```\nrest"


@pytest.mark.parametrize(
    "footer",
    [
        FOOTER,
        FOOTER.replace("email ", "email\r\n"),
        "\u2014\nYou are receiving this because you authored the thread.",
        "*You are receiving\nthis because* you were mentioned.",
        "[Why and history](https://signalbox.example/lifecycles/octo/app/12) · as of 30 Nov 2026, 09:31 UTC",
        "Why and\nhistory <https://signalbox.example/lifecycles/octo/app/12> · as of 30 Nov 2026",
    ],
)
def test_a_comment_that_holds_a_footer_is_not_read_and_answered_once(footer: str) -> None:
    misread = refused(f"/approve r2\n/status\n\n{footer}\n", issue())
    assert misread.refusal.code == "mail_quote"
    assert misread.key == "comment:900:0"


def test_a_footer_in_a_quote_says_nothing() -> None:
    assert isinstance(only(hear(f"/approve r2\n\n> text\n> {FOOTER}", issue())), Approve)


def test_a_mail_without_a_command_is_not_answered() -> None:
    assert hear(f"Thanks!\n\n{FOOTER}", issue()) == ()
    assert hear(f"/approve\n\n{FOOTER}", issue(without=True)) == ()
    assert hear(f"/aprove\n\n{FOOTER}", issue()) == ()


def test_a_status_comment_that_comes_back_by_mail_runs_nothing() -> None:
    """known-faults.md, row 12."""
    body = (
        "**plan_ready** · plan r2 by `ada`\nWaiting for **a reviewer**.\n\n"
        "Plan r2: 0 of 1 approved; a reviewer other than `ada`: comment\n/approve r2, or\n/reject r2 and why\n\n"
        "Why and history · as of 30 Nov 2026, 09:31 UTC"
    )
    assert refused(body, issue()).refusal.code == "mail_quote"
