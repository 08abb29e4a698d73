"""How `--help` reads: what stands in the place of a value is a word for it, never the name of a type of ours."""

import re
from collections.abc import Callable
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand

F = TypeVar("F", bound=Callable[..., Any])

#: `<Name>`, `<list[str]>`; a choice, `<merged|unmerged>`, stays.
_TYPE = re.compile(r" <[A-Za-z_\[\]]+>")


class PlainCommand(TyperCommand):
    def format_options(self, ctx: Any, formatter: Any) -> None:
        write = formatter.write_dl

        def plainly(rows: Any, *more: Any, **named: Any) -> None:
            write([(_TYPE.sub("", name), said) for name, said in rows], *more, **named)

        formatter.write_dl = plainly
        super().format_options(ctx, formatter)
        formatter.write_dl = write


class App(typer.Typer):
    """Every command of it is a plain one."""

    def command(self, name: str | None = None, **more: Any) -> Callable[[F], F]:
        return super().command(name, **({"cls": PlainCommand} | more))
