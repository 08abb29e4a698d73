"""Every sentence of the specification that steps of a merge hang on has a test, and nothing of it is forgotten."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from tests.rules.kit import ROOT
from tests.rules.shown import docstring_of, file_of

TABLE = Path(__file__).with_name("specified.yaml")
SHARED = ROOT.parent / "shared"
#: Sections of which every piece has a story on the simulated GitHub, or says why not.
BY_STORIES = ("LIFECYCLE.md 3", "reference/github.md 3.1", "reference/github.md 3.3")
#: Tests of the pure core and of single parts. What is shown by these alone is not a story.
PARTS = ("domain/", "app/", "github/")


@dataclass(frozen=True, slots=True)
class Piece:
    """One sentence, clause or row, as the specification has it."""

    section: str
    says: str
    shown: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    why: str = ""


def pieces() -> list[Piece]:
    told = yaml.load(TABLE.read_text(encoding="utf-8"), yaml.CSafeLoader)
    return [
        Piece(section, one["says"], tuple(one.get("shown", ())), tuple(one.get("quotes", ())), one.get("why", ""))
        for section, found in told.items()
        for one in found
    ]


def missing(piece: Piece) -> list[str]:
    """Tests that are named and do not exist, and texts that they are not given."""
    tests = [one for one in piece.shown if docstring_of(one) is None]
    given = "".join(file_of(one).read_text(encoding="utf-8") for one in piece.shown if one not in tests)
    return tests + [quote for quote in piece.quotes if quote not in given]


def test_every_sentence_names_tests_that_exist_or_says_why_there_is_none() -> None:
    assert {piece.says: missing(piece) for piece in pieces() if missing(piece)} == {}
    assert [piece.says for piece in pieces() if not piece.shown and not piece.why] == []


def test_what_is_about_merging_is_shown_by_a_story() -> None:
    bare = [
        piece.says
        for piece in pieces()
        if piece.section in BY_STORIES and not piece.why and all(one.startswith(PARTS) for one in piece.shown)
    ]
    assert bare == []


def test_a_test_that_is_gone_and_a_text_that_is_not_given_are_seen() -> None:
    gone = Piece("", "", ("merging::the_moon_is_merged", "mergin::first"), ("no such text",))
    assert missing(gone) == ["merging::the_moon_is_merged", "mergin::first", "no such text"]


def clauses(prose: str) -> list[str]:
    """Sentences, and clauses that end with a semicolon; what stands in brackets or code belongs to its sentence."""
    found, depth, in_code, piece = [], 0, False, ""
    for index, letter in enumerate(prose):
        in_code ^= letter == "`"
        depth += 0 if in_code else (letter in "([{") - (letter in ")]}")
        piece += letter
        rest = prose[index + 1 :]
        ends = letter == ";" or (letter == "." and re.match(r"\s+[A-Z`*(]|\s*$", rest))
        if ends and not depth and not in_code and (not rest or rest[0].isspace()):
            found.append(piece)
            piece = ""
    return [" ".join(one.split()) for one in [*found, piece] if one.strip()]


def rows(section: str) -> list[str]:
    """The rows of its table, without the heading."""
    table = [line.strip().strip("|") for line in section.splitlines() if line.startswith("|")]
    return [" | ".join(cell.strip() for cell in line.split("|")).strip() for line in table[2:]]


def section(document: str, number: str) -> str:
    """What stands under one heading, up to the next one; without the numbers of a list."""
    text = (SHARED / document).read_text(encoding="utf-8")
    heading = re.search(rf"^(#+) {re.escape(number)}[. ].*$", text, re.MULTILINE)
    assert heading is not None, number
    below = re.split(r"^#+ ", text[heading.end() :], maxsplit=1, flags=re.MULTILINE)[0]
    return re.sub(r"^\d\. ", "", below, flags=re.MULTILINE)


def said(name: str) -> list[str]:
    document, _, number = name.partition(" ")
    below = section(document, number)
    if document == "LIFECYCLE.md":  # its tables have tests of their own: every edge, and every cell of cells.yaml
        return clauses(re.sub(r"^\|.*$", "", below, flags=re.MULTILINE))
    polled = re.findall(r"Poll result: .*?\)\.|Kept \*\*.*?\*\*\.", below)
    return rows(below) + polled


@pytest.mark.skipif(not SHARED.exists(), reason="the specification is not on this machine")
@pytest.mark.parametrize("name", dict.fromkeys(piece.section for piece in pieces()))
def test_the_table_has_every_sentence_of_the_specification(name: str) -> None:
    assert [piece.says for piece in pieces() if piece.section == name] == said(name)
