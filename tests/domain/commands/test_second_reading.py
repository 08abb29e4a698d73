"""Another CommonMark parser reads the same comments and must find the same commands."""

import re
from collections.abc import Sequence

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from bot.domain.commands.grammar import read

PARSER = MarkdownIt("commonmark")
MARK = re.compile(r"QZ([0-9]+)ZQ")
#: Pieces of lines. No raw elements that fold or quote, no mail: there our reading is stricter on purpose. No line begins
#: with an inline tag: under a list item GitHub's parser makes it a block, against the letter of CommonMark. No link
#: definitions: the other parser ends their paragraph too early.
PIECES = st.sampled_from(
    [
        *[
            "/approve",
            "/gate testing",
            "/xy",
            "text",
            "",
            " ",
            "    ",
            "> ",
            "- ",
            "1. ",
            "# ",
            "```",
            "~~~",
            "`",
            "``",
        ],
        *["*", "**", "[", "](u)", "](", ")", "![", '"', "<!--", "-->", "<div>", "</div>", "x<b>", "---"],
        *["===", "\\", ">", "\t", "&amp;", "a|b", "-|-", "é", "\u00a0"],
    ]
)
COMMENTS = st.lists(st.lists(PIECES, max_size=4).map("".join), max_size=9).map("\n".join)


def second_reading(body: str) -> list[int]:
    """The lines that begin with `/` and a word in plain text, as the other parser sees them."""
    lines = body.split("\n")
    for number, line in enumerate(lines):
        start = len(line) - len(line.lstrip())
        if re.match(r"/[a-z]{2,}(?=\s|$|[,:;!]|[.?]+(\s|$)|[^\x00-\x7f])", line[start:]) and "é" not in line:
            lines[number] = f"{line[:start]}QZ{number}ZQ{line[start:]}"
    found: list[int] = []
    quotes = 0
    for token in PARSER.parse("\n".join(lines)):
        quotes += token.nesting if token.type.startswith("blockquote") else 0
        if token.type == "inline" and not quotes:
            found += _live(token.children or [])
    return found


def _live(children: Sequence[Token]) -> list[int]:
    found: list[int] = []
    inside = 0
    for child in children:
        if child.type in {"link_open", "link_close"}:
            inside += child.nesting
        elif child.type == "text" and not inside:
            found += [int(number) for number in MARK.findall(child.content)]
    return found


@settings(max_examples=400, deadline=None)
@given(COMMENTS)
def test_two_parsers_find_the_same_commands(body: str) -> None:
    # A deeply indented `>` after a quote goes on with its paragraph; the other parser ends the quote there.
    assume(not re.search(r"^ {4,}>", body, re.MULTILINE))
    ours = [call.line for call in read(body).invocations if "é" not in body.split("\n")[call.line]]
    assert ours == second_reading(body)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300))
def test_no_text_breaks_the_reading_and_every_command_stands_in_it(body: str) -> None:
    for call in read(body).invocations:
        assert call.verb or call.long
        assert "/" in body


@settings(max_examples=200, deadline=None)
@given(COMMENTS)
def test_whatever_is_quoted_or_fenced_is_silent(body: str) -> None:
    quoted = "\n".join("> " + line for line in body.split("\n"))
    fence = "`" * (len(body) + 3)  # longer than any fence inside
    fenced = f"{fence}\n{body}\n{fence}"
    assert read(quoted).invocations == read(fenced).invocations == ()
