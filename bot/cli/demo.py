"""`signalbox demo`."""

from pathlib import Path
from typing import Annotated

import typer

from bot.cli.operations import Operations


def demo(
    ctx: typer.Context,
    once: Annotated[bool, typer.Option("--once", help="End after the merge instead of staying up; no pauses.")] = False,
    hands_on: Annotated[bool, typer.Option("--hands-on", help="Tell no story: you act as everybody.")] = False,
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="DIRECTORY", help="Keep the data in this new directory.", show_default=False),
    ] = None,
) -> None:
    """Show one issue on its way to a confirmed merge, with a simulated GitHub. Needs no settings."""
    if once and hands_on:
        raise typer.BadParameter("--once ends after a story, and --hands-on tells none: take one of them.")
    operations: Operations = ctx.obj
    raise typer.Exit(operations.demo(once=once, hands_on=hands_on, data=data))
