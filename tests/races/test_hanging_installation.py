"""GitHub hangs for one installation: whatever is done for another goes on beside it, and nothing of its own is doubled."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from bot.app.outside import Outside
from bot.bootstrap.lanes import MANY
from bot.bootstrap.work import assemble
from bot.domain.projections.show import WebAddress
from bot.github.inbound.translate import translate
from bot.ports.store import Tx
from bot.simulator.forge import SimulatedForge
from bot.simulator.merge_sender import SimulatedMergeSender
from bot.simulator.world import World
from tests.kit.ruling import given
from tests.kit.stage import START, NoNudge, Stage, run
from tests.simulation.golden import Golden

pytestmark = pytest.mark.anyio

#: Turns in which whatever can happen has happened.
TURNS = 400


@dataclass
class _Both:
    """One GitHub with two accounts; each request is told whose it is."""

    stage: "Accounts"

    def _pause(self, repo: Any) -> Callable[[str], Awaitable[None]]:
        return partial(self.stage.asked, repo.installation_id)

    async def read(self, repo: Any, question: Any) -> Any:
        return await SimulatedForge(self.stage.worlds[repo.installation_id], self._pause(repo)).read(repo, question)

    async def together(self, repo: Any, questions: Any) -> Any:
        return {}

    async def perform(self, repo: Any, write: Any, guard: Any = None) -> Any:
        forge = SimulatedForge(self.stage.worlds[repo.installation_id], self._pause(repo))
        return await forge.perform(repo, write, guard)

    async def merge(self, repo: Any, permit: Any, may_send: Any) -> Any:
        sender = SimulatedMergeSender(self.stage.worlds[repo.installation_id], self._pause(repo))
        return await sender.merge(repo, permit, may_send)


class Accounts(Stage):
    def __init__(self) -> None:
        octo = World(START)
        acme = World(START, account="acme", beside=octo)
        acme.hooks._guids = octo.hooks._guids  # GitHub gives no number twice
        self.worlds = {world.installation.id: world for world in (octo, acme)}
        self.octo, self.acme = octo, acme
        self.hanging: asyncio.Event | None = None
        super().__init__(octo)

    def starts(self) -> None:
        both = _Both(self)
        super().starts()
        outside = Outside(self.store, both, self.world.clock, self.log, NoNudge(), self.timing, "bot-1")
        translator = partial(translate, app_id=self.world.app.id)
        web = WebAddress("https://signalbox.example")
        self.work = assemble(outside, both, translator, given(lambda: self.policy), web)

    async def asked(self, installation: int, where: str) -> None:
        if self.hanging is not None and where.startswith("before ") and installation == self.octo.installation.id:
            await self.hanging.wait()


class There(Golden):
    """The golden path in a repository of the other account."""

    def __post_init__(self) -> None:
        self.stage.world = self.stage.acme  # type: ignore[attr-defined]  # this is played on a stage of two accounts
        people: Any = {"ada": "write", "grace": "write", "omar": "maintain"}
        self.repo = self.stage.world.repository("acme/site", members=people)
        self.issue = self.stage.world.opens_issue("ada", self.repo, "Retry uploads")


def played(stage: Accounts, but: int) -> tuple[Golden, Golden]:
    """Both changes, all acts but the last `but`; octo's first."""
    here, there = Golden(stage), There(stage)
    for golden, world in ((here, stage.octo), (there, stage.acme)):
        stage.world = world
        for act in golden.acts[: len(golden.acts) - but]:
            act()
            golden.rest()
    return here, there


async def lanes(stage: Accounts, part: str, until: Callable[[], bool]) -> bool:
    """As many lanes of a part as a server has, until it is so; False when nothing happens any more before it is. Then the
    other installation is answered, and all of them come to rest."""

    async def works() -> None:
        while True:
            await stage.work.steps[part]()
            await asyncio.sleep(0)

    stage.hanging = asyncio.Event()
    tasks = [asyncio.create_task(works()) for _ in range(4 if part in MANY else 1)]
    for _ in range(TURNS):
        await asyncio.sleep(0)
    became = until()
    stage.hanging.set()
    for _ in range(TURNS):
        await asyncio.sleep(0)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return became


def reserved(stage: Accounts) -> tuple[Golden, Golden]:
    """The last word is said on both, and nobody was asked for a merge."""
    here, there = played(stage, 1)
    for golden, world in ((here, stage.octo), (there, stage.acme)):
        stage.world = world
        golden.acts[-1]()
        stage.delivers()
        while run(stage.work.inbox.step()):
            pass
    return here, there


async def test_a_merge_is_asked_for_although_github_hangs_for_another_installation() -> None:
    stage = Accounts()
    here, there = reserved(stage)

    def asked() -> bool:
        assert stage.octo.landed == []
        return stage.record("acme/site", there.issue.number).merge.state != "reserved"

    assert await lanes(stage, "merger", asked)
    for golden, world in ((here, stage.octo), (there, stage.acme)):
        stage.world = world
        golden.rest()
        assert [request.operation for request in world.requests if request.operation == "merge_async"] == [
            "merge_async"
        ]
        assert stage.record(golden.repo.full_name, golden.issue.number).phase == "done"


async def test_an_answer_is_given_although_github_hangs_for_another_installation() -> None:
    stage = Accounts()
    here, there = played(stage, 5)
    said = []
    before = [one.operation for world in stage.worlds.values() for one in world.requests].count("react")
    for golden, world in ((here, stage.octo), (there, stage.acme)):
        stage.world = world
        for number in range(3):
            golden.says("grace", golden.pull, f"/priority {number}")
            said.append(golden.pull.comments[-1])
        stage.delivers()
        while run(stage.work.inbox.step()):
            pass

    assert await lanes(stage, "effector", lambda: [len(one.reactions) for one in said] == [0, 0, 0, 1, 1, 1])
    assert [len(one.reactions) for one in said] == [1, 1, 1, 1, 1, 1]
    asked = [request.operation for world in stage.worlds.values() for request in world.requests]
    assert asked.count("react") - before == 6


def many(stage: Accounts) -> tuple[Any, Any]:
    """Work is begun in four repositories of octo, and then in one of acme: the issues of both."""
    issues: list[Any] = []
    people: Any = {"ada": "write", "grace": "write", "omar": "maintain"}
    for world, names in ((stage.octo, ("a", "b", "c", "d")), (stage.acme, ("site",))):
        stage.world = world
        for name in names:
            issue = world.opens_issue("ada", world.repository(f"{world.account.login}/{name}", members=people), "Retry")
            world.labels("ada", issue, "signalbox")
            issues.append(issue)
        stage.delivers()
    return issues[:-1], issues[-1]


async def test_a_start_is_heard_although_github_hangs_for_many_repositories_of_another_installation() -> None:
    stage = Accounts()
    _, there = many(stage)

    assert await lanes(
        stage, "inbox", lambda: not run(stage.store.read(lambda tx: tx.deliveries.waits(there.repository.id, START)))
    )
    assert run(stage.store.read(lambda tx: tx.deliveries.backlog())) == 0


async def test_what_is_decided_is_shown_although_github_hangs_for_many_repositories_of_another_installation() -> None:
    stage = Accounts()
    here, there = many(stage)
    while run(stage.work.inbox.step()):
        pass
    stage.world.clock.advance(5)  # changes are collected no longer

    assert await lanes(stage, "publisher", lambda: len(there.comments) == 1)
    assert [len(one.comments) for one in here] == [1, 1, 1, 1]


async def test_a_look_is_taken_although_github_hangs_for_another_installation() -> None:
    stage = Accounts()
    here, there = played(stage, 4)
    keys = [stage.record(one.repo.full_name, one.issue.number).key for one in (here, there)]
    now = stage.world.clock.now()

    def due(tx: Tx) -> list[bool]:
        return [tx.records.wakes_at(key) == now for key in keys]

    def ask(tx: Tx) -> None:
        for key in keys:
            tx.records.wake_at(key, now)

    run(stage.store.run(ask))
    assert await lanes(stage, "timers", lambda: run(stage.store.read(due)) == [True, False])
    assert run(stage.store.read(due)) == [False, False]
