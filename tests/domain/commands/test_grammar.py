"""Which lines of a comment are commands."""

import pytest

from bot.domain.commands.grammar import read


def verbs(body: str) -> list[str]:
    return [call.verb for call in read(body).invocations]


HEARD = {
    "plain": ("/approve", ["approve"]),
    "upper case": ("/APPROVE", ["approve"]),
    "after prose": ("Looks right.\n/approve", ["approve"]),
    "two commands": ("/approve\n/status", ["approve", "status"]),
    "carriage returns": ("hello\r\n/approve\r\n/status\r", ["approve", "status"]),
    "indented by three": ("   /approve", ["approve"]),
    "indented prose goes on": ("prose\n    /approve", ["approve"]),
    "no-break space before": ("\u00a0/approve", ["approve"]),
    "ideographic space before": ("\u3000/approve", ["approve"]),
    "byte order mark": ("\ufeff/approve", ["approve"]),
    "zero width after the slash": ("/\u200bapprove", ["approve"]),
    "zero width inside": ("/app\u200brove", ["approve"]),
    "zero width behind": ("/approve\u200b", ["approve"]),
    "right-to-left override": ("\u202e/approve", ["approve"]),
    "soft hyphen": ("/ap\u00adprove", ["approve"]),
    "control characters": ("\x00/approve\x00", ["approve"]),
    "lazy list line": ("- fine\n/approve", ["approve"]),
    "paragraph of a list item": ("- fine\n\n  /approve", ["approve"]),
    "signature below makes a heading": ("/approve\n-- \nGrace", ["approve"]),
    "right under a table": ("a|b\n-|-\n1|2\n/approve", ["approve"]),
    "after a closed fence": ("```\n/gate\n```\n/approve", ["approve"]),
    "after a quote and an empty line": ("> /gate\n\n/approve", ["approve"]),
    "after a fold": ("<details>\n\n/gate\n\n</details>\n\n/approve", ["approve"]),
    "a type parameter in prose is no link": ("Use List<A> here.\n\n/approve", ["approve"]),
    "punctuation behind": ("/approve.", ["approve"]),
    "emoji behind": ("/approve\U0001f44d", ["approve"]),
    "another word": ("/approveé", ["approveé"]),
    "a user's private-use characters": ("\ue0001\ue001\n/approve", ["approve"]),
    "private-use characters as entities": ("> &#xE000;2&#57345;\n\n/approve\n\n&#57344;7&#x0e001;", ["approve"]),
    "a lone surrogate": ("\ud800\n/approve", ["approve"]),
    "an unpaired backtick in another block": ("`\n\n/approve\n\n`", ["approve"]),
}

NOT_HEARD = {
    "a quoted command that an entity names": "> /approve\n\n&#xe000;0&#xe001;",
    "a lazy line that an entity names": "> a\n/approve\n\n&#57344;1&#57345;",
    "quote": "> /approve",
    "quote in a quote": "> > /approve",
    "lazy line of a quote": "> fine\n/approve",
    "fence": "```\n/approve\n```",
    "open fence": "~~~\n/approve",
    "fence in a list": "1. do\n   ```\n   /approve\n   ```",
    "indented code": "    /approve",
    "indented by a tab": "\t/approve",
    "inline code": "use `/approve` here",
    "inline code over two lines": "use `this\n/approve` here",
    "HTML block": "<div>\n/approve\n</div>",
    "HTML paragraph": "<p>\n/approve\n</p>",
    "HTML comment": "<!--\n/approve\n-->",
    "open HTML comment": "<!--\n\n/approve",
    "inline HTML comment": "so <!-- \n/approve\n--> it is",
    "fold": "<details><summary>log</summary>\n\n/approve\n\n</details>",
    "HTML quote": "<blockquote>\n\n/approve\n\n</blockquote>",
    "HTML code": "so <code>\n/approve\n</code>",
    "pre": "<pre>\n\n/approve\n\n</pre>",
    "link text": "[see\n/approve\n](https://example.org)",
    "link target": "[see](\n/approve)",
    "link title": '[see](/x "\n/approve")',
    "link definition": "[see]:\n/approve",
    "image text": "![see\n/approve\n](x.png)",
    "struck out": "~~no\n/approve so~~",
    "list item": "- /approve",
    "numbered item": "1. /approve",
    "in a sentence": "please /approve",
    "after a line separator": "please\u2028/approve",
    "path": "/etc/approve",
    "file": "/plan.md",
    "query": "/status?verbose=1",
    "two slashes": "//approve",
    "space behind the slash": "/ approve",
    "snake case": "/approve_it",
    "mention": "@signalbox approve",
    "mail address": "x@signalbox.example approve",
    "mention of a name that goes on": "@signalboxx approve",
    "mention of a name with a hyphen": "@signalbox-dev approve",
    "empty": "",
    "only a slash": "/",
}


@pytest.mark.parametrize(("body", "expected"), HEARD.values(), ids=HEARD.keys())
def test_a_line_of_plain_text_that_begins_with_a_slash_is_a_command(body: str, expected: list[str]) -> None:
    """known-faults.md, row 10."""
    assert verbs(body) == expected


@pytest.mark.parametrize("body", NOT_HEARD.values(), ids=NOT_HEARD.keys())
def test_what_github_does_not_show_as_a_line_of_plain_text_is_no_command(body: str) -> None:
    """known-faults.md, rows 2 and 8."""
    assert verbs(body) == []


@pytest.mark.parametrize(
    ("body", "verb", "rest"),
    [
        ("/signalbox approve r2", "approve", "r2"),
        ("/SignalBox Approve r2", "approve", "r2"),
        ("/signalbox\u00a0approve\u3000r2", "approve", "r2"),
        ("/signalbox: approve", "approve", ""),
        ("/signalbox /approve", "approve", ""),
        ("/signalbox what.is this", "what.is", "this"),
        ("/signalbox", "", ""),
        ("/signalbox   ", "", ""),
    ],
)
def test_the_long_form_takes_whatever_verb_follows(body: str, verb: str, rest: str) -> None:
    call = read(body).invocations[0]
    assert (call.long, call.verb, call.rest) == (True, verb, rest)


def test_the_long_form_ends_at_its_name() -> None:
    """known-faults.md, row 8."""
    assert [call.long for call in read("/signalbox-dev approve\n/signalboxes approve").invocations] == [False, False]


def test_lines_are_counted_as_in_the_source() -> None:
    reading = read("one\r\n\r\n```\r\n/gate\r\n```\r\n/approve\r\n\r\n/status")
    assert [call.line for call in reading.invocations] == [5, 7]


def test_the_text_of_a_command_is_the_source_as_written() -> None:
    reading = read("/plan\u200b \U0001f469\u200d\U0001f4bb Title\r\n\r\n    code\r\n> quote\r\n/approve\r\n\r\n")
    assert reading.text_of(reading.invocations[0]) == "\U0001f469\u200d\U0001f4bb Title\n\n    code\n> quote\n/approve"


def test_the_text_of_a_command_can_end_before_a_line() -> None:
    reading = read("/reject because\nof this\n\n/status")
    first, second = reading.invocations
    assert reading.text_of(first, second.line) == "because\nof this"
