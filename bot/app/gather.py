"""Ask GitHub what a rule needs. A question that cannot be answered becomes Unknown, which is never yes."""

from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Any, TypeVar

from bot.app.outside import Outside
from bot.app.readings import Answers, Readings, says_nothing
from bot.domain.lifecycle.facts import Facts
from bot.domain.lifecycle.results import Gather, Lacking, Result
from bot.domain.model.facts import Answer, Unknown
from bot.domain.model.ids import Repo
from bot.domain.model.questions import Question
from bot.ports.deliveries import Arrival
from bot.ports.failures import ForgeFailure, RateLimited

T = TypeVar("T")
Judge = Callable[[Answers], Awaitable[Result]]
NOBODY_KNOWS = Arrival()


class Gatherer:
    def __init__(self, outside: Outside) -> None:
        self._forge = outside.forge
        self._store = outside.store
        self._log = outside.log
        self._readings = Readings(outside.clock, outside.store)

    async def gather(self, repo: Repo, questions: Iterable[Question[Any]]) -> Answers:
        """One answer for each question, asked one after the other."""
        return {question: await self._ask(repo, question) for question in sorted(questions, key=repr)}

    async def decided(self, repo: Repo, judge: Judge, arrival: Arrival = NOBODY_KNOWS) -> tuple[Result, Answers]:
        """What is decided once everything that it takes was read; a little less where it had arrived before the last reading, and
        that leaves nothing to do."""
        served = self._readings.serving(repo.id, arrival)
        if served:
            result, answers = await self._by(repo, judge, served)
            if says_nothing(result):
                return result, answers
        reading = self._readings.begins(arrival.newest)
        result, answers = await self._by(repo, judge, {})
        self._readings.keep(repo.id, reading, answers)
        return result, answers

    async def _by(self, repo: Repo, judge: Judge, answers: Answers) -> tuple[Result, Answers]:
        """By these and whatever else it takes. However much that is; but a fault of ours that asks the same again ends."""
        offered: frozenset[Question[Any]] = frozenset()
        while True:
            result = await judge(answers)
            if not isinstance(result, Gather):
                return result, answers
            if result.questions <= answers.keys():
                raise RuntimeError("a rule asks again for what was answered")
            found = await self._together(repo, result) if result.along - answers.keys() - offered else {}
            offered |= result.along
            answers = answers | found | await self.gather(repo, result.questions - found.keys())

    async def _together(self, repo: Repo, asked: Gather) -> Answers:
        """What one request answers of it; where it fails, each is read by itself."""
        with suppress(ForgeFailure):
            return dict(await self._forge.together(repo, asked.questions | asked.along))
        return {}

    async def until(self, repo: Repo, rule: Callable[[Facts], T]) -> T:
        """What a pure rule says once it has every answer that it asks for, one after the other."""
        answers: Answers = {}
        while True:
            try:
                return rule(Facts(answers=answers))
            except Lacking as lacking:
                answers |= await self.gather(repo, lacking.questions)

    async def _ask(self, repo: Repo, question: Question[Any]) -> Answer[Any] | Unknown:
        try:
            return await self._forge.read(repo, question)
        except RateLimited as failure:
            until = failure.until
            await self._store.run(lambda tx: tx.set_not_before(repo.installation_id, until))
            return self._unknown(repo, question, failure)
        except ForgeFailure as failure:
            return self._unknown(repo, question, failure)

    def _unknown(self, repo: Repo, question: Question[Any], failure: ForgeFailure) -> Unknown:
        self._log(
            "warning",
            "fact_unread",
            repository=repo.full_name,
            fact=type(question).__name__,
            why=failure.for_operator(),
        )
        return Unknown(failure.for_operator())
