"""`signalbox recover`: what a process that is gone has left, and putting it in order."""

import asyncio
from typing import Any

import typer

from bot.cli.asking import DryRunOption, YesOption, agreed, ask, result_of
from bot.cli.operations import Operations
from bot.cli.progress import Pace, progress
from bot.cli.screen import Cell, JsonOption, PlainOption, print_json, table, words

Item = dict[str, Any]


def recover(
    ctx: typer.Context,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
    as_json: JsonOption = False,
    plain: PlainOption = False,
) -> None:
    """Put in order what a process that is gone has left. It approves nothing and asks for no merge."""
    found = ask(ctx, "recover.find", {})
    items: list[Item] = found["items"]
    if as_json:
        print_json(items)
    elif items:
        headers = ("what", "name", "found", "becomes")
        table(headers, [tuple(Cell(words(item[key])) for key in _COLUMNS) for item in items], plain=plain)
    if not items:
        typer.echo("Nothing was left behind.", err=True)
        return
    acts = [item for item in items if item["acts"]]
    typer.echo(_plan(len(acts), len(items)), err=True)
    if not acts:
        return
    if agreed(dry_run=dry_run, yes=yes):
        _recover(ctx, acts)


_COLUMNS = ("what", "name", "found", "does")


def _plan(acting: int, all_: int) -> str:
    if not acting:
        return "Nothing of this is for recover: it happens by itself, or by the command that is named."
    rest = f"; the other {all_ - acting} happen by themselves, or by the command that is named" if all_ > acting else ""
    return f"{acting} of {all_} will be put in order{rest}."


def _recover(ctx: typer.Context, acts: list[Item]) -> None:
    with progress("Recovering", _stopped) as pace:
        pace.total = len(acts)
        became = asyncio.run(_each(ctx.obj, acts, pace))
    for item, now in zip(acts, became, strict=True):
        typer.echo(f"{item['what']} {words(item['name'])}: {words(now)}", err=True)
    typer.echo(f"Done: {len(acts)} put in order.", err=True)


async def _each(operations: Operations, acts: list[Item], pace: Pace) -> list[str]:
    became: list[str] = []
    async with operations.admin() as asked:
        for item in acts:
            answer = result_of(await asked("recover.do", {"what": item["what"], "id": item["id"]}))
            became.append(str(answer["became"]))
            pace.advance()
    return became


def _stopped(pace: Pace) -> str:
    return f"Stopped after {pace.done} of {pace.total}. What is done stays done; repeat it for the rest."
