"""How the story is told at a terminal: who did what, and below it what Signalbox answered."""

import asyncio
import re

from rich.console import Console
from rich.text import Text

from bot.cli.screen import PHASE_COLOURS, words

#: Seconds that people get to read each step. Nobody waits where nobody reads along.
PACE = 0.8
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_HIDDEN = re.compile(r"<!--.*?-->", re.DOTALL)


class Narrator:
    """`hurried` = no pauses. Lines are never wrapped or cut: they may be copied, or read by a program."""

    def __init__(self, *, hurried: bool) -> None:
        self._console = Console(highlight=False, soft_wrap=True)
        self._pace = 0.0 if hurried or not self._console.is_terminal else PACE
        self._number = 0

    async def act(self, who: str, does: str) -> None:
        """The next step; people get the time to read it before it happens."""
        self._number += 1
        self._console.print()
        self._console.print(Text.assemble(f"{self._number:>2}  ", (who, "bold"), f" {does}"))
        await asyncio.sleep(self._pace / 2)

    async def answer(self, lines: list[tuple[str, str]]) -> None:
        """What Signalbox shows now: (where, text)."""
        for where, text in lines:
            self._console.print(Text.assemble((f"      {where:<9} ", "dim"), _coloured(text)))
        await asyncio.sleep(self._pace)

    def say(self, text: str = "", style: str = "") -> None:
        self._console.print(Text(text, style=style))


def plain(markdown: str) -> list[str]:
    """The lines people read of a comment: without hidden parts, marks and addresses."""
    shown = _HIDDEN.sub("", markdown)
    return [words(_LINK.sub(r"\1", line)) for line in shown.splitlines() if line.strip()]


def _coloured(text: str) -> Text:
    """A phase at the beginning, or in a label's name, has its colour."""
    first = text.split(maxsplit=1)[0].rpartition("/")[2].rstrip(":") if text else ""
    shown = Text(text)
    if first in PHASE_COLOURS:
        start = text.index(first)
        shown.stylize(PHASE_COLOURS[first], start, start + len(first))
    return shown
