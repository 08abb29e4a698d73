"""One open transaction: the parts of the port over one connection."""

from datetime import datetime

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


class Transaction:
    """See `bot.ports.store.Tx`. Its time stands still: `now` is when the closure began."""

    def __init__(self, sql: Sql, now: datetime) -> None:
        self._now = now
        self._records = Records(sql, now)
        self._repositories = Repositories(sql)
        self.deliveries: delivering.Deliveries = Deliveries(sql, now)
        self.records: recording.Records = self._records
        self.applied: port.AppliedKeys = AppliedKeys(sql)
        self.shown: port.Shown = Shown(sql)
        self.slots: port.Slots = Slots(sql, now)
        self.effects: port.Effects = Effects(sql, now)
        self.attempts: port.Attempts = Attempts(sql)
        self.leases: port.Leases = Leases(sql, now)
        self.tokens: port.Tokens = Tokens(sql)
        self.repositories: port.Repositories = self._repositories
        self.sweeps: sweeping.Sweeps = Sweeps(sql, now)
        self.policies: ruling.Policies = Policies(sql, now)
        self.operating: operation.Operating = Operating(sql)
        self.leftovers: leaving.Leftovers = Leftovers(sql)

    def now(self) -> datetime:
        return self._now

    def not_before(self, installation_id: int) -> datetime | None:
        return self._repositories.not_before(installation_id)

    def set_not_before(self, installation_id: int, at: datetime) -> None:
        self._repositories.set_not_before(installation_id, at)
