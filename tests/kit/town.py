"""A whole Signalbox beside a simulated GitHub, and nothing between them but HTTP: signed deliveries one way, the real
client of GitHub the other way.

Time is the world's: `settles` works until nothing is left to do now, `later` lets time pass, and the bot's own waiting
moves the same clock. A town ends quietly: `closes` fails on whatever nobody looked at.
"""

import asyncio
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from inspect import isawaitable
from pathlib import Path
from typing import Any, Literal

import httpx
from starlette.types import ASGIApp

from bot.app.calling import Caller
from bot.app.outside import Outside
from bot.app.pacing import PacedForge, PacedMergeSender, Pacing
from bot.app.places import Places
from bot.app.restart import take_over
from bot.app.timing import COLLECTING, Timing
from bot.app.tokens import Issued, TokenOrder
from bot.bootstrap.bot import Bot, build
from bot.bootstrap.calling import HttpCall
from bot.bootstrap.parts import Parts, token_desk, web_url
from bot.bootstrap.work import Step, assemble, assemble_sweep
from bot.domain.model.policy import Policy
from bot.domain.model.seal import Seal
from bot.domain.projections.show import WebAddress
from bot.github.client import Endpoint, GitHubGateway, Identity, mark_secret
from bot.github.forge import GitHubForge
from bot.github.hooks import GitHubDirectory, GitHubHookLog
from bot.github.inbound.translate import translate
from bot.github.merging import GitHubMergeSender
from bot.settings import AppCredentials, Settings
from bot.simulator import asgi, webhooks
from bot.simulator.edge import Request
from bot.simulator.model.threads import Comment, Thread
from bot.simulator.world import World
from bot.store.inline import InlineStore
from tests.kit.idle import Idle
from tests.kit.keys import app_key
from tests.kit.ruling import given
from tests.kit.stage import MOST_ROUNDS, Silence, is_collecting

#: Before every real clock: the simulated GitHub hands out tokens by the real one, and none ends inside a story.
START = datetime(2024, 11, 30, 9, 0, tzinfo=UTC)
SECRET = "town-secret"
HOOK = "https://chat.example/hooks/not-to-be-told"
MergeApi = Literal["auto", "async", "sync"]
PEOPLE: Mapping[str, Any] = {"ada": "write", "grace": "write", "omar": "maintain", "sam": "maintain", "lin": "triage"}
_STATUS = "<!-- signalbox:status:"
_ENTERPRISE = re.compile(r"/api/(v3|graphql)(?=/|$)")


@dataclass(frozen=True, slots=True)
class Made:
    """A request of ours as GitHub saw it, and the part of the bot that made it."""

    by: str
    request: Request


class HostClock:
    """The clock of the bot's machine, which may be set; real time is the world's."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.off = timedelta(0)

    def now(self) -> datetime:
        return self._world.clock.now() + self.off

    def monotonic(self) -> float:
        return self._world.clock.monotonic()


class Killed(BaseException):
    """The process is gone at this point."""


class Road(httpx.ASGITransport):
    """The way to GitHub. `before` maps the end of a path to what happens over there just before the next such request;
    what can be awaited holds the request up. `down` are ends of paths that GitHub answers 502 for.
    `shown` are the tokens that GitHub saw, `bases` where it was looked for."""

    def __init__(self, github: ASGIApp) -> None:
        super().__init__(github)
        self.before: dict[str, Callable[[], object]] = {}
        self.down: set[str] = set()
        self.shown: set[str] = set()
        self.bases: set[str] = set()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        below = _ENTERPRISE.match(request.url.path)
        self.bases.add(f"https://{request.url.host}{below[0] if below else ''}")
        if below:  # the simulated GitHub has all of it at its root
            request.url = request.url.copy_with(path=request.url.path.removeprefix("/api/v3").removeprefix("/api"))
        self.shown.add(request.headers.get("authorization", "").removeprefix("Bearer ").removeprefix("token "))
        for end in [end for end in self.before if request.url.path.endswith(end)]:
            happens = self.before.pop(end)()
            if isawaitable(happens):
                await happens
        if any(request.url.path.endswith(end) for end in self.down):
            return httpx.Response(502, json={"message": "Server Error"}, request=request)
        return await super().handle_async_request(request)


@dataclass(repr=False)
class Town:
    """`policy`: rules in the place of the repositories' files. `heads` are the heads people pushed, in order: c1, c2, …
    `expected_errors` names log events a story provokes."""

    data_dir: Path
    merge_api: MergeApi = "auto"
    policy: Policy | None = None
    heads: list[str] = field(default_factory=list)
    calls: list[Made] = field(default_factory=list)
    expected_errors: set[str] = field(default_factory=set)
    hook: httpx.AsyncBaseTransport | None = None
    api_url: str = "https://api.github.com"
    api_version: str = "2022-11-28"
    owner: str = "here"

    def __post_init__(self) -> None:
        self.world = World(START)
        self.host = HostClock(self.world)
        self.private_key = app_key(self.world)
        self.repo = self.world.repository("octo/app", members=dict(PEOPLE))
        self.world.requires(self.repo, "build")
        self.log = Silence()
        self.opens(":memory:")
        self._read: set[int] = set()

    def opens(self, database: str) -> None:
        """A new process, on this database."""
        self.store = InlineStore(database, self.host)
        self.bot = self._bot(self.private_key)
        self.http = httpx.AsyncClient(transport=httpx.ASGITransport(self.bot.asgi), base_url="http://signalbox.test")
        self.steps = self._steps(self.private_key)

    def _bot(self, private: str) -> Bot:
        public = "https://signalbox.example"
        settings = Settings(data_dir=self.data_dir, public_url=public, github_api_url=self.api_url)
        credentials = AppCredentials(self.world.app.id, private, (SECRET,))
        return build(Parts(settings, credentials, self.store, self.log, clock=self.host), (), _crashed)

    def _steps(self, private: str) -> dict[str, Step]:
        """Wired as `bot.bootstrap.github` does it, with GitHub in process and the world's clock."""
        parts, clock = self.bot.parts, self.host
        self.road = Road(asgi.build(self.world, token_clock=partial(datetime.now, UTC)))
        endpoint = Endpoint(api_url=self.api_url, api_version=self.api_version, transport=self.road)
        gateway = GitHubGateway(Identity(self.world.app.id, private), endpoint, clock, self.sleeps)
        interval = parts.settings.write_interval_seconds
        places = Places(self.store, self.sleeps, interval, self.owner) if self.store.shared else None
        pacing = Pacing(self.store, clock, self.sleeps, interval, places=places)
        outside = Outside(
            store=self.store,
            forge=PacedForge(GitHubForge(gateway), pacing),
            clock=clock,
            log=self.log,
            nudge=parts.nudge,
            timing=Timing(merge_api=self.merge_api, calls=self.hook is not None),
            seal=Seal(mark_secret(private)),
            owner=self.owner,
        )
        web = WebAddress(parts.settings.public_address, web_url(self.api_url))
        translator = partial(translate, app_id=self.world.app.id)
        sender = PacedMergeSender(GitHubMergeSender(gateway), pacing)
        work = assemble(outside, sender, translator, given(lambda: self.policy), web)
        self.work = work
        interval = parts.settings.sweep_interval_seconds
        sweep = assemble_sweep(
            outside, GitHubDirectory(gateway), GitHubHookLog(gateway), translator, given(lambda: self.policy), interval
        )
        calls = (
            {}
            if self.hook is None
            else {"caller": Caller(outside, HttpCall(HOOK, parts.settings.public_address, self.hook)).step}
        )
        return {**work.steps, **calls, "sweep": sweep.step}

    def calls_operators(self, hook: httpx.AsyncBaseTransport) -> None:
        """From now on `NOTIFY_URL` is set, and this is who answers there."""
        self.hook = hook
        self.steps = self._steps(self.private_key)

    async def sleeps(self, seconds: float) -> None:
        """The bot's Sleep port: waiting is what makes time pass."""
        self.world.clock.advance(seconds)

    async def settles(self, *, shown: bool = True) -> None:
        """Until nothing is left to do at this moment, and what is being collected was `shown`."""
        idle = Idle(self.store)
        for _ in range(MOST_ROUNDS):
            moved = await webhooks.deliver(self.world, SECRET, self.post) > 0
            if moved:
                idle.news()
            for name in self.steps:
                moved = await idle.step(name, partial(self.steps_once, name)) or moved
            if not moved and not (shown and await is_collecting(self.store)):
                return
            if not moved:
                self.world.clock.advance(COLLECTING)
                idle.news()
        raise AssertionError(f"the bot never comes to rest: {self.log.lines[-5:]}")

    async def steps_once(self, name: str) -> bool:
        """One unit of one part: inbox, publisher, effector, merger, timers or sweep."""
        before = len(self.world.requests)
        moved = await self.steps[name]()
        self.calls += [Made(name, request) for request in self.world.requests[before:]]
        return moved

    async def hears(self) -> None:
        """Only the inbox works: everything delivered is decided, and nothing is shown yet."""
        await webhooks.deliver(self.world, SECRET, self.post)
        while await self.steps_once("inbox"):
            pass

    async def shows(self, records: int | None = None) -> None:
        """Only the publisher works, when the changes before are collected: of so many records, or of all."""
        self.world.clock.advance(COLLECTING)
        shown = 0
        while shown != records and await self.steps_once("publisher"):
            shown += 1

    async def later(self, *, minutes: float = 0, seconds: float = 0, stride: float = 5) -> None:
        """Let time pass, with everything that falls due on the way."""
        clock = self.world.clock
        end = clock.monotonic() + minutes * 60 + seconds
        while clock.monotonic() < end:
            clock.advance(min(stride, end - clock.monotonic()))
            await self.settles(shown=clock.monotonic() >= end)

    async def post(self, body: bytes, headers: Mapping[str, str]) -> int:
        answer = await self.http.post(self.bot.parts.settings.webhook_path, content=body, headers=dict(headers))
        return answer.status_code

    async def delivers_each(self, times: int, *, fresh_guids: bool = False) -> list[int]:
        """Everything on its way arrives `times` times at once, under one GUID each or a fresh one each; the answers."""
        attempts = []
        for hook in self.world.hooks.take():
            hook.status_code = 202
            for number in range(times):
                headers = webhooks.headers(self.world, hook, SECRET)
                headers["X-GitHub-Delivery"] += f"-{number}" if fresh_guids else ""
                attempts.append(self.post(hook.body, headers))
        return list(await asyncio.gather(*attempts))

    async def api(self, path: str) -> Any:
        """What an agent with a token reads under /api/v1."""
        issued = await token_desk(self.store).create(TokenOrder(name=f"t-{len(self.calls)}", role="admin"))
        assert isinstance(issued, Issued)
        answer = await self.http.get(f"/api/v1{path}", headers={"authorization": f"Bearer {issued.token}"})
        assert answer.status_code == 200, answer.text
        await self.store.run(lambda tx: tx.tokens.revoke(issued.row.name, tx.now()))
        return answer.json()

    def ours(self, thread: Thread) -> list[Comment]:
        """Our comments on a thread, the status comment left out, oldest first."""
        return [one for one in thread.comments if one.app is self.world.app and _STATUS not in one.body]

    def status_of(self, thread: Thread) -> str:
        """The one status comment of a thread, as people see it."""
        (found,) = [one for one in thread.comments if one.app is self.world.app and _STATUS in one.body]
        return self.shown(found.body)

    def reads(self, comment: Comment) -> str:
        """Somebody reads a comment of ours, so it is not a surprise at the end. One sentence a line."""
        self._read.add(comment.id)
        return sentences(self.shown(comment.body))

    def unread(self, thread: Thread) -> list[Comment]:
        return [one for one in self.ours(thread) if one.id not in self._read]

    def shown(self, text: str) -> str:
        """A text as people see it: links are their words, hidden marks are gone, heads are c1, merges are m1,
        Apps have their names."""
        visible = re.sub(r"\[([^\]]*)\]\([^)\s]*\)", r"\1", re.sub(r"\n*<!--.*?-->", "", text)).replace("\u00a0", " ")
        timeless = re.sub(r"\b\d\d:\d\d(:\d\d)?\b", "hh:mm", visible)
        for app in self.world.apps.values():
            timeless = timeless.replace(f"app {app.id}", f"app {app.slug}")
        return re.sub(r"\b[0-9a-f]{7,40}\b", lambda match: self._name(match.group()), timeless).strip()

    def spelled(self, text: str) -> str:
        """The other way: `c1` in a command becomes the 12 digits that people copy."""
        return re.sub(r"\bc(\d+)\b", lambda match: self.heads[int(match[1]) - 1][:12], text)

    def _name(self, sha: str) -> str:
        merges = [landing.sha for landing in self.world.landed]
        named = [(f"c{n}", head) for n, head in enumerate(self.heads, 1)] + [
            (f"m{n}", merge) for n, merge in enumerate(merges, 1)
        ]
        return next((name for name, known in named if known.startswith(sha)), sha)

    def just_before(self, end: str, act: Callable[[], object]) -> None:
        """Something happens on GitHub between the bot's last look and its next request to a path with this end."""
        self.road.before[end] = act

    def kills_before(self, end: str, meanwhile: Callable[[], object] = lambda: None) -> None:
        """kill -9 at the next request to a path with this end: it never leaves, and nothing is stored any more."""

        async def dies() -> None:
            happens = meanwhile()
            if isawaitable(happens):
                await happens
            self.store.before_commit = self._dead
            raise Killed(end)

        self.road.before[end] = dies

    @staticmethod
    def _dead() -> None:
        raise Killed("dead")

    async def restarts(self) -> None:
        """A new process on the same database; until the old one dies it works on."""
        with suppress(Killed):
            await self.settles()
        self.store.before_commit = None
        await self.boots()

    async def boots(self) -> None:
        """Whatever the old process was about to do, a new one takes over now."""
        await self.store.run(take_over)
        self.steps = self._steps(self.private_key)
        await self.settles()

    def merges(self) -> list[str]:
        """What landed on any base, in order, as "c1 by signalbox[bot]"."""
        return [f"{self._name(one.head)} by {one.by.login}" for one in self.world.landed]

    def asked(self, *operations: str) -> int:
        """How often GitHub was asked this. Merges: "merge" and "merge_async"."""
        return sum(request.operation in operations for request in self.world.requests)

    async def closes(self) -> None:
        """The end of every story: nothing unknown was asked, nothing failed, and every comment of ours was read."""
        assert self.world.findings == []
        errors = [line for line in self.log.lines if line[0] == "error" and line[1] not in self.expected_errors]
        assert errors == []
        failed = await self.store.read(lambda tx: tx.deliveries.list("failed", 100, None))
        assert [(row.event, row.detail) for row in failed] == []
        threads = [thread for repo in self.world.repositories.values() for thread in repo.threads.values()]
        assert [self.shown(one.body) for thread in threads for one in self.unread(thread)] == []
        await self.http.aclose()
        await self.store.close()


def sentences(text: str) -> str:
    """Each sentence on a line of its own, so that tests can be read."""
    return re.sub(r"(?<=[.]) (?=[A-Z`*])", "\n", text)


def _crashed(name: str, error: BaseException) -> None:
    raise AssertionError(f"{name} crashed") from error
