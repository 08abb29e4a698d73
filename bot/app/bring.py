"""One signal, brought to the records it concerns: the same way for webhooks and for what the sweep found."""

from contextlib import suppress
from typing import Any

from bot.app.brought import Brought, Later, together
from bot.app.comments import Comments
from bot.app.policy.book import Policies
from bot.app.route import Routed, Router
from bot.app.transact import Outcome, Transactor
from bot.domain.lifecycle.linking import SEVERAL, link_hint
from bot.domain.lifecycle.merge_groups import refused_group
from bot.domain.lifecycle.spelling import respelled_effect
from bot.domain.model.facts import Unknown
from bot.domain.model.ids import RecordKey, Repo
from bot.domain.model.own_signals import HeadShared
from bot.domain.model.policy import STRICT
from bot.domain.model.sightings import (
    BranchPushed,
    CommentCreated,
    HeadPushed,
    LabelsTouched,
    MergeGroupFormed,
    PullClosed,
    PullOpened,
    PullReopened,
    RerunRequested,
    ReviewSubmitted,
)
from bot.domain.model.signals import Signal
from bot.ports.failures import ForgeFailure
from bot.ports.policies import on_pull
from bot.ports.store import Store, Tx


class Bringer:
    def __init__(
        self, store: Store, router: Router, transactor: Transactor, comments: Comments, policies: Policies
    ) -> None:
        self._store = store
        self._router = router
        self._transactor = transactor
        self._comments = comments
        self._policies = policies

    async def bring(self, repo: Repo, signal: Signal) -> Brought | Later:
        if isinstance(signal, CommentCreated):
            return await self._comments.hear(repo, signal)
        if (nothing := await self._means_nothing(repo, signal)) is not None:
            return _unchanged(nothing)
        if isinstance(signal, MergeGroupFormed):
            refusal = refused_group(repo, signal.head)
            await self._store.run(lambda tx: tx.effects.plan(None, repo, refusal))
            return _unchanged("a merge group is refused")
        if isinstance(signal, BranchPushed) and signal.touches_policy:
            await self._look_at_policy(repo)
        if isinstance(signal, PullOpened | PullReopened | HeadPushed):
            place, pull = on_pull(signal.pull), signal.pull
            await self._store.run(lambda tx: tx.policies.expect(repo.id, place, pull))
        routed = await self._router.records(repo, signal)
        if isinstance(routed, Unknown):
            return Later(routed.why)
        if isinstance(signal, LabelsTouched | RerunRequested):
            return await self._look_at_projections(routed.keys)
        parts: list[Brought] = []
        for key, head in routed.sharing:
            came = _came_to(signal, head)
            shared = HeadShared(key="", actor=signal.actor, delivery=signal.delivery, head=head, pull=came)
            outcome = await self._transactor.apply(repo, key, shared)
            if outcome.kind == "later":
                return Later(outcome.note or "a fact could not be read")
            parts.append(Brought(changed=_changed(outcome), detail="shared head looked at"))
        if routed.unlinked is not None and len(routed.keys) > 1:
            return await self._ask_which(repo, routed.unlinked, routed.keys)
        for key in routed.keys:
            own = await self._own(repo, key)
            outcome = await self._transactor.apply(own, key, _meant(signal, routed, key))
            if outcome.kind == "later":
                return Later(outcome.note or "a fact could not be read")
            parts.append(Brought(changed=_changed(outcome), detail=outcome.kind))
        return together(parts) or _unchanged("no record")

    async def _means_nothing(self, repo: Repo, signal: Signal) -> str | None:
        """Why it concerns no record, by itself."""
        if isinstance(signal, LabelsTouched) and signal.actor.kind == "bot":
            return (
                "nothing to do: Signalbox made this change itself, or shows what belongs there again when it looks next"
            )
        if isinstance(signal, ReviewSubmitted) and await self._comments.doubts(repo, signal):
            return "the body of the review takes its approval back"
        return None

    async def _own(self, repo: Repo, key: RecordKey) -> Repo:
        """What is told of a whole installation came with one of its repositories; each record is read in its own."""
        if key.repository_id == repo.id:
            return repo
        return await self._store.read(lambda tx: tx.repositories.get(key.repository_id)) or repo

    async def _look_at_policy(self, repo: Repo) -> None:
        """What cannot be read now is looked at again by itself; nobody waits for it."""
        with suppress(ForgeFailure):
            await self._policies.look(repo)

    async def _ask_which(self, repo: Repo, pull: int, keys: tuple[RecordKey, ...]) -> Brought:
        hint = link_hint(repo, pull, tuple(key.issue for key in keys), SEVERAL)

        def plan(tx: Tx) -> None:
            ruled = self._policies.known(tx, repo.id)
            tx.effects.plan(keys[0], repo, respelled_effect(hint, ruled.policy if ruled else STRICT))

        await self._store.run(plan)
        return _unchanged("names several governed issues")

    async def _look_at_projections(self, keys: tuple[RecordKey, ...]) -> Brought:
        def distrust(tx: Tx) -> None:
            for key in keys:
                if tx.records.load(key) is not None:
                    tx.slots.distrust(key)

        await self._store.run(distrust)
        return _unchanged("projections are looked at again")


def _came_to(signal: Signal, head: str) -> int | None:
    """The pull request that this news brought to a head; None for one that left or was closed."""
    left = isinstance(signal, PullClosed) or (isinstance(signal, HeadPushed) and signal.after != head)
    return None if left else getattr(signal, "pull", None)


def _unchanged(detail: str) -> Brought:
    return Brought(changed=False, detail=detail)


def _changed(outcome: Outcome) -> bool:
    """A refusal is kept with the record, for everybody to see."""
    return outcome.kind in {"advanced", "refused"}


def _meant(signal: Signal, routed: Routed, key: RecordKey) -> Signal:
    """What a signal means to one record: an unlinked pull request wants to be linked. A signal that fans out is applied once
    for each record."""
    common: dict[str, Any] = {
        "key": f"{signal.key}@{key.issue}" if signal.key else "",
        "actor": signal.actor,
        "delivery": signal.delivery,
        "at": signal.at,
    }
    if routed.unlinked is not None:
        pushed = signal.after if isinstance(signal, HeadPushed) else None
        return PullOpened(**common, pull=routed.unlinked, pushed=pushed)
    return signal.model_copy(update={"key": common["key"]})
