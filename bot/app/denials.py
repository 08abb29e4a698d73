"""Whoever may not do something here is told so, but not as often as they try."""

from bot.domain.commands import replying
from bot.domain.model.ids import RecordKey, Repo
from bot.domain.model.sightings import CommentCreated

#: Denials are answered at most once per person, record and hour.
QUIET_CODES = frozenset({"not_allowed"})


def is_denial(outcomes: list[replying.Answered]) -> bool:
    refused = [one.refusal.code for one in outcomes if one.refusal is not None]
    return len(refused) == len(outcomes) and set(refused) <= QUIET_CODES


def once_an_hour(repo: Repo, key: RecordKey | None, comment: CommentCreated) -> str:
    """For each person and record; for each thread that has none."""
    about = key or f"{repo.id}:{comment.number}"
    return f"denied:{about}:{comment.actor.id}:{comment.created_at:%Y-%m-%dT%H}"
