"""Pull requests as they are now, and which of them stand at a commit."""

from collections.abc import Awaitable, Mapping
from typing import Annotated, Any

import httpx
from pydantic import BeforeValidator

from bot.domain.model.credits import Credits, credits_of
from bot.domain.model.facts import UNTOLD, Answer, PullFacts, PullSummary, Push, WorkflowFiles
from bot.domain.model.ids import Person
from bot.domain.model.questions import (
    CoAuthorsOf,
    CommitAuthorsOf,
    Contains,
    DescriptionEdited,
    OpenPullsAt,
    OpenPullsBelow,
    PullOf,
    PushesTo,
    WorkflowFilesIn,
)
from bot.github.absence import surely, thread_is_gone
from bot.github.api import Api
from bot.github.facts.rules import contains
from bot.github.facts.threads import LabelName, person
from bot.github.failures import Elsewhere
from bot.github.graphql import edited
from bot.github.lists import PER_PAGE, back, is_last
from bot.github.reply import Reply
from bot.github.shapes import Id, Moment, Part, Text, User
from bot.ports.failures import Gone, Unreachable

BRANCHES = "refs/heads/"
WORKFLOWS = ".github/workflows/"
#: GitHub lists no more files of a pull request than this; beyond it nobody knows what else it touches.
MOST_FILES = 3000
#: Nor more commits of one; beyond it nobody knows whose commits it has.
MOST_COMMITS = 250
#: So many pages of closed pull requests, the newest first, are looked through for the lower ones of a stack.
CLOSED_PAGES = 10


class Holder(Part):
    id: Id


class Side(Part):
    ref: Text
    sha: Text
    repo: Holder | None = None


class _Stack(Part):
    """Position 1 is the bottom. Lists show the stack of every pull request, so its members find each other there."""

    id: int
    position: int


class ListedPull(Part):
    """As in lists, which lack `merged`."""

    number: Id
    state: Text
    draft: bool = False
    head: Side
    base: Side
    stack: _Stack | None = None


class Pull(ListedPull):
    """`GET /pulls/{number}`. `merge_commit_sha` is a mere test merge before the merge, and missing in newer versions."""

    node_id: Text
    title: Text
    body: Text | None = None
    html_url: Text = ""
    user: User | None = None
    merged: bool
    merged_at: Moment | None = None
    merged_by: User | None = None
    merge_commit_sha: Text | None = None
    updated_at: Moment
    locked: bool = False
    labels: tuple[LabelName, ...] = ()
    auto_merge: dict[str, object] | None = None


class _Author(Part):
    name: Text = ""
    email: Text = ""


class _Message(Part):
    message: Text = ""
    author: _Author | None = None


#: An address that GitHub maps to no account is nobody's, or an object without anything in it.
_Mapped = Annotated[User | None, BeforeValidator(lambda user: user or None)]


class _PullCommit(Part):
    sha: Text = ""
    author: _Mapped = None
    committer: _Mapped = None
    commit: _Message | None = None


class _Activity(Part):
    before: Text
    after: Text
    ref: Text
    actor: User | None = None


class _File(Part):
    filename: Text
    previous_filename: Text | None = None


async def read_pull(api: Api, number: int) -> tuple[Pull, Reply]:
    """Raises Gone also when the name now leads to another repository."""
    reply = await api.get(f"/pulls/{number}")
    pull = reply.read(Pull)
    if pull.base.repo is None or pull.base.repo.id != api.repo.id:
        raise Elsewhere(f"GET /pulls/{number}: another repository answers under this name")
    return pull, reply


async def pull(api: Api, question: PullOf) -> Answer[PullFacts | None]:
    try:
        read, reply = await surely(api, lambda: read_pull(api, question.number))
    except Gone:
        return (await thread_is_gone(api, question.number, as_pull=True)).answer(None)
    author: Person | None = person(read.user)
    return reply.answer(
        PullFacts(
            number=read.number,
            node_id=read.node_id,
            title=read.title,
            body=read.body or "",
            url=read.html_url,
            author=author,
            author_is_bot=read.user is not None and read.user.type == "Bot",
            open=read.state == "open",
            draft=read.draft,
            merged=read.merged,
            merged_at=read.merged_at,
            merged_by=person(read.merged_by),
            merge_sha=read.merge_commit_sha if read.merged else None,
            head_sha=read.head.sha,
            head_ref=read.head.ref,
            head_repository_id=read.head.repo.id if read.head.repo else None,
            base_ref=read.base.ref,
            base_sha=read.base.sha,
            base_repository_id=api.repo.id,
            updated_at=read.updated_at,
            stack=await _open_members(api, read) if read.state == "open" else (),
            locked=read.locked,
            labels=read.labels,
            auto_merge=read.auto_merge is not None,
        )
    )


async def _open_members(api: Api, pull: ListedPull) -> tuple[int, ...] | None:
    """The open pull requests of its stack, bottom first: merging one merges all below it. None where the lists do not show
    all up to its own position: what they lack may be open."""
    if pull.stack is None:
        return ()
    listed, _ = await api.rows("/pulls", ListedPull, state="open")
    members = _members(listed, pull.stack)
    lacking = set(range(1, pull.stack.position)) - {position for position, _ in members}
    if (pull.stack.position, pull.number) not in members or not await _are_closed(api, pull.stack, lacking):
        return None
    return tuple(number for _, number in sorted(members))


async def _are_closed(api: Api, stack: _Stack, positions: set[int]) -> bool:
    """Whether the newest closed pull requests account for all of these positions."""
    for page in range(1, CLOSED_PAGES + 1):
        if not positions:
            break
        reply = await api.get("/pulls", state="closed", sort="updated", direction="desc", per_page=PER_PAGE, page=page)
        listed: tuple[ListedPull, ...] = reply.read(tuple[ListedPull, ...])
        positions = positions - {position for position, _ in _members(listed, stack)}
        if is_last(reply, listed, PER_PAGE):
            break
    return not positions


def _members(listed: tuple[ListedPull, ...], stack: _Stack) -> set[tuple[int, int]]:
    """Position and number of those that are in this stack."""
    return {(one.stack.position, one.number) for one in listed if one.stack is not None and one.stack.id == stack.id}


async def open_pulls_at(api: Api, question: OpenPullsAt) -> Answer[tuple[PullSummary, ...]]:
    """Of all that are open: what GitHub lists by a commit are only merged ones once the default branch has it."""
    pulls, reply = await api.rows("/pulls", ListedPull, state="open")
    here = (
        PullSummary(number=one.number, head_sha=one.head.sha, base_ref=one.base.ref, draft=one.draft)
        for one in pulls
        if one.state == "open"
        and one.head.sha == question.head
        and one.base.repo is not None
        and one.base.repo.id == api.repo.id
    )
    return reply.answer(tuple(sorted(here, key=lambda one: one.number)))


async def open_pulls_below(api: Api, question: OpenPullsBelow) -> Answer[tuple[int, ...]]:
    """What the base lacks of this pull request is the list of its commits; where that is as long as GitHub makes any, the
    history is asked for each head."""
    listed, _ = await api.rows("/pulls", ListedPull, state="open")
    own = next((one for one in listed if one.number == question.pull), None)
    if own is None:
        raise Unreachable(f"GET /pulls: #{question.pull} is not among the open ones")
    others = [one for one in listed if one.base.ref == own.base.ref and one.head.sha != own.head.sha]
    commits, reply = await api.rows(f"/pulls/{question.pull}/commits", _PullCommit)
    if len(commits) < MOST_COMMITS:
        inside = {one.sha for one in commits}
        return reply.answer(tuple(sorted(one.number for one in others if one.head.sha in inside)))
    below = [one.number for one in others if (await contains(api, Contains(own.head.sha, one.head.sha))).value]
    return reply.answer(tuple(sorted(below)))


async def description_edited(api: Api, question: DescriptionEdited) -> Answer[bool]:
    """REST does not tell. Where nobody does, it may have been."""
    changed, reply = await edited(api, [question.node_id])
    return reply.answer(question.node_id in changed.found | changed.unsaid)


async def commit_authors(api: Api, question: CommitAuthorsOf) -> Answer[tuple[Person, ...] | None]:
    """Authors and committers, each once; None where the list is as long as GitHub makes any."""
    commits, reply = await api.rows(f"/pulls/{question.pull}/commits", _PullCommit)
    if len(commits) >= MOST_COMMITS:
        return reply.answer(None)
    people = {
        who.id: who for one in commits for user in (one.author, one.committer) if (who := person(user)) is not None
    }
    return reply.answer(tuple(people[number] for number in sorted(people)))


async def co_authors(api: Api, question: CoAuthorsOf) -> Answer[Credits]:
    """Who committed it only carried it over, such as GitHub itself for what is edited there."""
    commits, reply = await api.rows(f"/pulls/{question.pull}/commits", _PullCommit)
    host = httpx.URL(api.gateway.endpoint.api_url).host.removeprefix("api.")
    return reply.answer(credits_of(((person(one.author), _said(one)) for one in commits), host))


def _said(one: _PullCommit) -> str:
    """The message; whoever made the commit and has no account here is credited as its trailers would credit them."""
    commit = one.commit
    if commit is None or commit.author is None or one.author is not None:
        return commit.message if commit else ""
    by, address = " ".join(commit.author.name.split()), "".join(commit.author.email.split())
    return f"{commit.message}\n\nCo-authored-by: {by} <{address}>"


async def pushes(api: Api, question: PushesTo) -> Answer[tuple[Push, ...]]:
    """Newest first. Whoever moved the branch is named by their number, App and bot accounts too."""
    ref = f"{BRANCHES}{question.branch}"

    def ask(where: Mapping[str, str], size: int) -> Awaitable[Reply]:
        asked: dict[str, Any] = {**where, "ref": ref, "direction": "desc", "per_page": size}
        return api.get("/activity", **asked)

    rows, last, whole = await back("GET /activity", ask, lambda page: page.read(tuple[_Activity, ...]))
    found = (Push(before=one.before, after=one.after, actor=person(one.actor)) for one in rows if one.ref == ref)
    return last.answer((*found, *(() if whole else (UNTOLD,))))


async def workflow_files(api: Api, question: WorkflowFilesIn) -> Answer[WorkflowFiles]:
    """Renaming a workflow away touches it too."""
    files, reply = await api.rows(f"/pulls/{question.pull}/files", _File)
    touched = any(
        name.startswith(WORKFLOWS)
        for one in files
        for name in (one.filename, one.previous_filename)
        if name is not None
    )
    found: WorkflowFiles = "touched" if touched else "unlisted" if len(files) >= MOST_FILES else "none"
    return reply.answer(await beyond_us(api, found))


async def beyond_us(api: Api, found: WorkflowFiles) -> WorkflowFiles:
    """What of it the installation does not let us merge."""
    return "none" if found != "none" and await api.may_by_now("workflows") else found
