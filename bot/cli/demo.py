"""`signalbox demo`."""

from typing import Annotated

import typer

from bot.cli.operations import Operations


def demo(
    ctx: typer.Context,
    once: Annotated[bool, typer.Option("--once", help="End after the merge instead of staying up; no pauses.")] = False,
) -> None:
    """Show one issue on its way to a confirmed merge, with a simulated GitHub. Needs no settings."""
    operations: Operations = ctx.obj
    raise typer.Exit(operations.demo(once=once))
