"""How a command says no: a sentence on stderr and exit code 1, or 2 for wrong usage; never a traceback."""

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from bot.cli.operations import Refused, WrongUsage
from bot.ports.store import CommitUnknown, StoreUnavailable
from bot.settings import SettingsRefused, misspelt

#: What shells say of a program that Ctrl-C ended.
INTERRUPTED = 130


class PoliteGroup(TyperGroup):
    """The root group; every command runs inside its `invoke`."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except TyperException as wrong:
            raise _plainly(wrong) from None
        except WrongUsage as wrong:
            typer.echo(f"Error: {wrong}", err=True)
            raise typer.Exit(2) from None
        except SettingsRefused as refused:
            problems = refused.problems
            typer.echo(
                "These settings keep signalbox from starting:" if len(problems) > 1 else "A setting is wrong:", err=True
            )
            for problem in problems:
                typer.echo(f"✘ {problem.setting} {problem.what}", err=True)
            for name in misspelt():
                typer.echo(f"! {name.setting} {name.what}", err=True)
        except Refused as refused:
            typer.echo(str(refused), err=True)
        except StoreUnavailable as failed:
            typer.echo(f"The database cannot be used: {failed}", err=True)
        except KeyboardInterrupt:
            # What changes something says more of it where it asks (`asking`, `progress`).
            typer.echo("Stopped.", err=True)
            raise typer.Exit(INTERRUPTED) from None
        except CommitUnknown:
            typer.echo("The database went away while it was written to. Look before you repeat this.", err=True)
        raise typer.Exit(1)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """A command that is not there may be one of a group: it is looked for in all of them."""
        try:
            return super().resolve_command(ctx, args)
        except TyperException as wrong:
            paths = dict(_paths(self))
            near = [paths[name] for name in get_close_matches(args[0], paths, n=3)]
            if near and "Did you mean" not in wrong.message:
                wrong.message += f" Did you mean {' or '.join(f'signalbox {path}' for path in near)}?"
            raise


def _paths(group: TyperGroup) -> Iterator[tuple[str, str]]:
    """The name of each command inside a group, and how it is really called."""
    for name, command in group.commands.items():
        for inner in getattr(command, "commands", {}):
            yield inner, f"{name} {inner}"


def _plainly(wrong: TyperException) -> TyperException:
    """Without the words of the library that checked a choice."""
    wrong.message = wrong.message.replace("Value error, ", "")
    return wrong
