"""`signalbox serve` and `signalbox migrate`."""

import asyncio

import typer

from bot.cli.operations import Operations


def serve(ctx: typer.Context) -> None:
    """Receive deliveries and do the work, until told to stop."""
    operations: Operations = ctx.obj
    raise typer.Exit(operations.serve())


def migrate(ctx: typer.Context) -> None:
    """Bring the database to this version. `serve` does it by itself."""
    operations: Operations = ctx.obj
    typer.echo(asyncio.run(operations.migrate()), err=True)
