"""`signalbox doctor`: what keeps this installation from working, why it matters, and what to do (UX.md section 9)."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from bot.app.doctor.finding import Finding
from bot.cli.operations import Operations
from bot.cli.screen import print_json
from bot.domain.model.text import visible

MARKS = {"ok": "✔", "warning": "!", "problem": "✘"}
AREA = 14
INDENT = " " * (2 + AREA)


def doctor(
    ctx: typer.Context,
    as_json: Annotated[
        bool, typer.Option("--json", help="JSON for programs: mark, area, what, why and do of each line.")
    ] = False,
) -> None:
    """Look at settings, database, webhook and GitHub, and say what is wrong, why it matters and what to do."""
    operations: Operations = ctx.obj
    found = asyncio.run(operations.doctor())
    if as_json:
        print_json([asdict(one) for one in found])
    else:
        for line in (*_lines(found), _count(found)):
            typer.echo(line)
    raise typer.Exit(1 if any(one.mark == "problem" for one in found) else 0)


def _lines(found: Sequence[Finding]) -> Iterator[str]:
    for one in found:
        yield f"{MARKS[one.mark]} {one.area:<{AREA}}{visible(one.what)}"
        if one.mark != "ok":
            yield f"{INDENT}Why it matters: {visible(one.why)}"
            yield f"{INDENT}Do: {visible(one.do)}"


def _count(found: Sequence[Finding]) -> str:
    problems, warnings = (sum(one.mark == mark for one in found) for mark in ("problem", "warning"))
    return f"{problems} problem{'' if problems == 1 else 's'}, {warnings} warning{'' if warnings == 1 else 's'}."
