"""The App's own questions, directly on the world: failed webhooks, and where it is installed."""

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from bot.domain.model.ids import Repo
from bot.domain.model.sweeping import HookAttempt, Installed
from bot.ports.failures import ForgeFailure, OutcomeUnknown, Unreachable
from bot.simulator.forge import Pause, failure_of
from bot.simulator.operations import OPERATIONS
from bot.simulator.refusal import HttpError, NoAnswer, not_found
from bot.simulator.world import World

T = TypeVar("T")


class _Desk:
    def __init__(self, world: World, pause: Pause | None = None) -> None:
        self._world = world
        self._pause = pause

    async def _ask(self, name: str, act: Callable[[], T], **parts: object) -> T:
        operation = OPERATIONS[name]
        path, writing = operation.at(**parts), operation.method == "POST"
        await self._paused(f"before {name}")
        try:
            result = self._world.edge.call(operation, path, None, act)
        except HttpError as no:
            raise failure_of(self._world, f"{operation.method} {path}", no, writing=writing) from no
        except NoAnswer as lost:
            failure: type[ForgeFailure] = OutcomeUnknown if writing and lost.how != "refused" else Unreachable
            raise failure(f"{operation.method} {path}: {lost.how}") from lost
        finally:
            await self._paused(f"after {name}")
        return result

    async def _paused(self, where: str) -> None:
        if self._pause is not None:
            await self._pause(where)


class SimulatedHookLog(_Desk):
    async def failed(self, since: datetime) -> tuple[HookAttempt, ...]:
        return await self._ask("hook_deliveries", lambda: self._failed(since))

    async def redeliver(self, attempt: int) -> None:
        def act() -> None:
            found = self._world.hooks.find(attempt)
            if found is None:
                raise not_found()
            self._world.hooks.redeliver(found)

        await self._ask("redeliver", act, id=attempt)

    def _failed(self, since: datetime) -> tuple[HookAttempt, ...]:
        return tuple(
            HookAttempt(id=one.id, guid=one.guid, at=one.due.replace(microsecond=0), status=one.status_code)
            for one in reversed(self._world.hooks.log)
            if one.status_code is not None and not 200 <= one.status_code < 300 and one.due >= since
        )


class SimulatedDirectory(_Desk):
    async def installations(self) -> tuple[Installed, ...]:
        return await self._ask("installations", self._installations)

    async def repositories(self, installation_id: int) -> tuple[Repo, ...]:
        return await self._ask("installation_repositories", lambda: self._repositories(installation_id))

    def _installations(self) -> tuple[Installed, ...]:
        here = self._world.installation
        return () if here.deleted else (Installed(id=here.id, suspended=here.suspended_at is not None),)

    def _repositories(self, installation_id: int) -> tuple[Repo, ...]:
        here = self._world.installation
        if here.id != installation_id or here.deleted:
            raise not_found()
        if here.suspended_at is not None:
            raise HttpError(403, "This installation has been suspended")
        listed = [self._world.repositories[one] for one in sorted(here.repositories)]
        known = [one for one in listed if not one.archived]
        return tuple(Repo(installation_id=here.id, id=one.id, owner=one.owner.login, name=one.name) for one in known)
