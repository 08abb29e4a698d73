"""Whether this is the only instance that writes here, and whether its database knows all that was written: GitHub is asked.

A database that was restored from a copy, and a second installation of the same App, look healthy from inside.
"""

from contextlib import suppress
from datetime import datetime, timedelta

from bot.app.outside import Outside
from bot.app.transact import Transactor
from bot.domain.model.facts import Answer, CommentFacts, OwnCheck
from bot.domain.model.ids import SIGNALBOX, Repo
from bot.domain.model.own_signals import DoubtFound, DoubtOver
from bot.domain.model.questions import CommentsOn, EditedByOthers, OwnChecksOn
from bot.domain.model.record import Record
from bot.domain.model.traces import Doubt, Known, Traces, claims_in, doubt, path_of
from bot.ports.failures import Gone
from bot.ports.store import EDITED, Tx

#: For so long doctor tells of an edit that was found.
TOLD = timedelta(days=7)


class Doubts:
    def __init__(self, outside: Outside, transactor: Transactor) -> None:
        self._outside = outside
        self._transactor = transactor
        self._instance = outside.store.instance_id
        self._told: set[tuple[int, datetime]] = set()

    async def are_none(self, record: Record) -> bool:
        """Before authority is shown or used: both of what we write are read. What is found freezes. Raises ForgeFailure."""
        checks = await self._checks(record)
        comments = await self._outside.forge.read(record.repo, CommentsOn(record.issue))
        return await self.found(record, checks, comments) is None

    async def look_at_everything(self, repo: Repo, record: Record) -> tuple[Doubt, ...]:
        """All that we may have written of it is read, in each of its threads: a version that shows nothing new there is not
        written there. What is found freezes. Raises ForgeFailure."""
        threads = (record.issue,) if record.pull_request is None else (record.issue, record.pull_request)
        seen = []
        for thread in threads:
            with suppress(Gone):
                comments = await self._outside.forge.read(repo, CommentsOn(thread))
                seen.append(await self.found(record, None, comments))
        if record.head is not None:
            seen.append(await self.found(record, await self._outside.forge.read(repo, OwnChecksOn(record.head))))
        return tuple(doubt for doubt in seen if doubt is not None)

    async def look_again(self, record: Record) -> None:
        """A record that is frozen by another instance, at a time when that may be over. Raises ForgeFailure."""
        checks = await self._checks(record)
        if await self.found(record, checks) is None and record.frozen == "instance_conflict":
            seen_at = self._outside.clock.now() if checks is None else checks.date
            signal = DoubtOver(key="", actor=SIGNALBOX, seen_at=seen_at)
            await self._transactor.apply(record.repo, record.key, signal)

    async def found(
        self,
        record: Record,
        checks: Answer[tuple[OwnCheck, ...]] | None = None,
        comments: Answer[tuple[CommentFacts, ...]] | None = None,
    ) -> Doubt | None:
        """What was read anyhow, looked through; what it says against us freezes the record. Raises ForgeFailure."""
        claims = () if comments is None else claims_in(comments.value, self._outside.seal)
        traces = Traces(() if checks is None else checks.value, claims)
        known = await self._outside.store.read(lambda tx: self._known(tx, record, traces))
        traces = traces.without(await self._forged(record, known, traces))
        read = [answer.date for answer in (checks, comments) if answer is not None]
        seen = doubt(known, traces, max(read, default=self._outside.clock.now()))
        if seen is not None:
            await self._freeze(record, seen)
        return seen

    def _known(self, tx: Tx, record: Record, traces: Traces) -> Known:
        plain = Known(self._instance, record.key, record.version, record.lost_to, {})
        asked = {trace.version for trace in traces.all if plain.is_about(trace)}
        digests = tx.records.digests(record.key, asked)
        return plain._replace(paths={version: path_of(digest) for version, digest in digests.items()})

    async def _forged(self, record: Record, known: Known, traces: Traces) -> frozenset[str]:
        """Comments of ours in which somebody wrote of a version that never was. A seal of ours is proof; without one the App's
        key may have changed, and GitHub is asked who edited it last."""
        unsealed = {
            claim.comment.node_id: claim for claim in traces.claims if not claim.by_seal and known.misses(claim.trace)
        }
        if not unsealed:
            return frozenset()
        answer = await self._outside.forge.read(record.repo, EditedByOthers(tuple(sorted(unsealed))))
        for node_id in sorted(answer.value):
            await self._tell(record, unsealed[node_id].comment)
        return answer.value

    async def _tell(self, record: Record, comment: CommentFacts) -> None:
        """Once for each edit. It is written anew, if it is one that is kept as it should be."""
        if (comment.id, comment.updated_at) in self._told:
            return
        self._told.add((comment.id, comment.updated_at))
        self._outside.log(
            "warning", "mark_edited", repository=record.repository, issue=record.issue, comment=comment.url
        )

        def keep(tx: Tx) -> None:
            tx.leases.take(f"{EDITED}{record.key}", str(record.key), tx.now() + TOLD)
            if any(slot.remote_id == comment.id for slot in tx.slots.of(record.key).values()):
                tx.slots.distrust(record.key)

        await self._outside.store.run(keep)

    async def _freeze(self, record: Record, seen: Doubt) -> None:
        signal = DoubtFound(key="", actor=SIGNALBOX, doubt=seen)
        outcome = await self._transactor.apply(record.repo, record.key, signal)
        if outcome.kind == "advanced":
            fields = {"repository": record.repository, "issue": record.issue, "why": seen.about}
            self._outside.log("warning", "record_frozen", **fields)

    async def _checks(self, record: Record) -> Answer[tuple[OwnCheck, ...]] | None:
        if record.head is None:
            return None
        return await self._outside.forge.read(record.repo, OwnChecksOn(record.head))
