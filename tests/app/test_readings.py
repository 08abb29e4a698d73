"""Which hints are served by what was read a moment ago, and which have GitHub read anew."""

from typing import Any

import pytest

from bot.app.gather import Gatherer
from bot.app.readings import FRESH, Answers
from bot.domain.lifecycle.results import Gather, Ignore, NotYet, Result
from bot.domain.model.ids import Repo
from bot.domain.model.questions import PermissionOf, Question, RulesOf
from bot.ports.deliveries import Arrival
from tests.kit.stage import Stage, run

RULES = RulesOf("main")
NOTHING = Ignore("nothing")


class Reading(Stage):
    """One repository, and what GitHub was asked of it."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        super().__init__()
        repository = self.world.repository("octo/app", members={"ada": "write"})
        self.repo = Repo(installation_id=self.world.installation.id, id=repository.id, owner="octo", name="app")
        self.gatherer: Gatherer = self.work.transactor._gatherer

    async def pause(self, where: str) -> None:
        self.asked += [where] if where.startswith("before") else []

    def hears(self, own: int | None, newest: int, question: Question[Any] = RULES, says: Result = NOTHING) -> int:
        """How many requests it takes to decide about what arrived so."""
        before = len(self.asked)

        async def judge(answers: Answers) -> Result:
            return says if question in answers else Gather(frozenset({question}))

        assert run(self.gatherer.decided(self.repo, judge, Arrival(own, newest))) is not None
        return len(self.asked) - before


@pytest.fixture
def reading() -> Reading:
    """The first delivery was read for when the third had come."""
    reading = Reading()
    assert reading.hears(1, 3) > 0
    return reading


def test_what_had_come_before_the_reading_began_costs_nothing(reading: Reading) -> None:
    assert [reading.hears(own, 4) for own in (2, 3)] == [0, 0]


def test_what_came_after_it_began_is_read_for_anew(reading: Reading) -> None:
    assert reading.hears(4, 4) > 0


def test_whatever_is_to_be_done_is_decided_on_a_reading_of_its_own(reading: Reading) -> None:
    assert reading.hears(2, 4, says=NotYet("something is to be done")) > 0
    assert reading.hears(2, 4, says=Ignore("to be looked at again", look_at=reading.world.clock.now())) > 0


def test_a_reading_serves_for_a_few_seconds(reading: Reading) -> None:
    reading.world.clock.advance(FRESH)
    assert reading.hears(2, 4) == 0
    reading.world.clock.advance(0.1)
    assert reading.hears(2, 4) > 0


def test_what_is_no_hint_is_read_for_anew(reading: Reading) -> None:
    assert reading.hears(None, 4) > 0


def test_another_copy_of_the_database_has_another_order(reading: Reading) -> None:
    reading.store.exchanges = 1
    assert reading.hears(2, 4) > 0


def test_who_may_do_what_is_always_read_anew(reading: Reading) -> None:
    (ada,) = (user for user in reading.world.users.values() if user.login == "ada")
    assert all(reading.hears(own, 9, PermissionOf(ada.id, "ada")) > 0 for own in (8, 9))
