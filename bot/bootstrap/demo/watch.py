"""What the story waits for, and what has changed for people since it last looked."""

import asyncio
import time
from collections.abc import Callable, Sequence
from datetime import timedelta

from bot.app.publish import LEASE
from bot.bootstrap.demo.github import SimulatedGitHub
from bot.bootstrap.demo.screen import plain
from bot.bootstrap.demo.wire import TICK
from bot.domain.model.record import Record
from bot.domain.model.text import counted
from bot.ports.rows import Loaded, RecordFilter
from bot.ports.store import Store, Tx
from bot.simulator.model.threads import Comment, Pull, Thread

#: Seconds within which anything the story expects has happened, also on a slow and busy machine.
PATIENCE = 30.0
#: How much of our comments is printed; a reply as a whole. A status comment says what is true and who is awaited in its first
#: two lines, and always has more.
_LINES = {"status": 2, "notice": 2}
_KINDS = ("status", "notice")
#: How the last line of our comments begins: it leads to the page and says nothing new.
FOOTER = "Why and history"
#: States of a merge that end by themselves within seconds.
_BRIEF = frozenset({"reserved", "requested", "confirming"})
#: What is looked at again within this time is worth waiting for.
SOON = timedelta(seconds=1.5)
_MOST_RECORDS = 100


class Disappointed(Exception):
    """The story did not go on as it should. The text is for the person at the terminal."""


class Watch:
    """One record, on both sides: the bot's store says whether it is at rest, the world shows what people see."""

    def __init__(self, github: SimulatedGitHub, store: Store, crashes: Sequence[str]) -> None:
        """`crashes` grows while others run."""
        self._github = github
        self._store = store
        self._crashes = crashes
        self._seen: dict[object, object] = {}

    async def until(self, what: str, expected: Callable[[Record], bool]) -> Record:
        """The record, once it is as expected and everything about it is published. Raises Disappointed."""
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends and not self._crashes:
            record = await self._store.read(_at_rest) if self._github.silent else None
            if record is not None and expected(record):
                return record
            await asyncio.sleep(TICK)
        raise Disappointed(
            ", ".join(self._crashes) or f"{what} did not happen within {PATIENCE:.0f} s: {await self._present()}"
        )

    async def rests(self) -> bool:
        """Wait until there is nothing to do for now, whatever records there are; False when that takes too long."""
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends and not self._crashes:
            if self._github.silent and await self._store.read(_everything_rests):
                return True
            await asyncio.sleep(TICK)
        return False

    async def _present(self) -> str:
        record = await self._store.read(_only_record)
        return f"the record is in {record.phase}, merge {record.merge.state}" if record else "there is no record"

    def changes(self, thread: Thread) -> list[tuple[str, str]]:
        """What is new on this issue or pull request, as (where, text)."""
        found: list[tuple[str, str]] = []
        for comment in thread.comments:
            if comment.app is None:
                continue
            kind = next((kind for kind in _KINDS if f"<!-- signalbox:{kind}:" in comment.body), "reply")
            lines = [line for line in plain(comment.body) if not line.startswith(FOOTER)]
            shown = _cut(lines, _LINES.get(kind), says=kind == "notice")
            if self._new(comment, shown):
                found += [(kind, line) for line in shown]
        if isinstance(thread, Pull):
            found += self._check(thread)
        labels = [label.name for label in thread.labels if label.name.startswith("signalbox/")]
        if self._new(("labels", thread), labels):
            found += [("label", name) for name in labels]
        return found

    def reaction(self, comment: Comment) -> list[tuple[str, str]]:
        signs = {"+1": "👍 accepted", "confused": "😕 refused"}
        return [("reaction", signs.get(each.content, each.content)) for each in comment.reactions]

    def _check(self, pull: Pull) -> list[tuple[str, str]]:
        """Our newest check run on the head, by its title."""
        runs = [run for run in pull.repository.runs if run.head == pull.head and run.app is self._github.world.app]
        if not runs or not self._new(("check", pull), runs[-1].title):
            return []
        return [("check", f"{runs[-1].title} ({runs[-1].conclusion or runs[-1].status})")]

    def _new(self, what: object, value: object) -> bool:
        before, self._seen[what] = self._seen.get(what), value
        return before != value


def _cut(lines: list[str], most: int | None, *, says: bool) -> list[str]:
    """The first lines; and where somebody would take them for all there is, how many more the thread has."""
    hidden = 0 if most is None else max(len(lines) - most, 0)
    return [*lines[:most], *([f"… ({counted(hidden, 'more line')} in the thread)"] if hidden and says else [])]


def _only_record(tx: Tx) -> Record | None:
    found = tx.records.find(RecordFilter(limit=1))
    return found[0].record if found else None


def _at_rest(tx: Tx) -> Record | None:
    """The record when nothing is left to do about it now, else None."""
    found = tx.records.find(RecordFilter(limit=1))
    return found[0].record if found and _is_at_rest(tx, found[0]) and not tx.deliveries.backlog() else None


def _is_at_rest(tx: Tx, found: Loaded) -> bool:
    key = found.record.key
    open_effects = [row for row in tx.effects.of(key) if row.state in {"planned", "sent"}]
    return not (found.dirty or open_effects or tx.leases.holder(f"{LEASE}{key}"))


def _everything_rests(tx: Tx) -> bool:
    """Nothing is under way, and nothing is to be looked at in a moment."""
    found = tx.records.find(RecordFilter(limit=_MOST_RECORDS))
    soon = tx.now() + SOON
    merges = [each.record.merge for each in found]
    looks = [merge.look_at for merge in merges if merge.state == "ambiguous" and merge.look_at is not None]
    effects = tx.operating.tally().effects  # also such of threads that have no record
    return (
        not tx.deliveries.backlog()
        and not (effects.get("planned") or effects.get("sent"))
        and not tx.records.due(soon, 1)
        and not any(merge.state in _BRIEF for merge in merges)
        and all(look > soon for look in looks)
        and all(_is_at_rest(tx, each) for each in found)
    )
