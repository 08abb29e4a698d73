"""How a command says no: a sentence on stderr and exit code 1, never a traceback."""

from typing import Any

import typer
from typer.core import TyperGroup

from bot.cli.operations import Refused
from bot.ports.store import CommitUnknown, StoreUnavailable
from bot.settings import SettingsRefused


class PoliteGroup(TyperGroup):
    """The root group; every command runs inside its `invoke`."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except SettingsRefused as refused:
            problems = refused.problems
            typer.echo(
                "These settings keep signalbox from starting:" if len(problems) > 1 else "A setting is wrong:", err=True
            )
            for problem in problems:
                typer.echo(f"✘ {problem.setting} {problem.what}", err=True)
        except Refused as refused:
            typer.echo(str(refused), err=True)
        except StoreUnavailable as failed:
            typer.echo(f"The database cannot be used: {failed}", err=True)
        except CommitUnknown:
            typer.echo("The database went away while it was written to. Look before you repeat this.", err=True)
        raise typer.Exit(1)
