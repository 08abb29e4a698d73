"""What is left of everything when the process is killed: the simulated GitHub with its clock, and the rows of the database.
See docs/decisions/crash-graph.md for what is left out, and why it cannot matter."""

import pickle
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from io import BytesIO
from typing import Any

from bot.app.restart import take_over
from bot.simulator.hooks import HookDelivery
from bot.simulator.model import checks, people, repositories, threads
from bot.simulator.world import World
from bot.store.metadata import METADATA
from bot.store.transaction import Transaction
from tests.kit.stage import Stage
from tests.simulation.golden import Golden
from tests.simulation.mortal import WatchedStage, Watcher

ASKS_MERGE = frozenset({"merge", "merge_async"})
TABLES = tuple(METADATA.sorted_tables)
#: Rows as they are compared.
COMPARED = {
    table.name: f"SELECT * FROM {table.name} ORDER BY {', '.join(column.name for column in table.primary_key)}"
    for table in TABLES
    if table.name not in {"history", "deliveries"}
}
OPEN = "SELECT guid, event, sha256, attempts FROM deliveries WHERE finished_at IS NULL ORDER BY id"
OVER = "SELECT guid FROM deliveries WHERE finished_at IS NOT NULL ORDER BY guid"
#: Where names of processes stand. Whoever was killed may have had any: nobody compares it with any but their own.
SIGNED = frozenset({"attempts", "leases"})
PROCESS = re.compile(r"\bbot-\d+")
#: What GitHub knows by a number is dumped once and named by it.
NUMBERED = (
    *(checks.CheckRun, checks.CheckSuite, checks.Status, people.App, people.Installation, people.Team, people.User),
    *(repositories.Activity, repositories.Label, repositories.Repository, repositories.Ruleset),
    *(threads.Comment, threads.Happening, threads.Pull, threads.Reaction, threads.Review, threads.Thread),
)


@dataclass
class Canon:
    """A world as bytes that depend on values alone, whichever objects happen to be shared. Good for comparing only."""

    known: dict[tuple[type, int], Any] = field(default_factory=dict)
    to_dump: list[Any] = field(default_factory=list)

    def dump(self, world: World) -> bytes:
        out = BytesIO()
        pickler = pickle.Pickler(out, 5)
        pickler.fast = True
        pickler.dispatch_table = dict.fromkeys(NUMBERED, self._named) | {World: lambda _: (World, ())}
        hooks = {name: value for name, value in vars(world.hooks).items() if name not in {"log", "_waiting", "_ids"}}
        pickler.dump(vars(world) | {"hooks": hooks})
        for thing in self.to_dump:  # grows meanwhile
            pickler.dump(vars(thing))
        return out.getvalue()

    def _named(self, thing: Any) -> tuple[type, tuple[int]]:
        name = (type(thing), thing.id)
        if name not in self.known:
            self.known[name] = thing
            self.to_dump.append(thing)
        assert self.known[name] is thing, f"two of the same number: {name}"
        return type(thing), (thing.id,)


@contextmanager
def slim(stage: Stage) -> Iterator[World]:
    """Of what GitHub remembers of requests and deliveries only what can still matter. A delivery that was not acknowledged
    is delivered again."""
    edge, hooks = stage.world.edge, stage.world.hooks
    whole = edge.requests, hooks.log, hooks._waiting
    edge.requests = [request for request in edge.requests if request.operation in ASKS_MERGE]
    hooks.log, hooks._waiting = [], [*stage.unacknowledged, *hooks._waiting]
    try:
        yield stage.world
    finally:
        edge.requests, hooks.log, hooks._waiting = whole


@dataclass(frozen=True)
class Durable:
    """To go on from, as often as it is wanted."""

    world: bytes
    rows: bytes
    generation: int

    @classmethod
    def of(cls, golden: Golden) -> "Durable":
        parts = golden.repo, golden.issue, getattr(golden, "pull", None)
        with slim(golden.stage) as world:
            kept = pickle.dumps((world, parts))
        execute = golden.stage.store._connection.execute
        rows = {table.name: execute(f"SELECT * FROM {table.name}").fetchall() for table in TABLES}
        return cls(kept, pickle.dumps(rows), golden.stage.generation)

    def again(self, watcher: Watcher) -> Golden:
        """The same world and database; the process that was there is gone, and the next is not begun yet."""
        world, (repo, issue, pull) = pickle.loads(self.world)
        golden = object.__new__(Golden)
        golden.stage = WatchedStage(watcher, world)
        golden.stage.generation = self.generation
        golden.repo, golden.issue, golden.pull = repo, issue, pull
        connection = golden.stage.store._connection
        for name, rows in pickle.loads(self.rows).items():
            if name == "meta":  # where a new database has something already
                connection.execute(f"DELETE FROM {name}")
            if rows:
                connection.executemany(f"INSERT INTO {name} VALUES ({','.join('?' * len(rows[0]))})", rows)
        return golden


@dataclass
class Digester:
    """Digests of one stage at many moments. What did not change since the last one is not dumped again."""

    stage: Stage
    _seen: dict[str, object] = field(default_factory=dict)
    _undone: int = 0
    _world: bytes = b""
    _rows: tuple[list[Any], list[Any], bytes] = ([], [], b"")

    def changed(self) -> bool:
        """Whether anything durable may be different. GitHub changes by requests and by time, and when it delivers."""
        world, deliveries = self.stage.world, (self.stage.world.hooks.waiting(), len(self.stage.unacknowledged))
        stamp = len(world.requests), world.clock.now(), deliveries, self._written()
        return self._news("all", stamp)

    def digest(self) -> bytes:
        """Of what a process finds that starts now: it takes over first, and is given what GitHub has for it."""
        world, hooks = self.stage.world, self.stage.world.hooks
        if self._news("world", (len(world.requests), world.clock.now(), hooks.waiting())):
            with slim(self.stage):
                self._world = Canon().dump(world)
        if self._news("rows", (self._written(), world.clock.now())):
            self._rows = self._taken_over()
        waiting, over, rows = self._rows
        stored = {guid for guid, *_ in (*waiting, *over)}
        due: list[HookDelivery] = [*self.stage.unacknowledged, *hooks._waiting]
        to_do = [*waiting, *(_as_stored(hook) for hook in due if hook.guid not in stored)]
        return sha256(b"".join((self._world, rows, repr((to_do, over)).encode()))).digest()

    def _taken_over(self) -> tuple[list[Any], list[Any], bytes]:
        store = self.stage.store
        execute = store._connection.execute
        before = self._written()
        execute("BEGIN")
        take_over(Transaction(store._sql, store._clock.now()))
        waiting, over = execute(OPEN).fetchall(), execute(OVER).fetchall()
        rows = {name: repr(execute(select).fetchall()) for name, select in COMPARED.items()}
        execute("ROLLBACK")
        self._undone += self._written() - before
        rows |= {name: PROCESS.sub("bot", rows[name]) for name in SIGNED}
        return waiting, over, "\n".join(rows.values()).encode()

    def _written(self) -> int:
        """Rows written by the bot so far; what is only tried here does not count."""
        return self.stage.store._connection.total_changes - self._undone

    def _news(self, of: str, stamp: object) -> bool:
        news, self._seen[of] = self._seen.get(of) != stamp, stamp
        return news


def _as_stored(hook: HookDelivery) -> tuple[str, str, str, int]:
    return hook.guid, hook.event, sha256(hook.body).hexdigest(), 0
