"""Whatever people write, our output mentions nobody, closes nothing, embeds nothing, and begins no block with a command."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from markdown_it import MarkdownIt
from markdown_it.token import Token

from bot.domain.model.ids import SIGNALBOX, Actor
from bot.domain.model.policy import Policy
from bot.domain.model.record import Record
from bot.domain.model.text import code, link, plain, quoted
from bot.domain.model.traces import of_comment
from bot.domain.projections import notice_texts
from bot.domain.projections.check_run import check_runs
from bot.domain.projections.desired import desired
from bot.domain.projections.notices import notices
from bot.domain.projections.show import Happened
from bot.domain.projections.status_comment import full, short, status_comments
from tests.kit.records import HEAD, at, in_testing
from tests.kit.shows import SEAL, show
from tests.kit.some_records import HOSTILE, policies, records

MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
OURS = re.compile(r"<details><summary>[^<@#]*</summary>|</details>|<!-- signalbox:[\w:.-]+ -->|\s+")
ACTIVE = re.compile(r"@\w|(?i:\b(?:fix|close|resolve)\w*:?\s+\S*#\d)|\w/\w[\w.-]*#\d|(?i:\bgh-\d)|<|&#|https?:|www\.")
BLOCKS = frozenset({"paragraph_open", "td_open", "th_open", "heading_open", "list_item_open"})


def inline(tokens: list[Token]) -> Iterator[tuple[str, Token]]:
    """Every inline token, with the block it stands in."""
    block = ""
    for token in tokens:
        if token.type in BLOCKS:
            block = token.type
        yield block, token
        yield from ((block, child) for child in token.children or ())


def assert_inert(markdown: str) -> None:
    tokens = MARKDOWN.parse(markdown)
    for _, token in inline(tokens):
        assert token.type not in {"image", "heading_open", "hr", "fence", "code_block"}, (token, markdown)
        if token.type in {"html_block", "html_inline"}:
            assert OURS.sub("", token.content) == "", (token.content, markdown)
        if token.type == "text":
            assert not ACTIVE.search(token.content), (token.content, markdown)
        if token.type == "link_open":
            assert str(token.attrs["href"]).startswith("https://"), (token, markdown)
    for token in tokens:
        if token.type == "inline":
            seen = "".join("\n" if child.type.endswith("break") else child.content for child in token.children or ())
            assert not re.search(r"(?m)^\s*/", seen), (seen, markdown)


@given(records(), policies())
def test_comments_and_checks_are_inert(record: Record, policy: Policy) -> None:
    """known-faults.md, row 12; threats.md, T20."""
    looked_at = show(record, at("14:00"), policy, watched_pulls=(30,))
    for comment in status_comments(looked_at):
        *_, written, marker = comment.body.split("\n")
        assert_inert(f"{comment.text}\n\n{marker}")
        assert marker == comment.marker
        assert written == of_comment(looked_at.trace, SEAL)
        assert comment.body.count("<!-- signalbox:") == 2
    assert_inert(short(looked_at))
    assert_inert(full(looked_at))
    for run in check_runs(looked_at):
        assert_inert(run.summary)
        assert_inert(run.text)
        assert run.title.isprintable()


CAUSES = {
    "blocked": "7:q9",
    "outside": "7:q0",
    "ambiguous": "r-1.1",
    "turn": f"testing:{HEAD}:9",
    "unread": f"{HEAD}:9",
    "frozen": "database_behind:3",
}


def rows_of(record: Record) -> tuple[Happened, ...]:
    """What may have ended causes, in words of the record."""
    by = Actor(kind="person", id=1, login=record.title or "ada")
    detail = record.feedback or record.title
    ways: list[tuple[str, dict[str, object]]] = [("x", {"/merge/attempt": "r-1.1"}), ("x", {"/merge/state": "refused"})]
    ways += [("resume_building", {}), ("retry", {})]
    return tuple(Happened(8 + n, "blocked", "testing", event, by, detail, sets) for n, (event, sets) in enumerate(ways))


@given(records(), policies())
def test_notices_are_inert(record: Record, policy: Policy) -> None:
    told = {f"{kind}:12:{about}": True for kind, about in CAUSES.items()}
    frozen = Happened(3, "testing", "testing", "x", SIGNALBOX, sets={"/frozen": record.frozen})
    looked_at = show(record, at("14:00"), policy, told=told, history=(frozen, *rows_of(record)))
    for notice in notices(looked_at):
        assert_inert(notice.body)
        assert notice.body.split("\n")[-1] == notice.marker
        assert notice.body.count("<!-- signalbox:") == 1
        assert len(notice.text.split("\n")) <= 15
    told_about = (notice_texts.ambiguous(looked_at), notice_texts.external(looked_at))
    for body in told_about:
        assert_inert(body)


@given(records(), policies())
def test_what_github_refused_to_take_is_inert_in_the_check_run_too(record: Record, policy: Policy) -> None:
    calling = policy.model_copy(update={"notify": ("octo/release",)})
    wanted = {each.slot for each in desired(show(record, at("14:00"), calling))}
    for run in check_runs(show(record, at("14:00"), calling, unwritten=frozenset(wanted))):
        assert_inert(run.text)
        assert len(run.text) <= 60_000


@pytest.mark.parametrize("text", HOSTILE)
def test_a_refused_command_is_shown_in_a_code_span(text: str) -> None:
    refusal = {"message": "It was not counted.", "command": text, "by": text, "at": at("14:05")}
    assert_inert(full(show(in_testing(), at("14:00"), last_refusal=refusal)))


@pytest.mark.parametrize("text", HOSTILE)
def test_every_fragment_of_user_text_is_inert_by_itself(text: str) -> None:
    assert_inert(quoted(text))
    assert_inert(f"Because {code(text)}.")
    assert_inert(plain(text))
    assert_inert(f"| a | b |\n|---|---|\n| x | {plain(text)} |\n| y | about {code(text, in_table=True)} |")


def test_words_stay_words_and_code_spans_of_ours_stay_code_spans() -> None:
    assert plain("the task cannot read the old key") == "the task cannot read the old key"
    reason = "check `build` did not report on `3f2a91c` since 30 Nov 2026, 13:02 UTC"
    assert plain(reason) == reason


def test_only_web_addresses_become_links() -> None:
    assert link("log", "javascript:alert(1)") == "log"
    assert link("log", None) == "log"
    assert link("log", "https://x.example/a)(b|c") == "[log](https://x.example/a%29%28b%7Cc)"


def test_the_marker_of_another_comment_cannot_be_imitated() -> None:
    assert "<!--" not in code("<!-- signalbox:status:1:12:pull -->")
    assert HEAD in full(show(in_testing()))
