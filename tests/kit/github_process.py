"""The simulated GitHub as a process of its own, with people who are told over HTTP what to do.

`python -m tests.kit.github_process` prints one JSON line with its address and its App's key, and serves until it is killed.
Everything under `/_people` is for tests: `POST /_people/VERB` with arguments as JSON; the verbs are the methods of `People`.
"""

import asyncio
import inspect
import json
import re
import sys
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from bot.bootstrap.demo.github import SimulatedGitHub
from bot.bootstrap.demo.wire import address, free_port
from bot.simulator.model.threads import Pull, Thread
from bot.simulator.webhooks import failed
from tests.kit.keys import app_key

SECRET = "a secret of nobody"
STATUS = "<!-- signalbox:status:"


class Holding:
    """In front of the API: lets one chosen request stop, so that its sender can be killed while it waits for the answer."""

    def __init__(self, github: SimulatedGitHub) -> None:
        self._face = github.face
        self._wanted: tuple[str, re.Pattern[str], bool, bool] | None = None
        self._arrived = asyncio.Event()
        self._released = asyncio.Event()
        self.changed = asyncio.Event()

    def hold(self, method: str, path: str, *, carried_out: bool, answered: bool) -> None:
        """The next request whose path ends like this; carried out before it stops, or never. `answered`: once it is let go."""
        self._wanted = (method, re.compile(f"{path}$"), carried_out, answered)
        self._arrived, self._released = asyncio.Event(), asyncio.Event()

    async def arrived(self) -> None:
        await self._arrived.wait()

    def release(self) -> None:
        self._released.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        wanted = self._wanted
        if wanted is None or scope["method"] != wanted[0] or not wanted[1].search(scope["path"]):
            await self._face(scope, receive, send)
            self.changed.set()
            return
        self._wanted = None
        answer: list[Message] = []
        if wanted[2]:
            await self._face(scope, receive, _kept_in(answer))
        self._arrived.set()
        await self._released.wait()
        if wanted[3]:
            for message in answer:
                await send(message)


def _kept_in(answer: list[Message]) -> Send:
    """Where an answer goes while it is not sent."""

    async def keep(message: Message) -> None:
        answer.append(message)

    return keep


class People:
    """ada builds, grace reviews, omar opens the human gates, on one issue and one pull request of octo/app."""

    def __init__(self, github: SimulatedGitHub, holding: Holding) -> None:
        self._github = github
        self._world = github.world
        self._holding = holding
        self._repo = self._world.repository("octo/app", members={"ada": "write", "grace": "write", "omar": "maintain"})
        self._issue = self._world.opens_issue("ada", self._repo, "Retry uploads")

    def labels(self) -> None:
        self._world.labels("ada", self._issue, "signalbox")

    def says(self, who: str, number: int, text: str) -> None:
        """`{head}` in the text is the present head, as 12 digits."""
        thread = self._thread(number)
        head = thread.head[:12] if isinstance(thread, Pull) else ""
        self._world.comments(who, thread, text.replace("{head}", head))

    def opens_pull(self) -> int:
        branch = f"signalbox/{self._issue.number}-retry"
        self._world.pushes("ada", self._repo, branch)
        body = f"Closes #{self._issue.number}"
        return self._world.opens_pull("ada", self._repo, "Retry uploads", head=branch, body=body).number

    def reports_green(self, number: int) -> None:
        self._world.check_run("actions", self._pull(number), "build")

    def points_webhooks_to(self, url: str) -> None:
        self._github.webhook_url = url

    def redelivers(self) -> int:
        """What an operator does with the deliveries that GitHub lists as failed."""
        lost = failed(self._world.hooks)
        for delivery in lost:
            self._world.hooks.redeliver(delivery)
        return len(lost)

    def holds(self, method: str, path: str, carried_out: bool, answered: bool = False) -> None:
        self._holding.hold(method, path, carried_out=carried_out, answered=answered)

    async def waits_for_the_held_request(self) -> None:
        await self._holding.arrived()

    def lets_go(self) -> None:
        self._holding.release()

    async def waits_for_webhooks(self) -> None:
        """Until GitHub knows of every delivery what became of it."""
        while not self._github.silent:
            self._github.attempted.clear()
            await self._github.attempted.wait()

    async def waits_for_status(self, number: int, texts: list[str]) -> None:
        """Until the status comment there has all these texts."""
        while not all(text in self._status(number) for text in texts):
            self._holding.changed.clear()
            await self._holding.changed.wait()

    def sees(self) -> dict[str, Any]:
        """Everything a test asserts about."""
        threads = self._repo.threads
        return {
            "landed": [landing.head for landing in self._world.landed],
            "merge requests": [r.body for r in self._world.requests if r.operation in {"merge", "merge_async"}],
            "comments": {str(n): [c.body for c in t.comments if c.app is not None] for n, t in threads.items()},
            "labels": {str(number): [label.name for label in thread.labels] for number, thread in threads.items()},
            "webhooks": sorted({delivery.guid for delivery in self._world.hooks.log}),
            "findings": self._world.findings,
        }

    def _status(self, number: int) -> str:
        thread = self._repo.threads.get(number)
        ours = [comment.body for comment in thread.comments if STATUS in comment.body] if thread else []
        return ours[-1] if ours else ""

    def _thread(self, number: int) -> Thread:
        return self._repo.threads[number]

    def _pull(self, number: int) -> Pull:
        thread = self._thread(number)
        assert isinstance(thread, Pull)
        return thread


async def serve() -> None:
    listener = free_port()
    github = SimulatedGitHub(SECRET)
    holding = Holding(github)
    people = People(github, holding)

    async def told(request: Request) -> JSONResponse:
        answer = getattr(people, request.path_params["verb"])(**await request.json())
        return JSONResponse(await answer if inspect.isawaitable(answer) else answer)

    control = Starlette(routes=[Route("/_people/{verb}", told, methods=["POST"])])

    async def face(scope: Scope, receive: Receive, send: Send) -> None:
        await (control if scope["path"].startswith("/_people/") else holding)(scope, receive, send)

    async with github.running(listener, face):
        key = app_key(github.world)
        sys.stdout.write(json.dumps({"url": address(listener), "app_id": github.world.app.id, "key": key}) + "\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve())
