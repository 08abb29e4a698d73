"""How a record is named at the terminal."""

import re
from typing import Annotated

import typer

from bot.app.browse import Name

_NAME = re.compile(r"([\w.-]+/[\w.-]+)[#/]([0-9]{1,9})")
#: Of its page here, or of its issue on GitHub. A pull request has a number of its own.
_ADDRESS = re.compile(
    r"https?://[^/\s]+/(?:lifecycles/(?P<page>[\w.-]+/[\w.-]+)|(?P<issue>[\w.-]+/[\w.-]+)/issues)/(?P<number>[0-9]{1,9})"
    r"(?:[?#]\S*)?"
)


def read_name(text: str) -> Name:
    if (address := _ADDRESS.fullmatch(text)) is not None:
        return Name(address["page"] or address["issue"], int(address["number"]))
    found = _NAME.fullmatch(text)
    if found is None:
        raise typer.BadParameter(
            f"{text!r} names no record. Write it like octo/app#12, or paste the address of its page or of its issue."
        )
    return Name(found[1], int(found[2]))


NameArgument = Annotated[
    Name,
    typer.Argument(
        metavar="OWNER/REPO#N", parser=read_name, show_default=False, help="A record, by the number of its issue."
    ),
]
