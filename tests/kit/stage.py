"""A whole Signalbox on the simulated GitHub, over the Forge port: no sockets, no event loop, no waiting.

`run` drives a coroutine that never really suspends. `settles` delivers webhooks and lets every part of the bot step until
nothing is left to do now; `later` moves the clock in the strides in which something is due.
"""

from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, TypeVar

from bot.app.intake import Intake
from bot.app.outside import Outside
from bot.app.restart import take_over
from bot.app.timing import COLLECTING, Timing
from bot.bootstrap.work import Work, assemble
from bot.domain.model.ids import RecordKey
from bot.domain.model.policy import STRICT, Policy
from bot.domain.model.record import Record
from bot.domain.projections.show import WebAddress
from bot.github.inbound.routing import routing
from bot.github.inbound.translate import translate
from bot.ports.rows import HistoryRow, Loaded
from bot.ports.store import Store
from bot.simulator.forge import SimulatedForge
from bot.simulator.hooks import HookDelivery
from bot.simulator.merge_sender import SimulatedMergeSender
from bot.simulator.world import World
from bot.store.inline import InlineStore
from tests.kit.idle import Idle
from tests.kit.ruling import given

T = TypeVar("T")
START = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
#: Rounds in which everything must come to rest; more means the bot never stands still.
MOST_ROUNDS = 400


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never waits for anything outside."""
    try:
        work.send(None)
    except StopIteration as stop:
        result: T = stop.value
        return result
    work.close()
    raise RuntimeError("a coroutine waited for something outside")


class Silence:
    """The Log port for tests that do not look at logs; it keeps what was said."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str, dict[str, object]]] = []

    def __call__(self, level: str, event: str, **fields: object) -> None:
        self.lines.append((level, event, fields))


async def is_collecting(store: Store) -> bool:
    """Whether changes wait to be shown together; to be asked when all that is due is done."""
    return await store.read(lambda tx: tx.records.next_dirty(timedelta())) is not None


class NoNudge:
    def __call__(self) -> None:
        """Every step looks by itself here."""

    async def wait(self, seconds: float) -> None:
        raise RuntimeError(f"nothing waits on a stage ({seconds} s)")


class Stage:
    """`restarts` throws the bot away and builds it again on the same database, as after kill -9."""

    def __init__(self, world: World | None = None, policy: Policy = STRICT, path: str = ":memory:") -> None:
        self.world = world or World(START)
        self.policy = policy
        self.store = InlineStore(path, self.world.clock)
        self.timing = Timing(merge_api="auto")
        self.log = Silence()
        self.generation = 0
        self.unacknowledged: list[HookDelivery] = []
        self.work: Work
        self.intake: Intake
        self.starts()

    def starts(self) -> None:
        self.generation += 1
        forge = SimulatedForge(self.world, self.pause)
        outside = Outside(
            self.store, forge, self.world.clock, self.log, NoNudge(), self.timing, f"bot-{self.generation}"
        )
        web = WebAddress("https://signalbox.example")
        translator = partial(translate, app_id=self.world.app.id)
        sender = SimulatedMergeSender(self.world, self.pause)
        self.work = assemble(outside, sender, translator, given(lambda: self.policy), web)
        self.intake = Intake(self.store, self.world.clock, NoNudge())

    async def pause(self, where: str) -> None:
        """Called before and after every request to GitHub; a test may crash or interleave here."""

    def restarts(self) -> None:
        run(self.store.run(take_over))
        self.starts()

    def delivers(self) -> int:
        """A delivery that was not acknowledged is delivered again: somebody presses "Redeliver"."""
        due = self.unacknowledged + self.world.hooks.take()
        self.unacknowledged = list(due)
        for hook in due:
            run(self.intake.accept(hook.guid, hook.event, hook.body, routing(hook.body)))
            hook.status_code = 202
            self.unacknowledged.remove(hook)
        return len(due)

    def settles(self) -> None:
        """Until nothing is left to do at this moment."""
        idle = Idle(self.store)
        for _ in range(MOST_ROUNDS):
            moved = self.delivers() > 0
            if moved:
                idle.news()
            for name, step in self.work.steps.items():
                moved = run(idle.step(name, step)) or moved
            if not moved and not run(is_collecting(self.store)):
                return
            if not moved:
                self.world.clock.advance(COLLECTING)
                idle.news()
        raise AssertionError(f"the bot never comes to rest: {self.log.lines[-5:]}")

    def later(self, seconds: float, stride: float = 1.0) -> None:
        """Let time pass, a stride at a time, with everything that happens on the way."""
        end = self.world.clock.monotonic() + seconds
        while self.world.clock.monotonic() < end:
            self.world.clock.advance(min(stride, end - self.world.clock.monotonic()))
            self.settles()

    def loaded(self, repository: str, issue: int) -> Loaded:
        def find(tx: Any) -> Loaded | None:
            key = tx.records.by_name(repository, issue)
            return tx.records.load(key) if key else None

        found: Loaded | None = run(self.store.read(find))
        assert found is not None, f"no record for {repository}#{issue}"
        return found

    def record(self, repository: str, issue: int) -> Record:
        return self.loaded(repository, issue).record

    def history(self, key: RecordKey) -> list[HistoryRow]:
        return list(run(self.store.read(lambda tx: tx.records.history(key))))
