"""What the store's tests are written with: a clock turned by hand, records of ada's, and stores used from plain code."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from bot.domain.model.delivery import Delivery
from bot.domain.model.ids import Actor, Person, RecordKey, Repo
from bot.domain.model.linked import LinkedPull
from bot.domain.model.merge import Merge
from bot.domain.model.record import MachineRef, Record
from bot.ports.rows import NewRow
from bot.ports.store import Store, Tx

T = TypeVar("T")

NOON = datetime(2026, 11, 30, 12, 0, 0, 123457, tzinfo=UTC)
ADA = Person(id=11, login="ada")
KEY = RecordKey(1, 12)
REPO = Repo(installation_id=5, id=1, owner="Octo", name="App")


class HandClock:
    def __init__(self) -> None:
        self.time = NOON

    def now(self) -> datetime:
        return self.time

    def monotonic(self) -> float:
        return (self.time - NOON).total_seconds()

    def turn(self, seconds: float) -> datetime:
        self.time += timedelta(seconds=seconds)
        return self.time


def after(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def record(version: int = 1, key: RecordKey = KEY, **fields: Any) -> Record:
    plain: dict[str, Any] = {
        "repository": "Octo/App",
        "repository_id": key.repository_id,
        "installation_id": 5,
        "issue": key.issue,
        "issue_id": 9_000_000_000 + key.issue,
        "title": "Faster parser",
        "version": version,
        "phase": "building",
        "requester": ADA,
        "machine": MachineRef(hash="m1"),
        "started_at": NOON,
        "phase_since": NOON,
    }
    return Record(**plain | fields)


def row(version: int = 1, key: RecordKey = KEY, detail: str | None = None, **fields: Any) -> NewRow:
    actor = Actor(kind="person", id=11, login="ada")
    return NewRow(
        record=record(version, key, **fields),
        from_=None if version == 1 else "building",
        signal="head_pushed",
        actor=actor,
        at=after(version),
        detail=detail,
        delivery=f"guid-{version}",
    )


def linked(head_ref: str = "parser", same_repository: bool = True) -> LinkedPull:
    return LinkedPull(number=34, title="Parser", author=ADA, head_ref=head_ref, same_repository=same_repository)


def merging(state: str) -> Merge:
    return Merge.model_validate({"state": state})


def saved(key: RecordKey = KEY, **fields: Any) -> Callable[[Tx], None]:
    """A closure that creates a record."""
    return lambda tx: tx.records.replace(key, 0, [row(1, key, **fields)])


def delivery(guid: str, lane: int = 1, body: bytes = b"{}", at: datetime = NOON) -> Delivery:
    return Delivery(
        guid=guid,
        event="issues",
        action="labeled",
        lane=lane,
        installation_id=5,
        repository="Octo/App",
        body=body,
        received_at=at,
    )


def received(one: Delivery) -> Callable[[Tx], str]:
    """A closure that stores a delivery."""
    return lambda tx: tx.deliveries.add(one)


class _Again(Exception):
    pass


class Kept:
    """A store used from plain code. Every writing closure really runs twice: once rolled back, once for good."""

    def __init__(self, store: Store, clock: HandClock) -> None:
        self.store = store
        self.clock = clock
        self.loop = asyncio.Runner()

    def __call__(self, work: Callable[[Tx], T]) -> T:
        def rehearse(tx: Tx) -> None:
            work(tx)
            raise _Again

        try:
            self.loop.run(self.store.run(rehearse))
        except _Again:
            return self.loop.run(self.store.run(work))
        raise AssertionError("the rehearsal was committed")

    def read(self, work: Callable[[Tx], T]) -> T:
        return self.loop.run(self.store.read(work))

    def close(self) -> None:
        self.loop.run(self.store.close())
        self.loop.close()
