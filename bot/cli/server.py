"""`signalbox serve` and `signalbox migrate`."""

import asyncio

import typer

from bot.cli.failures import INTERRUPTED
from bot.cli.operations import Operations

#: What Ctrl-C says of a migration: it is one transaction.
WHOLE = "Stopped. The migration is stored whole or not at all: signalbox doctor says which, and it may be repeated."


def serve(ctx: typer.Context) -> None:
    """Receive deliveries and do the work, until told to stop."""
    operations: Operations = ctx.obj
    raise typer.Exit(operations.serve())


def migrate(ctx: typer.Context) -> None:
    """Bring the database to this version. `serve` does it by itself."""
    operations: Operations = ctx.obj
    try:
        typer.echo(asyncio.run(operations.migrate()), err=True)
    except KeyboardInterrupt:
        typer.echo(WHOLE, err=True)
        raise typer.Exit(INTERRUPTED) from None
