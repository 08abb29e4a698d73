"""Findings about a PostgreSQL database. Nothing is written: servers may be running."""

from collections.abc import Iterator

from bot.app.doctor.finding import Finding, ok, problem, warning
from bot.settings import Settings
from bot.store.failures import StoreDown, StoreRefused
from bot.store.postgresql.survey import Surveyed, survey
from bot.store.schema import VERSIONS

_WAITS = "servers wait for it; GitHub gets 503 meanwhile."
_REFUSES = "the server refuses to start."


def of_the_database(settings: Settings) -> list[Finding]:
    try:
        found = survey(settings.database)
    except StoreDown as down:
        return [problem("database", down.message.removesuffix("."), _WAITS, "start it, or set DATABASE_URL.")]
    except StoreRefused as refused:
        return [
            problem("database", refused.message, _REFUSES, "set DATABASE_URL to postgresql://user@host:5432/database.")
        ]
    return [*_schema(found), *_durable(found)]


def is_current(settings: Settings) -> bool:
    try:
        return survey(settings.database).version == VERSIONS[-1]
    except StoreRefused:
        return False


def _schema(found: Surveyed) -> Iterator[Finding]:
    if found.version is None:
        yield ok("database", f"{found.place} is empty; the first start makes its tables")
        return
    place = f"schema {VERSIONS.index(found.version) + 1} of {len(VERSIONS)}"
    if found.version != VERSIONS[-1]:
        why = "commands that only look refuse to work; the next server that starts migrates."
        yield warning("database", f"{found.place}, {place}", why, "signalbox migrate")
    if found.read_only:
        why = "nothing can be stored, so nothing is accepted: GitHub gets 503."
        yield problem(
            "database", f"{found.place} is read-only", why, "name the primary in DATABASE_URL, or let it be written to."
        )
        return
    yield ok("database", f"PostgreSQL {found.server}, {found.place}, {place}")


def _durable(found: Surveyed) -> Iterator[Finding]:
    if found.unsafe:
        why = "what was acknowledged may be gone when the power fails."
        yield problem("database", f"{', '.join(found.unsafe)} is off", why, "switch it on in postgresql.conf.")
    if found.replicated and not found.synchronous:
        why = "after a failover the newest commits may be missing: records that GitHub shows newer freeze."
        yield warning("database", "its standbys are asynchronous", why, "set synchronous_standby_names.")
