"""`signalbox policy check`: what a policy file says, before it is committed. Needs no settings, no database, no GitHub, but with
`--repo`.
"""

import asyncio
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from bot.cli.helping import App
from bot.cli.operations import Operations, WrongUsage
from bot.cli.screen import JsonOption, print_json, words
from bot.domain.commands.catalogue import COMMANDS
from bot.domain.model.policy import Policy
from bot.domain.model.text import counted
from bot.domain.model.written import Finding
from bot.domain.policy.circles import could_sit
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


RepoOption = Annotated[
    str | None,
    typer.Option("--repo", metavar="OWNER/NAME", help="Also say who could fill each seat in this repository."),
]


@app.command()
def check(ctx: typer.Context, file: FileArgument, repo: RepoOption = None, as_json: JsonOption = False) -> None:
    """Say what is wrong or surprising in a policy file, line by line. Exit code 1 if it would not be used.

    With --repo also who could fill each seat of each gate there; GitHub is asked about those who are named."""
    if repo is not None and not all(repo.partition("/")):
        raise WrongUsage(f"--repo {words(repo)} names no repository: write OWNER/NAME, such as octo/app.")
    operations: Operations = ctx.obj
    looked = in_force(None, operations.document(file.read_bytes()), "", {command.name for command in COMMANDS})
    seats = None if repo is None or not looked.accepted else _seats(operations, repo, looked.policy)
    if as_json:
        print_json({**_as_json(file, looked), **({} if seats is None else seats._asdict())})
    else:
        for finding in looked.findings:
            typer.echo(_line(file, finding))
        for line in () if seats is None else seats.lines():
            typer.echo(words(line))
        typer.echo(_summary(looked), err=True)
    if not looked.accepted:
        raise typer.Exit(1)


class _Sitting(NamedTuple):
    """`unknown`: names in the file that are nobody's account, or of somebody who may not even read here."""

    seats: list[dict[str, Any]]
    nobody: dict[str, str]
    unknown: list[str]

    def lines(self) -> list[str]:
        sat = [
            f"{one['gate']}, {counted(one['need'], 'operator' if one['kind'] == 'operator' else 'review')}: "
            + (", ".join(one["could"]) or "nobody")
            for one in self.seats
        ]
        empty = [f"{gate}: NOBODY could complete this gate: {why}." for gate, why in self.nobody.items()]
        return [*sat, *empty, *(f"{login}: is nobody who could do anything there." for login in self.unknown)]


def _seats(operations: Operations, repo: str, policy: Policy) -> _Sitting:
    roles = (policy.roles.builders, policy.roles.reviewers, policy.roles.operators)
    logins = tuple(dict.fromkeys(name.lower() for rule in roles for name in rule.users))
    found = asyncio.run(operations.people(repo, logins))
    lines, filling = could_sit(policy, [one for one in found.values() if one is not None])
    unknown = [login for login, one in found.items() if one is None or one.level == "none"]
    return _Sitting([line._asdict() for line in lines], dict(filling.nobody), unknown)


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
        "The last good version would stay in force, and without one preset strict. "
        f"More is looked at once {'it is' if errors == 1 else 'they are'} corrected: what follows from it, and what is laxer."
    )


def _as_json(file: Path, looked: InForce) -> dict[str, Any]:
    return {
        "file": str(file),
        "accepted": looked.accepted,
        "findings": [finding.model_dump(mode="json") for finding in looked.findings],
        "policy": as_data(looked.policy) if looked.accepted else None,
    }
