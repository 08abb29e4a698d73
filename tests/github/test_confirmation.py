"""A merge whose commit GitHub named is confirmed by one request, from both sides; nothing else is."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.domain.model.facts import MergeEvidence
from bot.domain.model.questions import MergeEvidenceOf
from bot.github.api import Api
from bot.github.facts.confirmation import confirmed
from tests.github.test_client import REPO, Scripted, dated

pytestmark = pytest.mark.anyio

Change = Callable[[dict[str, Any]], object]
HEAD, MERGE, OUR_BOT = "c" * 40, "a" * 40, 99


def squashed() -> dict[str, Any]:
    return {
        "number": 2,
        "merged": True,
        "mergedAt": "2026-01-01T00:00:00Z",
        "headRefOid": HEAD,
        "baseRefName": "main",
        "baseRef": {"target": {"oid": MERGE}},
        "mergedBy": {"__typename": "Bot", "login": "signalbox", "databaseId": OUR_BOT},
        "mergeCommit": {
            "oid": MERGE,
            "parents": {"nodes": [{"oid": "b" * 40}]},
            "associatedPullRequests": {"nodes": [{"number": 2, "repository": {"databaseId": REPO.id}}]},
        },
    }


async def confirming(change: Change, repository: int = REPO.id, **more: Any) -> MergeEvidence | None:
    pull = squashed()
    change(pull)
    github = Scripted(
        lambda _: dated(200, {"data": {"repository": {"databaseId": repository, "pullRequest": pull}}, **more})
    )
    github.gateway.bot_id = OUR_BOT
    api = Api(github.gateway, REPO)
    answer = await confirmed(api, MergeEvidenceOf(2, HEAD, "main", MERGE), api.now())
    assert len(github.seen) == 1
    return None if answer is None else answer.value


def nothing(_: dict[str, Any]) -> None:
    """As it is."""


def by_merge_commit(pull: dict[str, Any]) -> None:
    pull["mergeCommit"].update(
        parents={"nodes": [{"oid": "b" * 40}, {"oid": HEAD}]}, associatedPullRequests={"nodes": []}
    )


@pytest.mark.parametrize("change", [nothing, by_merge_commit], ids=["squash", "merge commit"])
async def test_both_sides_are_shown_by_one_request(change: Change) -> None:
    found = await confirming(change)
    assert found is not None
    assert (found.pull_merged, found.on_base, found.merge_sha, found.head, found.base) == (
        *(True, True, MERGE, HEAD),
        "main",
    )
    assert (found.merged_by_us, found.merged_by and found.merged_by.login) == (True, "signalbox[bot]")


UNCLEAR: dict[str, Change] = {
    "not merged": lambda it: it.update(merged=False),
    "the base went on": lambda it: it["baseRef"]["target"].update(oid="d" * 40),
    "the base is gone": lambda it: it.update(baseRef=None),
    "no merge commit": lambda it: it.update(mergeCommit=None),
    "another pull request brought it": lambda it: it["mergeCommit"]["associatedPullRequests"]["nodes"][0].update(
        number=3
    ),
    "another repository's brought it": lambda it: it["mergeCommit"]["associatedPullRequests"]["nodes"][0].update(
        repository={"databaseId": REPO.id + 1}
    ),
    "nobody merged it": lambda it: it.update(mergedBy=None),
}


@pytest.mark.parametrize("name", UNCLEAR)
async def test_what_does_not_show_the_merge_confirms_nothing(name: str) -> None:
    assert await confirming(UNCLEAR[name]) is None


async def test_another_repository_under_this_name_confirms_nothing() -> None:
    assert await confirming(nothing, REPO.id + 1) is None


async def test_an_answer_with_an_error_confirms_nothing() -> None:
    assert await confirming(nothing, errors=[{"type": "FORBIDDEN", "message": "no"}]) is None


async def test_another_bot_that_merged_is_not_us() -> None:
    found = await confirming(lambda it: it["mergedBy"].update(databaseId=OUR_BOT + 1))
    assert found is not None
    assert not found.merged_by_us
