"""How far a long command has come, on stderr: one bar at a terminal, else a line each ten seconds (UX.md section 9).

Nothing is shown in the first second: what is quick needs no bar.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from bot.cli.operations import Refused

if TYPE_CHECKING:
    from rich.progress import Progress

QUIET_SECONDS = 1.0
LINE_EVERY_SECONDS = 10.0


class Pace:
    """`advance` after each unit; `total` is set as soon as it is known. `clock` counts seconds."""

    def __init__(self, doing: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.done = 0
        self.total = 0
        self._doing = doing
        self._clock = clock
        self._began = clock()
        self._said = self._began
        self._bar: Progress | None = None

    def advance(self) -> None:
        self.done += 1
        now = self._clock()
        if now - self._began < QUIET_SECONDS:
            return
        rate = self.done / (now - self._began)
        if self._bar is None and not self._starts_a_bar():
            self._says_a_line(now, rate)
        elif self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=self.done, rate=f"{rate:.0f}/s")

    def end(self) -> None:
        if self._bar is not None:
            self._bar.stop()

    def _starts_a_bar(self) -> bool:
        from rich.console import Console  # noqa: PLC0415 - 40 ms that a quick command does not need

        console = Console(stderr=True)
        if not console.is_terminal or console.no_color:
            return False
        from rich.progress import (  # noqa: PLC0415 - see above
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        speed = TextColumn("{task.fields[rate]}")
        parts = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), speed, TimeRemainingColumn())
        self._bar = Progress(*parts, console=console, transient=True)
        self._bar.add_task(self._doing, total=self.total, completed=self.done, rate="")
        self._bar.start()
        return True

    def _says_a_line(self, now: float, rate: float) -> None:
        if now - self._said >= LINE_EVERY_SECONDS:
            self._said = now
            rest = (self.total - self.done) / rate
            typer.echo(f"{self._doing}: {self.done} of {self.total}, {rate:.0f} a second, {rest:.0f} s left", err=True)


@contextmanager
def progress(doing: str, saved: Callable[[Pace], str]) -> Iterator[Pace]:
    """Around `asyncio.run`, which is left by Ctrl-C. `saved(pace)` is what Ctrl-C says: what stands already, and what a
    repetition does."""
    pace = Pace(doing)
    try:
        yield pace
    except KeyboardInterrupt:
        pace.end()
        raise Refused(saved(pace)) from None
    finally:
        pace.end()
