"""The database that the settings name: an SQLite file that one process has, or PostgreSQL, which any number share."""
# ruff: noqa: PLC0415 - only what is used is imported

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Protocol
from urllib.parse import urlsplit

from bot.bootstrap.parts import Parts
from bot.bootstrap.runtime import SharedNudge, SystemClock
from bot.ports.runtime import Log
from bot.ports.store import Store
from bot.settings import AppCredentials, Settings


class OpenStore(Store, Protocol):
    @property
    def healthy(self) -> bool:
        """False while nothing can be stored."""
        ...


def is_shared(url: str) -> bool:
    """Whether other processes may use it at the same time."""
    return urlsplit(url).scheme.partition("+")[0] in {"postgres", "postgresql"}


def open_store(url: str, took: Callable[[float], None] = lambda _seconds: None) -> OpenStore:
    """Checked and migrated; a file under its lock. `took` is told what transactions took. Raises StoreRefused."""
    clock = SystemClock()
    if is_shared(url):
        from bot.store.postgresql import opening

        return opening.open(url, clock.monotonic, took)
    from bot.store import engine

    return engine.open(url, clock, took)


def parts_of(settings: Settings, app: AppCredentials | None, store: OpenStore, log: Log) -> Parts:
    """On a shared database its clock is everybody's, and who stores something wakes the others."""
    plain = Parts(settings, app, store, log, writer_works=lambda: store.healthy)
    if not store.shared:
        return plain
    from bot.store.postgresql.store import PostgresqlStore

    assert isinstance(store, PostgresqlStore), "no other store is shared"
    nudge = SharedNudge(store.ring)
    return Parts(
        settings,
        app,
        store,
        log,
        writer_works=lambda: store.healthy,
        clock=SystemClock(store.wall),
        nudge=nudge,
        hears=lambda: store.listen(partial(nudge.from_outside, asyncio.get_running_loop())),
    )


def upgrade(url: str) -> tuple[str | None, str]:
    """Bring it to the present schema; the one before (None: empty), and after. Raises StoreRefused."""
    if not is_shared(url):
        from bot.store import migrate

        return migrate.upgrade(url)
    from bot.store.postgresql import opening
    from bot.store.schema import VERSIONS

    return opening.migrated(url), VERSIONS[-1]


def called(url: str) -> str:
    """How people call it, without what else its URL may hold."""
    if is_shared(url):
        from bot.store.postgresql.address import conninfo, place

        return place(conninfo(url))
    return urlsplit(url).path.removeprefix("/")
