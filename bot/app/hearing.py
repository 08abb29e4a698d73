"""Marks of what a sweep found and nobody has heard yet: no merge is asked for while one stands. No time ends it, no restart and
no `recover`, but a sweep alone: by then its words may not be heard, whatever became of the process that found them.

A mark of a repository stands while a sweep brings what it found there; it is that sweep's own. A mark of a thread stands
where something could not be decided. When it was made tells one mark from the next one under the same name.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from bot.ports.store import Tx

HEARING = "hearing:"


class Mark(NamedTuple):
    """`thread` None = of the whole repository. `holder` is what must be told to end it."""

    name: str
    holder: str
    repository_id: int
    thread: int | None
    since: datetime


def standing(tx: Tx, repository_id: int | None = None) -> Sequence[Mark]:
    prefix = HEARING if repository_id is None else f"{HEARING}{repository_id}:"
    return [_mark(held.name, held.holder) for held in tx.leases.held(prefix)]


def of_repository(tx: Tx, repository_id: int, sweep: str, which: int) -> None:
    """This sweep is about to bring something. It is made anew for each list, so that nobody ends it who read before."""
    _make(tx, f"{HEARING}{repository_id}:{sweep}", sweep, which)


def of_thread(tx: Tx, repository_id: int, thread: int, sweep: str, which: int) -> None:
    _make(tx, f"{HEARING}{repository_id}:#{thread}", sweep, which)


def end(tx: Tx, marks: Iterable[Mark]) -> None:
    """Not those that were made anew since they were read."""
    for mark in marks:
        tx.leases.drop(mark.name, mark.holder)


def _make(tx: Tx, name: str, sweep: str, which: int) -> None:
    before, since = tx.leases.holder(name), tx.now()
    if before is not None:
        since = _mark(name, before).since
        tx.leases.drop(name, before)
    tx.leases.take(name, f"{since.isoformat()}|{which}|{sweep}", None)


def _mark(name: str, holder: str) -> Mark:
    repository, _, place = name.removeprefix(HEARING).partition(":")
    thread = int(place[1:]) if place.startswith("#") else None
    return Mark(name, holder, int(repository), thread, datetime.fromisoformat(holder.partition("|")[0]))
