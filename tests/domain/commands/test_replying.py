"""One reaction and at most one reply per comment."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from markdown_it import MarkdownIt

from bot.domain.commands.grammar import read
from bot.domain.commands.offers import help_text
from bot.domain.commands.reading import Misread, Thread
from bot.domain.commands.replying import Answered, CommentAnswer, compose
from bot.domain.model.facts import Level
from bot.domain.model.policy import STRICT
from bot.domain.model.refusals import Refusal, RefusalCode
from tests.domain.commands.kit import able, hear, issue, pull, refused

HOSTILE = "@org/team fixes #1 <img src=x> ``` ` | \n/approve\n> https://example.org ![x](y) <!-- "


def no(text: str, code: RefusalCode, message: str) -> Answered:
    return Answered(text, Refusal(code=code, message=message))


def misread(body: str, thread: Thread) -> Answered:
    item = refused(body, thread)
    return Answered(item.source.text, item.refusal)


def test_an_accepted_command_gets_a_thumb_and_no_words() -> None:
    assert compose([Answered("/approve")]) == CommentAnswer("+1", None)
    assert compose([Answered("/approve"), Answered("/status")]) == CommentAnswer("+1", None)


def test_what_is_recorded_already_gets_a_thumb_only() -> None:
    assert compose([no("/approve", "already_recorded", "It is recorded.")]) == CommentAnswer("+1", None)


def test_what_was_asked_for_is_told() -> None:
    assert compose([Answered("/help", told="With `write` you can…")]) == CommentAnswer("+1", "With `write` you can…")


def test_a_refused_command_is_answered_in_its_words() -> None:
    answer = compose([no("/gate", "not_allowed", "It needs an operator.\nNothing changed.")])
    assert answer == CommentAnswer("confused", "Not counted: `/gate`. It needs an operator.\nNothing changed.")


def test_the_reply_to_an_unknown_command() -> None:
    assert compose([misread("/aprove", pull())]).reply == snapshot("""\
Not a command: `/aprove`. Did you mean `/approve`?
Of use here, now, to whoever holds the role (yours were not looked up; `/help` does): `/approve testing 3f2a91c84e07`, `/reject` and why, `/gate testing 3f2a91c84e07`, `/hold`, `/status`, `/help`.\
""")  # noqa: E501 - the text is exact


def test_the_reply_to_a_command_in_the_wrong_place() -> None:
    assert compose([misread("/gate", issue())]).reply == snapshot("""\
Not here: `/gate` is bound to a commit, so it works on the pull request only. Nothing changed.
The pull request of this issue is [#34](https://github.com/octo/app/pull/34).\
""")


def test_the_reply_to_misread_arguments() -> None:
    assert compose([misread("/approve not yet", issue())]).reply == snapshot(
        "Not counted: `/approve not yet`. Only a plan revision may follow here, and `not yet` is none, "
        "so nothing was approved. A reviewer approves with `/approve r2`; remarks go on a line of their "
        "own."
    )
    assert compose([misread("/approve not yet", pull())]).reply == snapshot(
        "Not counted: `/approve not yet`. Only a gate and a commit may follow here, and `not yet` is not"
        " that, so nothing was approved. A reviewer approves with `/approve testing 3f2a91c84e07`; "
        "remarks go on a line of their own."
    )
    assert compose([misread("/reject", pull())]).reply == snapshot(
        "Not counted: `/reject`. A rejection needs its reason, so nothing was rejected. A reviewer comments `/reject` and why."
    )
    assert compose([misread("/plan", issue())]).reply == snapshot(
        "Not counted: `/plan`. No plan follows, so nothing was submitted. A builder starts a comment "
        "with `/plan` and writes the whole plan below it."
    )
    assert compose([misread("/link", pull())]).reply == snapshot(
        "Not counted: `/link`. One issue is linked by its number, and none was named, so nothing was "
        "linked. A builder comments `/link #12` with the number of the issue."
    )
    assert compose([misread("/status\n" * 12, pull())]).reply == snapshot(
        "Not counted: `/status`. 12 commands in one comment; at most 10 are read, so none was run."
    )


def test_the_reply_to_several_commands() -> None:
    outcomes = [
        Answered("/priority 1"),
        no(
            "/gate testing 1b77d20",
            "head_moved",
            "The head is [`3f2a91c`](https://github.com/octo/app/commit/3f2a91c84e07); to open the gate for it, "
            "comment `/gate testing 3f2a91c84e07`.",
        ),
        Answered("/unhold"),
    ]
    assert compose(outcomes) == CommentAnswer(
        "confused",
        snapshot("""\
Of 3 commands, 2 were accepted.
- Accepted: `/priority 1`, `/unhold`.
- Not counted: `/gate testing 1b77d20`. The head is [`3f2a91c`](https://github.com/octo/app/commit/3f2a91c84e07); to open the gate for it, comment `/gate testing 3f2a91c84e07`.\
"""),  # noqa: E501 - the text is exact
    )


def test_several_commands_with_one_that_tells_something() -> None:
    outcomes = [Answered("/help", told="You can:\n- Use `/status`."), misread("/gate", issue())]
    assert compose(outcomes).reply == snapshot("""\
Of 2 commands, 1 was accepted.
- Accepted: `/help`. You can:
  - Use `/status`.
- Not here: `/gate` is bound to a commit, so it works on the pull request only. Nothing changed. The pull request of this issue is [#34](https://github.com/octo/app/pull/34).\
""")  # noqa: E501 - the text is exact
    assert (compose([misread("/gate", issue())] * 2).reply or "").startswith("Of 2 commands, none was")


def test_a_reply_about_one_command_has_at_most_six_lines() -> None:
    reply = compose([no("/gate", "not_allowed", "\n".join(["line"] * 20))]).reply
    assert reply is not None
    assert len(reply.splitlines()) == 6


def test_what_was_asked_for_is_never_cut() -> None:
    told = "You can:\n" + "- do this\n" * 20 + "- and that"
    assert compose([Answered("/help", told=told)]).reply == told


def live_text(markdown: str) -> str:
    """What GitHub would look through for mentions, references, images and keywords."""
    tokens = MarkdownIt("commonmark").parse(markdown)
    parts = [child for token in tokens for child in token.children or []]
    assert not [part for part in parts if part.type in {"image", "html_inline"}]
    assert not [token for token in tokens if token.type in {"html_block", "fence", "code_block"}]
    return "".join(part.content for part in parts if part.type == "text")


@pytest.mark.parametrize(
    "body",
    [
        f"{verb} {HOSTILE}"
        for verb in ("/signalbox", "/approve", "/gate", "/link", "/resume", "/priority", "/settle", "/settle merged")
    ],
)
@pytest.mark.parametrize("thread", [issue(), pull(), issue(without=True), pull(without=True)])
def test_what_people_write_stays_inert_in_the_reply(body: str, thread: Thread) -> None:
    outcomes = [Answered(i.source.text, i.refusal) for i in hear(body, thread) if isinstance(i, Misread)]
    for chosen in (outcomes[:1], outcomes[:1] * 2):
        assert_inert(compose(chosen).reply if chosen else None)


@given(st.text(alphabet="@/#<>`|![]()*_~\\ \n\r\u200b\u2028ab1", max_size=80))
def test_no_text_of_a_command_escapes_its_code_span(text: str) -> None:
    for outcomes in (
        [no(text, "not_allowed", "So it is.")],
        [no(text, "unknown_command", "So.")] * 2,
        [Answered(text)] * 2,
    ):
        assert_inert(compose([*outcomes, Answered("/a", told="Told.")]).reply)


def assert_inert(reply: str | None) -> None:
    if reply is None:
        return
    seen = live_text(reply)
    assert "@" not in seen
    assert "fixes #1" not in seen
    assert "<" not in seen
    assert read(reply).invocations == ()
    assert not any(line.lstrip("- >*`").startswith("/") for line in reply.splitlines())


@pytest.mark.parametrize("level", ["read", "write", "maintain"])
def test_a_help_text_that_comes_back_as_a_comment_runs_nothing(level: Level) -> None:
    for thread in (issue(), pull(), issue(without=True), pull(without=True)):
        assert_inert(compose([Answered("/help", told=help_text(thread, able(level), STRICT))]).reply)
