"""A whole bot over a real store, called in-process, and what is needed to talk to it as GitHub or as an agent."""

import hashlib
import hmac
import json
import sqlite3
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx

from bot.app.tokens import Issued, TokenDesk, TokenOrder
from bot.bootstrap.bot import Bot, build
from bot.bootstrap.parts import Parts, token_desk
from bot.domain.model.delivery import DeliveryRow
from bot.domain.model.ids import Actor, Person
from bot.domain.model.record import MachineRef, Phase, Plan, Record
from bot.ports.rows import NewRow
from bot.ports.store import Store, Tx
from bot.settings import AppCredentials, Settings
from bot.store import connections, engine
from bot.store.inline import InlineStore
from bot.store.sqlite import SqliteStore

SECRETS = ("first-secret", "second-secret")
HOOK = "/api/github/webhooks"
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
ADA = Person(id=11, login="ada")
GRACE = Person(id=12, login="grace")
BODY = json.dumps(
    {"action": "labeled", "installation": {"id": 77}, "repository": {"id": 1, "full_name": "octo/app", "name": "app"}}
).encode()


class SetClock:
    """A clock that stands still until it is moved; it is the database's clock too."""

    def __init__(self, now: datetime = NOON) -> None:
        self.time = now

    def now(self) -> datetime:
        return self.time

    def monotonic(self) -> float:
        return (self.time - NOON).total_seconds()

    def passes(self, **amount: float) -> None:
        self.time += timedelta(**amount)


@dataclass
class Lines:
    """A Log that keeps what it is told."""

    kept: list[dict[str, Any]] = field(default_factory=list)

    def __call__(self, level: str, event: str, **fields: object) -> None:
        self.kept.append({"level": level, "event": event, **fields})

    def events(self) -> list[str]:
        return [line["event"] for line in self.kept]


@dataclass
class House:
    """One bot and its surroundings."""

    bot: Bot
    store: Store
    clock: SetClock
    log: Lines
    http: httpx.AsyncClient
    tokens: TokenDesk

    async def deliver(
        self, body: bytes | AsyncIterator[bytes] = BODY, /, drop: str = "", **headers: str | None
    ) -> httpx.Response:
        """Post as GitHub does. Keywords are headers (`x_github_event=…`); `drop` leaves one away."""
        wanted = hook_headers(body if isinstance(body, bytes) else b"")
        wanted |= {name.replace("_", "-"): value for name, value in headers.items() if value is not None}
        wanted.pop(drop, None)
        return await self.http.post(HOOK, content=body, headers=wanted)

    async def stored(self) -> list[DeliveryRow]:
        return list(await self.store.read(lambda tx: tx.deliveries.list(None, 100, None)))

    async def token(self, name: str = "forge-1", *repositories: str, lifetime: timedelta | None = None) -> str:
        issued = await self.tokens.create(
            TokenOrder(name=name, role="builder", repositories=repositories, lifetime=lifetime)
        )
        assert isinstance(issued, Issued)
        return issued.token

    async def get(self, path: str, token: str | None = None) -> httpx.Response:
        return await self.http.get(path, headers={"authorization": f"Bearer {token}"} if token else {})

    async def has(self, *records: Record) -> None:
        await self.store.run(lambda tx: save_new(tx, *records))


def house(settings: Settings, store: Store | None = None, app: AppCredentials | None = None) -> House:
    clock, log = SetClock(), Lines()
    store = store or InlineStore(":memory:", clock)
    crashes: list[str] = []
    bot = build(Parts(settings, app, store, log, clock=clock), (), lambda name, _error: crashes.append(name))
    http = httpx.AsyncClient(transport=httpx.ASGITransport(bot.asgi), base_url="http://signalbox.test")
    return House(bot, store, clock, log, http, token_desk(store))


def sign(body: bytes, secret: str = SECRETS[0]) -> str:
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def hook_headers(body: bytes, guid: str = "72d3162e-cc78-11e3-81ab-4c9367dc0958") -> dict[str, str]:
    return {
        "content-type": "application/json",
        "x-github-event": "issues",
        "x-github-delivery": guid,
        "x-hub-signature-256": sign(body),
    }


def record(issue: int = 12, repository: str = "octo/app", phase: Phase = "plan_ready", **more: Any) -> Record:
    plan = Plan(revision=1, digest="sha256:" + "a" * 64, text="Do it.", author=ADA, submitted_at=NOON, round=1)
    fields: dict[str, Any] = {
        "repository": repository,
        "repository_id": 1 if repository == "octo/app" else 2,
        "installation_id": 77,
        "issue": issue,
        "issue_id": 1000 + issue,
        "title": f"Work {issue}",
        "version": 1,
        "phase": phase,
        "requester": ADA,
        "plan": plan,
        "review_round": 1,
        "machine": MachineRef(hash="b" * 64),
        "started_at": NOON,
        "phase_since": NOON,
    }
    return Record.model_validate(fields | more)


def save_new(tx: Tx, *records: Record) -> None:
    for each in records:
        save(tx, 0, each)


def save(tx: Tx, expected: int, saved: Record, before: str | None = None, signal: str = "submit_plan") -> None:
    actor = Actor(kind="person", id=ADA.id, login=ADA.login)
    row = NewRow(record=saved, from_=before, signal=signal, actor=actor, at=NOON, detail=None, delivery=None)
    tx.records.replace(saved.key, expected, [row])


async def full_disk(settings: Settings, credentials: AppCredentials, folder: Path) -> tuple["House", bytes]:
    """A bot whose database has no room left, and a body that would need it."""

    def small(path: str) -> sqlite3.Connection:
        connection = connections.writing(path)
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 8}")
        return connection

    await engine.open(settings.database, SetClock()).close()
    full = house(settings, SqliteStore(str(folder / "signalbox.db"), SetClock(), connect=small), credentials)
    noise = json.dumps({"action": "x", "noise": [hash((n, "x")) for n in range(20_000)]}).encode()
    return full, noise
