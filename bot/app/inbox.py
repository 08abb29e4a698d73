"""The next delivery of a lane: translated, brought to the records it concerns, and finished."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal

from bot.app.comments import Comments, Later
from bot.app.outside import Outside
from bot.app.route import Routed, Router
from bot.app.transact import Transactor
from bot.domain.lifecycle.linking import link_hint
from bot.domain.model.delivery import Delivery
from bot.domain.model.facts import Unknown
from bot.domain.model.ids import RecordKey, Repo
from bot.domain.model.signals import (
    BranchPushed,
    CommentCreated,
    HeadShared,
    InstallationChanged,
    LabelsTouched,
    PullOpened,
    RerunRequested,
    Signal,
    TimeCame,
)
from bot.ports.forge import Translator
from bot.ports.store import Tx

#: How often a delivery is tried before it is set aside as failed, visibly.
MOST_ATTEMPTS = 20


@dataclass(frozen=True, slots=True)
class Finished:
    state: Literal["applied", "no_op", "ignored"]
    detail: str | None = None


class Inbox:
    def __init__(
        self, outside: Outside, translate: Translator, router: Router, transactor: Transactor, comments: Comments
    ) -> None:
        self._store = outside.store
        self._log = outside.log
        self._nudge = outside.nudge
        self._timing = outside.timing
        self._owner = outside.owner
        self._translate = translate
        self._router = router
        self._transactor = transactor
        self._comments = comments

    async def step(self) -> bool:
        """Work on one delivery; False when none is waiting. A bug of ours fails that delivery visibly and goes on."""
        lease = timedelta(seconds=self._timing.delivery_lease)
        if not await self._store.read(lambda tx: tx.deliveries.backlog()):
            return False
        delivery = await self._store.run(lambda tx: tx.deliveries.claim(self._owner, tx.now() + lease))
        if delivery is None:
            return False
        try:
            finished = await self._process(delivery)
        except Exception as error:  # noqa: BLE001 - our own bug must not stop the lane; it is stored, logged and replayable
            detail = f"{type(error).__name__}: {error}"
            self._log("error", "delivery_failed", delivery=delivery.guid, error=detail)
            await self._store.run(lambda tx: tx.deliveries.finish(delivery.guid, "failed", detail))
            return True
        await self._finish(delivery, finished)
        self._nudge()
        return True

    async def _finish(self, delivery: Delivery, finished: Finished | Later) -> None:
        if isinstance(finished, Finished):
            await self._store.run(lambda tx: tx.deliveries.finish(delivery.guid, finished.state, finished.detail))
            return
        self._log("warning", "delivery_waits", delivery=delivery.guid, why=finished.why)

        def give_up(tx: Tx) -> None:
            known = tx.deliveries.get(delivery.guid)
            if known is not None and known[1].attempts >= MOST_ATTEMPTS:
                tx.deliveries.finish(delivery.guid, "failed", finished.why)

        await self._store.run(give_up)

    async def _process(self, delivery: Delivery) -> Finished | Later:
        translation = self._translate(delivery)
        if translation.ignored_because is not None or not translation.signals:
            return Finished("ignored", translation.ignored_because)
        states: list[str] = []
        for signal in translation.signals:
            repo = translation.repo or await self._any_repo(signal)
            if repo is None:
                continue
            seen = repo
            await self._store.run(lambda tx: tx.repositories.seen(seen))  # noqa: B023 - run before the next turn
            outcome = await self._bring(repo, signal)
            if isinstance(outcome, Later):
                return outcome
            states.append(outcome)
        changed = [state for state in states if state in {"advanced", "refused"} or state.endswith("commands")]
        return Finished("applied" if changed else "no_op", ", ".join(dict.fromkeys(states)) or None)

    async def _any_repo(self, signal: Signal) -> Repo | None:
        """Installation events name no repository: any known one of that installation serves to reach its records."""
        if not isinstance(signal, InstallationChanged):
            return None
        state, number = signal.state, signal.installation_id

        def note(tx: Tx) -> Repo | None:
            if not signal.repositories:
                tx.repositories.set_installation(number, state)
            return next(iter(tx.repositories.of_installation(number)), None)

        return await self._store.run(note)

    async def _bring(self, repo: Repo, signal: Signal) -> str | Later:
        if isinstance(signal, CommentCreated):
            return await self._comments.hear(repo, signal)
        if isinstance(signal, LabelsTouched) and signal.actor.kind == "bot":
            return "our own change, or one that the next look restores"
        routed = await self._router.records(repo, signal)
        if isinstance(routed, Unknown):
            return Later(routed.why)
        if isinstance(signal, LabelsTouched | RerunRequested):
            return await self._look_at_projections(routed.keys)
        states: list[str] = []
        for key in routed.sharing:
            shared = HeadShared(key="", actor=signal.actor, delivery=signal.delivery, head=routed.head)
            outcome = await self._transactor.apply(repo, key, shared)
            if outcome.kind == "later":
                return Later(outcome.note or "a fact could not be read")
            states.append("shared head looked at")
        if routed.unlinked is not None and len(routed.keys) > 1:
            return await self._ask_which(repo, routed.unlinked, routed.keys)
        for key in routed.keys:
            outcome = await self._transactor.apply(repo, key, _meant(signal, routed, key))
            if outcome.kind == "later":
                return Later(outcome.note or "a fact could not be read")
            states.append(outcome.kind)
        return ", ".join(states) or "no record"

    async def _ask_which(self, repo: Repo, pull: int, keys: tuple[RecordKey, ...]) -> str:
        hint = link_hint(repo, pull, tuple(key.issue for key in keys))
        await self._store.run(lambda tx: tx.effects.plan(keys[0], repo, hint))
        return "names several governed issues"

    async def _look_at_projections(self, keys: tuple[RecordKey, ...]) -> str:
        def distrust(tx: Tx) -> None:
            for key in keys:
                if tx.records.load(key) is not None:
                    tx.slots.distrust(key)

        await self._store.run(distrust)
        return "projections are looked at again"


def _meant(signal: Signal, routed: Routed, key: RecordKey) -> Signal:
    """What a signal means to one record: a push is a hint to look, an unlinked pull request wants to be linked. A signal that
    fans out is applied once for each record."""
    common: dict[str, Any] = {
        "key": f"{signal.key}@{key.issue}",
        "actor": signal.actor,
        "delivery": signal.delivery,
        "at": signal.at,
    }
    if isinstance(signal, BranchPushed):
        return TimeCame(**common)
    if routed.unlinked is not None:
        return PullOpened(**common, pull=routed.unlinked)
    return signal.model_copy(update={"key": common["key"]})
