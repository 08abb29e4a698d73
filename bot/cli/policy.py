"""`signalbox policy check`: what a policy file says, before it is committed. Needs no settings, no database, no GitHub."""

from pathlib import Path
from typing import Annotated, Any

import typer

from bot.cli.helping import App
from bot.cli.operations import Operations
from bot.cli.screen import JsonOption, print_json, words
from bot.domain.commands.catalogue import COMMANDS
from bot.domain.model.text import counted
from bot.domain.model.written import Finding
from bot.domain.policy.force import InForce, in_force
from bot.domain.policy.keys import as_data

app = App(name="policy", help="The policy file: check it.", no_args_is_help=True)
FileArgument = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        exists=True,
        dir_okay=False,
        readable=True,
        show_default=False,
        help="Such as .github/signalbox.yml.",
    ),
]


@app.command()
def check(ctx: typer.Context, file: FileArgument, as_json: JsonOption = False) -> None:
    """Say what is wrong or surprising in a policy file, line by line. Exit code 1 if it would not be used."""
    operations: Operations = ctx.obj
    looked = in_force(None, operations.document(file.read_bytes()), "", {command.name for command in COMMANDS})
    if as_json:
        print_json(_as_json(file, looked))
    else:
        for finding in looked.findings:
            typer.echo(_line(file, finding))
        typer.echo(_summary(looked), err=True)
    if not looked.accepted:
        raise typer.Exit(1)


def _line(file: Path, finding: Finding) -> str:
    """As compilers say it, so that editors jump there."""
    about = f"{finding.path}: " if finding.path else ""
    return f"{file}:{finding.line}:{finding.column}: {finding.level}: {words(about + finding.message)}"


def _summary(looked: InForce) -> str:
    if looked.accepted:
        return f"This file can be used. It begins with preset {looked.policy.preset}."
    errors = sum(finding.level == "error" for finding in looked.findings)
    return (
        f"This file would not be used: {counted(errors, 'error')}. "
        "The last good version would stay in force, and without one preset strict."
    )


def _as_json(file: Path, looked: InForce) -> dict[str, Any]:
    return {
        "file": str(file),
        "accepted": looked.accepted,
        "findings": [finding.model_dump(mode="json") for finding in looked.findings],
        "policy": as_data(looked.policy) if looked.accepted else None,
    }
