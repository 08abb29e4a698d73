"""Carries out every write of `bot.domain.model.effects`, once each. Merging is not among them."""

from collections.abc import Awaitable, Callable
from typing import Any

from bot.domain.model.effects import (
    AddLabels,
    Annotation,
    CreateCheckRun,
    CreateComment,
    DeleteBranch,
    EnsureLabel,
    MarkReady,
    MinimizeComment,
    React,
    RemoveLabel,
    RequestReview,
    UpdateCheckRun,
    UpdateComment,
    Write,
    Written,
)
from bot.github import graphql
from bot.github.api import Api, segment
from bot.github.branches import delete_branch
from bot.github.reply import Reply
from bot.github.shapes import Id, Moment, Part, Text
from bot.ports.failures import Forbidden, OutcomeUnknown, Unreachable


class _Node(Part):
    node_id: Text


class _Made(Part):
    id: Id
    updated_at: Moment | None = None
    html_url: Text | None = None


async def perform(api: Api, write: Write) -> Written:
    """Raises any of the five failures; OutcomeUnknown when it may have happened."""
    return await WRITERS[type(write)](api, write)


async def create_comment(api: Api, write: CreateComment) -> Written:
    return _made(await api.write("POST", f"/issues/{write.number}/comments", {"body": write.body}))


async def update_comment(api: Api, write: UpdateComment) -> Written:
    return _made(await api.write("PATCH", f"/issues/comments/{write.comment_id}", {"body": write.body}))


async def minimize_comment(api: Api, write: MinimizeComment) -> Written:
    """GraphQL knows comments by another name, which the comment itself tells."""
    node_id = write.node_id or (await api.get(f"/issues/comments/{write.comment_id}")).read(_Node).node_id
    return _done(await graphql.minimize(api, node_id))


async def add_labels(api: Api, write: AddLabels) -> Written:
    return _done(await api.write("POST", f"/issues/{write.number}/labels", {"labels": list(write.names)}))


async def remove_label(api: Api, write: RemoveLabel) -> Written:
    """A label that is not there any more is what was wanted."""
    below = f"/issues/{write.number}/labels/{segment(write.name)}"
    return _done(await api.write("DELETE", below, accept=(404,)))


async def ensure_label(api: Api, write: EnsureLabel) -> Written:
    body = {"name": write.name, "color": write.color, "description": write.description}
    reply = await api.write("POST", "/labels", body, accept=(422,))
    if reply.status == 422 and "already_exists" not in _error_codes(reply):
        raise Forbidden("POST /labels: 422")
    return _done(reply)


async def create_check_run(api: Api, write: CreateCheckRun) -> Written:
    body = {"name": write.name, "head_sha": write.head, **_check(write)}
    body["output"] |= {"annotations": [_annotation(one) for one in write.annotations]} if write.annotations else {}
    return _made(await api.write("POST", "/check-runs", body))


async def update_check_run(api: Api, write: UpdateCheckRun) -> Written:
    return _made(await api.write("PATCH", f"/check-runs/{write.id}", _check(write)))


async def react(api: Api, write: React) -> Written:
    if write.comment_kind == "review":
        return _done(await graphql.react(api, write))
    place = "issues" if write.comment_kind == "issue" else "pulls"
    below = f"/{place}/comments/{write.comment_id}/reactions"
    return _done(await api.write("POST", below, {"content": write.content}))


async def mark_ready(api: Api, write: MarkReady) -> Written:
    return _done(await graphql.mark_ready(api, write))


async def request_review(api: Api, write: RequestReview) -> Written:
    below = f"/pulls/{write.pull}/requested_reviewers"
    return _done(await api.write("POST", below, {"reviewers": list(write.logins), "team_reviewers": list(write.teams)}))


async def remove_branch(api: Api, write: DeleteBranch) -> Written:
    return _done(await delete_branch(api, write))


WRITERS: dict[type[Any], Callable[[Api, Any], Awaitable[Written]]] = {
    CreateComment: create_comment,
    UpdateComment: update_comment,
    MinimizeComment: minimize_comment,
    AddLabels: add_labels,
    RemoveLabel: remove_label,
    EnsureLabel: ensure_label,
    CreateCheckRun: create_check_run,
    UpdateCheckRun: update_check_run,
    React: react,
    MarkReady: mark_ready,
    DeleteBranch: remove_branch,
    RequestReview: request_review,
}


def _check(write: CreateCheckRun | UpdateCheckRun) -> dict[str, Any]:
    """A conclusion would complete the run, so it is sent only with a completed one. Empty texts are left out."""
    output = {"title": write.title, "summary": write.summary, "text": write.text}
    fields: dict[str, Any] = {
        "status": write.status,
        "external_id": write.external_id,
        "output": {name: text for name, text in output.items() if text or name != "text"},
    }
    if write.details_url:
        fields["details_url"] = write.details_url
    if write.status == "completed" and write.conclusion is not None:
        fields["conclusion"] = write.conclusion
    return fields


def _annotation(one: Annotation) -> dict[str, Any]:
    return {
        "path": one.path,
        "start_line": one.line,
        "end_line": one.line,
        "annotation_level": one.level,
        "title": one.title,
        "message": one.message,
    }


def _made(reply: Reply) -> Written:
    """It was carried out; without a readable id it has to be looked for, like after a lost answer."""
    try:
        made = reply.read(_Made)
    except Unreachable as error:
        raise OutcomeUnknown(error.detail) from error
    return Written(id=made.id, updated_at=made.updated_at, url=made.html_url, date=reply.date)


def _done(reply: Reply) -> Written:
    return Written(date=reply.date)


def _error_codes(reply: Reply) -> set[object]:
    errors = reply.body.get("errors") if isinstance(reply.body, dict) else None
    return {one.get("code") for one in errors if isinstance(one, dict)} if isinstance(errors, list) else set()
