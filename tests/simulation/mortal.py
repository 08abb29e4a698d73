"""A stage whose bot can be killed at every commit and before and after every request."""

from dataclasses import dataclass
from typing import Protocol

from bot.simulator.world import World
from tests.kit.stage import Stage


class Killed(BaseException):
    """The process is gone at this point."""


class Watcher(Protocol):
    """Is told of every point at which the process could be killed; raises Killed where it is."""

    def point(self) -> None: ...


@dataclass
class Crasher:
    """Counts the points a process can die at, and kills it at the chosen one. Dead, it does nothing any more: whatever its
    clean-up still tries fails, as after kill -9."""

    at: int = 0
    seen: int = 0
    dead: bool = False

    def point(self) -> None:
        if self.dead:
            raise Killed("dead")
        self.seen += 1
        if self.seen == self.at:
            self.dead = True
            raise Killed(self.seen)


class WatchedStage(Stage):
    def __init__(self, watcher: Watcher, world: World | None = None) -> None:
        self.watcher = watcher
        super().__init__(world)
        self.store.before_commit = watcher.point
        self.store.after_commit = watcher.point

    async def pause(self, where: str) -> None:
        self.watcher.point()


class MortalStage(WatchedStage):
    """A killed bot is started again."""

    def __init__(self, crasher: Crasher) -> None:
        self.crasher = crasher
        super().__init__(crasher)

    def settles(self) -> None:
        while True:
            try:
                super().settles()
            except Killed:
                self.survives()
            else:
                return

    def survives(self) -> None:
        while True:
            self.crasher.dead = False
            try:
                self.restarts()
            except Killed:
                continue
            else:
                return
