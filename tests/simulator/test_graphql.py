"""The few GraphQL requests the bot makes, with any selection and aliases."""

from typing import Any

import pytest

from bot.simulator.model.repositories import Repository
from bot.simulator.world import World
from tests.simulator.conftest import Clients

pytestmark = pytest.mark.anyio

EVIDENCE = """
query Evidence($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    databaseId
    pull: pullRequest(number: $number) {
      merged mergedAt headRefOid state
      mergedBy { login ... on Bot { databaseId } ... on User { databaseId } }
      mergeCommit { oid parents(first: 2) { nodes { oid } } }
    }
  }
  rateLimit { remaining }
}
"""


async def _ask(clients: Clients, query: str, **variables: Any) -> Any:
    return (await clients.http.post("/graphql", json={"query": query, "variables": variables})).json()


async def test_merge_evidence_names_the_merge_and_its_parents(clients: Clients, world: World, repo: Repository) -> None:
    pull = world.opens_pull("grace", repo)
    base = repo.branches["main"]
    world.merges_by_hand("ada", pull)
    answer = await _ask(clients, EVIDENCE, owner="octo", name="app", number=pull.number)
    shown = answer["data"]["repository"]["pull"]
    assert answer["data"]["repository"]["databaseId"] == repo.id
    assert (shown["merged"], shown["state"], shown["headRefOid"]) == (True, "MERGED", pull.head)
    assert shown["mergedBy"] == {"login": "ada", "databaseId": world.person("ada").id}
    assert shown["mergeCommit"]["oid"] == pull.merge_commit
    assert [one["oid"] for one in shown["mergeCommit"]["parents"]["nodes"]] == [base, pull.head]
    assert world.findings == []


async def test_an_unmerged_pull_has_no_merge_commit(clients: Clients, world: World, repo: Repository) -> None:
    pull = world.opens_pull("grace", repo)
    answer = await clients.gh.async_graphql(EVIDENCE, {"owner": "octo", "name": "app", "number": pull.number})
    assert answer["repository"]["pull"]["mergeCommit"] is None


async def test_a_draft_is_marked_ready(clients: Clients, world: World, repo: Repository) -> None:
    pull = world.opens_pull("grace", repo, draft=True)
    mutation = """mutation($id: ID!) { markPullRequestReadyForReview(input: {pullRequestId: $id}) {
        pullRequest { isDraft } } }"""
    answer = await _ask(clients, mutation, id=pull.node_id)
    assert answer["data"]["markPullRequestReadyForReview"]["pullRequest"] == {"isDraft": False}
    assert not pull.draft
    assert world.requests[-1].operation == "mark_ready"


async def test_a_review_gets_a_reaction(clients: Clients, world: World, repo: Repository) -> None:
    review = world.reviews("ada", world.opens_pull("grace", repo), "APPROVED")
    mutation = """mutation($input: AddReactionInput!) { addReaction(input: $input) { reaction { content } } }"""
    answer = await _ask(clients, mutation, input={"subjectId": review.node_id, "content": "THUMBS_UP"})
    assert answer["data"]["addReaction"]["reaction"]["content"] == "THUMBS_UP"
    assert [one.content for one in review.reactions] == ["+1"]


async def test_a_comment_is_minimized_and_its_text_stays(clients: Clients, world: World, repo: Repository) -> None:
    comment = world.comments(world.bot, world.opens_issue("ada", repo, "Greet people"), "**Settled**: done.")
    mutation = """mutation($id: ID!) { minimizeComment(input: {subjectId: $id, classifier: RESOLVED}) {
        minimizedComment { isMinimized minimizedReason ... on IssueComment { __typename } } } }"""
    answer = await _ask(clients, mutation, id=comment.node_id)
    shown = answer["data"]["minimizeComment"]["minimizedComment"]
    assert shown == {"isMinimized": True, "minimizedReason": "resolved", "__typename": "IssueComment"}
    assert (comment.minimized, comment.body) == ("resolved", "**Settled**: done.")
    assert world.requests[-1].operation == "minimize_comment"
    assert world.findings == []


async def test_only_comments_are_minimized(clients: Clients, world: World, repo: Repository) -> None:
    mutation = """mutation($id: ID!) { minimizeComment(input: {subjectId: $id, classifier: RESOLVED}) {
        minimizedComment { isMinimized } } }"""
    answer = await _ask(clients, mutation, id=world.opens_issue("ada", repo, "Greet people").node_id)
    assert answer["errors"][0]["type"] == "UNPROCESSABLE"


async def test_a_missing_pull_is_an_error_in_a_200(clients: Clients, world: World, repo: Repository) -> None:
    answer = await _ask(clients, EVIDENCE, owner="octo", name="app", number=99)
    assert answer["errors"][0]["type"] == "NOT_FOUND"
    assert world.findings == []


@pytest.mark.parametrize(
    "query",
    ['{ repository(owner: "octo", name: "app") { stars } }', "mutation { deleteEverything(input: {}) { ok } }"],
)
async def test_a_field_the_simulator_does_not_know_is_a_finding(clients: Clients, world: World, query: str) -> None:
    answer = await _ask(clients, query)
    assert "doesn't exist" in answer["errors"][0]["message"]
    assert len(world.findings) == 1
