"""`signalbox`: the command groups, what all commands share, and how refusals are said."""

import sys
from functools import partial
from traceback import format_exception
from types import TracebackType
from typing import Annotated, Any

import typer

from bot.cli import deliveries, demo, doctor, lifecycles, orders, policy, recovering, server, tokens, verifying
from bot.cli.failures import PoliteGroup
from bot.cli.helping import App
from bot.cli.operations import Operations

app = App(
    name="signalbox",
    cls=PoliteGroup,
    help="Governs pull requests from a labelled issue to a confirmed merge.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(server.serve)
app.command()(server.migrate)
app.command()(demo.demo)
app.command()(doctor.doctor)
app.command("verify-history")(verifying.verify_history)
app.command()(deliveries.replay)
app.command()(recovering.recover)
app.command()(orders.settle)
app.command()(orders.resume)
app.command()(orders.retry)
app.add_typer(deliveries.app, name="deliveries")
app.add_typer(lifecycles.app, name="lifecycles")
app.add_typer(policy.app, name="policy")
app.add_typer(tokens.app, name="token")


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # noqa: PLC0415 - only this option needs it

        typer.echo(f"signalbox {version('signalbox')}")
        raise typer.Exit


@app.callback()
def _shared(
    ctx: typer.Context,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks of the program's own faults.")] = False,
    version: Annotated[  # noqa: ARG001 - the callback has answered it
        bool, typer.Option("--version", help="Show the version and exit.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    sys.excepthook = partial(_with_trace if debug else _in_one_line, ctx.obj)


def _with_trace(
    operations: Operations, kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> Any:
    typer.echo(_redacted(operations, "".join(format_exception(kind, error, trace))), err=True, nl=False)


def _in_one_line(
    operations: Operations, kind: type[BaseException], error: BaseException, _trace: TracebackType | None
) -> Any:
    detail = _redacted(operations, str(error)).partition("\n")[0]
    typer.echo(f"signalbox: this is a fault of the program ({kind.__name__}: {detail}). --debug shows where.", err=True)


def _redacted(operations: Operations, text: str) -> str:
    """What a fault holds in its hands may be a secret. What cannot be redacted is not shown."""
    try:
        return operations.redacted(text)
    except Exception as failed:  # noqa: BLE001 - whatever is wrong with it, the text stays hidden
        return f"[not shown: {type(failed).__name__} while its secrets were to be hidden]\n"


def run(operations: Operations) -> None:
    sys.excepthook = partial(_in_one_line, operations)
    app(obj=operations)
