"""What one request answers is what each question would be answered by itself; and whatever is not plain is left."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from bot.domain.model.policy_file import PATH, PolicyFileNow
from bot.domain.model.questions import Contains, OpenPullsAt, PermissionOf, PullOf, Question, RulesOf, WorkflowFilesIn
from bot.ports.failures import Unreachable
from tests.github import policy_stories, test_agreement
from tests.github.conftest import Setting
from tests.github.test_client import REPO, Scripted, dated

pytestmark = pytest.mark.anyio

Change = Callable[[dict[str, Any]], object]
PULL, FILES, OPEN, NOW = PullOf(2), WorkflowFilesIn(2), OpenPullsAt("c" * 40), PolicyFileNow()
TIP = Contains("main", "b" * 40)
EVERYTHING = (PULL, FILES, OPEN, NOW, TIP)
#: Rulers for a second question, which is answered whatever becomes of the first.
BESIDE = OpenPullsAt("0" * 40)


def only_squashing(here: Setting) -> Question[Any]:
    here.repository.methods = ("squash",)
    return RulesOf("main")


ANSWERED: dict[str, test_agreement.Story] = {
    "a draft": test_agreement.pull,
    "of a fork that is gone": test_agreement.pull_of_a_deleted_fork,
    "two at one head": test_agreement.two_pulls_at_one_head,
    "none at a head": test_agreement.no_open_pull_at_a_merged_head,
    "workflow files": test_agreement.workflow_files,
    "workflow files that we may merge": test_agreement.allowed_workflow_files,
    "other files": test_agreement.other_files,
    "a policy file": policy_stories.policy_file_now,
    "never a policy file": lambda _: PolicyFileNow(),
    "no rules": test_agreement.unguarded,
    "rules": test_agreement.ruled,
    "rules of a queue": test_agreement.queue_and_bypass,
    "protection": test_agreement.protected,
    "a repository that only squashes": only_squashing,
    "the tip itself": lambda here: Contains("main", here.repository.branches["main"]),
}
LEFT: dict[str, test_agreement.Story] = {
    "merged": test_agreement.merged_pull,
    "stacked": test_agreement.stacked_pull,
    "no pull request": test_agreement.missing_pull,
    "the base went on": test_agreement.base_that_went_on,
    "the base was set back": test_agreement.base_that_was_set_back,
    "no such commit": test_agreement.commit_that_is_nowhere,
    "a head and no branch": test_agreement.head_that_has_the_base,
    "a policy file that was taken away": policy_stories.no_policy_file_now,
}


@pytest.mark.parametrize("name", ANSWERED)
async def test_it_is_answered_as_by_itself(here: Setting, name: str) -> None:
    question = ANSWERED[name](here)
    found = await here.forge.together(here.repo, (question, BESIDE))
    asked = [one for one in here.world.requests if not one.path.endswith("/access_tokens")]
    expected = await here.simulated.read(here.repo, question)
    assert (test_agreement.comparable(found[question].value), found[question].date) == (
        test_agreement.comparable(expected.value),
        expected.date,
    )
    assert (here.asked("together"), sum(one.requests for one in found.values())) == (1, len(asked))
    assert here.world.findings == []


@pytest.mark.parametrize("name", LEFT)
async def test_what_is_not_plain_is_left(here: Setting, name: str) -> None:
    question = LEFT[name](here)
    assert question not in await here.forge.together(here.repo, (question, BESIDE))


@pytest.mark.parametrize("questions", [(PULL,), (PULL, PermissionOf(1, "ada")), (PULL, PullOf(3))], ids=str)
async def test_nothing_is_asked_where_that_would_spare_nothing(here: Setting, questions: Any) -> None:
    assert await here.forge.together(here.repo, questions) == {}
    assert here.asked("together") == 0


def everything() -> dict[str, Any]:
    page = {"hasNextPage": False}
    pull = {
        "id": "PR_2",
        "number": 2,
        "title": "x",
        "body": "",
        "url": "u",
        "state": "OPEN",
        "merged": False,
        "isDraft": False,
        "locked": False,
        "updatedAt": "2026-01-01T00:00:00Z",
        "headRefOid": "c" * 40,
        "headRefName": "one",
        "baseRefName": "main",
        "baseRefOid": "b" * 40,
        "autoMergeRequest": None,
        "author": {"__typename": "User", "login": "ada", "databaseId": 7},
        "headRepository": {"databaseId": 1},
        "labels": {"nodes": [], "pageInfo": dict(page)},
        "stack": None,
    }
    listed = {"number": 2, "headRefOid": "c" * 40, "baseRefName": "main", "isDraft": False}
    entry = {"name": PATH.rpartition("/")[2], "mode": 0o100644, "oid": "e" * 40}
    return {
        "databaseId": REPO.id,
        "pullRequest": pull,
        "changed": {"files": {"nodes": [{"path": "README", "changeType": "MODIFIED"}], "pageInfo": dict(page)}},
        "open": {"nodes": [listed], "pageInfo": dict(page)},
        "folder": {"__typename": "Tree", "entries": [entry]},
        "defaultBranchRef": {"target": {"history": {"nodes": [{"oid": "d" * 40}]}}},
        "tip": {"target": {"oid": "b" * 40}},
    }


def github(change: Change, **more: Any) -> Scripted:
    shown = everything()
    change(shown)
    return Scripted(lambda _: dated(200, {"data": {"repository": shown}, **more}))


async def answered(github: Scripted) -> set[Question[Any]]:
    return set(await github.forge.together(REPO, EVERYTHING))


async def test_all_of_it_is_answered_by_one_request() -> None:
    plain = github(lambda _: None)
    assert await answered(plain) == set(EVERYTHING)
    assert len(plain.seen) == 1


SHOWN: dict[str, tuple[Question[Any], Change]] = {
    "closed": (PULL, lambda it: it["pullRequest"].update(state="CLOSED")),
    "merged": (PULL, lambda it: it["pullRequest"].update(merged=True)),
    "stacked": (PULL, lambda it: it["pullRequest"].update(stack={"id": "PRS_1"})),
    "nobody's": (PULL, lambda it: it["pullRequest"].update(author=None)),
    "a stranger's kind": (PULL, lambda it: it["pullRequest"]["author"].update(__typename="Mannequin")),
    "nameless": (PULL, lambda it: it["pullRequest"]["author"].update(databaseId=None)),
    "many labels": (PULL, lambda it: it["pullRequest"]["labels"]["pageInfo"].update(hasNextPage=True)),
    "half a pull request": (PULL, lambda it: it["pullRequest"].pop("isDraft")),
    "renamed": (FILES, lambda it: it["changed"]["files"]["nodes"][0].update(changeType="RENAMED")),
    "copied": (FILES, lambda it: it["changed"]["files"]["nodes"][0].update(changeType="COPIED")),
    "many files": (FILES, lambda it: it["changed"]["files"]["pageInfo"].update(hasNextPage=True)),
    "no files": (FILES, lambda it: it["changed"].update(files=None)),
    "many pull requests": (OPEN, lambda it: it["open"]["pageInfo"].update(hasNextPage=True)),
    "a full page of pull requests": (OPEN, lambda it: it["open"].update(nodes=it["open"]["nodes"] * 100)),
    "a full page of files": (
        FILES,
        lambda it: it["changed"]["files"].update(nodes=it["changed"]["files"]["nodes"] * 100),
    ),
    "a link": (NOW, lambda it: it["folder"]["entries"][0].update(mode=0o120000)),
    "a folder that is a link": (NOW, lambda it: it.update(folder={"__typename": "Blob"})),
    "taken away": (NOW, lambda it: it["folder"].update(entries=[])),
    "no folder any more": (NOW, lambda it: it.update(folder=None)),
    "an empty repository": (NOW, lambda it: it.update(defaultBranchRef=None)),
    "another tip": (TIP, lambda it: it["tip"]["target"].update(oid="a" * 40)),
    "no such branch": (TIP, lambda it: it.update(tip=None)),
}


@pytest.mark.parametrize("name", SHOWN)
async def test_what_is_not_plain_is_left_and_nothing_else(name: str) -> None:
    question, change = SHOWN[name]
    assert await answered(github(change)) == set(EVERYTHING) - {question}


async def test_where_neither_the_commit_nor_the_log_has_it_there_is_no_policy_file() -> None:
    def never(it: dict[str, Any]) -> None:
        it.update(folder=None)
        it["defaultBranchRef"]["target"]["history"].update(nodes=[])

    found = await github(never).forge.together(REPO, EVERYTHING)
    assert found[NOW].value == ""


async def test_an_app_has_the_login_that_rest_gives_it() -> None:
    found = await github(
        lambda it: it["pullRequest"].update(author={"__typename": "Bot", "login": "ci", "databaseId": 9})
    ).forge.together(REPO, EVERYTHING)
    pull = found[PULL].value
    assert (pull.author.login, pull.author_is_bot) == ("ci[bot]", True)


async def test_another_repository_under_this_name_answers_nothing() -> None:
    assert await answered(github(lambda it: it.update(databaseId=REPO.id + 1))) == set()


async def test_where_anything_could_not_be_told_nothing_is_believed() -> None:
    assert await answered(github(lambda _: None, errors=[{"type": "FORBIDDEN", "message": "no"}])) == set()


async def test_an_older_github_that_lacks_a_field_is_asked_once() -> None:
    lacks = [{"message": "Field 'stack' doesn't exist", "extensions": {"code": "undefinedField"}}]
    older = github(lambda _: None, errors=lacks)
    assert [await answered(older), await answered(older), len(older.seen)] == [set(), set(), 1]


async def test_an_answer_that_github_did_not_date_is_none() -> None:
    undated = Scripted(lambda _: httpx.Response(200, json={"data": {"repository": everything()}}))
    with pytest.raises(Unreachable):
        await answered(undated)


async def test_names_stand_beside_the_query_and_never_in_it() -> None:
    asked = github(lambda _: None)
    await asked.forge.together(REPO, (*EVERYTHING[:-1], Contains('a") { x }', "b" * 40)))
    sent = json.loads(asked.seen[0].content)
    assert ('a") { x }' in sent["query"], sent["variables"]["ref"]) == (False, 'refs/heads/a") { x }')
