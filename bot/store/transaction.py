"""One open transaction: the parts of the port over one connection."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Generic, TypeVar

from bot.ports import deliveries as delivering
from bot.ports import leftovers as leaving
from bot.ports import operating as operation
from bot.ports import policies as ruling
from bot.ports import records as recording
from bot.ports import store as port
from bot.ports import sweeps as sweeping
from bot.store.applied import AppliedKeys
from bot.store.attempts import Attempts
from bot.store.inbox import Deliveries
from bot.store.leases import Leases
from bot.store.leftovers import Leftovers
from bot.store.operating import Operating
from bot.store.outbox import Effects
from bot.store.policies import Policies
from bot.store.projections import Shown, Slots
from bot.store.records import Records
from bot.store.repositories import Repositories
from bot.store.sql import Sql
from bot.store.sweeps import Sweeps
from bot.store.tokens import Tokens

P = TypeVar("P")


class _Part(Generic[P]):
    """Made when it is first asked for: most transactions need two parts of the fourteen."""

    def __init__(self, make: Callable[[Sql, datetime], P]) -> None:
        self._make = make

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, tx: "Transaction", owner: type) -> P:
        made: P = self._make(tx.sql, tx.now())
        tx.__dict__[self._name] = made  # and from then on it is an attribute
        return made


def _timeless(part: Callable[[Sql], P]) -> Callable[[Sql, Any], P]:
    return lambda sql, _now: part(sql)


class Transaction:
    """See `bot.ports.store.Tx`. Its time stands still: `now` is when the closure began."""

    deliveries = _Part[delivering.Deliveries](Deliveries)
    records = _Part[recording.Records](Records)
    applied = _Part[port.AppliedKeys](_timeless(AppliedKeys))
    shown = _Part[port.Shown](_timeless(Shown))
    slots = _Part[port.Slots](Slots)
    effects = _Part[port.Effects](Effects)
    attempts = _Part[port.Attempts](_timeless(Attempts))
    leases = _Part[port.Leases](Leases)
    tokens = _Part[port.Tokens](_timeless(Tokens))
    repositories = _Part[port.Repositories](_timeless(Repositories))
    sweeps = _Part[sweeping.Sweeps](Sweeps)
    policies = _Part[ruling.Policies](Policies)
    operating = _Part[operation.Operating](_timeless(Operating))
    leftovers = _Part[leaving.Leftovers](_timeless(Leftovers))

    def __init__(self, sql: Sql, now: datetime) -> None:
        self.sql = sql
        self._now = now

    def now(self) -> datetime:
        return self._now

    def not_before(self, installation_id: int) -> datetime | None:
        return Repositories(self.sql).not_before(installation_id)

    def set_not_before(self, installation_id: int, at: datetime) -> None:
        Repositories(self.sql).set_not_before(installation_id, at)
