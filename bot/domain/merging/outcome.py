"""What GitHub's answer to a merge request means (reference: GitHub's REST documentation and what bots saw in the field).

Message texts are not a contract: only (status, known text) pairs are definitive. Everything else is ambiguous: it may
have landed, or may still land.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bot.domain.merging.phrases import BASE_MOVED, HEAD_MOVED, NOT_MERGEABLE, RULES_REFUSE, says
from bot.domain.model.effects import MergeReply
from bot.domain.model.merge import MergeMethod

ReplyKind = Literal[
    "landed",
    "running",
    "not_sent",
    "refused_head",
    "refused_base",
    "refused_policy",
    "refused_unless_merged",
    "not_executed",
    "no_async",
    "ambiguous",
]


@dataclass(frozen=True, slots=True)
class Classified:
    """`text` is GitHub's own words for people; `sha` the merge commit when it landed; `not_before` when to try again."""

    kind: ReplyKind
    text: str
    sha: str | None = None
    uuid: str | None = None
    not_before: datetime | None = None


def classify(reply: MergeReply, head: str, method: MergeMethod | None) -> Classified:
    """Judge one reply to a request to merge `head` by `method`. Fails closed: what is not known to be a no is ambiguous."""
    if not reply.sent:
        return Classified("not_sent", reply.why or "the request was not sent")
    if reply.status is None:
        return Classified("ambiguous", "no answer")
    if reply.status >= 500:
        return Classified("ambiguous", f"HTTP {reply.status}")
    text = reply.message or f"HTTP {reply.status}"
    if reply.status in {401, 301, 302, 303, 307, 308}:
        return Classified("not_executed", text, not_before=reply.not_before)
    if reply.status == 429 or (reply.status == 403 and reply.not_before is not None):
        return Classified("not_executed", text, not_before=reply.not_before)
    if reply.status in {403, 422}:
        return Classified("refused_policy", text)
    return _async(reply, _is_ours(reply, head, method), text) if reply.api == "async" else _sync(reply, text)


def _sync(reply: MergeReply, text: str) -> Classified:
    match reply.status:
        case 200 if reply.merged is True:
            return Classified("landed", text, sha=reply.sha)
        case 409 if says(HEAD_MOVED, text):
            return Classified("refused_head", text)
        case 405 | 409 if says(BASE_MOVED, text):
            return Classified("refused_base", text)
        case 405 if says(RULES_REFUSE, text):
            return Classified("refused_policy", text)
        case 405 if says(NOT_MERGEABLE, text):
            return Classified("refused_unless_merged", text)
        case 404:
            return Classified("refused_policy", text)
        case _:
            # "Merge already in progress" may be our own earlier request.
            return Classified("ambiguous", text)


def _is_ours(reply: MergeReply, head: str, method: MergeMethod | None) -> bool:
    """Whether the request that runs asks for what we asked for. One of somebody else for this head is not adopted."""
    return reply.direct and (reply.expected_head, reply.merge_method) == (head, method)


def _async(reply: MergeReply, ours: bool, text: str) -> Classified:
    match reply.status, reply.body_status:
        case 200, "merged":
            return Classified("landed", text, sha=reply.sha)
        case 202, "pending" if reply.uuid:
            return Classified("running", text, uuid=reply.uuid)
        case 409, "pending" if reply.uuid and ours:
            return Classified("ambiguous", text, uuid=reply.uuid)
        case 409, _ if says(HEAD_MOVED, text):
            return Classified("refused_head", text)
        case 400, "failed":
            return Classified("refused_policy", text)
        case 404, _:
            return Classified("no_async", text)
        case _:
            return Classified("ambiguous", text)
