"""Operations names everything that asks for an operator."""

import re

import typer

from bot.cli.main import app
from tests.rules.kit import text, tracked

PAGE = "docs/operations.md"


def areas() -> set[str]:
    """The first word of every line that doctor can print."""
    sources = [path for path in tracked("bot/*.py") if "/doctor/" in path]
    return {area for path in sources for area in re.findall(r"\b(?:ok|warning|problem)\(\s*\"([a-z]+)\"", text(path))}


def test_every_line_of_doctor_is_explained() -> None:
    rows = set(re.findall(r"^\| ([a-z]+) \| ", text(PAGE).partition("## What doctor says")[2], re.MULTILINE))
    assert areas() >= {"settings", "webhook", "merges"}
    assert rows - {"line"} == areas()


def test_every_metric_that_it_names_exists() -> None:
    named = set(re.findall(r"`signalbox_([a-z_]+)", text(PAGE)))
    source = text("bot/bootstrap/metrics.py")
    assert len(named) > 4
    assert [name for name in named if f'"{name}"' not in source and f'"signalbox_{name}"' not in source] == []


def test_every_command_that_it_names_exists() -> None:
    commands = typer.main.get_command(app)
    words = set(re.findall(r"`(?:\.venv/bin/)?signalbox ([a-z-]+)", text(PAGE)))
    assert words >= {"doctor", "recover", "settle", "resume", "retry", "replay", "verify-history"}
    assert [word for word in words if word not in getattr(commands, "commands", {})] == []


def test_links_to_its_own_parts_lead_to_headings() -> None:
    headings = {
        re.sub(r"[^a-z -]", "", title.lower()).replace(" ", "-")
        for title in re.findall(r"^## (.+)$", text(PAGE), re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#([a-z-]+)\)", text(PAGE))) <= headings
