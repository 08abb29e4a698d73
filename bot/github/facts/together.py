"""Many questions, one GraphQL request: what is read before somebody fills a seat, and before a merge.

Only what GraphQL tells as REST does, and only where it is plain: an open pull request outside of any stack, lists of one page, a
regular file. Whatever is not is left out here and read by itself (docs/decisions/batched-reads.md).
"""

import re
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from bot.domain.model.facts import Answer
from bot.domain.model.policy_file import PATH, PolicyFileNow
from bot.domain.model.questions import Contains, OpenPullsAt, PullOf, Question, RulesOf, WorkflowFilesIn
from bot.github.api import Api
from bot.github.facts import plain
from bot.github.facts.plain import NotPlain
from bot.github.reply import Reply
from bot.github.shapes import Id, Part
from bot.ports.failures import Forbidden, Gone, Unreachable

PULL = """pullRequest(number: $number) {
  id number title body url state merged isDraft locked updatedAt headRefOid headRefName baseRefName baseRefOid
  author { __typename login ... on User { databaseId } ... on Bot { databaseId } }
  headRepository { databaseId } labels(first: 100) { nodes { name } pageInfo { hasNextPage } }
  autoMergeRequest { enabledAt } stack { id }
}"""
FILES = """changed: pullRequest(number: $number) {
  files(first: 100) { nodes { path changeType } pageInfo { hasNextPage } }
}"""
OPEN = """open: pullRequests(states: OPEN, first: 100) {
  nodes { number headRefOid baseRefName isDraft } pageInfo { hasNextPage }
}"""
POLICY = """folder: object(expression: $folder) { __typename ... on Tree { entries { name mode oid } } }
defaultBranchRef { target { ... on Commit { history(first: 1, path: $path) { nodes { oid } } } } }"""
SETTINGS = "mergeCommitAllowed squashMergeAllowed rebaseMergeAllowed"
TIP = "tip: ref(qualifiedName: $ref) { target { oid } }"
TYPES = {
    "owner": "String!",
    "name": "String!",
    "number": "Int!",
    "folder": "String!",
    "path": "String!",
    "ref": "String!",
}
_COMMIT = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")


class _Here(Part):
    databaseId: Id  # noqa: N815 - GitHub's name


class _Asked(NamedTuple):
    """`fields` of the repository, and what answers from them; with an Answer of its own where it read on."""

    fields: str
    variables: dict[str, Any]
    says: Callable[[Reply, Api, Any], Awaitable[Any]]


async def answers(api: Api, questions: Collection[Question[Any]]) -> Mapping[Question[Any], Answer[Any]]:
    """Those of them that are plain. Nothing is asked where that would spare no request. Raises Unreachable, RateLimited,
    Forbidden."""
    asked = {one: part for one in sorted(questions, key=repr) if (part := _part(one)) is not None}
    said = None if len(asked) < 2 or api.gateway.knows_no_batches else await _ask(api, asked.values())
    found: dict[Question[Any], Answer[Any]] = {}
    if said is None:
        return found
    for question, part in asked.items():
        try:
            value = await part.says(said, api, question)
        except (NotPlain, Unreachable, Forbidden, Gone):
            continue
        found[question] = value if isinstance(value, Answer) else said.answer(value)
    return _counted(api, found)


def _counted(api: Api, found: Mapping[Question[Any], Answer[Any]]) -> Mapping[Question[Any], Answer[Any]]:
    """What all of it took stands with the first one."""
    costs = {one: 0 if number else api.requests for number, one in enumerate(found)}
    return {one: replace(found[one], requests=cost, limit=api.limit) for one, cost in costs.items()}


def _part(question: Question[Any]) -> _Asked | None:
    match question:
        case PullOf(number):
            return _Asked(PULL, {"number": number}, plain.pull)
        case WorkflowFilesIn(number):
            return _Asked(FILES, {"number": number}, plain.workflow_files)
        case OpenPullsAt():
            return _Asked(OPEN, {}, plain.open_pulls_at)
        case PolicyFileNow():
            folder = f"HEAD:{PATH.rpartition('/')[0]}"
            return _Asked(POLICY, {"folder": folder, "path": PATH}, plain.policy_file_now)
        case RulesOf():
            return _Asked(SETTINGS, {}, plain.rules)
        case Contains(tip) if not _COMMIT.fullmatch(tip):
            return _Asked(TIP, {"ref": f"refs/heads/{tip}"}, plain.contains)
    return None


async def _ask(api: Api, parts: Collection[_Asked]) -> Reply | None:
    """What stands below the repository. None where anything could not be told, or where they are about different things."""
    owner, _, name = api.gateway.path(api.repo).removeprefix("/repos/").partition("/")
    variables: dict[str, Any] = {"owner": owner, "name": name}
    for part in parts:
        if any(variables.get(key, value) != value for key, value in part.variables.items()):
            return None
        variables |= part.variables
    head = ", ".join(f"${key}: {TYPES[key]}" for key in variables)
    fields = "\n".join(part.fields for part in parts)
    query = f"query({head}) {{ repository(owner: $owner, name: $name) {{ databaseId\n{fields} }} }}"
    reply = await api.query_graphql(query, variables)
    body = reply.body if isinstance(reply.body, dict) else {}
    if body.get("errors"):
        api.gateway.knows_no_batches = _lacks_a_field(body["errors"])
    data = body.get("data")
    here = data.get("repository") if isinstance(data, dict) and not body.get("errors") else None
    said = replace(reply, body=here)
    return said if here is not None and said.read(_Here).databaseId == api.repo.id else None


def _lacks_a_field(errors: Any) -> bool:
    """An older GitHub says so of each query: it is asked no more."""
    rows = [one for one in errors if isinstance(one, dict)] if isinstance(errors, list) else []
    codes = [one.get("extensions", {}).get("code") for one in rows if isinstance(one.get("extensions", {}), dict)]
    return "undefinedField" in codes
