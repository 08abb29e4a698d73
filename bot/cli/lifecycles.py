"""`signalbox lifecycles list|show|history|explain`: what the API shows, at a terminal."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar

import typer

from bot.app.browse import Browser, Changed, Name, Page, Wanted
from bot.app.doctor.finding import some
from bot.app.frozen import WAYS
from bot.cli.explaining import tree
from bot.cli.helping import App
from bot.cli.names import NameArgument
from bot.cli.operations import Operations, Refused
from bot.cli.screen import (
    Cell,
    JsonOption,
    PlainOption,
    UtcOption,
    absolute,
    is_plain,
    phase,
    print_json,
    table,
    when,
    words,
)
from bot.domain.explain.ended_rows import FROZEN
from bot.domain.model.explain import WaitingOn
from bot.domain.model.record import Phase

T = TypeVar("T")

app = App(name="lifecycles", help="Records: list, show, history, explain.", no_args_is_help=True)


@app.command("list")
def list_(  # noqa: PLR0913, PLR0917 - typer reads the options from the parameters
    ctx: typer.Context,
    repository: Annotated[str | None, typer.Option(metavar="OWNER/REPO", help="Only of this repository.")] = None,
    in_phase: Annotated[Phase | None, typer.Option("--phase", help="Only in this phase.")] = None,
    waiting_on: Annotated[WaitingOn | None, typer.Option(help="Only those that wait for them.")] = None,
    as_json: JsonOption = False,
    plain: PlainOption = False,
    utc: UtcOption = False,
) -> None:
    """Records, the longest wait first; those that are done wait for nobody and come last."""
    wanted = Wanted(repository, in_phase, waiting_on)
    items = _ask(ctx, lambda browser: _all(lambda cursor: browser.list(wanted._replace(cursor=cursor), _everything)))
    if not items:
        typer.echo(_ask(ctx, lambda browser: _nothing(browser, wanted)), err=True)
    if as_json:
        print_json(items)
        return
    now, plain = datetime.now(UTC), is_plain(plain=plain)
    rows = [_row(item, now, utc=utc or plain) for item in sorted(items, key=_longest_wait)]
    table(("lifecycle", "phase", "waits for", "since", "head", "title"), rows, plain=plain)
    for line in _frozen(items):
        typer.echo(line, err=True)


@app.command()
def show(ctx: typer.Context, name: NameArgument, as_json: JsonOption = False) -> None:
    """One record."""
    record = _ask(ctx, lambda browser: _known(browser, browser.record(name, _everything), name))
    damage = _ask(ctx, lambda browser: browser.damage(name, _everything))
    if damage is not None:
        typer.echo(words(damage), err=True)
    if as_json:
        print_json(record)
        return
    for label, value in _facts(record):
        typer.echo(f"{label:<13} {value}")
    rules = _ask(ctx, lambda browser: browser.rules(name, _everything))
    if rules is not None:
        typer.echo(f"{'policy':<13} {rules.named}")
        if rules.concern is not None:
            typer.echo(f"{'':<13} {words(rules.concern)}")


@app.command()
def history(
    ctx: typer.Context,
    name: NameArgument,
    as_json: JsonOption = False,
    plain: PlainOption = False,
    utc: UtcOption = False,
) -> None:
    """Everything that changed a record, oldest first."""

    async def rows(browser: Browser) -> list[dict[str, Any]]:
        try:
            return await _all(lambda cursor: _known(browser, browser.history(name, _everything, cursor), name))
        except Changed as changed:
            raise Refused(words(str(changed))) from changed

    items = _ask(ctx, rows)
    if as_json:
        print_json(items)
        return
    now, plain = datetime.now(UTC), is_plain(plain=plain)
    table(
        ("version", "when", "phase", "signal", "by", "detail"),
        [
            (
                Cell(f"v{item['version']}"),
                Cell(when(item["at"], now, utc=utc or plain)),
                phase(item["to"]),
                Cell(item["signal"]),
                Cell(item["actor"]["login"]),
                Cell(words(item["detail"] or "")),
            )
            for item in items
        ],
        plain=plain,
    )


@app.command()
def explain(ctx: typer.Context, name: NameArgument, as_json: JsonOption = False) -> None:
    """Why a record is not merging now."""
    explanation = _ask(ctx, lambda browser: _known(browser, browser.explanation(name, _everything), name))
    if as_json:
        print_json(explanation)
        return
    typer.echo(words(explanation["verdict"]))
    for line in tree(explanation["reasons"], "  ", name):
        typer.echo(line)
    for way in explanation["ways"]:
        typer.echo(f"{words(way)}.")


def _ask(ctx: typer.Context, question: Callable[[Browser], Awaitable[T]]) -> T:
    operations: Operations = ctx.obj

    async def asked() -> T:
        async with operations.browsing() as browser:
            return await question(browser)

    return asyncio.run(asked())


async def _all(page: Callable[[str | None], Awaitable[Page]]) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    cursor: str | None = None
    while True:
        found = await page(cursor)
        items += found["items"]
        cursor = found["next"]
        if cursor is None:
            return items


async def _known(browser: Browser, asked: Awaitable[Page | None], name: Name) -> Page:
    found = await asked
    if found is None:
        raise Refused(await browser.why_no_record(name))
    return found


async def _nothing(browser: Browser, wanted: Wanted) -> str:
    """Why a list is empty."""
    unknown = await browser.unknown_repository(wanted.repository) if wanted.repository else None
    return unknown or ("Nothing matches." if any(wanted) else "No lifecycles yet. Add the label signalbox to an issue.")


def _everything(_repository: str) -> bool:
    """Whoever may open the database may see all of it."""
    return True


def _longest_wait(item: dict[str, Any]) -> tuple[bool, str]:
    return item["phase"] == "done" or item["withdrawn"], item["phase_since"]


def _flags(item: dict[str, Any]) -> list[str]:
    return [name for name in ("held", "withdrawn", "frozen") if item[name]]


def _frozen(items: list[dict[str, Any]]) -> Iterator[str]:
    """What is true of those that are frozen, and who can end it."""
    for why, is_so in FROZEN.items():
        names = [f"{item['repository']}#{item['issue']}" for item in items if item["frozen"] == why]
        if names:
            yield f"Frozen: {some(names)}: {is_so}. To go on, {WAYS[why]}"


def _row(item: dict[str, Any], now: datetime, *, utc: bool) -> tuple[Cell, ...]:
    return (
        Cell(f"{item['repository']}#{item['issue']}"),
        phase(item["phase"])._replace(text=", ".join([item["phase"], *_flags(item)])),
        Cell(", ".join(item["waiting_on"]) or "-"),
        Cell(when(item["phase_since"], now, utc=utc)),
        Cell((item["head"] or "-")[:7]),
        Cell(words(item["title"])),
    )


def _facts(record: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "lifecycle", f"{record['repository']}#{record['issue']}  {words(record['title'])}"
    yield "phase", ", ".join([record["phase"], *_flags(record)])
    yield "version", f"{record['version']}, {absolute(record['updated_at'])}"
    if (plan := record["plan"]) is not None:
        yield "plan", f"r{plan['revision']} by {plan['author']['login']}"
    if record["pull_request"] is not None:
        yield "pull request", f"#{record['pull_request']} into {record['base']}"
        yield "head", f"{record['head']}, epoch {record['head_epoch']}"
    for decision in record["decisions"]:
        counts = "counts" if decision["counts"] else f"does not count: {decision['void_because']}"
        yield "decision", f"{_decided(decision)} by {decision['by']['login']}, {counts}"
    yield "checks", record["verification"]["state"]
    yield "merge", " ".join(filter(None, (record["merge"]["state"], record["merge"]["sha"])))
    for question in record["questions"]:
        yield f"question {question['id']}", words(question["answer"] or f"{question['text']} (open)")


def _decided(decision: dict[str, Any]) -> str:
    """What somebody did, in the words of the status comment: a human gate is opened, everything else is judged."""
    if decision["kind"] == "operator":
        return f"{decision['gate']} gate opened"
    judged = f"plan r{decision['revision']}" if decision["gate"] == "plan" else f"{decision['gate']} review"
    return f"{judged} {'approved' if decision['verdict'] == 'approve' else 'rejected'}"
