"""Did it land? Two independent sides: what the pull request says, and what the base branch contains."""

from dataclasses import dataclass, replace
from typing import Literal, get_args

from bot.domain.model.facts import Answer, AsyncMergeFacts, MergeEvidence
from bot.domain.model.questions import AsyncMergeOf, MergeEvidenceOf
from bot.github.api import Api, segment
from bot.github.facts.confirmation import confirmed
from bot.github.facts.pulls import ListedPull, Pull, read_pull
from bot.github.facts.threads import person
from bot.github.lists import PER_PAGE, is_last
from bot.github.reply import Reply
from bot.github.shapes import Part, Text
from bot.ports.failures import Forbidden, ForgeFailure, Gone

#: Commits of the base whose pull requests are asked for, newest first. Beyond them "not on the base" is not proven.
MOST_LOOKUPS = 30

AsyncStatus = Literal["pending", "merged", "enqueued", "failed"]


class _Commit(Part):
    sha: Text
    parents: tuple["_Parent", ...] = ()


class _Parent(Part):
    sha: Text


class _Compared(Part):
    status: Text


class _Details(Part):
    sha: Text | None = None
    message: Text | None = None
    expected_head_sha: Text | None = None


class _AsyncMerge(Part):
    status: Text
    details: _Details = _Details()


@dataclass(frozen=True, slots=True)
class _Base:
    """`sha`: the commit on the base that is the merge."""

    contains: bool | None
    sha: str | None
    reply: Reply


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
    if pull is not None and pull.merged:
        question = replace(question, base=pull.base.ref)
    try:
        base = await _on_base(api, question, pull)
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


async def _on_base(api: Api, question: MergeEvidenceOf, pull: Pull | None) -> _Base:
    """The commits that are named first; when none of them is the merge, the base is searched."""
    of_pull = pull.merge_commit_sha if pull is not None and pull.merged else None
    for named in dict.fromkeys((question.sha, of_pull)):
        found = await _named(api, question, pull, named) if named else None
        if found is not None:
            return found
    return await _search(api, question, pull)


async def _named(api: Api, question: MergeEvidenceOf, pull: Pull | None, sha: str) -> _Base | None:
    """None when this commit is not the merge of this pull request, or is not on the base."""
    try:
        commit = (await api.get(f"/commits/{segment(sha)}")).read(_Commit)
        if not (_names_head(commit, question, pull) or await _introduced_by(api, commit.sha, question.pull)):
            return None
        reply = await api.get(f"/compare/{segment(commit.sha)}...{segment(question.base)}")
    except (Gone, Forbidden):
        return None
    contains = reply.read(_Compared).status in ("ahead", "identical")
    return _Base(contains=True, sha=commit.sha, reply=reply) if contains else None


async def _search(api: Api, question: MergeEvidenceOf, pull: Pull | None) -> _Base:
    """Walk back from the tip of the base to where the pull request began, or to the limit."""
    reply = await api.get("/commits", sha=question.base, per_page=PER_PAGE)
    commits = reply.read(tuple[_Commit, ...])
    for commit in commits:
        if _names_head(commit, question, pull):
            return _Base(contains=True, sha=commit.sha, reply=reply)
    lookups = 0
    for commit in commits:
        if pull is not None and commit.sha == pull.base.sha:
            return _Base(contains=False, sha=None, reply=reply)
        if len(commit.parents) != 1:
            continue
        if lookups == MOST_LOOKUPS:
            return _Base(contains=None, sha=None, reply=reply)
        lookups += 1
        if await _introduced_by(api, commit.sha, question.pull):
            return _Base(contains=True, sha=commit.sha, reply=reply)
    return _Base(contains=False if is_last(reply, commits, PER_PAGE) else None, sha=None, reply=reply)


def _names_head(commit: _Commit, question: MergeEvidenceOf, pull: Pull | None) -> bool:
    """A merge commit has the head as a parent; commits pushed straight to the base are the head itself."""
    heads = {question.head, *([pull.head.sha] if pull is not None and pull.merged else [])}
    merges = {parent.sha for parent in commit.parents} if len(commit.parents) > 1 else set()
    return bool(heads & {commit.sha, *merges})


async def _introduced_by(api: Api, sha: str, number: int) -> bool:
    pulls, _ = await api.rows(f"/commits/{sha}/pulls", ListedPull)
    return any(p.number == number and p.base.repo is not None and p.base.repo.id == api.repo.id for p in pulls)
