"""Commands that change something: what they will do stands first, then somebody agrees, then it is done.

They go through the running server's socket, or open the database alone.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypeVar

import typer

from bot.cli.operations import Ask, Operations, Refused, WrongUsage
from bot.cli.screen import words

T = TypeVar("T")

#: Ends of the names of operations that change nothing.
LOOKING = (".look", ".find", ".list")
#: What needs nothing that is there.
MAKING = "token.create"
NOTHING = "Stopped. Nothing was changed."
UNKNOWN = "Stopped. It may be done already: look before you repeat it."

DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Only say what would happen.")]
YesOption = Annotated[bool, typer.Option("--yes", help="Do not ask first: for scripts.")]


def ask(ctx: typer.Context, op: str, args: dict[str, Any]) -> Any:
    """The result of one request. Raises Refused."""

    async def one(asked: Ask) -> Any:
        return result_of(await asked(op, args))

    try:
        return talk(ctx, one, makes=op == MAKING)
    except KeyboardInterrupt:
        raise Refused(NOTHING if op.endswith(LOOKING) else UNKNOWN) from None


def talk(ctx: typer.Context, conversation: Callable[[Ask], Awaitable[T]], *, makes: bool = False) -> T:
    operations: Operations = ctx.obj

    async def talked() -> T:
        async with operations.admin(makes=makes) as asked:
            return await conversation(asked)

    return asyncio.run(talked())


def result_of(answer: dict[str, Any]) -> Any:
    """Raises Refused with the sentence of the refusal."""
    if "error" in answer:
        raise Refused("\n".join(words(line) for line in answer["error"]["message"].split("\n")))
    return answer["result"]


def agreed(*, dry_run: bool, yes: bool) -> bool:
    """Whether to go on, after what will happen was printed. Without a terminal nobody can agree, so that --yes is needed."""
    if dry_run:
        typer.echo("Nothing was changed: this was a dry run.", err=True)
        return False
    if yes:
        return True
    if not sys.stdin.isatty():
        raise WrongUsage(
            "Nobody can be asked here, so nothing was changed. Repeat it with --yes to do it, or with --dry-run to look."
        )
    try:
        willing = typer.confirm("Do it?", err=True)
    except typer.Abort:
        willing = False
    if not willing:
        raise Refused("Nothing was changed.")
    return True
