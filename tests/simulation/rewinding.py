"""A stage as it was at one moment, as often as it is wanted: thousands of crashes in the merge section do not replay
everything that led there."""

import sqlite3
from copy import deepcopy
from dataclasses import dataclass

from bot.simulator.model.repositories import Repository
from bot.simulator.model.threads import Pull, Thread
from bot.simulator.world import World
from tests.simulation.golden import Golden
from tests.simulation.test_crash_points import Crasher, MortalStage


@dataclass(frozen=True)
class Saved:
    """The world and the database. Nothing may be on its way: no delivery, nothing that the clock will do by itself."""

    world: World
    parts: tuple[Repository, Thread, Pull]
    database: sqlite3.Connection

    @classmethod
    def of(cls, golden: Golden) -> "Saved":
        world = golden.stage.world
        assert world.clock.next_due() is None
        assert world.hooks.waiting() == 0
        database = sqlite3.connect(":memory:")
        golden.stage.store._connection.backup(database)
        return cls(world, (golden.repo, golden.issue, golden.pull), database)

    def again(self, crasher: Crasher) -> Golden:
        """A bot of its own on copies of both, with everything still to come."""
        world, (repo, issue, pull) = deepcopy((self.world, self.parts))
        golden = object.__new__(Golden)
        golden.stage = MortalStage(crasher, world)
        golden.repo, golden.issue, golden.pull = repo, issue, pull
        self.database.backup(golden.stage.store._connection)
        return golden
