"""Lists of what changed, with the ETag by which GitHub says that nothing did."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from hashlib import sha256
from typing import TypeVar

from bot.domain.model.ids import Actor
from bot.domain.model.sweeping import (
    FoundComment,
    FoundIssue,
    FoundLabel,
    FoundPull,
    FoundReview,
    LabelledIssues,
    Polled,
    PullsSince,
    ThreadEvent,
)
from bot.simulator.model.people import User
from bot.simulator.model.repositories import Repository
from bot.simulator.model.threads import Comment, Pull, Review, Thread
from bot.simulator.wire.threads import web_address

T = TypeVar("T")
PER_PAGE = 100


def comments(repo: Repository, since: datetime, etag: str | None) -> Polled[FoundComment]:
    every = [one for thread in repo.threads.values() for one in thread.comments if one.updated_at >= since]
    return _polled([_comment(one) for one in _in_order(every)], etag)


def line_comments(pull: Pull, since: datetime) -> tuple[FoundComment, ...]:
    return tuple(_comment(one) for one in _in_order(pull.review_comments) if one.updated_at >= since)


def reviews(pull: Pull, etag: str | None) -> Polled[FoundReview]:
    return _polled([_review(one) for one in pull.reviews], etag)


def pulls(repo: Repository, question: PullsSince) -> Polled[FoundPull]:
    """The ETag is that of the first page, whatever is wanted of it."""
    every = [one for one in repo.threads.values() if isinstance(one, Pull) and (question.since is None) <= one.open]
    every.sort(key=lambda one: (one.updated_at, one.number), reverse=True)
    found = [FoundPull(number=one.number, open=one.open, head_sha=one.head, updated_at=one.updated_at) for one in every]
    tag = _tag(found[:PER_PAGE])
    if tag == question.etag:
        return Polled(etag=tag, unchanged=True)
    wanted = tuple(one for one in found if question.since is None or one.updated_at >= question.since)
    return Polled(wanted, tag)


def labelled_issues(repo: Repository, question: LabelledIssues) -> Polled[FoundIssue]:
    found = [
        FoundIssue(
            id=one.id,
            number=one.number,
            title=one.title,
            updated_at=one.updated_at,
            labels=tuple(FoundLabel(id=label.id, name=label.name) for label in one.labels),
        )
        for one in sorted(repo.threads.values(), key=lambda one: one.number)
        if one.open
        and not isinstance(one, Pull)
        and any(label.name.lower() == question.label.lower() for label in one.labels)
    ]
    return _polled(found, question.etag)


def events(thread: Thread) -> tuple[ThreadEvent, ...]:
    return tuple(
        ThreadEvent.model_validate(
            {"id": one.id, "kind": one.event, "actor": actor(one.user), "at": one.at, "label": one.label}
        )
        for one in thread.log
    )


def actor(user: User) -> Actor:
    return Actor(kind="person" if user.type == "User" else "bot", id=user.id, login=user.login)


def _polled(found: Sequence[T], etag: str | None) -> Polled[T]:
    tag = _tag(found)
    if tag == etag:
        return Polled(etag=tag, unchanged=True)
    return Polled(tuple(found), tag if len(found) <= PER_PAGE else None)


def _tag(found: Sequence[object]) -> str:
    return f'W/"{sha256(repr(found).encode()).hexdigest()}"'


def _in_order(comments: Iterable[Comment]) -> list[Comment]:
    return sorted(comments, key=lambda one: (one.updated_at, one.id))


def _comment(one: Comment) -> FoundComment:
    anchor = f"discussion_r{one.id}" if one.path is not None else f"issuecomment-{one.id}"
    return FoundComment(
        id=one.id,
        kind="review_comment" if one.path is not None else "issue",
        node_id=one.node_id,
        number=one.thread.number,
        is_pull=isinstance(one.thread, Pull),
        body=one.body,
        author=actor(one.author),
        app_id=one.app.id if one.app is not None and one.path is None else None,
        created_at=one.created_at,
        updated_at=one.updated_at,
        edited=one.updated_at != one.created_at or (one.edited_at is not None and "/" in one.body),
        url=f"{web_address(one.thread)}#{anchor}",
        commit=one.commit if one.path is not None else None,
    )


def _review(one: Review) -> FoundReview:
    url = f"{web_address(one.pull)}#pullrequestreview-{one.id}"
    body = FoundComment(
        id=one.id,
        kind="review",
        node_id=one.node_id,
        number=one.pull.number,
        is_pull=True,
        body=one.body,
        author=actor(one.author),
        created_at=one.submitted_at,
        updated_at=one.submitted_at,
        edited=one.edited_at is not None and "/" in one.body,
        url=url,
        commit=one.commit,
    )
    return FoundReview(
        id=one.id,
        state=one.state.lower(),
        author=actor(one.author),
        commit=one.commit,
        submitted_at=one.submitted_at,
        url=url,
        body=body if one.body.strip() else None,
    )
