"""The map of the code leads to what is there, and to all of it."""

import re

import pytest

from bot.app.merge import Merger
from bot.app.transact import Transactor
from bot.domain.lifecycle.decide import decide
from tests.rules.kit import ROOT, text, tracked

PAGE = "docs/architecture.md"
#: What a newcomer finds in the files of the reading path, in their order.
FOUND = (
    '"initial_state"',
    f"def {decide.__name__}(",
    f"class {Transactor.__name__}",
    f"class {Merger.__name__}",
    "def test_",
)
#: Roots of the short paths that the page uses.
ROOTS = ("", "bot", "bot/domain", "bot/domain/model")


def reading_path(page: str) -> list[str]:
    return re.findall(r"^\d\. \[((?:bot|tests)/[^\]]+)\]", text(page), re.MULTILINE)


def named(page: str) -> set[str]:
    """Files and folders in code spans. Names with a gap in them are patterns."""
    spans = re.findall(r"`([\w/.-]+(?:/|\.(?:py|json|toml)))`", text(page))
    return {span for span in spans if not span.startswith("/")}


def test_the_five_files_are_the_same_wherever_they_are_named_and_hold_what_is_said_of_them() -> None:
    path = reading_path(PAGE)
    assert len(path) == 5
    assert reading_path("README.md") == path
    assert [name for name, wanted in zip(path, FOUND, strict=True) if wanted not in text(name)] == []


def test_every_file_and_folder_that_the_map_names_is_there() -> None:
    assert len(named(PAGE)) > 30
    assert [name for name in named(PAGE) if not any((ROOT / root / name).exists() for root in ROOTS)] == []


@pytest.mark.parametrize("folder", ["bot", "bot/domain"])
def test_every_part_is_on_the_map(folder: str) -> None:
    parts = {path.removeprefix(f"{folder}/").split("/")[0] for path in tracked(f"{folder}/*/__init__.py")} - {
        "__init__.py"
    }
    tree = text(PAGE).partition("```text")[2].partition("```")[0]
    assert len(parts) > 5
    assert [part for part in parts if f"{part}/" not in tree] == []


def test_contributing_leads_to_the_reading_path_and_names_only_targets_of_make() -> None:
    page = text("CONTRIBUTING.md")
    assert "README.md#read-the-code" in page
    targets = set(re.findall(r"^([a-z-]+):.*?## ", text("Makefile"), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z-]+)`", page)) <= targets
