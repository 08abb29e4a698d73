"""What has no REST call: marking a pull request ready, reactions on reviews, and hiding comments."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from bot.domain.model.effects import MarkReady, React, ReactionContent
from bot.github.api import Api
from bot.github.reply import Reply, error_kinds
from bot.ports.failures import Forbidden, Gone, OutcomeUnknown, Unreachable

READY = """mutation($id: ID!) {
  markPullRequestReadyForReview(input: {pullRequestId: $id}) { pullRequest { isDraft } }
}"""

REACT = """mutation($id: ID!, $content: ReactionContent!) {
  addReaction(input: {subjectId: $id, content: $content}) { reaction { content } }
}"""

MINIMIZE = """mutation($id: ID!) {
  minimizeComment(input: {subjectId: $id, classifier: RESOLVED}) { minimizedComment { isMinimized } }
}"""

EDITED = """query($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on PullRequestReview { id lastEditedAt } ... on PullRequest { id lastEditedAt }
    ... on IssueComment { id lastEditedAt } ... on PullRequestReviewComment { id lastEditedAt }
  }
}"""
EDITORS = """query($ids: [ID!]!) {
  nodes(ids: $ids) { ... on IssueComment {
    id lastEditedAt author { __typename login } editor { __typename login }
  } }
}"""
#: Nodes that one query may ask for.
MOST_NODES = 100

CONTENTS: dict[ReactionContent, str] = {"+1": "THUMBS_UP", "-1": "THUMBS_DOWN", "confused": "CONFUSED", "eyes": "EYES"}

REFUSALS = frozenset({"FORBIDDEN", "UNPROCESSABLE", "INSUFFICIENT_SCOPES", "STALE_DATA"})


async def mark_ready(api: Api, write: MarkReady) -> Reply:
    return await _mutate(api, "markPullRequestReadyForReview", READY, {"id": write.node_id})


async def react(api: Api, write: React) -> Reply:
    return await _mutate(api, "addReaction", REACT, {"id": write.node_id, "content": CONTENTS[write.content]})


async def minimize(api: Api, node_id: str) -> Reply:
    """Hiding a hidden comment again is no error."""
    return await _mutate(api, "minimizeComment", MINIMIZE, {"id": node_id})


class Edits(NamedTuple):
    """Of which the body was edited, and of which GitHub does not say."""

    found: frozenset[str] = frozenset()
    unsaid: frozenset[str] = frozenset()


async def edited_ones(api: Api, node_ids: Sequence[str]) -> Edits:
    """See `edited`, of as many as there are."""
    edits = Edits()
    for begin in range(0, len(node_ids), MOST_NODES):
        more, _ = await edited(api, node_ids[begin : begin + MOST_NODES])
        edits = Edits(edits.found | more.found, edits.unsaid | more.unsaid)
    return edits


async def edited(api: Api, node_ids: Sequence[str]) -> tuple[Edits, Reply]:
    """Of these. Raises Unreachable."""
    nodes, reply = await _nodes(api, EDITED, node_ids)
    known = {one.get("id"): one["lastEditedAt"] for one in nodes if "lastEditedAt" in one}
    found = frozenset(one for one in node_ids if known.get(one) is not None)
    return Edits(found, frozenset(node_ids) - known.keys()), reply


async def edited_by_others(api: Api, node_ids: Sequence[str]) -> tuple[frozenset[str], Reply]:
    """Those of these that somebody else than their author edited last; whoever has no account any more is not named. Raises
    Unreachable, also where one of them is gone."""
    found: set[str] = set()
    for begin in range(0, len(node_ids), MOST_NODES):
        nodes, reply = await _nodes(api, EDITORS, node_ids[begin : begin + MOST_NODES])
        found |= {str(one["id"]) for one in nodes if _is_by_others(one)}
        if not {one.get("id") for one in nodes} >= set(node_ids[begin : begin + MOST_NODES]):
            raise Unreachable("POST /graphql: not everything is there of which it was asked who edited it")
    return frozenset(found), reply


def _is_by_others(node: dict[str, Any]) -> bool:
    editor, author = node.get("editor"), node.get("author")
    return node.get("lastEditedAt") is not None and editor is not None and author is not None and editor != author


async def _nodes(api: Api, query: str, node_ids: Sequence[str]) -> tuple[list[dict[str, Any]], Reply]:
    reply = await api.query_graphql(query, {"ids": list(node_ids)})
    data = reply.body.get("data") if isinstance(reply.body, dict) else None
    nodes = data.get("nodes") if isinstance(data, dict) else None
    if not isinstance(nodes, list):
        raise Unreachable("POST /graphql: unreadable answer about what was edited")
    return [one for one in nodes if isinstance(one, dict)], reply


async def _mutate(api: Api, name: str, query: str, variables: dict[str, Any]) -> Reply:
    """GraphQL answers 200 with errors in the body; an error of no known type may have happened after the change."""
    reply = await api.post_graphql(query, variables)
    body = reply.body if isinstance(reply.body, dict) else {}
    data = body.get("data")
    if not body.get("errors") and isinstance(data, dict) and data.get(name) is not None:
        return reply
    kinds = error_kinds(body)
    if "NOT_FOUND" in kinds:
        raise Gone(f"POST /graphql {name}: not found")
    if kinds & REFUSALS:
        raise Forbidden(f"POST /graphql {name}: refused")
    raise OutcomeUnknown(f"POST /graphql {name}: unreadable answer")
