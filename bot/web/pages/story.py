"""The history as a page shows it: newest first by days, decisions open to see, machinery folded between them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from bot.app.revisions import Written
from bot.domain.explain.offers import person
from bot.domain.model.text import code
from bot.domain.projections.show import LastRefusal
from bot.domain.projections.told import Mark, told
from bot.web.pages.times import day

#: Versions on one page.
MOST = 150


@dataclass(frozen=True, slots=True)
class Entry:
    """`version` None = refused, so nothing changed. `text` and `note` are Markdown."""

    at: datetime
    text: str
    note: str
    mark: Mark
    matters: bool
    version: int | None = None
    delivery: str | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbours that are shown alike: folded together unless they matter."""

    matters: bool
    entries: tuple[Entry, ...]

    @property
    def label(self) -> str:
        first, last = self.entries[-1].version, self.entries[0].version
        steps = "1 step of machinery" if len(self.entries) == 1 else f"{len(self.entries)} steps of machinery"
        return f"{steps}, v{first}" if first == last else f"{steps}, v{first} to v{last}"


@dataclass(frozen=True, slots=True)
class Story:
    """`days` newest first: heading and runs. `older`: versions below `before` exist on the next page."""

    days: tuple[tuple[str, tuple[Run, ...]], ...]
    older: int
    before: int


def story(steps: Sequence[Written], refusal: LastRefusal | None, now: datetime, before: int | None) -> Story:
    """`before`: only versions below it, for the pages after the first."""
    wanted = [each for each in steps if before is None or each.version < before]
    shown = wanted[-MOST:]
    entries = [_entry(each) for each in shown]
    if refusal is not None and shown and before is None and refusal.at >= shown[0].at:
        entries.append(_refused(refusal))
    entries.sort(key=lambda entry: entry.at)
    entries.reverse()
    days = tuple(
        (heading, _runs(tuple(found))) for heading, found in groupby(entries, key=lambda entry: day(entry.at, now))
    )
    return Story(days, len(wanted) - len(shown), shown[0].version if shown else 0)


def _runs(entries: Iterable[Entry]) -> tuple[Run, ...]:
    return tuple(Run(matters, tuple(found)) for matters, found in groupby(entries, key=lambda entry: entry.matters))


def _entry(written: Written) -> Entry:
    said = told(written.step)
    return Entry(written.at, said.text, said.note, said.mark, said.matters, written.version, written.delivery)


def _refused(refusal: LastRefusal) -> Entry:
    command = f": {code(refusal.command)}" if refusal.command else ""
    return Entry(refusal.at, f"{person(refusal.by)} was refused{command}", refusal.message, "none", matters=True)
