"""One signal, one record, one transaction: content keys, history, the base's lock and lost races."""

from datetime import datetime, timedelta
from typing import Any

from bot.app.base_lock import follow
from bot.domain.model.ids import SIGNALBOX, RecordKey
from bot.domain.model.own_signals import TimeCame
from bot.domain.model.sightings import LabelRemoved
from bot.ports.rows import NewRow
from bot.ports.store import Tx
from bot.store.chain import verify
from tests.kit.cases import actor, approves
from tests.kit.stage import Stage, run
from tests.simulation.golden import Golden


def governed() -> tuple[Golden, RecordKey, Any]:
    """A record in plan_ready, its key, and the repository."""
    golden = Golden(Stage())
    for act in golden.acts[:2]:
        act()
        golden.stage.settles()
    record = golden.stage.record("octo/app", golden.issue.number)
    return golden, record.key, record.repo


def approval(golden: Golden, key: str = "comment:7") -> Any:
    world = golden.stage.world
    world.clock.advance(3)
    said = approves("grace", world.clock.now(), thread="issue", revision=1)
    grace = next(user for user in world.users.values() if user.login == "grace")
    return said.model_copy(update={"key": key, "actor": actor("grace").model_copy(update={"id": grace.id})})


def test_the_same_fact_counts_once_whatever_delivers_it() -> None:
    golden, key, repo = governed()
    signal = approval(golden)
    transactor = golden.stage.work.transactor
    assert run(transactor.apply(repo, key, signal)).kind == "advanced"
    version = golden.stage.record("octo/app", key.issue).version
    assert run(transactor.apply(repo, key, signal.model_copy(update={"delivery": "another"}))).kind == "repeated"
    assert golden.stage.record("octo/app", key.issue).version == version


def test_a_refusal_is_given_once_too() -> None:
    golden, key, repo = governed()
    signal = approval(golden).model_copy(update={"revision": 9})
    transactor = golden.stage.work.transactor
    first = run(transactor.apply(repo, key, signal))
    again = run(transactor.apply(repo, key, signal))
    assert (first.kind, again.kind) == ("refused", "refused")
    assert first.refusal == again.refusal


def test_what_changes_nothing_is_remembered_as_done() -> None:
    golden, key, repo = governed()
    signal = LabelRemoved(key="label:1", actor=actor("ada"), issue=key.issue, label="bug")
    assert run(golden.stage.work.transactor.apply(repo, key, signal)).kind == "ignored"
    assert run(golden.stage.work.transactor.apply(repo, key, signal)).kind == "repeated"


def test_i11_every_version_has_its_history_row() -> None:
    golden, key, repo = governed()
    run(golden.stage.work.transactor.apply(repo, key, approval(golden)))
    rows = golden.stage.history(key)
    assert [row.version for row in rows] == list(range(1, golden.stage.record("octo/app", key.issue).version + 1))
    assert rows[-1].signal == "plan_approved"
    assert verify(rows, golden.stage.record("octo/app", key.issue).model_dump(mode="json")) == []


class Racing(Stage):
    """Somebody else changes the record while the rule's facts are being read, so many times."""

    def __init__(self) -> None:
        self.races = 0
        super().__init__()

    async def pause(self, where: str) -> None:
        if self.races and where == "before permission":
            self.races -= 1
            await self.store.run(self.meddles)

    def meddles(self, tx: Tx) -> None:
        key = tx.records.by_name("octo/app", 1)
        assert key is not None
        loaded = tx.records.load(key)
        assert loaded is not None
        record = loaded.record
        after = record.model_copy(update={"version": record.version + 1, "priority": record.priority + 1})
        row = NewRow(
            record=after,
            from_="plan_ready",
            signal="set_priority",
            actor=actor("omar"),
            at=tx.now(),
            detail=None,
            delivery=None,
        )
        tx.records.replace(key, record.version, [row])


def test_a_lost_race_decides_again_and_loses_nothing() -> None:
    stage = Racing()
    golden = Golden(stage)
    for act in golden.acts[:2]:
        act()
        stage.settles()
    record = stage.record("octo/app", 1)
    stage.races = 3
    assert run(stage.work.transactor.apply(record.repo, record.key, approval(golden))).kind == "advanced"
    after = stage.record("octo/app", 1)
    assert (after.phase, after.priority, after.version) == ("building", record.priority + 3, record.version + 4)


class Beside(Golden):
    """Another issue of the same repository, on its own branch."""

    def __init__(self, first: Golden) -> None:
        self.first = first
        super().__init__(first.stage)

    def __post_init__(self) -> None:
        self.repo = self.first.repo
        self.issue = self.stage.world.opens_issue("ada", self.repo, "Retry downloads")


def almost(golden: Golden) -> Golden:
    """Everything is said but the last word."""
    for act in golden.acts[:-1]:
        act()
        golden.rest()
    return golden


def state(golden: Golden) -> tuple[str, str | None]:
    merge = golden.stage.record("octo/app", golden.issue.number).merge
    return merge.state, merge.reason_code


def test_a_base_is_held_by_one_record_until_its_merge_is_over() -> None:
    first = almost(Golden(Stage()))
    second = almost(Beside(first))
    world = first.stage.world
    world.unreachable("update_check_run", times=None)
    first.acts[-1]()
    first.stage.settles()
    second.acts[-1]()
    first.stage.settles()
    assert (state(first)[0], state(second)) == ("reserved", ("none", "base_taken"))
    world.heals()
    first.rest(300)
    assert (state(first)[0], state(second)[0]) == ("merged", "merged")
    assert [landing.head for landing in world.landed] == [first.pull.head, second.pull.head]


class Snatching(Stage):
    """While the last facts are read, another record takes the base."""

    armed = False

    async def pause(self, where: str) -> None:
        if self.armed and where == "after branch_rules":
            self.armed = False
            repository = self.record("octo/app", 1).repository_id
            await self.store.run(lambda tx: tx.leases.take(f"base:{repository}:main", "another", None))


def test_a_base_that_was_taken_meanwhile_is_a_lost_race_and_not_shared() -> None:
    stage = Snatching()
    golden = almost(Golden(stage))
    stage.armed = True
    golden.acts[-1]()
    stage.settles()
    assert not stage.armed
    assert state(golden) == ("none", "base_taken")


def test_a_look_that_was_asked_for_is_not_forgotten_because_something_else_happened_first() -> None:
    golden, key, repo = governed()
    stage = golden.stage
    soon = stage.world.clock.now() + timedelta(seconds=20)
    run(stage.store.run(lambda tx: tx.records.wake_at(key, soon)))
    assert run(stage.work.transactor.apply(repo, key, approval(golden))).kind == "advanced"
    assert run(stage.store.read(lambda tx: tx.records.wakes_at(key))) == soon
    stage.later(30)
    assert run(stage.store.read(lambda tx: tx.records.wakes_at(key))) != soon


class LookingStage(Stage):
    """While a look is under way, another one is asked for."""

    soon: datetime | None = None

    async def pause(self, where: str) -> None:
        if self.soon is not None and where == "before pull":
            key, at, self.soon = self.record("octo/app", 1).key, self.soon, None
            await self.store.run(lambda tx: tx.records.wake_at(key, at))


def test_a_look_does_not_forget_one_that_was_asked_for_while_it_was_under_way() -> None:
    stage = LookingStage()
    almost(Golden(stage))
    record = stage.record("octo/app", 1)
    stage.soon = soon = stage.world.clock.now() + timedelta(seconds=7)
    run(stage.work.transactor.apply(record.repo, record.key, TimeCame(key="", actor=SIGNALBOX)))
    assert stage.soon is None
    assert run(stage.store.read(lambda tx: tx.records.wakes_at(record.key))) == soon


def queue() -> tuple[Golden, Golden, Golden]:
    """The first holds the base and cannot go on. The second entered submit before the third, and was complete after it."""
    first = almost(Golden(Stage()))
    second = almost(Beside(first))
    third = almost(Beside(first))
    first.stage.world.unreachable("update_check_run", times=None)
    for golden in (first, third, second):
        golden.acts[-1]()
        golden.stage.settles()
    assert [state(golden)[0] for golden in (first, second, third)] == ["reserved", "none", "none"]
    return first, second, third


def test_whoever_was_complete_first_merges_first() -> None:
    first, second, third = queue()
    first.stage.world.heals()
    first.rest(300)
    heads = [landing.head for landing in first.stage.world.landed]
    assert heads == [golden.pull.head for golden in (first, third, second)]


def holder(golden: Golden) -> str | None:
    return run(golden.stage.store.read(lambda tx: tx.leases.holder(f"base:{golden.repo.id}:main")))


def test_a_base_that_is_given_free_belongs_to_the_first_in_line_until_it_was_looked_at() -> None:
    first, second, third = queue()
    stage = first.stage
    before = stage.record("octo/app", first.issue.number)
    freed = before.model_copy(update={"merge": before.merge.model_copy(update={"locked": False})})
    run(stage.store.run(lambda tx: follow(tx, before, freed, saw_it_free=True)))
    keys = [stage.record("octo/app", golden.issue.number).key for golden in (second, third)]
    due = run(stage.store.read(lambda tx: tx.records.due(tx.now(), 9)))
    assert (holder(first), due) == (str(keys[1]), [keys[1]])
    stage.world.clock.advance(30)
    due = run(stage.store.read(lambda tx: tx.records.due(tx.now(), 9)))
    assert (holder(first), sorted(due)) == (None, keys)


def test_whoever_gives_up_its_turn_gives_it_to_the_next_at_once() -> None:
    first, second, third = queue()
    stage = first.stage
    stage.world.drops_webhooks()
    stage.world.closes("ada", third.pull)
    stage.world.heals()
    while state(first)[0] != "merged":
        stage.later(1)
    stage.later(10)
    assert stage.record("octo/app", third.issue.number).phase == "building"
    assert state(second)[0] == "merged"
