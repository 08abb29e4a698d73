"""Both sides of a merge, and the state of a merge-async request."""

from dataclasses import dataclass
from datetime import datetime

from bot.domain.model.facts import AsyncMergeFacts, MergeEvidence
from bot.domain.model.questions import MergeEvidenceOf
from bot.simulator.answers.threads import person
from bot.simulator.model.people import User
from bot.simulator.model.repositories import Repository
from bot.simulator.model.threads import Pull
from bot.simulator.refusal import HttpError
from bot.simulator.world import World


@dataclass(frozen=True, slots=True)
class PullSide:
    merged: bool | None
    open: bool | None
    head: str | None = None
    at: datetime | None = None
    by: User | None = None
    by_us: bool = False
    sha: str | None = None


@dataclass(frozen=True, slots=True)
class BaseSide:
    on_base: bool | None
    sha: str | None = None
    whole: bool = False


UNREAD_PULL = PullSide(None, None)
UNREAD_BASE = BaseSide(None)


def pull_side(world: World, pull: Pull) -> PullSide:
    by_us = pull.merged_by is world.bot
    return PullSide(pull.merged, pull.open, pull.head, pull.merged_at, pull.merged_by, by_us, pull.merge_commit)


def base_side(world: World, repo: Repository, question: MergeEvidenceOf, pull: PullSide = UNREAD_PULL) -> BaseSide:
    """The newest commit of the base that has the head as a parent, or that names the pull request. A base that is gone has
    nothing of what was closed for it."""
    if question.base not in repo.branches:
        return BaseSide(False) if (pull.open, pull.merged) == (False, False) else UNREAD_BASE
    for sha in world.history(world.tip(repo, question.base)):
        brought = world.introduced.get(sha)
        names_it = brought is not None and brought.repository is repo and brought.number == question.pull
        parents = world.commits[sha].parents
        whole = (len(parents) > 1 and question.head in parents[1:]) or sha == question.head
        if names_it or whole:
            return BaseSide(True, sha, whole)
    return BaseSide(False)


def evidence(pull: PullSide, base: BaseSide, looked_at: str, began: datetime) -> MergeEvidence:
    return MergeEvidence(
        pull_merged=pull.merged,
        pull_open=pull.open,
        head=pull.head,
        merge_sha=base.sha or (pull.sha if pull.merged else None),
        merged_by=person(pull.by) if pull.by else None,
        merged_by_us=pull.by_us,
        merged_at=pull.at,
        base=looked_at,
        on_base=base.on_base,
        whole=base.whole,
        began_at=began,
    )


def state_of(world: World, pull: Pull, uuid: str) -> AsyncMergeFacts:
    try:
        body = world.merge_status(pull, uuid).body
    except HttpError:
        return AsyncMergeFacts(status="gone")
    details = body["details"]
    return AsyncMergeFacts(
        status=body["status"],
        sha=details.get("sha"),
        message=details.get("message"),
        expected_head=details.get("expected_head_sha"),
    )
