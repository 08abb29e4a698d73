"""The Forge port, directly on the world: what the real adapter would say, without HTTP."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar, cast

from bot.domain.model.effects import Write, Written
from bot.domain.model.facts import Answer
from bot.domain.model.ids import Repo
from bot.domain.model.policy_file import PATH, PolicyFile
from bot.domain.model.questions import Question
from bot.domain.model.sweeping import Polled
from bot.ports.failures import Forbidden, ForgeFailure, Gone, OutcomeUnknown, RateLimited, Unreachable
from bot.ports.forge import Guard
from bot.simulator.answers.ask import Asker
from bot.simulator.model.repositories import Repository
from bot.simulator.operations import OPERATIONS, Operation
from bot.simulator.refusal import HttpError, NoAnswer, not_found
from bot.simulator.world import World
from bot.simulator.writes import Writer

T = TypeVar("T")
U = TypeVar("U")
Pause = Callable[[str], Awaitable[None]]


class SimulatedForge:
    """`pause(where)` is awaited before and after every request, with `before NAME` and `after NAME`: there a scheduler
    interleaves or crashes. Without it nothing ever suspends."""

    def __init__(self, world: World, pause: Pause | None = None) -> None:
        self._world = world
        self._pause = pause

    async def read(self, repo: Repo, question: Question[T]) -> Answer[T]:
        dates = [self._world.clock.stamp()]
        parts = _Parts(repo, asdict(cast("Any", question)))

        async def ask(name: str, act: Callable[[], U]) -> U:
            def dated() -> U:
                dates.append(self._world.clock.stamp())
                return act()

            operation = OPERATIONS[name]
            return await self._request(operation, operation.path.format_map(parts), None, dated, writing=False)

        value: Any = await Asker(self._world, partial(visible, self._world, repo), ask).answer(question)
        unchanged = isinstance(value, Polled | PolicyFile) and value.unchanged
        if unchanged:
            self._world.requests[-1].status = 304
        return Answer(value, dates[-1], requests=len(dates) - 1 - unchanged, limit=self._world.rate_limit)

    async def together(self, _repo: Repo, _questions: Collection[Question[Any]]) -> Mapping[Question[Any], Answer[Any]]:
        """Each is read by itself here, so that a scheduler comes between any two."""
        return {}

    async def perform(self, repo: Repo, write: Write, guard: Guard | None = None) -> Written:
        writer = Writer(self._world, partial(visible, self._world, repo))
        operation, act = writer.prepare(write)
        body = write.model_dump(mode="json")
        if guard is not None:
            await guard()
        return await self._request(operation, operation.path.format_map(_Parts(repo, body)), body, act, writing=True)

    async def _request(self, operation: Operation, path: str, body: Any, act: Callable[[], T], *, writing: bool) -> T:
        await self._paused(f"before {operation.name}")
        try:
            result = self._world.edge.call(operation, path, body, act)
        except HttpError as no:
            raise failure_of(self._world, f"{operation.method} {path}", no, writing=writing) from no
        except NoAnswer as lost:
            detail = f"{operation.method} {path}: {lost.how}"
            unknown = writing and lost.how != "refused"
            raise (OutcomeUnknown(detail) if unknown else Unreachable(detail)) from lost
        finally:
            await self._paused(f"after {operation.name}")
        return result

    async def _paused(self, where: str) -> None:
        if self._pause is not None:
            await self._pause(where)


def visible(world: World, repo: Repo) -> Repository:
    """By id, as our App sees it."""
    found = world.repositories.get(repo.id)
    if found is None or not world.visible(found):
        raise not_found()
    if world.installation.suspended_at is not None:
        raise HttpError(403, "This installation has been suspended")
    return found


def failure_of(world: World, what: str, no: HttpError, *, writing: bool) -> ForgeFailure:
    """The failure that the real adapter would make of this answer."""
    detail = f"{what}: {no.status}"
    until = pause_of(no.status, no.message, no.headers, world.clock.now())
    if until is not None:
        return RateLimited(detail, until)
    if no.status in (404, 410):
        return Gone(detail)
    if no.status == 408 or no.status >= 500:
        return OutcomeUnknown(detail) if writing else Unreachable(detail)
    return Unreachable(detail) if no.status == 401 else Forbidden(detail)


class _Parts(dict[str, object]):
    """Fills a path from the repository's labels and the fields of a question or write."""

    def __init__(self, repo: Repo, fields: Mapping[str, Any]) -> None:
        super().__init__(fields)
        self |= {"owner": repo.owner, "repo": repo.name}
        self.setdefault("number", fields.get("pull"))
        self.setdefault("id", fields.get("comment_id", fields.get("user_id")))
        organization, _, slug = str(fields.get("team", "")).rpartition("/")
        self |= {"org": organization or repo.owner, "slug": slug}
        self.setdefault("branch", fields.get("base") or fields.get("ref"))
        self.setdefault("path", PATH)
        self.setdefault("ref", fields.get("head"))
        self.setdefault("basehead", f"{fields.get('base')}...{fields.get('head')}")


def pause_of(status: int, message: str, headers: Mapping[str, str], now: datetime) -> datetime | None:
    """When GitHub allows the next request, if the answer is about a rate limit: `retry-after`, an exhausted limit's
    reset, or a minute."""
    if status not in (403, 429):
        return None
    lower = {key.lower(): value for key, value in headers.items()}
    if "retry-after" in lower:
        return now + timedelta(seconds=float(lower["retry-after"]))
    if lower.get("x-ratelimit-remaining") == "0" and "x-ratelimit-reset" in lower:
        return datetime.fromtimestamp(int(lower["x-ratelimit-reset"]), tz=now.tzinfo)
    limited = status == 429 or "secondary rate limit" in message or lower.get("x-ratelimit-remaining") == "0"
    return now + timedelta(seconds=60) if limited else None
