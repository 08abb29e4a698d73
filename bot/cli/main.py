"""`signalbox`: the command groups, what all commands share, and how refusals are said."""

import sys
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
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks of the program's own faults.")] = False,
    version: Annotated[  # noqa: ARG001 - the callback has answered it
        bool, typer.Option("--version", help="Show the version and exit.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    sys.excepthook = sys.__excepthook__ if debug else _in_one_line


def _in_one_line(kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> Any:
    detail = str(error).partition("\n")[0]
    typer.echo(f"signalbox: this is a fault of the program ({kind.__name__}: {detail}). --debug shows where.", err=True)


def run(operations: Operations) -> None:
    sys.excepthook = _in_one_line
    app(obj=operations)
