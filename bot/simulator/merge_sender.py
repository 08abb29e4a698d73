"""The MergeSender port, directly on the world: what the real adapter would send and hear, without HTTP."""

from collections.abc import Callable
from typing import Any

from bot.domain.model.effects import MergeReply
from bot.domain.model.ids import Repo
from bot.domain.model.permit import MergePermit
from bot.simulator.edge import Reply
from bot.simulator.forge import Pause, pause_of, visible
from bot.simulator.model.threads import Pull
from bot.simulator.operations import OPERATIONS
from bot.simulator.refusal import HttpError, NoAnswer, not_found
from bot.simulator.verbs.merging import MergeCall
from bot.simulator.world import World


class SimulatedMergeSender:
    """`pause(where)` as of `SimulatedForge`."""

    def __init__(self, world: World, pause: Pause | None = None) -> None:
        self._world = world
        self._pause = pause

    async def merge(self, repo: Repo, permit: MergePermit, may_send: Callable[[], bool]) -> MergeReply:
        order = permit.spend()
        operation = OPERATIONS["merge_async" if order.api == "async" else "merge"]
        await self._paused(f"before {operation.name}")
        if not may_send():
            return MergeReply(api=order.api, sent=False, why="the lease no longer covers the request")
        call = MergeCall(order.head, order.method, order.title, order.body, "direct_merge")
        place = operation.at(owner=repo.owner, repo=repo.name, number=order.pull)

        def act() -> Reply:
            pull = self._pull(repo, order.pull)
            if order.api == "async":
                return self._world.merge_async(self._world.bot, pull, call)
            return self._world.merge(self._world.bot, pull, call)

        sent = {"sha": order.head, "merge_method": order.method}
        try:
            reply = self._world.edge.call(operation, place, sent, act, merging=self._known_pull(repo, order.pull))
            answer = self._reply(order.api, reply.status, reply.body, reply.headers)
        except HttpError as no:
            answer = self._reply(order.api, no.status, no.body(), no.headers)
        except NoAnswer as lost:
            answer = MergeReply(api=order.api, sent=lost.how != "refused", why=lost.how)
        await self._paused(f"after {operation.name}")
        return answer

    def _reply(self, api: Any, status: int, body: dict[str, Any], headers: Any) -> MergeReply:
        details = body.get("details", {})
        return MergeReply(
            api=api,
            sent=True,
            status=status,
            message=body.get("message") or details.get("message", ""),
            body_status=body.get("status") if "details" in body else None,
            sha=body.get("sha") or details.get("sha"),
            merged=body.get("merged"),
            uuid=details.get("uuid"),
            expected_head=details.get("expected_head_sha"),
            merge_method=details.get("merge_method"),
            direct=details.get("merge_action") == "direct_merge",
            not_before=pause_of(status, body.get("message", ""), headers, self._world.clock.now()),
        )

    def _pull(self, repo: Repo, number: int) -> Pull:
        found = visible(self._world, repo).threads.get(number)
        if not isinstance(found, Pull):
            raise not_found()
        return found

    def _known_pull(self, repo: Repo, number: int) -> Pull | None:
        known = self._world.repositories.get(repo.id)
        found = known.threads.get(number) if known else None
        return found if isinstance(found, Pull) else None

    async def _paused(self, where: str) -> None:
        if self._pause is not None:
            await self._pause(where)
