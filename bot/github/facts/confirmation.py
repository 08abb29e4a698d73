"""Both sides of a merge that GitHub said it made, in one request: what the pull request says, and the tip of the base.

It only ever confirms. Whatever does not show the merge plainly, on both sides, is nothing here and is looked for as always.
"""

from datetime import datetime

from pydantic import Field

from bot.domain.model.facts import Answer, MergeEvidence
from bot.domain.model.ids import Person
from bot.domain.model.questions import MergeEvidenceOf
from bot.github.api import Api
from bot.github.shapes import Id, Moment, Object, Part, Ref, Text
from bot.ports.failures import ForgeFailure, RateLimited

CONFIRMS = """query($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { databaseId pullRequest(number: $number) {
    number merged mergedAt headRefOid baseRefName baseRef { target { oid } }
    mergedBy { __typename login ... on User { databaseId } ... on Bot { databaseId } }
    mergeCommit { oid parents(first: 3) { nodes { oid } }
      associatedPullRequests(first: 10) { nodes { number repository { databaseId } } } }
  } }
}"""


class _Parents(Part):
    nodes: tuple[Object, ...]


class _Holder(Part):
    id: Id = Field(alias="databaseId")


class _Associated(Part):
    number: Id
    repository: _Holder


class _Introducing(Part):
    nodes: tuple[_Associated, ...]


class _Merge(Part):
    oid: Text
    parents: _Parents
    introduced_by: _Introducing = Field(alias="associatedPullRequests")


class _Merger(Part):
    kind: Text = Field(alias="__typename")
    login: Text
    id: Id = Field(alias="databaseId")


class _Pull(Part):
    number: Id
    merged: bool
    merged_at: Moment = Field(alias="mergedAt")
    head: Text = Field(alias="headRefOid")
    base: Text = Field(alias="baseRefName")
    tip: Ref = Field(alias="baseRef")
    by: _Merger = Field(alias="mergedBy")
    merge: _Merge = Field(alias="mergeCommit")


class _Repository(Part):
    id: Id = Field(alias="databaseId")
    pull: _Pull = Field(alias="pullRequest")


class _Data(Part):
    repository: _Repository


class _Body(Part):
    """With errors beside it, nothing is believed."""

    data: _Data
    errors: None = None


async def confirmed(api: Api, question: MergeEvidenceOf, began_at: datetime) -> Answer[MergeEvidence] | None:
    """None where it does not show plainly. Raises RateLimited."""
    owner, _, name = api.gateway.path(api.repo).removeprefix("/repos/").partition("/")
    try:
        reply = await api.query_graphql(CONFIRMS, {"owner": owner, "name": name, "number": question.pull})
        here = reply.read(_Body).data.repository
        by_us = here.pull.by.kind == "Bot" and here.pull.by.id == await api.own_account()
    except RateLimited:
        raise
    except ForgeFailure:
        return None
    pull = here.pull
    if here.id != api.repo.id or not pull.merged or pull.tip.target.oid != pull.merge.oid or not _is_of(pull, here.id):
        return None
    bot = "[bot]" if pull.by.kind == "Bot" else ""
    found = MergeEvidence(
        pull_merged=True,
        pull_open=False,
        head=pull.head,
        merge_sha=pull.merge.oid,
        merged_by=Person(id=pull.by.id, login=f"{pull.by.login}{bot}"),
        merged_by_us=by_us,
        merged_at=pull.merged_at,
        base=pull.base,
        on_base=True,
        whole=_names_head(pull),
        began_at=began_at,
    )
    return reply.answer(found)


def _is_of(pull: _Pull, repository: int) -> bool:
    """Whether the merge commit names the head, or this pull request brought it."""
    introduced = [(one.number, one.repository.id) for one in pull.merge.introduced_by.nodes]
    return _names_head(pull) or (pull.number, repository) in introduced


def _names_head(pull: _Pull) -> bool:
    parents = [parent.oid for parent in pull.merge.parents.nodes]
    return pull.merge.oid == pull.head or (len(parents) > 1 and pull.head in parents)
