"""The next delivery of a lane: translated, brought to the records it concerns, and finished."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from bot.app import unheard
from bot.app.bring import Bringer
from bot.app.brought import Brought, Later, together
from bot.app.outside import Outside
from bot.app.turns import Turns
from bot.domain.model.delivery import Delivery
from bot.domain.model.ids import Repo
from bot.domain.model.sightings import InstallationChanged, RolesChanged
from bot.domain.model.signals import Signal
from bot.ports.forge import Translator
from bot.ports.rows import Applied
from bot.ports.store import CommitUnknown, StoreUnavailable, Tx

#: In the place of a repository's number: content keys of what concerns none.
NO_REPOSITORY = 0
#: How often a delivery is tried before it is set aside as failed, visibly.
MOST_ATTEMPTS = 20


@dataclass(frozen=True, slots=True)
class Finished:
    state: Literal["applied", "no_op", "ignored", "failed"]
    detail: str | None = None


class Inbox:
    def __init__(self, outside: Outside, translate: Translator, bringer: Bringer) -> None:
        self._store = outside.store
        self._log = outside.log
        self._nudge = outside.nudge
        self._timing = outside.timing
        self._owner = outside.owner
        self._translate = translate
        self._bringer = bringer
        self._turns = Turns(outside.timing.share)

    async def step(self) -> bool:
        """Work on one delivery; False when none is waiting. A bug of ours fails that delivery visibly and goes on."""
        taken = self._turns.taken
        whose = await self._store.read(lambda tx: tx.deliveries.next_of(taken))
        if whose is None:
            return False
        with self._turns.take(whose) as mine:
            delivery = await self._store.run(lambda tx: self._claim(tx, whose)) if mine else None
            if delivery is None:
                return True
            try:
                finished = await self._process(delivery)
            except (StoreUnavailable, CommitUnknown) as outage:
                # Nothing is lost: the delivery stays claimed until its lease ends, and then comes again.
                self._log("warning", "delivery_waits", delivery=delivery.guid, why=str(outage))
                return False
            except Exception as error:  # noqa: BLE001 - our own bug must not stop the lane; it is stored, logged and replayable
                # Only its kind: what an exception says may be what somebody wrote. The log has the trace.
                detail = f"a fault of this program: {type(error).__name__}"
                self._log("error", "delivery_failed", delivery=delivery.guid, error=error)
                await self._store.run(lambda tx: tx.deliveries.finish(delivery.guid, "failed", detail))
                await self._store.run(lambda tx: unheard.wake(tx, delivery))
                return True
            await self._finish(delivery, finished)
        self._nudge()
        return True

    async def ends(self) -> None:
        """What was under way when the lanes were cut is given to whoever works on: another process, or the next one."""
        with suppress(StoreUnavailable, CommitUnknown):
            await self._store.run(lambda tx: tx.deliveries.give_back(self._owner))
            self._nudge()

    def _claim(self, tx: Tx, whose: int) -> Delivery | None:
        return tx.deliveries.claim(self._owner, tx.now() + timedelta(seconds=self._timing.delivery_lease), whose)

    async def _finish(self, delivery: Delivery, finished: Finished | Later) -> None:
        if isinstance(finished, Finished):
            await self._store.run(lambda tx: tx.deliveries.finish(delivery.guid, finished.state, finished.detail))
            if finished.state == "failed":
                await self._store.run(lambda tx: unheard.wake(tx, delivery))
            return
        self._log("warning", "delivery_waits", delivery=delivery.guid, why=finished.why)

        def put_off(tx: Tx) -> None:
            known = tx.deliveries.get(delivery.guid)
            if known is not None and known[1].attempts >= MOST_ATTEMPTS:
                tx.deliveries.finish(delivery.guid, "failed", finished.why)
            else:
                tx.deliveries.puts_off(delivery.guid, finished.why)

        await self._store.run(put_off)
        await self._store.run(lambda tx: unheard.wake(tx, delivery))

    async def _process(self, delivery: Delivery) -> Finished | Later:
        translation = self._translate(delivery)
        if translation.unreadable:  # what it told may be a stop: it is shown to people, and found by the sweep
            self._log("warning", "delivery_unreadable", delivery=delivery.guid, why=translation.ignored_because)
            return Finished("failed", translation.ignored_because)
        if translation.ignored_because is not None or not translation.signals:
            return Finished("ignored", translation.ignored_because)
        if translation.repo is not None and await self._is_anothers(translation.repo):
            return Later("GitHub does not list the repository for this installation")
        parts: list[Brought] = []
        for signal in translation.signals:
            repo = translation.repo or await self._any_repo(signal)
            if repo is None:
                continue
            seen = repo
            await self._store.run(lambda tx: tx.repositories.seen(seen))  # noqa: B023 - run before the next turn
            outcome = await self._bringer.bring(repo, signal)
            if isinstance(outcome, Later):
                return outcome
            parts.append(outcome)
        brought = together(parts)
        return (
            Finished("no_op")
            if brought is None
            else Finished("applied" if brought.changed else "no_op", brought.detail)
        )

    async def _is_anothers(self, repo: Repo) -> bool:
        """A repository belongs to the installation under which it is known, until GitHub's own list says otherwise or that
        installation is gone. What is told of it meanwhile waits for that."""

        def known(tx: Tx) -> bool:
            before = tx.repositories.get(repo.id)
            if before is None or before.installation_id == repo.installation_id:
                return False
            return tx.repositories.installation_state(before.installation_id) != "gone"

        return await self._store.read(known)

    async def _any_repo(self, signal: Signal) -> Repo | None:
        """Events of an installation or its organization name no repository: any known one serves to reach its records. What
        is told of the installation itself counts once, as it does for each record."""
        if not isinstance(signal, InstallationChanged | RolesChanged):
            return None
        number = signal.installation_id

        def note(tx: Tx) -> Repo | None:
            if isinstance(signal, InstallationChanged) and not signal.repositories:
                _set_state(tx, signal)
            return next(iter(tx.repositories.of_installation(number)), None)

        return await self._store.run(note)


def _set_state(tx: Tx, signal: InstallationChanged) -> None:
    """A delivery that is repeated later does not bring back what was true then."""
    if tx.applied.get(NO_REPOSITORY, signal.key) is None:
        tx.applied.put(NO_REPOSITORY, Applied(key=signal.key, outcome="advanced", note=signal.state))
        tx.repositories.set_installation(signal.installation_id, signal.state)
