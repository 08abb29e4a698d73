"""`signalbox deliveries list` and `signalbox replay`: what GitHub told, what became of it, and once more."""

import asyncio
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from bot.app.replay import OVER, delivery_view
from bot.cli.asking import DryRunOption, YesOption, agreed, ask
from bot.cli.helping import App
from bot.cli.operations import Operations
from bot.cli.screen import Cell, JsonOption, PlainOption, UtcOption, absolute, is_plain, print_json, table, when, words
from bot.domain.model.delivery import DeliveryState

STATES = {"failed": "red", "received": "yellow", "working": "yellow", "applied": "green"}

app = App(name="deliveries", help="What GitHub delivered: list.", no_args_is_help=True)


@app.command("list")
def list_(
    ctx: typer.Context,
    state: Annotated[DeliveryState | None, typer.Option(help="Only in this state.")] = None,
    limit: Annotated[int, typer.Option(min=1, metavar="NUMBER", help="At most so many, the newest.")] = 100,
    as_json: JsonOption = False,
    plain: PlainOption = False,
    utc: UtcOption = False,
) -> None:
    """Deliveries: first those that wait, the longest wait first, then what is over, the newest first."""
    operations: Operations = ctx.obj
    rows = asyncio.run(operations.deliveries(state, limit))
    items = [delivery_view(row) for row in rows]
    items.sort(key=lambda item: item["received_at"], reverse=True)
    over = [item for item in items if item["state"] in OVER]
    items = [item for item in reversed(items) if item["state"] not in OVER] + over
    if as_json:
        print_json(items)
        return
    if not items:
        typer.echo("Nothing matches." if state else "No deliveries yet. GitHub sends them to WEBHOOK_PATH.", err=True)
    now, plain = datetime.now(UTC), is_plain(plain=plain)
    headers = ("delivery", "event", "repository", "received", "state", "detail")
    table(headers, [_row(item, now, utc=utc or plain) for item in items], plain=plain, least=("repository", "event"))


def replay(
    ctx: typer.Context,
    guid: Annotated[str, typer.Argument(metavar="GUID", show_default=False, help="As `deliveries list` shows it.")],
    dry_run: DryRunOption = False,
    yes: YesOption = False,
) -> None:
    """Work on a delivery once more, such as one that failed. What it did already is not done twice."""
    found = ask(ctx, "delivery.look", {"guid": guid})
    delivery = found["delivery"]
    where = f" on {delivery['repository']}" if delivery["repository"] else ""
    typer.echo(f"{delivery['guid']}  {_event(delivery)}{where}, received {absolute(delivery['received_at'])}")
    detail = f": {words(delivery['detail'])}" if delivery["detail"] else ""
    tries = "1 try" if delivery["attempts"] == 1 else f"{delivery['attempts']} tries"
    typer.echo(f"It is {delivery['state']} after {tries}{detail}.")
    typer.echo("It will be worked on once more. A repeat changes nothing: what it did already is not done twice.")
    if not agreed(dry_run=dry_run, yes=yes):
        return
    put_back = ask(ctx, "delivery.replay", {"guid": guid})
    done = "The running server works on it now." if put_back["serving"] else "It is worked on when a server starts."
    typer.echo(f"{done} What becomes of it: signalbox deliveries list", err=True)


def _row(item: dict[str, Any], now: datetime, *, utc: bool) -> tuple[Cell, ...]:
    return (
        Cell(item["guid"]),
        Cell(_event(item)),
        Cell(item["repository"] or "-"),
        Cell(when(item["received_at"], now, utc=utc)),
        Cell(item["state"], STATES.get(item["state"], "dim")),
        Cell(words(item["detail"] or "")),
    )


def _event(item: dict[str, Any]) -> str:
    return f"{item['event']}.{item['action']}" if item["action"] else str(item["event"])
