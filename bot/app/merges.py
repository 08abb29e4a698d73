"""Merges that are not over: reserved, asked for, unknown, being confirmed. The unknown ones first."""

from dataclasses import dataclass
from datetime import datetime

from bot.app.browse import MaySee, PolicyFor, Snapshot
from bot.domain.explain.tree import explain
from bot.domain.merging.reservation import UNDER_WAY
from bot.domain.model.policy import Policy
from bot.domain.model.record import Record
from bot.ports.store import Tx


@dataclass(frozen=True, slots=True)
class UnderWay:
    """`verdict` is the sentence on top of the record's explain tree."""

    record: Record
    policy: Policy
    verdict: str


@dataclass(frozen=True, slots=True)
class MergeList:
    merges: tuple[UnderWay, ...]
    now: datetime


class MergeLists:
    def __init__(self, read: Snapshot, policy_for: PolicyFor) -> None:
        self._read = read
        self._policy_for = policy_for

    async def under_way(self, may_see: MaySee) -> MergeList:
        return await self._read(lambda tx: self._collect(tx, may_see))

    def _collect(self, tx: Tx, may_see: MaySee) -> MergeList:
        found = [loaded for key in tx.records.merging(UNDER_WAY) if (loaded := tx.records.load(key)) is not None]
        found.sort(key=lambda each: (each.record.merge.state != "ambiguous", each.record.phase_since))
        seen = [loaded for loaded in found if may_see(loaded.record.repository)]
        return MergeList(tuple(self._under_way(tx, each.record, each.updated_at) for each in seen), tx.now())

    def _under_way(self, tx: Tx, record: Record, updated_at: datetime) -> UnderWay:
        policy = self._policy_for(tx, record)
        return UnderWay(record, policy, explain(record, policy, updated_at).verdict)
