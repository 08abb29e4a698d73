"""What GraphQL tells of a repository, where that is as plain as what REST tells. For the rest NotPlain or Unreachable is
raised."""

from typing import Any, Generic, TypeVar

from pydantic import Field

from bot.domain.model.facts import Answer, BaseRules, PullFacts, PullSummary, WorkflowFiles
from bot.domain.model.ids import Person
from bot.domain.model.policy_file import ABSENT, PATH, PolicyFileNow
from bot.domain.model.questions import Contains, OpenPullsAt, PullOf, RulesOf, WorkflowFilesIn
from bot.github.api import Api
from bot.github.facts.pulls import WORKFLOWS, beyond_us
from bot.github.facts.rules import Settings, rules_in
from bot.github.reply import Reply
from bot.github.shapes import Id, Moment, Object, Part, Ref, Text

T = TypeVar("T")

#: Git's modes of a regular file: a link leads elsewhere.
REGULAR = (0o100644, 0o100755)
#: Of these the former name matters, which GraphQL does not tell.
MOVED = {"RENAMED", "COPIED"}


#: Rows that are asked for.
MOST = 100


class NotPlain(Exception):
    """To be read by itself."""


class _Page(Part):
    more: bool = Field(alias="hasNextPage")


class _List(Part, Generic[T]):
    """One page of what GraphQL calls a connection."""

    nodes: tuple[T, ...]
    page: _Page = Field(alias="pageInfo")


class _Numbered(Part):
    id: Id = Field(alias="databaseId")


class _Author(Part):
    kind: Text = Field(alias="__typename")
    login: Text
    id: Id | None = Field(default=None, alias="databaseId")


class _Label(Part):
    name: Text


class _Pull(Part):
    node_id: Text = Field(alias="id")
    number: Id
    title: Text
    body: Text
    url: Text
    state: Text
    merged: bool
    draft: bool = Field(alias="isDraft")
    locked: bool
    updated_at: Moment = Field(alias="updatedAt")
    head: Text = Field(alias="headRefOid")
    head_ref: Text = Field(alias="headRefName")
    base_ref: Text = Field(alias="baseRefName")
    base: Text = Field(alias="baseRefOid")
    author: _Author | None
    head_repository: _Numbered | None = Field(alias="headRepository")
    labels: _List[_Label]
    auto_merge: dict[str, object] | None = Field(alias="autoMergeRequest")
    stack: dict[str, object] | None


class _ThePull(Part):
    pull: _Pull | None = Field(alias="pullRequest")


class _File(Part):
    path: Text
    change: Text = Field(alias="changeType")


class _Changed(Part):
    files: _List[_File]


class _TheFiles(Part):
    changed: _Changed


class _Listed(Part):
    number: Id
    head: Text = Field(alias="headRefOid")
    base_ref: Text = Field(alias="baseRefName")
    draft: bool = Field(alias="isDraft")


class _TheOpen(Part):
    open: _List[_Listed]


class _TheSettings(Part):
    merge: bool = Field(alias="mergeCommitAllowed")
    squash: bool = Field(alias="squashMergeAllowed")
    rebase: bool = Field(alias="rebaseMergeAllowed")


class _TheTip(Part):
    tip: Ref


class _Entry(Part):
    name: Text
    mode: int
    oid: Text


class _Folder(Part):
    kind: Text = Field(alias="__typename")
    entries: tuple[_Entry, ...] = ()


class _History(Part):
    nodes: tuple[Object, ...]


class _Commit(Part):
    history: _History


class _Default(Part):
    target: _Commit


class _ThePolicy(Part):
    folder: _Folder | None
    default: _Default = Field(alias="defaultBranchRef")


async def pull(said: Reply, api: Api, _question: PullOf) -> PullFacts:
    """One that is open and in no stack, of an account that is there."""
    read = said.read(_ThePull).pull
    if read is None or read.merged or read.state != "OPEN" or read.stack is not None or _is_cut(read.labels):
        raise NotPlain
    return PullFacts(
        number=read.number,
        node_id=read.node_id,
        title=read.title,
        body=read.body,
        url=read.url,
        author=_person(read.author),
        author_is_bot=read.author is not None and read.author.kind == "Bot",
        open=True,
        draft=read.draft,
        head_sha=read.head,
        head_ref=read.head_ref,
        head_repository_id=read.head_repository.id if read.head_repository else None,
        base_ref=read.base_ref,
        base_sha=read.base,
        base_repository_id=api.repo.id,
        updated_at=read.updated_at,
        locked=read.locked,
        labels=tuple(label.name for label in read.labels.nodes),
        auto_merge=read.auto_merge is not None,
    )


def _is_cut(found: _List[Any]) -> bool:
    """Whether there may be more than it shows: only a page with room left is the last one."""
    return found.page.more or len(found.nodes) >= MOST


def _person(author: _Author | None) -> Person:
    """Under the login that REST gives an App's account."""
    if author is None or author.id is None or author.kind not in {"User", "Bot"}:
        raise NotPlain
    return Person(id=author.id, login=f"{author.login}[bot]" if author.kind == "Bot" else author.login)


async def open_pulls_at(said: Reply, _api: Api, question: OpenPullsAt) -> tuple[PullSummary, ...]:
    found = said.read(_TheOpen).open
    if _is_cut(found):
        raise NotPlain
    here = (
        PullSummary(number=one.number, head_sha=one.head, base_ref=one.base_ref, draft=one.draft)
        for one in found.nodes
        if one.head == question.head
    )
    return tuple(sorted(here, key=lambda one: one.number))


async def workflow_files(said: Reply, api: Api, _question: WorkflowFilesIn) -> WorkflowFiles:
    files = said.read(_TheFiles).changed.files
    if _is_cut(files) or any(one.change in MOVED for one in files.nodes):
        raise NotPlain
    touched = any(one.path.startswith(WORKFLOWS) for one in files.nodes)
    return await beyond_us(api, "touched" if touched else "none")


async def policy_file_now(said: Reply, _api: Api, _question: PolicyFileNow) -> str:
    """Nothing is there where neither the newest commit nor the log of the path has it."""
    read = said.read(_ThePolicy)
    if read.folder is not None and read.folder.kind != "Tree":
        raise NotPlain
    name = PATH.rpartition("/")[2]
    entry = next((one for one in (read.folder.entries if read.folder else ()) if one.name == name), None)
    if (entry is None and read.default.target.history.nodes) or (entry is not None and entry.mode not in REGULAR):
        raise NotPlain
    return ABSENT if entry is None else entry.oid


async def rules(said: Reply, api: Api, question: RulesOf) -> Answer[BaseRules]:
    """The rules themselves are told by REST alone; which methods the repository allows came along."""
    read = said.read(_TheSettings)
    settings = Settings(allow_merge_commit=read.merge, allow_squash_merge=read.squash, allow_rebase_merge=read.rebase)
    return await rules_in(api, question, settings)


async def contains(said: Reply, _api: Api, question: Contains) -> bool:
    """A branch has its own tip; of what else it has, its history must be asked."""
    if said.read(_TheTip).tip.target.oid != question.commit:
        raise NotPlain
    return True
