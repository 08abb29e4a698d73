"""Whether the base contains a merge: the commits that are named first, the pull request's own before ours, then all that came
to the base since a commit of it that is older than the merge (docs/decisions/unknown-outcome.md).

The base is looked up as a branch, once, and everything is asked of the commit that it is at then: a tag may have its name,
and pages of what moves do not fit together.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from bot.domain.model.questions import MergeEvidenceOf
from bot.github.absence import surely
from bot.github.api import Api, segment
from bot.github.facts.pulls import ListedPull, Pull
from bot.github.failures import Elsewhere
from bot.github.lists import PER_PAGE, is_last
from bot.github.reply import Reply
from bot.github.shapes import Moment, Part, Text
from bot.ports.failures import Forbidden, Gone, Unreachable

#: Commits that came to the base since then, as many as are looked through. Behind them "not on the base" is not proven.
MOST_NEWER = 500
#: For so many of them one look asks whose they are. The next look goes on behind those.
MOST_LOOKUPS = 250


class _Named(Part):
    sha: Text


class _Commit(_Named):
    parents: tuple[_Named, ...] = ()


class _Branch(Part):
    commit: _Named


class _Compared(Part):
    """`base_commit` is the commit that is compared with; `commits` one page of what the other one has more."""

    status: Text
    base_commit: _Commit
    total_commits: int
    commits: tuple[_Commit, ...]


class _Listed(ListedPull):
    merged_at: Moment | None = None


@dataclass(frozen=True, slots=True)
class BaseSide:
    """`sha`: the commit on the base that is the merge; `whole`: the head is in its history. `too_long`: more came to the base
    than is looked through."""

    contains: bool | None
    reply: Reply
    sha: str | None = None
    whole: bool = False
    too_long: bool = False


async def base_side(api: Api, question: MergeEvidenceOf, pull: Pull | None) -> BaseSide:
    tip = await _tip(api, question.base)
    if isinstance(tip, Reply):
        return _without_a_base(tip, question, pull)
    sha, reply = tip
    of_pull = pull.merge_commit_sha if pull is not None and pull.merged else None
    for named in dict.fromkeys((of_pull, question.sha)):
        found = await _named(api, question, pull, (named, sha)) if named else None
        if found is not None:
            return found
    since = question.since or (pull.base.sha if pull is not None else None)
    if since is None:
        return BaseSide(None, reply)
    if since == sha:
        return BaseSide(False, reply)
    return await _search(api, question, pull, (since, sha))


async def _tip(api: Api, base: str) -> tuple[str, Reply] | Reply:
    """Where the branch is now; or the repository, which is there and has no such branch."""
    try:
        reply = await surely(api, lambda: api.get(f"/branches/{segment(base)}"))
    except Elsewhere:
        raise
    except Gone:
        return await api.still_there()
    return reply.read(_Branch).commit.sha, reply


def _without_a_base(repository: Reply, question: MergeEvidenceOf, pull: Pull | None) -> BaseSide:
    """What GitHub closed for a base that is gone lands nowhere any more, and no branch of that name has it."""
    if pull is None or pull.merged or pull.state == "open":
        raise Unreachable(f"the branch {question.base} is not there")
    return BaseSide(False, repository)


async def _named(
    api: Api, question: MergeEvidenceOf, pull: Pull | None, named_and_tip: tuple[str, str]
) -> BaseSide | None:
    """None when this commit is not the merge of this pull request, or is not on the base."""
    named, tip = named_and_tip
    try:
        reply = await api.get(f"/compare/{segment(named)}...{tip}", per_page=1)
        compared = reply.read(_Compared)
        commit = compared.base_commit
        if compared.status not in ("ahead", "identical"):
            return None
        if _names_head(commit, question, pull):
            return BaseSide(True, reply, commit.sha, whole=True)
        return BaseSide(True, reply, commit.sha) if await _introduced_by(api, commit.sha, question.pull) else None
    except (Gone, Forbidden):
        return None


async def _search(api: Api, question: MergeEvidenceOf, pull: Pull | None, since_and_tip: tuple[str, str]) -> BaseSide:
    """Whatever the base has and `since` has not. A merge is made after it, so it is among these, wherever the base was set."""
    try:
        commits, total, reply = await surely(api, lambda: _newer(api, *since_and_tip))
    except Elsewhere:
        raise
    except Gone:
        commits, total, reply = await _of_all(api, since_and_tip[1])
    for commit in commits:
        if _names_head(commit, question, pull):
            return BaseSide(True, reply, commit.sha, whole=True)
    single = (one.sha for one in commits if len(one.parents) == 1)
    sha, all_asked = await _brought_by(api, question.pull, single)
    if sha is not None:
        return BaseSide(True, reply, sha)
    too_long = total > len(commits)
    return BaseSide(False if all_asked and not too_long else None, reply, too_long=too_long)


async def _newer(api: Api, since: str, tip: str) -> tuple[tuple[_Commit, ...], int, Reply]:
    """The oldest of what came, as many as are looked through, the newest of them first; and how many there are."""
    found: dict[str, _Commit] = {}
    for page in range(1, MOST_NEWER // PER_PAGE + 1):
        reply = await api.get(f"/compare/{since}...{tip}", per_page=PER_PAGE, page=page)
        compared = reply.read(_Compared)
        before = len(found)
        found |= {one.sha: one for one in compared.commits}
        if len(found) >= compared.total_commits:
            break
        if len(found) == before:
            raise Unreachable(f"GET /compare/{since}...{tip}: fewer commits than it counts")
    return tuple(found.values())[::-1], compared.total_commits, reply


async def _of_all(api: Api, tip: str) -> tuple[tuple[_Commit, ...], int, Reply]:
    """The same of a base that has nothing in common with what it was."""
    found: tuple[_Commit, ...] = ()
    for page in range(1, MOST_NEWER // PER_PAGE + 1):
        reply = await api.get("/commits", sha=tip, per_page=PER_PAGE, page=page)
        part = reply.read(tuple[_Commit, ...])
        found += part
        if is_last(reply, part, PER_PAGE):
            return found, len(found), reply
    return found, len(found) + 1, reply


async def _brought_by(api: Api, pull: int, commits: Iterable[str]) -> tuple[str | None, bool]:
    """The commit that GitHub says this pull request brought, and whether all of them were asked for, now or often enough."""
    unrelated, lookups = api.gateway.unrelated, 0
    for sha in commits:
        pair = (api.repo.id, pull, sha)
        if unrelated.is_certain(pair):
            continue
        if lookups == MOST_LOOKUPS:
            return None, False
        lookups += 1
        if await _introduced_by(api, sha, pull):
            return sha, True
        unrelated.say(pair, api.gateway.clock.monotonic())
    return None, True


def _names_head(commit: _Commit, question: MergeEvidenceOf, pull: Pull | None) -> bool:
    """A merge commit has the head as a parent; commits pushed straight to the base are the head itself."""
    heads = {question.head, *([pull.head.sha] if pull is not None and pull.merged else [])}
    merges = {parent.sha for parent in commit.parents} if len(commit.parents) > 1 else set()
    return bool(heads & {commit.sha, *merges})


async def _introduced_by(api: Api, sha: str, number: int) -> bool:
    """Of a commit that the default branch lacks GitHub lists open pull requests as well, which merely contain it."""
    pulls, _ = await api.rows(f"/commits/{sha}/pulls", _Listed)
    return any(
        one.number == number
        and one.base.repo is not None
        and one.base.repo.id == api.repo.id
        and one.merged_at is not None
        for one in pulls
    )
