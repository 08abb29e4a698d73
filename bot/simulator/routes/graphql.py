"""`POST /graphql`: what has no REST call, the merge-confirmation query, and reads of pull requests and issues."""

from collections.abc import Callable
from functools import partial
from typing import Any

from bot.simulator.edge import Reply
from bot.simulator.model.people import User
from bot.simulator.model.repositories import Repository
from bot.simulator.model.threads import Comment, Pull, Review, Thread
from bot.simulator.operations import GRAPHQL, OPERATIONS, Operation
from bot.simulator.refusal import HttpError
from bot.simulator.routes import graphql_reads
from bot.simulator.routes.call import Call
from bot.simulator.routes.selection import Document, Field, GraphqlError, shaped
from bot.simulator.wire.places import WEB, stamp
from bot.simulator.wire.threads import web_address
from bot.simulator.world import World

_CLASSIFIERS = ("ABUSE", "DUPLICATE", "OFF_TOPIC", "OUTDATED", "RESOLVED", "SPAM")
_REACTIONS = {"THUMBS_UP": "+1", "THUMBS_DOWN": "-1", "CONFUSED": "confused", "EYES": "eyes"}


def operation_of(body: Any) -> Operation:
    """The name faults know this request by."""
    text = str(body.get("query", "")) if isinstance(body, dict) else ""
    if "markPullRequestReadyForReview" in text:
        return GRAPHQL["mark_ready"]
    if "addReaction" in text:
        return GRAPHQL["react_review"]
    if "minimizeComment" in text:
        return GRAPHQL["minimize_comment"]
    if text.lstrip().startswith("mutation"):
        return OPERATIONS["graphql"]
    if "nodes(ids:" in text:
        return GRAPHQL["edits"]
    return GRAPHQL["merge_evidence" if "mergeCommit {" in text else "together"]


def answer(call: Call) -> Reply:
    """200 even for most errors, which stand in `errors`."""
    try:
        document = Document(call.field("query", str), call.optional("variables") or {})
        data = {field.alias: _top(call, document, field) for field in document.fields}
    except GraphqlError as no:
        if no.type not in ("NOT_FOUND", "FORBIDDEN", "UNPROCESSABLE"):
            call.world.findings.append(f"GraphQL not understood: {no}")
        code = {"extensions": {"code": no.type}} if no.type == "undefinedField" else {"type": no.type}
        return Reply(200, {"data": None, "errors": [{**code, "message": str(no)}]})
    return Reply(200, {"data": data})


def _top(call: Call, document: Document, field: Field) -> Any:
    table = _MUTATIONS if document.kind == "mutation" else _QUERIES
    if field.name not in table:
        raise GraphqlError(f"Field '{field.name}' doesn't exist on type '{document.kind.title()}'", "undefinedField")
    return shaped(table[field.name](call, field.arguments), field.fields)


def _repository(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    name = f"{arguments.get('owner')}/{arguments.get('name')}"
    try:
        repo = call.world.repository_at(name)
    except HttpError:
        repo = None
    if repo is None or not call.world.visible(repo):
        raise GraphqlError(f"Could not resolve to a Repository with the name '{name}'.", "NOT_FOUND")
    return _repository_node(call.world, repo)


def _repository_node(world: World, repo: Repository) -> dict[str, Any]:
    def numbered(wanted: type[Thread]) -> Callable[[dict[str, Any]], dict[str, Any]]:
        def find(arguments: dict[str, Any]) -> dict[str, Any]:
            found = repo.threads.get(arguments["number"])
            if found is None or (wanted is Pull) != isinstance(found, Pull):
                text = f"Could not resolve to a {wanted.__name__} with the number of {arguments['number']}."
                raise GraphqlError(text, "NOT_FOUND")
            return _thread_node(world, found)

        return find

    return {
        "__typename": "Repository",
        "id": repo.node_id,
        "databaseId": repo.id,
        "name": repo.name,
        "nameWithOwner": repo.full_name,
        "pullRequest": numbered(Pull),
        "issue": numbered(Thread),
        **graphql_reads.of_repository(world, repo, partial(_listed, world)),
    }


def _listed(world: World, pull: Pull) -> dict[str, Any]:
    """Without its repository, which lists it."""
    return {name: value for name, value in _thread_node(world, pull).items() if name != "repository"}


def _thread_node(world: World, thread: Thread) -> dict[str, Any]:
    node: dict[str, Any] = {
        "__typename": "Issue",
        "__interfaces": ("Node", "Closable", "Lockable"),
        "id": thread.node_id,
        "number": thread.number,
        "title": thread.title,
        "body": thread.body,
        "closed": not thread.open,
        "locked": thread.locked,
        "state": "OPEN" if thread.open else "CLOSED",
        "updatedAt": stamp(thread.updated_at),
        "lastEditedAt": stamp(thread.edited_at),
        "url": web_address(thread),
        "author": _actor(thread.author),
    }
    if isinstance(thread, Pull):
        node |= _pull_fields(world, thread)
    return node


def _pull_fields(world: World, pull: Pull) -> dict[str, Any]:
    state = "MERGED" if pull.merged else "OPEN" if pull.open else "CLOSED"
    return {
        "__typename": "PullRequest",
        "state": state,
        "isDraft": pull.draft,
        "merged": pull.merged,
        "mergedAt": stamp(pull.merged_at),
        "mergedBy": _actor(pull.merged_by) if pull.merged_by else None,
        "headRefOid": pull.head,
        "headRefName": pull.head_ref,
        "baseRefName": pull.base_ref,
        "baseRefOid": pull.base_sha,
        "repository": lambda _: _repository_node(world, pull.repository),
        **graphql_reads.of_pull(world, pull),
    }


def _actor(user: User) -> dict[str, Any]:
    """An App's login has no `[bot]` in GraphQL."""
    return {
        "__typename": user.type,
        "__interfaces": ("Actor", "Node"),
        "id": user.node_id,
        "databaseId": user.id,
        "login": user.login.removesuffix("[bot]"),
        "url": f"{WEB}/{user.login}",
    }


def _node(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    found = _find(call, arguments["id"])
    if isinstance(found, Review):
        return {
            "__typename": "PullRequestReview",
            "__interfaces": ("Node", "Comment"),
            "id": found.node_id,
            "databaseId": found.id,
            "body": found.body,
            "state": found.state,
            "lastEditedAt": stamp(found.edited_at),
        }
    if isinstance(found, Comment):
        return {
            "__typename": "PullRequestReviewComment" if found.path else "IssueComment",
            "__interfaces": ("Node", "Comment"),
            "id": found.node_id,
            "databaseId": found.id,
            "body": found.body,
            "lastEditedAt": stamp(found.edited_at),
            "author": _actor(found.author),
            "editor": _actor(found.editor) if found.editor else None,
        }
    if not isinstance(found, Thread):
        raise GraphqlError(f"the simulator cannot show node {arguments['id']}")
    return _thread_node(call.world, found)


def _nodes(call: Call, arguments: dict[str, Any]) -> list[dict[str, Any]]:
    return [_node(call, {"id": one}) for one in arguments["ids"]]


def _find(call: Call, node_id: str) -> Thread | Comment | Review:
    """By node id, among what our App sees."""
    world = call.world
    threads = [t for repo in world.repositories.values() if world.visible(repo) for t in repo.threads.values()]
    known: list[Thread | Comment | Review] = [*threads, *world.comments_by_id.values(), *world.reviews_by_id.values()]
    found = next((one for one in known if one.node_id == node_id), None)
    if found is None:
        raise GraphqlError(f"Could not resolve to a node with the global id of '{node_id}'", "NOT_FOUND")
    return found


def _mark_ready(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    given = arguments["input"]
    pull = _find(call, given["pullRequestId"])
    if not isinstance(pull, Pull):
        raise GraphqlError("not a pull request", "NOT_FOUND")
    call.world.marks_ready(call.bot, pull)
    return _payload("MarkPullRequestReadyForReview", given, pullRequest=_thread_node(call.world, pull))


def _add_reaction(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    given = arguments["input"]
    if given["content"] not in _REACTIONS:
        raise GraphqlError(f"unknown reaction {given['content']}")
    reaction = call.world.reacts(call.bot, _find(call, given["subjectId"]), _REACTIONS[given["content"]])
    shape = {"__typename": "Reaction", "id": f"REA_{reaction.id}", "databaseId": reaction.id}
    return _payload("AddReaction", given, reaction=shape | {"content": given["content"]}, subject=None)


def _minimize_comment(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    given = arguments["input"]
    comment = _find(call, given["subjectId"])
    if not isinstance(comment, Comment):
        raise GraphqlError("not a comment", "UNPROCESSABLE")
    if given["classifier"] not in _CLASSIFIERS:
        raise GraphqlError(f"unknown classifier {given['classifier']}")
    call.world.minimizes(call.bot, comment, given["classifier"])
    shape = {
        "__typename": "IssueComment",
        "__interfaces": ("Minimizable",),
        "isMinimized": True,
        "minimizedReason": comment.minimized,
    }
    return _payload("MinimizeComment", given, minimizedComment=shape)


def _disable_auto_merge(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    given = arguments["input"]
    pull = _find(call, given["pullRequestId"])
    if not isinstance(pull, Pull) or pull.auto_merge is None:
        raise GraphqlError("Can't disable auto-merge for this pull request.", "UNPROCESSABLE")
    pull.auto_merge = None
    return _payload("DisablePullRequestAutoMerge", given, pullRequest=_thread_node(call.world, pull))


def _payload(name: str, given: dict[str, Any], **parts: Any) -> dict[str, Any]:
    return {"__typename": f"{name}Payload", "clientMutationId": given.get("clientMutationId"), **parts}


def _rate_limit(call: Call, _: dict[str, Any]) -> dict[str, Any]:
    return {"__typename": "RateLimit", "cost": 1, "remaining": 4999, "resetAt": stamp(call.world.clock.stamp())}


_QUERIES: dict[str, Callable[[Call, Any], Any]] = {
    "repository": _repository,
    "node": _node,
    "nodes": _nodes,
    "rateLimit": _rate_limit,
}
_MUTATIONS: dict[str, Callable[[Call, Any], Any]] = {
    "markPullRequestReadyForReview": _mark_ready,
    "addReaction": _add_reaction,
    "minimizeComment": _minimize_comment,
    "disablePullRequestAutoMerge": _disable_auto_merge,
}
