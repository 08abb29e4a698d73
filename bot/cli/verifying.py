"""`signalbox verify-history`: is every record what its history says? Reads only, also beside a running server."""

import asyncio
from typing import Annotated, NamedTuple

import typer

from bot.app.browse import Name
from bot.cli.names import read_name
from bot.cli.operations import Checked, Operations, Refused
from bot.cli.progress import Pace, progress
from bot.cli.screen import Cell, JsonOption, PlainOption, print_json, table


class Found(NamedTuple):
    """What was looked at, and what is wrong: the record and a sentence."""

    versions: int
    wrong: list[tuple[str, str]]


def verify_history(
    ctx: typer.Context,
    only: Annotated[
        Name | None,
        typer.Argument(
            metavar="OWNER/REPO#N", parser=read_name, show_default=False, help="Only this record. Else all."
        ),
    ] = None,
    as_json: JsonOption = False,
    plain: PlainOption = False,
) -> None:
    """Check every record against its history: the chain of digests, no version missing, and the patches replayed."""
    operations: Operations = ctx.obj
    with progress("Verifying", _stopped) as pace:
        found = asyncio.run(_walk(operations, only, pace))
    if only is not None and not pace.total:
        raise Refused(asyncio.run(_why_none(operations, only)))
    if as_json:
        print_json([{"record": record, "finding": finding} for record, finding in found.wrong])
    elif found.wrong:
        rows = [(Cell(record), Cell(finding)) for record, finding in found.wrong]
        table(("lifecycle", "finding"), rows, plain=plain)
    typer.echo(_verdict(found, pace.total), err=True)
    if found.wrong:
        raise typer.Exit(1)


async def _walk(operations: Operations, only: Name | None, pace: Pace) -> Found:
    versions, wrong = 0, []
    async with operations.audit() as audit:
        keys = await audit.records(only)
        pace.total = len(keys)
        for key in keys:
            checked: Checked = await audit.check(key)
            versions += checked.versions
            wrong += [(checked.name, finding) for finding in checked.findings]
            pace.advance()
    return Found(versions, wrong)


async def _why_none(operations: Operations, name: Name) -> str:
    async with operations.browsing() as browser:
        return await browser.why_no_record(name)


def _verdict(found: Found, records: int) -> str:
    if not records:
        return "No records yet: there is nothing to verify."
    looked_at = f"{records} {'record' if records == 1 else 'records'} with {found.versions} versions"
    if not found.wrong:
        return f"{looked_at}: every record is what its history says."
    bad = len({record for record, _ in found.wrong})
    return (
        f"{looked_at}: {bad} {'is' if bad == 1 else 'are'} not what the history says. Nothing was changed. "
        "Restore a backup, or keep the file and report this."
    )


def _stopped(pace: Pace) -> str:
    return f"Stopped after {pace.done} of {pace.total} records. Nothing was changed: this only reads."
