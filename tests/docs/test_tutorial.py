"""A newcomer's walk through the tutorial, word for word: every command as it stands, against the real processes."""

from pathlib import Path

import pytest

from tests.docs.clone import Server, Terminal
from tests.docs.pages import Block, Comparison, blocks

PAGE = "docs/tutorial.md"
#: How the last line begins that the demo prints before it waits.
READY = "    curl "


def is_typed(block: Block) -> bool:
    return block.language == "sh"


@pytest.mark.timeout(180)  # two real merges over sockets, on a machine that does other things as well
def test_every_command_of_the_tutorial_does_what_the_tutorial_shows(clone: Path) -> None:
    first, *rest = blocks(PAGE)
    assert first.note == "terminal 1"
    compared, terminal = Comparison(), Terminal(clone)
    server = Server(clone, first.text, READY)
    try:
        printed = server.printed
        for block in rest:
            if is_typed(block):
                if block.note == "after Ctrl-C":
                    server.ctrl_c()
                code, printed = terminal.types(block.text)
                assert code == 0, f"{block.text}\n{printed}"
            else:
                assert compared.missing(block.text, printed) == [], printed
    finally:
        server.ctrl_c()
        terminal.leaves()
    assert len(compared.commits) == 5
    assert not (clone / "walk").exists()


@pytest.mark.parametrize(
    ("shown", "printed"),
    [
        ("testing · head 3226c47", "submit · head aaaaaaa"),
        ("head 3226c47 is not 2b6c007", "head aaaaaaa is not aaaaaaa"),
        ("head 3226c47 is 3226c47", "head aaaaaaa is bbbbbbb"),
        ("comment /gate testing 3226c47795ee", "comment /gate testing aaaaaaa"),
        ("a\nb", "b\na"),
    ],
)
def test_an_output_that_the_page_does_not_show_is_found(shown: str, printed: str) -> None:
    assert Comparison().missing(shown, printed) == [shown.splitlines()[-1]]


def test_times_and_the_names_of_commits_may_differ() -> None:
    assert Comparison().missing("at 3226c47, 30 Nov 2026, 13:12 UTC", "at aaaaaaa, 1 Dec 2027, 00:01 UTC") == []
