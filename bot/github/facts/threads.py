"""Issues, their labels, and comments of every kind."""

from typing import Annotated

from pydantic import BeforeValidator

from bot.domain.model.facts import Answer, CommentFacts, IssueFacts
from bot.domain.model.ids import Person
from bot.domain.model.questions import CommentOf, CommentsOn, EditedByOthers, IssueOf, LabelsOn
from bot.github.absence import surely
from bot.github.api import Api
from bot.github.graphql import edited_by_others
from bot.github.shapes import App, Id, Moment, Part, Text, User
from bot.ports.failures import Gone, Unreachable


def _name(label: object) -> object:
    """Labels of issues are names or objects."""
    return label.get("name") if isinstance(label, dict) else label


LabelName = Annotated[Text, BeforeValidator(_name)]


class _Issue(Part):
    id: Id
    number: Id
    title: Text = ""
    body: Text | None = None
    state: Text
    user: User | None = None
    labels: tuple[LabelName, ...] = ()
    locked: bool = False
    pull_request: dict[str, object] | None = None


class _Comment(Part):
    id: Id
    node_id: Text = ""
    body: Text | None = None
    user: User | None = None
    html_url: Text = ""
    performed_via_github_app: App | None = None
    created_at: Moment
    updated_at: Moment


class _Review(Part):
    id: Id
    body: Text | None = None
    user: User | None = None
    html_url: Text = ""
    submitted_at: Moment | None = None


def person(user: User | None) -> Person | None:
    return Person(id=user.id, login=user.login) if user else None


async def issue(api: Api, question: IssueOf) -> Answer[IssueFacts | None]:
    """A transferred issue is redirected to another repository, a converted one is 410: both are None."""
    try:
        reply = await surely(api, lambda: api.get(f"/issues/{question.number}"))
    except Gone:
        return (await api.still_there()).answer(None)
    read = reply.read(_Issue)
    if read.number != question.number:
        return reply.answer(None)
    return reply.answer(
        IssueFacts(
            id=read.id,
            number=read.number,
            title=read.title,
            body=read.body or "",
            open=read.state == "open",
            author=person(read.user),
            labels=read.labels,
            locked=read.locked,
            is_pull=read.pull_request is not None,
        )
    )


async def labels(api: Api, question: LabelsOn) -> Answer[tuple[str, ...]]:
    reply = await api.get(f"/issues/{question.number}")
    return reply.answer(reply.read(_Issue).labels)


async def comment(api: Api, question: CommentOf) -> Answer[CommentFacts | None]:
    if question.kind == "review":
        return await _review(api, question)
    place = "issues" if question.kind == "issue" else "pulls"
    try:
        reply = await surely(api, lambda: api.get(f"/{place}/comments/{question.id}"))
    except Gone:
        return (await api.still_there()).answer(None)
    return reply.answer(_facts(api, reply.read(_Comment), question))


async def own_comments(api: Api, question: CommentsOn) -> Answer[tuple[CommentFacts, ...]]:
    read, reply = await api.rows(f"/issues/{question.number}/comments", _Comment)
    facts = (_facts(api, one, CommentOf(one.id)) for one in read)
    _learn_our_account(api, read)
    return reply.answer(tuple(sorted((one for one in facts if one.mine), key=lambda one: (one.created_at, one.id))))


def _learn_our_account(api: Api, comments: tuple[_Comment, ...]) -> None:
    """Whoever wrote through our App and is no person is the account that our App acts as."""
    for one in comments:
        if _is_ours(api, one) and one.user is not None and one.user.type == "Bot":
            api.gateway.bot_id = one.user.id


def _is_ours(api: Api, one: _Comment) -> bool:
    via = one.performed_via_github_app
    return via is not None and via.id == api.app_id


async def edited_by(api: Api, question: EditedByOthers) -> Answer[frozenset[str]]:
    """REST does not tell."""
    found, reply = await edited_by_others(api, question.node_ids)
    return reply.answer(found)


async def _review(api: Api, question: CommentOf) -> Answer[CommentFacts | None]:
    """Reviews are listed with the pull request. They have one time only, so an edit shows in the body alone."""
    if question.pull is None:
        raise Unreachable(f"review {question.id}: its pull request is not known")
    reviews, reply = await api.rows(f"/pulls/{question.pull}/reviews", _Review)
    found = next((one for one in reviews if one.id == question.id), None)
    if found is None or found.submitted_at is None:
        return reply.answer(None)
    return reply.answer(
        CommentFacts(
            id=found.id,
            kind="review",
            body=found.body or "",
            author=person(found.user),
            created_at=found.submitted_at,
            updated_at=found.submitted_at,
            url=found.html_url,
        )
    )


def _facts(api: Api, read: _Comment, question: CommentOf) -> CommentFacts:
    return CommentFacts(
        id=read.id,
        node_id=read.node_id,
        kind=question.kind,
        body=read.body or "",
        author=person(read.user),
        mine=_is_ours(api, read),
        created_at=read.created_at,
        updated_at=read.updated_at,
        url=read.html_url,
    )
