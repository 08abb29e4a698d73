"""What the sweep's questions cost: at most a fifth of what GitHub allows an installation in an hour."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar

from bot.app.sweep.claim import Beat
from bot.domain.model.effects import Write, Written
from bot.domain.model.facts import Answer
from bot.domain.model.ids import Repo
from bot.domain.model.questions import Question
from bot.ports.failures import ForgeFailure
from bot.ports.forge import Forge, Guard
from bot.ports.sweeps import Allowance

T = TypeVar("T")
HOUR = timedelta(hours=1)
SHARE = 5
#: The last part of the share is kept for what is new; records are read again only out of the rest.
KEPT_FOR_NEWS = 0.25
#: Requests by which the publisher compares what GitHub shows of one record: two threads' comments and labels.
COMPARING = 4


@dataclass(slots=True)
class Spent:
    """Since it was last taken. `limit` and `remaining` as GitHub said them last."""

    requests: int = 0
    limit: int | None = None
    remaining: int | None = None


class MeteredForge:
    """A Forge that counts what it is asked, for each installation."""

    def __init__(self, forge: Forge) -> None:
        self._forge = forge
        self._spent: dict[int, Spent] = {}
        self._beats: dict[int, Beat] = {}

    def of(self, installation_id: int) -> Spent:
        return self._spent.setdefault(installation_id, Spent())

    def begin(self, installation_id: int, beat: Beat) -> None:
        """Nothing is spent yet. `beat` is told before each question."""
        self._spent.pop(installation_id, None)
        self._beats[installation_id] = beat

    async def read(self, repo: Repo, question: Question[T]) -> Answer[T]:
        spent = self.of(repo.installation_id)
        if (beat := self._beats.get(repo.installation_id)) is not None:
            await beat()
        try:
            answer = await self._forge.read(repo, question)
        except ForgeFailure:
            spent.requests += 1
            raise
        spent.requests += answer.requests
        spent.limit = answer.limit or spent.limit
        spent.remaining = answer.remaining
        return answer

    async def together(self, repo: Repo, questions: Collection[Question[Any]]) -> Mapping[Question[Any], Answer[Any]]:
        answers = await self._forge.together(repo, questions)
        self.of(repo.installation_id).requests += sum(answer.requests for answer in answers.values())
        return answers

    async def perform(self, repo: Repo, write: Write, guard: Guard | None = None) -> Written:
        return await self._forge.perform(repo, write, guard)


@dataclass(frozen=True, slots=True)
class Purse:
    """What an installation's sweep may still spend in this hour. `allowance` is what was stored before this pass."""

    meter: MeteredForge
    installation_id: int
    allowance: Allowance

    @property
    def share(self) -> int:
        return (self.meter.of(self.installation_id).limit or self.allowance.limit) // SHARE

    @property
    def left(self) -> int:
        return self.share - self.allowance.spent - self.meter.of(self.installation_id).requests

    @property
    def for_records(self) -> int:
        """What may go into reading records again; nothing where the others have used up nearly everything."""
        remaining = self.meter.of(self.installation_id).remaining
        if remaining is not None and remaining < self.share:
            return 0
        return self.left - int(self.share * KEPT_FOR_NEWS)

    def charge(self, requests: int) -> None:
        """Somebody else will ask these because of us."""
        self.meter.of(self.installation_id).requests += requests

    def closed(self, now: datetime, *, slowed: bool) -> Allowance:
        """What to store after the pass."""
        spent = self.meter.of(self.installation_id)
        return self.allowance.model_copy(
            update={
                "spent": self.allowance.spent + spent.requests,
                "limit": spent.limit or self.allowance.limit,
                "slowed_since": (self.allowance.slowed_since or now) if slowed else None,
            }
        )


def opened(allowance: Allowance, now: datetime) -> Allowance:
    """A new hour begins with nothing spent."""
    if allowance.hour_began is None or now - allowance.hour_began >= HOUR:
        return allowance.model_copy(update={"hour_began": now, "spent": 0})
    return allowance
