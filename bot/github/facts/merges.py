"""Did it land? Two independent sides: what the pull request says, and what the base branch contains."""

from dataclasses import replace
from typing import Literal, get_args

from bot.domain.model.facts import Answer, AsyncMergeFacts, MergeEvidence
from bot.domain.model.questions import AsyncMergeOf, MergeEvidenceOf
from bot.github.api import Api, segment
from bot.github.facts.base_side import base_side
from bot.github.facts.confirmation import confirmed
from bot.github.facts.pulls import Pull, read_pull
from bot.github.facts.threads import person
from bot.github.shapes import Part, Text
from bot.ports.failures import ForgeFailure, Gone

AsyncStatus = Literal["pending", "merged", "enqueued", "failed"]


class _Details(Part):
    sha: Text | None = None
    message: Text | None = None
    expected_head_sha: Text | None = None


class _AsyncMerge(Part):
    status: Text
    details: _Details = _Details()


async def evidence(api: Api, question: MergeEvidenceOf) -> Answer[MergeEvidence]:
    """A side that cannot be read is None; when neither can, there is no answer. What GitHub named a merge of may be confirmed at
    once."""
    began_at = api.now()
    if question.sha is not None and (found_at_once := await confirmed(api, question, began_at)) is not None:
        return found_at_once
    pull, base, trouble = None, None, None
    by_us, reply = False, None
    try:
        pull, reply = await read_pull(api, question.pull)
        by_us = await _by_us(api, pull)
    except ForgeFailure as failure:
        pull, trouble = None, failure
    if pull is not None and pull.merged and pull.base.ref != question.base:
        question = replace(question, base=pull.base.ref, since=None)
    try:
        base = await base_side(api, question, pull)
        reply = base.reply
    except ForgeFailure as failure:
        trouble = trouble or failure
    if reply is None or (pull is None and base is None):
        raise trouble or Gone(f"GET /pulls/{question.pull}")
    merged_sha = pull.merge_commit_sha if pull is not None and pull.merged else None
    found = MergeEvidence(
        pull_merged=pull.merged if pull else None,
        pull_open=pull.state == "open" if pull else None,
        head=pull.head.sha if pull else None,
        merge_sha=(base.sha if base else None) or merged_sha,
        merged_by=person(pull.merged_by) if pull else None,
        merged_by_us=by_us,
        merged_at=pull.merged_at if pull else None,
        base=question.base,
        on_base=base.contains if base else None,
        whole=base is not None and base.whole,
        too_long=base is not None and base.too_long,
        began_at=began_at,
    )
    return reply.answer(found)


async def async_merge(api: Api, question: AsyncMergeOf) -> Answer[AsyncMergeFacts]:
    """GitHub forgets a request a day after its last change. Whether it may have by now, the rule knows that asked."""
    try:
        reply = await api.get(f"/pulls/{question.pull}/merge-async/{segment(question.uuid)}")
    except Gone:
        return (await api.still_there()).answer(AsyncMergeFacts(status="gone"))
    read = reply.read(_AsyncMerge)
    status = next((known for known in get_args(AsyncStatus) if known == read.status), "unknown")
    details = read.details
    found = AsyncMergeFacts(
        status=status, sha=details.sha, message=details.message, expected_head=details.expected_head_sha
    )
    return reply.answer(found)


async def _by_us(api: Api, pull: Pull) -> bool:
    """By number: the account of our App, never a login."""
    if not pull.merged or pull.merged_by is None or pull.merged_by.type != "Bot":
        return False
    return pull.merged_by.id == await api.own_account()
