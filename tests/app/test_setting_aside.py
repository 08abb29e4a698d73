"""A bug of ours stops the one thing that met it, visibly, and nothing else."""

from datetime import timedelta
from typing import Any

import pytest

from bot.app.aside import Unit, aside, set_aside
from bot.app.outside import Outside
from bot.domain.model.effects import Effect, React
from bot.domain.model.ids import RecordKey, Repo
from bot.ports.store import StoreUnavailable, Tx
from bot.simulator.forge import SimulatedForge
from bot.simulator.model.threads import Thread
from tests.kit.stage import NoNudge, run
from tests.kit.sweeping import SweepingStage


class Buggy(SweepingStage):
    """Whatever is about the thread named by `breaks` raises; `at` is the request that does."""

    at = ""
    left = 0

    async def pause(self, where: str) -> None:
        if where == self.at and self.left > 0:
            self.left -= 1
            raise ValueError("a bug of ours, about ghs_0123456789abcdefghij")

    def breaks(self, at: str, times: int = 1) -> None:
        self.at, self.left = at, times

    def errors(self) -> list[tuple[str, Any]]:
        return [(event, fields.get("issue")) for level, event, fields in self.log.lines if level == "error"]

    def set_aside(self) -> list[str]:
        return [held.name for held in run(self.store.read(aside))]


def two_issues(stage: Buggy) -> tuple[Thread, Thread]:
    repo = stage.world.repository("octo/app", members={"ada": "write"})
    first, second = (stage.world.opens_issue("ada", repo, title) for title in ("One", "Two"))
    for issue in (first, second):
        stage.world.labels("ada", issue, "signalbox")
    return first, second


def comments(stage: Buggy, thread: Thread) -> int:
    return len([one for one in thread.comments if one.app is stage.world.app])


def test_a_record_that_cannot_be_published_does_not_keep_others_from_being_shown() -> None:
    stage = Buggy()
    first, second = two_issues(stage)
    stage.breaks("before create_comment")

    Buggy.settles(stage)

    assert stage.errors() == [("publishing_failed", first.number)]
    repository = next(iter(stage.world.repositories))
    assert stage.set_aside() == [f"publisher:{repository}#{first.number}"]
    assert (comments(stage, first), comments(stage, second)) == (0, 1)

    stage.later(61, stride=30)
    assert (comments(stage, first), comments(stage, second)) == (1, 1)
    assert stage.set_aside() == []


def test_what_rests_after_a_bug_is_told_of_by_the_next_process_as_well() -> None:
    stage = Buggy()
    first, _ = two_issues(stage)
    stage.breaks("before create_comment")
    Buggy.settles(stage)
    resting = stage.set_aside()

    stage.restarts()
    Buggy.settles(stage)

    repository = next(iter(stage.world.repositories))
    assert stage.set_aside() == resting == [f"publisher:{repository}#{first.number}"]
    assert comments(stage, first) == 0
    stage.later(61, stride=30)
    assert (comments(stage, first), stage.set_aside()) == (1, [])


def planned(stage: Buggy) -> None:
    repository = stage.world.repository("octo/app", members={"ada": "write"})
    issue = stage.world.opens_issue("ada", repository, "One")
    repo = Repo(installation_id=stage.world.installation.id, id=repository.id, owner="octo", name="app")
    texts = [stage.world.comments("ada", issue, text) for text in ("a", "b")]

    def plan(tx: Tx) -> None:
        for comment in texts:
            write = React(comment_id=comment.id, content="+1")
            tx.effects.plan(
                None, repo, Effect(kind="reaction", target=str(comment.id), once=str(comment.id), write=write)
            )

    run(stage.store.run(plan))


def states(stage: Buggy) -> list[tuple[str, str | None]]:
    query = "SELECT state, note FROM effects ORDER BY id"
    return [tuple(row) for row in stage.store._connection.execute(query)]


def test_an_effect_that_meets_a_bug_lets_the_others_pass_and_says_so() -> None:
    stage = Buggy()
    planned(stage)
    stage.breaks("before react")

    while run(stage.work.effector.step()):
        pass

    assert states(stage) == [("sent", "a fault of this program: ValueError"), ("ok", None)]
    assert [event for event, _ in stage.errors()] == ["effect_failed"]
    assert stage.set_aside() == ["effector:1"]

    stage.world.clock.advance(601)
    while run(stage.work.effector.step()):
        pass
    assert [state for state, _ in states(stage)] == ["ok", "ok"]


def test_an_effect_that_always_meets_the_bug_is_given_up_as_unknown() -> None:
    stage = Buggy()
    planned(stage)
    stage.breaks("before react", times=1000)

    for _ in range(20):
        while run(stage.work.effector.step()):
            pass
        stage.world.clock.advance(601)

    assert {state for state, _ in states(stage)} == {"unknown"}


def test_a_repository_whose_sweep_meets_a_bug_does_not_keep_the_others_from_being_swept() -> None:
    stage = Buggy()
    for name in ("octo/app", "octo/lib"):
        repo = stage.world.repository(name, members={"ada": "write"})
        stage.world.labels("ada", stage.world.opens_issue("ada", repo, "One"), "signalbox")
    stage.settles()
    stage.breaks("before issues")

    stage.later(301, stride=100)

    def swept(tx: Tx) -> dict[str, tuple[bool, str | None]]:
        repos = tx.repositories.of_installation(stage.world.installation.id)
        found = {repo.full_name: tx.sweeps.state(repo.id) for repo in repos}
        return {name: (state.swept_at is not None, state.problem) for name, state in found.items()}

    shown = run(stage.store.read(swept))
    assert sorted(shown.values(), key=str) == [(False, "a fault of this program: ValueError"), (True, None)]
    assert [event for event, _ in stage.errors()] == ["sweep_broken"]

    stage.later(700, stride=100)
    assert set(run(stage.store.read(swept)).values()) == {(True, None)}


def test_what_is_asked_of_the_app_meets_a_bug_and_repositories_are_swept_all_the_same() -> None:
    stage = Buggy()
    two_issues(stage)
    stage.settles()
    stage.breaks("before installations", times=1)

    stage.later(1000, stride=100)

    assert [event for event, _ in stage.errors()] == ["sweep_broken"]
    repository = next(iter(stage.world.repositories))
    assert run(stage.store.read(lambda tx: tx.sweeps.state(repository).swept_at)) is not None


def test_a_database_that_does_not_answer_is_no_bug_of_the_unit() -> None:
    stage = Buggy()
    outside = Outside(stage.store, SimulatedForge(stage.world, stage.pause), stage.world.clock, stage.log, NoNudge())
    unit = Unit("publisher", "1#2", "publishing_failed", timedelta(minutes=1), {})

    with pytest.raises(StoreUnavailable):
        run(set_aside(outside, unit, StoreUnavailable("disk full")))

    assert stage.errors() == []
    assert stage.set_aside() == []


def test_a_look_asked_for_meanwhile_is_not_put_off_by_one_that_github_could_not_answer() -> None:
    stage = Buggy()
    first, _ = two_issues(stage)
    stage.settles()
    repo = next(iter(stage.world.repositories.values()))
    key = RecordKey(repo.id, first.number)
    now = stage.world.clock.now
    sooner = now() + timedelta(seconds=5)
    run(stage.store.run(lambda tx: tx.records.wake_at(key, now())))

    class Meanwhile:
        kind = "later"

        async def apply(self, *_: object) -> "Meanwhile":
            await stage.store.run(lambda tx: tx.records.wake_at(key, sooner))
            return self

    stage.work.timers._transactor = Meanwhile()  # type: ignore[assignment]  # the look is not what this is about
    assert run(stage.work.timers.step())

    assert run(stage.store.read(lambda tx: tx.records.wakes_at(key))) == sooner


def test_a_stored_effect_that_cannot_be_read_is_given_up_visibly_and_the_next_one_is_carried_out() -> None:
    stage = Buggy()
    planned(stage)
    stage.store._connection.execute("UPDATE effects SET effect = '{}' WHERE id = (SELECT min(id) FROM effects)")

    while run(stage.work.effector.step()):
        pass

    assert [event for event, _ in stage.errors()] == ["effect_unreadable"]
    assert [state for state, _ in states(stage)] == ["unknown", "ok"]
