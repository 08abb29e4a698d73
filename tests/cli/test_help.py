"""What `--help` says of every command: words for people, and none of our types."""

import re

import pytest
import typer

from bot.cli.main import app
from tests.cli.conftest import Run


def commands(command: object, words: str = "") -> list[str]:
    children = getattr(command, "commands", None)
    if children is None:
        return [words.strip()]
    return [found for name, child in children.items() for found in commands(child, f"{words} {name}")]


ALL = commands(typer.main.get_command(app))


@pytest.mark.parametrize("words", ALL)
def test_what_stands_in_the_place_of_a_value_is_a_word_and_everything_is_explained(run: Run, words: str) -> None:
    said = run(*words.split(), "--help").stdout

    assert re.findall(r"<[^|>]+>", said) == []
    assert "[[" not in said
    rows = re.findall(r"^  (\S.*)$", said.partition("Arguments:")[2] or said.partition("Options:")[2], re.MULTILINE)
    assert rows
    assert [row for row in rows if re.search(r"^\S+\s+\[required\]$", row)] == []


def test_a_record_is_named_by_its_issue(run: Run) -> None:
    assert "A record, by the number of its issue." in run("lifecycles", "explain", "--help").stdout
