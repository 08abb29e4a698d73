"""Everything that a decision needs is read, however much it is."""

from typing import Any

import pytest

from bot.app.gather import Gatherer
from bot.app.readings import Answers
from bot.domain.lifecycle.results import Gather, Ignore, Result
from bot.domain.model.ids import Repo
from bot.domain.model.questions import IssueOf
from tests.kit.stage import Stage, run


def gathering() -> tuple[Gatherer, Repo]:
    stage = Stage()
    repository = stage.world.repository("octo/app", members={"ada": "write"})
    repo = Repo(installation_id=stage.world.installation.id, id=repository.id, owner="octo", name="app")
    return stage.work.transactor._gatherer, repo


def test_a_decision_may_ask_as_much_as_it_needs() -> None:
    gatherer, repo = gathering()

    async def judge(answers: Answers) -> Result:
        return Gather(frozenset({IssueOf(len(answers) + 1)})) if len(answers) < 100 else Ignore("enough")

    try:
        result, answers = run(gatherer.decided(repo, judge))
    except RuntimeError as given_up:
        raise AssertionError("it asks nothing twice and is given up") from given_up
    assert (result, len(answers)) == (Ignore("enough"), 100)


def test_a_rule_that_asks_the_same_again_is_a_fault_and_ends() -> None:
    gatherer, repo = gathering()
    rounds: list[Any] = []

    async def judge(answers: Answers) -> Result:
        rounds.append(answers)
        assert len(rounds) < 10, "it goes on for ever"
        return Gather(frozenset({IssueOf(1)}))

    with pytest.raises(RuntimeError, match="asks again"):
        run(gatherer.decided(repo, judge))
    assert len(rounds) == 2
