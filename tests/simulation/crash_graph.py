"""Every way to kill the bot on a path, without walking any way twice.

After a kill only the durable state is left, and all that follows is a function of it. So the states are the nodes of a
graph: from each of them a process starts and comes to rest, which leads to the state in which the next step finds it;
and at each point on the way it can be killed, which leads to the state that is left there.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bot.ports.rows import Loaded
from bot.ports.store import Tx
from bot.store.chain import verify
from tests.kit.stage import run
from tests.simulation.durable import Digester, Durable
from tests.simulation.golden import Golden

#: What happens to the world between two rests: an act, or time.
Step = Callable[[Golden], object]
#: (step, point): where the processes on the way here were killed.
Kills = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Node:
    step: int
    kills: Kills
    durable: Durable


def passing(*seconds: float) -> list[Step]:
    """At rest after each of these."""

    def one(passed: float) -> Step:
        return lambda golden: golden.stage.world.clock.advance(passed)

    return [one(passed) for passed in seconds]


def acting(act: int) -> list[Step]:
    """As `Golden.rest` after it: what follows at once, and what waits for a minute."""
    return [lambda golden: golden.acts[act](), *passing(5, 5, 10, 10, 20, 20)]


#: Until nothing is waited for any more.
QUIET = passing(*[60] * 20)


@dataclass
class Graph:
    """`may_die` says whether one more kill is wanted here, after so many; `ends_well` judges every end. A planned restart at
    every rest, so that nothing goes on but what is stored."""

    steps: Sequence[Step]
    may_die: Callable[[Golden, int, int], bool]
    ends_well: Callable[[Golden], object]
    states: set[bytes] = field(default_factory=set)
    killed: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    told: set[str] = field(default_factory=set)
    points: int = 0
    ends: int = 0

    def explores(self, golden: Golden) -> None:
        """Fewest kills first, so that a state is met with the most kills still to come."""
        self.waiting = deque([Node(0, (), Durable.of(golden))])
        while self.waiting:
            node = self.waiting.popleft()
            try:
                self._follows(node)
            except AssertionError as broken:
                raise AssertionError(f"killed at {node.kills} (step, point): {broken}") from broken

    def _follows(self, node: Node) -> None:
        """From one state to where all that follows is known, or to the end."""
        golden = node.durable.again(self)
        self.golden = golden
        for step in range(node.step, len(self.steps) + 1):
            self.step, self.kills, self.here = step, node.kills, 0
            self.digester = Digester(golden.stage)
            golden.stage.restarts()
            golden.stage.settles()
            if step == len(self.steps):
                self.ends += 1
                self.ends_well(golden)
            else:
                self.steps[step](golden)
                self.digester = Digester(golden.stage)
                if not self._is_new(step + 1):
                    break
        self._is_consistent()

    def point(self) -> None:
        """The process may be killed here; what would be left is explored later. While a transaction is open, that is what
        was left before it."""
        self.points += 1
        self.here += 1
        if self.golden.stage.store._connection.in_transaction or not self.digester.changed():
            return
        if self.may_die(self.golden, self.step, len(self.kills)) and self._is_new(self.step):
            kills = (*self.kills, (self.step, self.here))
            self.killed[len(kills)] += 1
            self.waiting.append(Node(self.step, kills, Durable.of(self.golden)))

    def _is_new(self, step: int) -> bool:
        state = self.digester.digest() + step.to_bytes(2)
        new = state not in self.states
        self.states.add(state)
        return new

    def _is_consistent(self) -> None:
        """The history up to here leads to the record. What follows is appended to its last digest."""

        def all_of(tx: Tx) -> list[Loaded | None]:
            return [tx.records.load(key) for key in tx.records.of_repository(self.golden.repo.id, open_only=False)]

        for loaded in run(self.golden.stage.store.read(all_of)):
            assert loaded is not None
            record = loaded.record.model_dump(mode="json")
            history = self.golden.stage.history(loaded.record.key)
            if (told := repr((history, record))) not in self.told:
                assert verify(history, record) == []
                self.told.add(told)
