"""What changed in a repository, and who did it: the lists that are polled.

An ETag is handed on only where it tells of every change: of a list on one page, or one whose newest item comes first.
"""

from datetime import datetime
from typing import get_args

from bot.domain.model.facts import Answer, CommentKind
from bot.domain.model.sweeping import (
    CommentsSince,
    EventKind,
    EventsOf,
    FoundComment,
    FoundIssue,
    FoundLabel,
    FoundPull,
    FoundReview,
    LabelledIssues,
    LineCommentsSince,
    Polled,
    PullsSince,
    ReviewsOf,
    ThreadEvent,
)
from bot.github.api import Api
from bot.github.facts.polled import ChangedPull, ListedComment, comments_from, pulls_from, text
from bot.github.graphql import Edits, edited_ones
from bot.github.shapes import Id, Moment, Part, Text, User, as_actor

KINDS: tuple[str, ...] = get_args(EventKind)
#: Of these, the commands that a body may hold are worth asking whether it was edited.
COMMAND = "/"


class _Review(Part):
    id: Id
    node_id: Text = ""
    body: Text | None = None
    state: Text
    user: User | None = None
    commit_id: Text | None = None
    html_url: Text = ""
    submitted_at: Moment | None = None


class _Label(Part):
    id: int = 0
    name: Text


class _Issue(Part):
    id: Id
    number: Id
    title: Text = ""
    updated_at: Moment
    labels: tuple[_Label, ...] = ()
    pull_request: dict[str, object] | None = None


class _EventLabel(Part):
    name: Text


class _Event(Part):
    id: Id
    event: Text
    actor: User | None = None
    created_at: Moment
    label: _EventLabel | None = None


async def comments(api: Api, question: CommentsSince) -> Answer[Polled[FoundComment]]:
    found, pages, whole = await comments_from(api, question)
    reply = pages[0]
    if reply.unchanged:
        return reply.answer(Polled(etag=question.etag, unchanged=True))
    rows = tuple(found.values())
    edited = await _edited_within_a_second(api, rows)
    items = tuple(
        _comment(
            one, "issue", edited, int((one.issue_url or "/0").rpartition("/")[2]), is_pull=_is_of_a_pull(one.html_url)
        )
        for one in rows
        if one.issue_url is not None
    )
    until = None if whole else rows[-1].updated_at
    return reply.answer(Polled(items, reply.etag if len(pages) == 1 and whole else None, until=until))


def _is_of_a_pull(address: str) -> bool:
    """`…/OWNER/NAME/pull/5#issuecomment-7`, whatever the owner and the repository are called."""
    return address.partition("#")[0].split("/")[-2:-1] == ["pull"]


async def line_comments(api: Api, question: LineCommentsSince) -> Answer[tuple[FoundComment, ...]]:
    rows, reply = await api.rows(f"/pulls/{question.pull}/comments", ListedComment, since=text(question.since))
    edited = await _edited_within_a_second(api, rows)
    found = (_comment(one, "review_comment", edited, question.pull, is_pull=True) for one in rows)
    return reply.answer(tuple(sorted(found, key=lambda one: (one.updated_at, one.id))))


async def reviews(api: Api, question: ReviewsOf) -> Answer[Polled[FoundReview]]:
    """REST does not tell whether a review's body was edited, so it is asked where the body may hold a command."""
    rows, pages = await api.listed(f"/pulls/{question.pull}/reviews", _Review, question.etag)
    reply = pages[0]
    if reply.unchanged:
        return reply.answer(Polled(etag=question.etag, unchanged=True))
    edited = await _edited(api, [one.node_id for one in rows if COMMAND in (one.body or "")])
    found = tuple(_review(one, one.submitted_at, question.pull, edited) for one in rows if one.submitted_at is not None)
    return reply.answer(Polled(found, reply.etag if len(pages) == 1 else None))


async def pulls(api: Api, question: PullsSince) -> Answer[Polled[FoundPull]]:
    """Newest first, so that the first page's ETag tells of any change, and reading ends with what is older: what is changed
    meanwhile is newer than that, and found the next time. Of those that are open one may close meanwhile, so all are read."""
    order = {"sort": "updated", "direction": "desc"}
    if question.since is None:
        found, pages = await api.listed("/pulls", ChangedPull, question.etag, state="open", **order)
    else:
        found, pages = await pulls_from(api, question.since, question.etag, order)
    if pages[0].unchanged:
        return pages[0].answer(Polled(etag=question.etag, unchanged=True))
    unique = {one.number: one for one in reversed(found)}
    return pages[0].answer(Polled(tuple(_pull(one) for one in reversed(unique.values())), pages[0].etag))


async def labelled_issues(api: Api, question: LabelledIssues) -> Answer[Polled[FoundIssue]]:
    rows, pages = await api.listed(
        "/issues", _Issue, question.etag, labels=question.label, state="open", sort="created", direction="asc"
    )
    reply = pages[0]
    if reply.unchanged:
        return reply.answer(Polled(etag=question.etag, unchanged=True))
    found = tuple(
        FoundIssue(
            id=one.id,
            number=one.number,
            title=one.title,
            updated_at=one.updated_at,
            labels=tuple(FoundLabel(id=label.id, name=label.name) for label in one.labels),
        )
        for one in rows
        if one.pull_request is None
    )
    return reply.answer(Polled(found, reply.etag if len(pages) == 1 else None))


async def events(api: Api, question: EventsOf) -> Answer[tuple[ThreadEvent, ...]]:
    rows, reply = await api.rows(f"/issues/{question.number}/events", _Event)
    found = (
        ThreadEvent.model_validate(
            {
                "id": one.id,
                "kind": one.event,
                "actor": as_actor(one.actor) if one.actor else None,
                "at": one.created_at,
                "label": one.label.name if one.label else None,
            }
        )
        for one in rows
        if one.event in KINDS
    )
    return reply.answer(tuple(sorted(found, key=lambda one: (one.at, one.id))))


async def _edited(api: Api, speaking: list[str]) -> Edits:
    return await edited_ones(api, speaking) if speaking else Edits()


async def _edited_within_a_second(api: Api, rows: tuple[ListedComment, ...]) -> Edits:
    """REST has whole seconds: a comment that was edited in the second in which it was written looks as written. So that is
    asked of those that may hold a command; ours and other Apps' hold none."""
    people = (one for one in rows if one.performed_via_github_app is None and COMMAND in (one.body or ""))
    return await _edited(api, [one.node_id for one in people if one.updated_at == one.created_at])


def _comment(one: ListedComment, kind: CommentKind, edited: Edits, number: int, *, is_pull: bool) -> FoundComment:
    via = one.performed_via_github_app
    return FoundComment(
        id=one.id,
        kind=kind,
        node_id=one.node_id,
        number=number,
        is_pull=is_pull,
        body=one.body or "",
        author=as_actor(one.user) if one.user else None,
        app_id=via.id if via else None,
        created_at=one.created_at,
        updated_at=one.updated_at,
        edited=one.updated_at != one.created_at or one.node_id in edited.found,
        unsaid=one.node_id in edited.unsaid,
        url=one.html_url,
        commit=one.original_commit_id,
    )


def _review(one: _Review, submitted_at: datetime, pull: int, edited: Edits) -> FoundReview:
    author = as_actor(one.user) if one.user else None
    body = FoundComment(
        id=one.id,
        kind="review",
        node_id=one.node_id,
        number=pull,
        is_pull=True,
        body=one.body or "",
        author=author,
        created_at=submitted_at,
        updated_at=submitted_at,
        edited=one.node_id in edited.found,
        unsaid=one.node_id in edited.unsaid,
        url=one.html_url,
        commit=one.commit_id,
    )
    return FoundReview(
        id=one.id,
        state=one.state.lower(),
        author=author,
        commit=one.commit_id,
        submitted_at=submitted_at,
        url=one.html_url,
        body=body if body.body.strip() else None,
    )


def _pull(one: ChangedPull) -> FoundPull:
    return FoundPull(number=one.number, open=one.state == "open", head_sha=one.head.sha, updated_at=one.updated_at)
