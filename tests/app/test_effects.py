"""One-shot effects: marked sent before a byte leaves, found again after a crash, never done twice."""

import pytest

from bot.app.effects import MOST_TRIES, Effector
from bot.app.outside import Outside
from bot.app.pacing import PacedForge, Pacing
from bot.domain.model.effects import CreateComment, Effect
from bot.domain.model.ids import Repo
from bot.ports.rows import EffectRow
from bot.simulator.forge import SimulatedForge
from bot.simulator.model.threads import Thread
from tests.kit.stage import NoNudge, Stage, run

MARKER = "<!-- signalbox:reply:1 -->"


class Killed(BaseException):
    """kill -9."""


class FragileStage(Stage):
    """`dies` names the moment at which the process is gone; `seen` is the effect's state at every request."""

    dies = ""

    def __init__(self) -> None:
        self.seen: list[tuple[str, str]] = []
        super().__init__()

    async def pause(self, where: str) -> None:
        self.seen.append((where, state(self)))
        if where == self.dies:
            raise Killed


def rows(stage: Stage) -> list[EffectRow]:
    found = run(stage.store.read(lambda tx: tx.effects.next(stage.world.clock.now())))
    return [found] if found else []


def state(stage: Stage) -> str:
    query = "SELECT state FROM effects"
    return str(stage.store._connection.execute(query).fetchone()[0])


def said(stage: Stage) -> list[tuple[str, str]]:
    """What an operator reads of effects that did not happen."""
    return [(level, event) for level, event, _ in stage.log.lines if event.startswith("effect_")]


def planned(stage: Stage) -> Thread:
    """One reply that waits to be posted."""
    repository = stage.world.repository("octo/app", members={"ada": "write"})
    issue = stage.world.opens_issue("ada", repository, "Retry uploads")
    repo = Repo(installation_id=stage.world.installation.id, id=repository.id, owner="octo", name="app")
    write = CreateComment(number=issue.number, body=f"Not counted.\n{MARKER}", marker=MARKER)
    effect = Effect(kind="reply", target=f"thread:{issue.number}", once="reply:1", write=write)
    run(stage.store.run(lambda tx: tx.effects.plan(None, repo, effect)))
    return issue


def test_an_effect_that_waited_longer_than_its_claim_is_left_to_whoever_claimed_it_meanwhile() -> None:
    stage = FragileStage()
    issue = planned(stage)
    rival = stage.work.effector

    async def sleep(seconds: float) -> None:
        stage.world.clock.advance(stage.timing.write_lease + 1)
        assert await rival.step()

    pacing = Pacing(stage.store, stage.world.clock, sleep, 1.0)
    pacing.book(Repo(installation_id=stage.world.installation.id, id=issue.repository.id, owner="octo", name="app"))
    forge = PacedForge(SimulatedForge(stage.world), pacing)
    outside = Outside(stage.store, forge, stage.world.clock, stage.log, NoNudge(), stage.timing, "waits")
    assert run(Effector(outside, stage.work.rules).step())
    assert (state(stage), len(issue.comments)) == ("ok", 1)
    assert "effect_lost" in [event for _, event, _ in stage.log.lines]


class Withdrawing(FragileStage):
    """The effect is not needed any more just when it is on its way."""

    async def pause(self, where: str) -> None:
        if where == "before create_comment":
            await self.store.run(lambda tx: tx.effects.withdraw("reply:1", "not needed"))


@pytest.mark.parametrize("status", [503, 403], ids=["nobody knows", "refused"])
def test_an_effect_that_is_withdrawn_while_it_is_on_its_way_does_not_come_back(status: int) -> None:
    stage = Withdrawing()
    issue = planned(stage)
    stage.world.fails("create_comment", status)
    stage.settles()
    stage.later(90, stride=5)
    assert (state(stage), len(issue.comments)) == ("ok", 0)
    assert "error" not in [level for level, _ in said(stage)], "nothing is lost"


def test_an_effect_is_marked_sent_before_it_leaves_and_ok_after_the_answer() -> None:
    stage = FragileStage()
    issue = planned(stage)
    assert run(stage.work.effector.step())
    assert stage.seen == [("before create_comment", "sent"), ("after create_comment", "sent")]
    assert (state(stage), len(issue.comments)) == ("ok", 1)
    assert not run(stage.work.effector.step())


def dies_at(where: str) -> tuple[FragileStage, Thread]:
    stage = FragileStage()
    issue = planned(stage)
    stage.dies = where
    try:
        run(stage.work.effector.step())
    except Killed:
        stage.dies = ""
        stage.restarts()
        stage.world.clock.advance(stage.timing.write_lease + 1)
        stage.settles()
        return stage, issue
    raise AssertionError(f"nothing happened at {where}")


def test_an_effect_whose_process_died_before_sending_is_done() -> None:
    stage, issue = dies_at("before create_comment")
    assert (state(stage), len(issue.comments)) == ("ok", 1)


def test_an_effect_whose_process_died_after_sending_is_found_and_not_repeated() -> None:
    stage, issue = dies_at("after create_comment")
    assert (state(stage), len(issue.comments)) == ("ok", 1)


def test_a_lost_answer_is_looked_for_and_not_guessed() -> None:
    stage = FragileStage()
    issue = planned(stage)
    stage.world.loses_answer_to("create_comment", landed=True)
    stage.settles()
    assert state(stage) == "sent"
    stage.later(90, stride=5)
    assert (state(stage), len(issue.comments)) == ("ok", 1)


def test_what_github_refuses_is_refused_and_not_tried_again() -> None:
    stage = FragileStage()
    issue = planned(stage)
    stage.world.fails("create_comment", 403, times=None)
    stage.settles()
    assert (state(stage), len(issue.comments), rows(stage)) == ("refused", 0, [])
    assert said(stage) == [("error", "effect_refused")]


def test_what_never_left_is_refused_with_the_reason_and_not_called_unknown() -> None:
    stage = FragileStage()
    issue = planned(stage)
    stage.world.unreachable("create_comment", times=None)
    stage.settles()
    stage.later(3600, stride=60)
    note = str(stage.store._connection.execute("SELECT note FROM effects").fetchone()[0])
    assert (state(stage), len(issue.comments), rows(stage)) == ("refused", 0, [])
    assert note.startswith("Unreachable: POST")
    assert said(stage) == [("error", "effect_refused")]


def test_what_nobody_knows_of_is_a_warning_while_it_is_looked_for_and_an_error_when_it_is_given_up() -> None:
    """UX.md 9: a lost write is an error."""
    stage = FragileStage()
    planned(stage)
    stage.world.loses_answer_to("create_comment", landed=False)
    stage.settles()
    stage.world.unreachable("comments", times=None)
    stage.later(3600, stride=60)

    assert state(stage) == "unknown"
    assert said(stage) == [("warning", "effect_unanswered")] * (MOST_TRIES - 1) + [("error", "effect_unknown")]


LATE = [(2.5, None), (5, None), (2.5, "unreachable"), (13, "unreachable"), (2.5, "refused")]


@pytest.mark.parametrize(("seconds", "then"), LATE)
def test_a_reply_that_lands_late_is_there_once_and_never_called_refused(seconds: float, then: str | None) -> None:
    """Whatever the second try meets, what may have landed is looked for, and not before it can land no more."""
    stage = FragileStage()
    issue = planned(stage)
    stage.world.lands_late("create_comment", seconds)
    stage.settles()
    assert state(stage) == "sent"
    if then == "unreachable":
        stage.world.unreachable("create_comment")
    elif then == "refused":
        stage.world.fails("create_comment", 403)
    stage.later(90, stride=0.5)
    assert (state(stage), len(issue.comments)) == ("ok", 1)


@pytest.mark.parametrize("operation", ["create_comment", "comments"])
def test_github_may_ask_for_pauses_as_often_as_it_likes(operation: str) -> None:
    """Afterwards there are as many tries left as before."""
    stage = FragileStage()
    issue = planned(stage)
    if operation == "comments":
        stage.world.loses_answer_to("create_comment", landed=False)
    stage.world.fails(operation, 403, headers={"retry-after": "60"}, times=2 * MOST_TRIES)
    stage.settles()
    stage.later(2 * MOST_TRIES * 61, stride=60)
    stage.world.unreachable("create_comment", times=MOST_TRIES - 3)
    stage.later(3600, stride=60)
    assert (state(stage), len(issue.comments)) == ("ok", 1)
