"""`signalbox token create|list|revoke`."""

import asyncio
import re
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

import typer

from bot.app.tokens import TokenOrder, TokenRole, token_view
from bot.cli.asking import ask
from bot.cli.helping import App
from bot.cli.operations import Operations
from bot.cli.screen import Cell, JsonOption, PlainOption, UtcOption, absolute, is_plain, print_json, table, when

app = App(name="token", help="API tokens of agents: create, list, revoke.", no_args_is_help=True)
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_LIFETIME = re.compile(r"([0-9]{1,6})([smhdw])")


def _read_lifetime(text: str) -> timedelta:
    found = _LIFETIME.fullmatch(text)
    if found is None:
        raise typer.BadParameter(f"{text!r} is no lifetime. Write it like 30d, 12h or 90m.")
    return timedelta(**{_UNITS[found[2]]: int(found[1])})


@app.command()
def create(
    ctx: typer.Context,
    name: Annotated[str, typer.Option(metavar="NAME", help="The agent's name, as the policy file lists it.")],
    role: Annotated[TokenRole, typer.Option(help="What the agent may do.")],
    repository: Annotated[
        list[str] | None, typer.Option(metavar="OWNER/REPO", help="Only this repository; may be repeated. Else all.")
    ] = None,
    expires: Annotated[
        timedelta | None, typer.Option(metavar="30d", parser=_read_lifetime, help="Lifetime. Else until revoked.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Make a token and print it, this once."""
    order = _order(name, role, tuple(repository or ()), expires)
    issued = ask(ctx, "token.create", order.model_dump(mode="json"))
    if as_json:
        print_json(issued)
        return
    for unknown in asyncio.run(_unknown(ctx.obj, order.repositories)):
        typer.echo(f"{unknown} The token is for it once it is known.", err=True)
    typer.echo("Keep this token: it is not shown again.", err=True)
    typer.echo(issued["token"])


async def _unknown(operations: Operations, repositories: tuple[str, ...]) -> list[str]:
    """What is said of each repository that nothing was heard of yet: most often it is misspelt."""
    if not repositories:
        return []
    async with operations.browsing() as browser:
        said = [await browser.unknown_repository(name) for name in repositories]
    return [each for each in said if each]


@app.command("list")
def list_(ctx: typer.Context, as_json: JsonOption = False, plain: PlainOption = False, utc: UtcOption = False) -> None:
    """Tokens, without their secrets."""
    operations: Operations = ctx.obj
    items = [token_view(row) for row in asyncio.run(operations.tokens())]
    if as_json:
        print_json(items)
        return
    if not items:
        typer.echo("No tokens yet. Make one with: signalbox token create --name NAME --role ROLE", err=True)
    now, plain = datetime.now(UTC), is_plain(plain=plain)
    rows = [_row(item, now, utc=utc or plain) for item in items]
    table(("name", "role", "state", "expires", "created", "repositories"), rows, plain=plain)


@app.command()
def revoke(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", show_default=False, help="As `token list` shows it.")],
) -> None:
    """End a token. It is refused from its next request on."""
    ask(ctx, "token.revoke", {"name": name})
    typer.echo(f"The token {name} is revoked.", err=True)


def _order(name: str, role: TokenRole, repositories: tuple[str, ...], lifetime: timedelta | None) -> TokenOrder:
    from pydantic import ValidationError  # noqa: PLC0415 - only here

    try:
        return TokenOrder(name=name, role=role, repositories=repositories, lifetime=lifetime)
    except ValidationError as invalid:
        option, what = _WRONG[str(invalid.errors()[0]["loc"][0])]
        raise typer.BadParameter(what, param_hint=option) from None


_WRONG = {
    "name": ("--name", "a name has letters, digits, dots, underscores and hyphens, at most 64"),
    "repositories": ("--repository", "write repositories like octo/app"),
    "lifetime": ("--expires", "a token lives more than a moment and at most ten years"),
}


def _row(item: dict[str, Any], now: datetime, *, utc: bool) -> tuple[Cell, ...]:
    expires = item["expires_at"]
    over = expires is not None and datetime.fromisoformat(expires) <= now
    state = "revoked" if item["revoked_at"] else "expired" if over else "works"
    return (
        Cell(item["name"]),
        Cell(item["role"]),
        Cell(state, "green" if state == "works" else "dim"),
        Cell(absolute(expires) if expires else "never"),
        Cell(when(item["created_at"], now, utc=utc)),
        Cell(", ".join(item["repositories"]) or "all"),
    )
