"""Whoever may not do something here is told so, but not as often as they try."""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from bot.domain.commands import replying
from bot.domain.model.ids import RecordKey, Repo
from bot.domain.model.sightings import CommentCreated
from bot.ports.store import Tx

#: Denials are answered at most once per person, record and hour.
QUIET_CODES = frozenset({"not_allowed"})
EVERY = timedelta(hours=1)


class Quiet(NamedTuple):
    """The answer to a comment that was written then; `about` is whom it answers, and where."""

    about: str
    at: datetime

    @property
    def once(self) -> str:
        return self._at(self.at)

    def is_told(self, tx: Tx) -> bool:
        """Whether what they wrote within an hour of it, before or after, was answered: comments are not heard in order."""
        return tx.effects.any_between(self._at(self.at - EVERY), self._at(self.at + EVERY))

    def _at(self, moment: datetime) -> str:
        return f"{self.about}:{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%S}"


def is_denial(outcomes: list[replying.Answered]) -> bool:
    refused = [one.refusal.code for one in outcomes if one.refusal is not None]
    return len(refused) == len(outcomes) and set(refused) <= QUIET_CODES


def quiet(repo: Repo, key: RecordKey | None, comment: CommentCreated, outcomes: list[replying.Answered]) -> Quiet:
    """For each person and record; for each thread that has none. A no does not use up the answer to what was asked, and the
    other way round."""
    about = key or f"{repo.id}:{comment.number}"
    kind = "denied" if any(one.refused for one in outcomes) else "told"
    return Quiet(f"{kind}:{about}:{comment.actor.id}", comment.created_at)
