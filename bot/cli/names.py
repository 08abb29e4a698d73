"""How a record is named at the terminal."""

import re
from typing import Annotated

import typer

from bot.app.browse import Name

_NAME = re.compile(r"([\w.-]+/[\w.-]+)[#/]([0-9]{1,9})")


def read_name(text: str) -> Name:
    found = _NAME.fullmatch(text)
    if found is None:
        raise typer.BadParameter(f"{text!r} names no record. Write it like octo/app#12.")
    return Name(found[1], int(found[2]))


NameArgument = Annotated[
    Name,
    typer.Argument(
        metavar="OWNER/REPO#N", parser=read_name, show_default=False, help="A record, by the number of its issue."
    ),
]
