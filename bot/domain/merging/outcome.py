"""What GitHub's answer to a merge request means (reference: GitHub's REST documentation and what bots saw in the field).

Message texts are not a contract: only (status, known text) pairs are definitive. Everything else is ambiguous: it may
have landed, or may still land.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bot.domain.model.effects import MergeReply

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

#: Texts (405, lately also 409) that say the base moved under the request: nothing landed, and it may be tried again.
BASE_MOVED = ("base branch was modified", "head branch is out of date")
#: 405 texts by which GitHub refuses for a rule, whatever the time.
POLICY_TEXTS = (
    "required status check",
    "status checks are expected",
    "approving review",
    "review is required",
    "changes must be made through",
    "merge queue",
    "merges are not allowed",
    "merge commits are not allowed",
    "squash merges are not allowed",
    "rebase merges are not allowed",
    "linear history",
    "cannot be rebased",
    "draft",
    "is still a work in progress",
    "protected branch",
    "repository rule violations",
    "unresolved conversations",
    "signed",
)


@dataclass(frozen=True, slots=True)
class Classified:
    """`text` is GitHub's own words for people; `sha` the merge commit when it landed; `not_before` when to try again."""

    kind: ReplyKind
    text: str
    sha: str | None = None
    uuid: str | None = None
    not_before: datetime | None = None


def classify(reply: MergeReply, head: str) -> Classified:
    """Judge one reply to a request for `head`. Fails closed: what is not known to be a no is ambiguous."""
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
    return _async(reply, head, text) if reply.api == "async" else _sync(reply, text)


def _sync(reply: MergeReply, text: str) -> Classified:
    lowered = text.lower()
    match reply.status:
        case 200 if reply.merged is True:
            return Classified("landed", text, sha=reply.sha)
        case 409 if "head branch was modified" in lowered:
            return Classified("refused_head", text)
        case 405 | 409 if any(known in lowered for known in BASE_MOVED):
            return Classified("refused_base", text)
        case 405 if "already in progress" not in lowered and any(known in lowered for known in POLICY_TEXTS):
            return Classified("refused_policy", text)
        case 405 if "is not mergeable" in lowered:
            return Classified("refused_unless_merged", text)
        case 404:
            return Classified("refused_policy", text)
        case _:
            # "Merge already in progress" may be our own earlier request.
            return Classified("ambiguous", text)


def _async(reply: MergeReply, head: str, text: str) -> Classified:
    match reply.status, reply.body_status:
        case 200, "merged":
            return Classified("landed", text, sha=reply.sha)
        case 202, "pending" if reply.uuid:
            return Classified("running", text, uuid=reply.uuid)
        case 409, "pending" if reply.uuid and reply.expected_head == head:
            return Classified("ambiguous", text, uuid=reply.uuid)
        case 409, _ if "head branch was modified" in text.lower():
            return Classified("refused_head", text)
        case 400, "failed":
            return Classified("refused_policy", text)
        case 404, _:
            return Classified("no_async", text)
        case _:
            return Classified("ambiguous", text)
