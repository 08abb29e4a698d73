"""Pull requests, reviews, and both merge endpoints."""

from typing import Any

from bot.simulator.edge import Reply
from bot.simulator.model.threads import Pull
from bot.simulator.refusal import HttpError, invalid, not_found
from bot.simulator.routes.call import Call, Handler
from bot.simulator.verbs.merging import MergeCall
from bot.simulator.wire import pulls as wire
from bot.simulator.wire import repositories as wire_repositories

_EVENTS = {"APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED", "COMMENT": "COMMENTED"}


def _listed(call: Call, pull: Pull) -> dict[str, Any]:
    shape = wire.listed(pull) | ({"stack": None} if pull.stack_unlisted else {})
    return shape | {"merge_commit_sha": pull.merge_commit} if call.old else shape


def _pulls(call: Call) -> Reply:
    """Newest first, open ones unless asked; `head` is `owner:branch`."""
    wanted, head, base = call.query.get("state", "open"), call.query.get("head"), call.query.get("base")
    found = [one for one in call.repository.threads.values() if isinstance(one, Pull)]
    found = [one for one in found if wanted == "all" or one.open == (wanted == "open")]
    if head:
        found = [one for one in found if one.head_owner and f"{one.head_owner.login}:{one.head_ref}" == head]
    if base:
        found = [one for one in found if one.base_ref == base]
    by_update = call.query.get("sort") == "updated"
    found.sort(key=lambda one: (one.updated_at if by_update else one.created_at, one.number))
    if call.query.get("direction", "desc") == "desc":
        found.reverse()
    return call.page(found, lambda one: _listed(call, one))


def _full(call: Call, pull: Pull) -> dict[str, Any]:
    shape = call.world.shape_of(pull, mergeable=call.world.reads_mergeable(pull))
    return shape | {"merge_commit_sha": pull.merge_commit} if call.old else shape


def _pull(call: Call) -> Reply:
    return Reply(200, _full(call, call.pull()))


def _update_pull(call: Call) -> Reply:
    pull = call.pull()
    call.world.edits(call.bot, pull, title=call.optional("title"), body=call.optional("body"))
    return Reply(200, _full(call, pull))


def _files(call: Call) -> Reply:
    pull = call.pull()
    diff = sorted(call.world.diff_of(pull).items())

    def render(one: tuple[str, tuple[str | None, str | None]]) -> dict[str, Any]:
        path, (old, new) = one
        return wire_repositories.file_diff(call.repository, pull.head, path, old, new)

    return call.page(diff, render)


def _commits(call: Call) -> Reply:
    return call.page(
        call.world.listed_commits_of(call.pull()), lambda one: wire_repositories.commit(call.repository, one)
    )


def _reviews(call: Call) -> Reply:
    return call.page(call.pull().reviews, wire.review)


def _review(call: Call) -> Reply:
    found = next((one for one in call.pull().reviews if one.id == call.parts["id"]), None)
    if found is None:
        raise not_found()
    return Reply(200, wire.review(found))


def _create_review(call: Call) -> Reply:
    event: Any = _EVENTS.get(call.optional("event") or "")
    if event is None:
        raise HttpError(422, "Unprocessable Entity")
    body, commit = call.optional("body") or "", call.optional("commit_id")
    return Reply(200, wire.review(call.world.reviews(call.bot, call.pull(), event, body, commit=commit)))


def _review_comments(call: Call) -> Reply:
    since = call.since()
    found = [one for one in call.pull().review_comments if since is None or one.updated_at >= since]
    return call.page(found, wire.review_comment)


def _review_comment(call: Call) -> Reply:
    return Reply(200, wire.review_comment(call.comment(on_line=True)))


def _request_review(call: Call) -> Reply:
    pull = call.pull()
    asked = (call.optional("reviewers") or [], call.optional("team_reviewers") or [])
    call.world.requests_review(call.bot, pull, *asked)
    return Reply(201, _listed(call, pull))


def _merge(call: Call) -> Reply:
    return call.world.merge(call.bot, call.pull(), _merge_call(call))


def _merge_async(call: Call) -> Reply:
    return call.world.merge_async(call.bot, call.pull(), _merge_call(call))


def _merge_call(call: Call) -> MergeCall:
    """A title or message of null is refused: leave the key out instead."""
    body = call.body or {}
    for key in ("commit_title", "commit_message"):
        if key in body and not isinstance(body[key], str):
            raise invalid("PullRequest", key, "invalid")
    method = body.get("merge_method", "merge")
    if method not in ("merge", "squash", "rebase", "default"):
        raise invalid("PullRequest", "merge_method", "invalid")
    action = body.get("merge_action", "default")
    return MergeCall(body.get("sha"), method, body.get("commit_title"), body.get("commit_message"), action)


def _merge_status(call: Call) -> Reply:
    return call.world.merge_status(call.pull(), call.parts["uuid"])


PULLS: dict[str, Handler] = {
    "pulls": _pulls,
    "pull": _pull,
    "update_pull": _update_pull,
    "pull_files": _files,
    "pull_commits": _commits,
    "reviews": _reviews,
    "review": _review,
    "create_review": _create_review,
    "review_comments": _review_comments,
    "review_comment": _review_comment,
    "request_review": _request_review,
    "merge": _merge,
    "merge_async": _merge_async,
    "merge_status": _merge_status,
}
