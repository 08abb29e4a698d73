"""What people do in a soak: ada, grace and omar take one issue after the other to its merge, and read what they are told."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.simulator.model.repositories import Repository
from bot.simulator.model.threads import Pull, Thread
from tests.kit.github_process import STATUS
from tests.soak.city import City

#: Seconds after which what should have happened has not: restarts, redelivery and a settle window fit in it.
PATIENCE = 240.0
#: Seconds between two looks of somebody whom nothing told.
LOOK = 0.25

#: One request for a merge in so many gets no answer; every other one of these is carried out all the same.
LOST = 4


class Stuck(Exception):
    """Somebody waited too long for what they should see."""


@dataclass
class Told:
    """What came of all changes. `waited`: seconds from an act to what people saw of it, and where and what that was."""

    merged: list[str] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    waited: list[tuple[float, str]] = field(default_factory=list)
    settled: int = 0
    commands: int = 0


class Author:
    """One after the other, until `ends`."""

    def __init__(self, city: City, repository: Repository, told: Told) -> None:
        self._city = city
        self._world = city.world
        self._repository = repository
        self._told = told

    async def works(self, ends: Callable[[], bool]) -> None:
        number = 0
        while not ends():
            number += 1
            try:
                await self._takes_to_merge(number)
            except Stuck as stuck:
                self._told.stuck.append(str(stuck))

    async def _takes_to_merge(self, number: int) -> None:
        issue = self._world.opens_issue("ada", self._repository, f"Change {number}")
        self._world.labels("ada", issue, "signalbox")
        await self._sees(issue, "**planning**")
        await self._says("ada", issue, "/plan\nTry three times.", "**plan_ready**")
        await self._says("grace", issue, "/approve r1", "**building**")
        pull = self._opens(issue)
        await self._sees(pull, "Checks are green")
        await self._says("grace", pull, f"/approve testing {pull.head[:12]}", "✅ Review")
        if number % 2:
            await self._pushes_and_is_asked_again(pull)
        await self._says("omar", pull, f"/gate testing {pull.head[:12]}", "**submit**")
        await self._says("grace", pull, f"/approve submit {pull.head[:12]}", "**submit**", "✅ Review")
        if number % LOST == 0:
            self._world.loses_answer_to("merge", landed=number % (2 * LOST) == 0)
        await self._merges(pull)

    async def _pushes_and_is_asked_again(self, pull: Pull) -> None:
        """What was approved is not what is there now."""
        before = pull.head
        self._world.pushes("ada", pull)
        self._world.check_run("actions", pull, "build")
        await self._sees(pull, f"`{pull.head[:7]}`", "Checks are green", absent="✅ Review")
        assert before != pull.head
        await self._says("grace", pull, f"/approve testing {pull.head[:12]}", "✅ Review")

    async def _merges(self, pull: Pull) -> None:
        """Opens the last gate; where nobody can know how a request ended, omar looks himself and says it."""
        await self._says("omar", pull, f"/gate submit {pull.head[:12]}")
        while True:
            status = await self._sees(pull, "**done**", or_else=("it is not known", "Human gate: 0 of 1"))
            if "**done**" in status:
                self._told.merged.append(pull.head)
                return
            landed = next((one.sha for one in self._world.landed if one.pull is pull), None)
            words = f"/settle merged {landed}" if landed else "/settle unmerged The request never arrived."
            if "it is not known" in status:
                self._told.settled += 1
                await self._says("omar", pull, words)
            else:
                await self._says("omar", pull, f"/gate submit {pull.head[:12]}")
            await asyncio.sleep(LOOK * 8)

    def _opens(self, issue: Thread) -> Pull:
        branch = f"signalbox/{issue.number}-change"
        self._world.pushes("ada", self._repository, branch)
        pull = self._world.opens_pull("ada", self._repository, issue.title, head=branch, body=f"Closes #{issue.number}")
        self._world.check_run("actions", pull, "build")
        return pull

    async def _says(self, who: str, thread: Thread, text: str, *texts: str) -> None:
        self._world.comments(who, thread, text)
        self._told.commands += 1
        if texts:
            await self._sees(thread, *texts)

    async def _sees(self, thread: Thread, *texts: str, absent: str | None = None, or_else: tuple[str, ...] = ()) -> str:
        """The status comment, once it has all of these texts, or one of the others."""
        began = time.monotonic()
        while time.monotonic() - began < PATIENCE:
            status = self._status(thread)
            there = all(text in status for text in texts) and (absent is None or absent not in status)
            if there or any(text in status for text in or_else):
                where = f"{self._repository.name}#{thread.number} {' '.join(texts)}"
                self._told.waited.append((time.monotonic() - began, where))
                return status
            async with self._city.changed:
                try:
                    await asyncio.wait_for(self._city.changed.wait(), LOOK)
                except TimeoutError:
                    continue
        raise Stuck(f"{self._repository.name}#{thread.number} never showed {texts}: {self._status(thread)[:400]}")

    def _status(self, thread: Thread) -> str:
        ours = [comment.body for comment in thread.comments if STATUS in comment.body]
        return ours[-1] if ours else ""
