"""The two faces show one world: what the port answers is what the JSON says."""

from datetime import datetime
from typing import Any

import pytest

from bot.domain.model.effects import (
    AddLabels,
    CreateCheckRun,
    CreateComment,
    EnsureLabel,
    MinimizeComment,
    React,
    RemoveLabel,
)
from bot.domain.model.questions import (
    ChecksOn,
    CommentOf,
    CommentsOn,
    IssueOf,
    MergeEvidenceOf,
    OpenPullsAt,
    OwnChecksOn,
    PermissionOf,
    PullOf,
    Question,
    RulesOf,
)
from bot.simulator.forge import SimulatedForge
from bot.simulator.model.repositories import Repository
from bot.simulator.world import World
from tests.simulator.conftest import Clients
from tests.simulator.merge_cases import named
from tests.simulator.story import Story, told

pytestmark = pytest.mark.anyio


@pytest.fixture
def story(world: World, repo: Repository) -> Story:
    return told(world, repo)


async def _fact(story: Story, question: Question[Any]) -> Any:
    return (await SimulatedForge(story.world).read(named(story.world, story.repo), question)).value


async def _json(clients: Clients, path: str) -> Any:
    answer = await clients.http.get(f"/repos/octo/app{path}")
    assert answer.status_code == 200
    return answer.json()


def _at(text: str) -> datetime:
    return datetime.fromisoformat(text)


async def test_an_issue(clients: Clients, story: Story) -> None:
    fact, shown = await _fact(story, IssueOf(1)), await _json(clients, "/issues/1")
    assert (fact.id, fact.title, fact.body) == (shown["id"], shown["title"], shown["body"])
    assert (fact.author.id, fact.open) == (shown["user"]["id"], shown["state"] == "open")
    assert list(fact.labels) == [one["name"] for one in shown["labels"]]


async def test_a_pull_request_before_and_after_its_merge(clients: Clients, story: Story) -> None:
    for _ in range(2):
        fact, shown = await _fact(story, PullOf(2)), await _json(clients, "/pulls/2")
        assert (fact.node_id, fact.head_sha, fact.base_sha) == (
            shown["node_id"],
            shown["head"]["sha"],
            shown["base"]["sha"],
        )
        assert (fact.head_ref, fact.base_ref) == (shown["head"]["ref"], shown["base"]["ref"])
        assert (fact.open, fact.merged, fact.draft) == (shown["state"] == "open", shown["merged"], shown["draft"])
        assert fact.head_repository_id == shown["head"]["repo"]["id"]
        assert fact.updated_at == _at(shown["updated_at"])
        assert (fact.merged_by.id if fact.merged_by else None) == (shown["merged_by"] or {}).get("id")
        if not fact.merged:
            story.world.merges_by_hand("ada", story.pull, "squash")


async def test_comments_and_reviews(clients: Clients, story: Story) -> None:
    (own,) = await _fact(story, CommentsOn(1))
    shown = await _json(clients, "/issues/1/comments")
    assert [own.id] == [one["id"] for one in shown if one["performed_via_github_app"]]
    review = await _fact(story, CommentOf(story.review.id, "review", 2))
    (listed,) = await _json(clients, "/pulls/2/reviews")
    assert (review.body, review.created_at) == (listed["body"], _at(listed["submitted_at"]))
    line = await _fact(story, CommentOf(story.line.id, "review_comment"))
    assert line.url == (await _json(clients, f"/pulls/comments/{story.line.id}"))["html_url"]


async def test_permissions(clients: Clients, story: Story) -> None:
    for login in ("ada", "grace", "lin", "omar"):
        fact = await _fact(story, PermissionOf(story.world.person(login).id, login))
        shown = await _json(clients, f"/collaborators/{login}/permission")
        assert (fact.user_id, fact.level) == (shown["user"]["id"], shown["role_name"])


async def test_checks_statuses_and_suites(clients: Clients, story: Story) -> None:
    head = story.pull.head
    fact = await _fact(story, ChecksOn(head))
    runs = (await _json(clients, f"/commits/{head}/check-runs?filter=all"))["check_runs"]
    assert {(one.id, one.app, one.conclusion, one.suite) for one in fact.runs} == {
        (one["id"], one["app"]["id"], one["conclusion"], one["check_suite"]["id"]) for one in runs
    }
    statuses = await _json(clients, f"/commits/{head}/statuses")
    assert [one.id for one in fact.statuses] == [one["id"] for one in statuses]
    suites = (await _json(clients, f"/commits/{head}/check-suites"))["check_suites"]
    assert {(one.id, one.status, one.runs) for one in fact.suites} == {
        (one["id"], one["status"], one["latest_check_runs_count"]) for one in suites
    }
    (own,) = await _fact(story, OwnChecksOn(head))
    assert own.id == story.run.id


async def test_rules_of_rulesets_and_protection(clients: Clients, story: Story) -> None:
    fact = await _fact(story, RulesOf("main"))
    shown = await _json(clients, "/rules/branches/main")
    parameters = [one["parameters"] for one in shown if one["type"] == "required_status_checks"]
    checks = [check for one in parameters for check in one["required_status_checks"]]
    classic = (await _json(clients, "/branches/main"))["protection"]["required_status_checks"]["contexts"]
    assert [one.name for one in fact.required] == [one["context"] for one in checks] + classic
    assert fact.required[0].app == checks[0]["integration_id"]
    assert fact.methods == ("squash",)
    assert fact.protected
    assert (await _fact(story, RulesOf("main"))).merge_queue is False


async def test_open_pulls_at_a_head(clients: Clients, story: Story) -> None:
    found = await _fact(story, OpenPullsAt(story.pull.head))
    shown = await _json(clients, f"/commits/{story.pull.head}/pulls")
    assert [one.number for one in found] == [one["number"] for one in shown] == [2]


async def test_both_sides_of_a_merge(clients: Clients, story: Story) -> None:
    question = MergeEvidenceOf(2, story.pull.head, "main")
    before = await _fact(story, question)
    assert (before.pull_merged, before.on_base) == (False, False)
    story.world.merges_by_hand("ada", story.pull, "merge")
    after = await _fact(story, question)
    commit = await _json(clients, f"/commits/{after.merge_sha}")
    assert story.pull.head in [one["sha"] for one in commit["parents"]]
    assert (await _json(clients, f"/compare/{after.merge_sha}...main"))["status"] == "identical"
    assert (after.pull_merged, after.on_base, after.merged_by_us) == (True, True, False)


async def test_what_the_port_writes_shows_over_http(clients: Clients, story: Story) -> None:
    forge, place = SimulatedForge(story.world), named(story.world, story.repo)
    said = await forge.perform(place, CreateComment(number=1, body="Noted <!-- m -->", marker="m"))
    shown = await _json(clients, f"/issues/comments/{said.id}")
    assert (shown["body"], _at(shown["updated_at"])) == ("Noted <!-- m -->", said.updated_at)
    await forge.perform(place, EnsureLabel(name="signalbox/done", color="0e8a16", description="Done"))
    await forge.perform(place, EnsureLabel(name="signalbox/done", color="0e8a16", description="Done"))
    await forge.perform(place, AddLabels(number=1, names=("signalbox/done",)))
    await forge.perform(place, RemoveLabel(number=1, name="signalbox"))
    assert [one["name"] for one in await _json(clients, "/issues/1/labels")] == ["signalbox/done"]
    check = CreateCheckRun(
        head=story.pull.head, status="completed", conclusion="success", title="t", summary="s", external_id="x"
    )
    run = await forge.perform(place, check)
    assert (await _json(clients, f"/check-runs/{run.id}"))["external_id"] == "x"
    await forge.perform(place, MinimizeComment(comment_id=said.id or 0))
    assert story.world.comments_by_id[said.id or 0].minimized == "resolved"
    await forge.perform(place, React(comment_id=story.comment.id, content="eyes"))
    assert (await _json(clients, f"/issues/comments/{story.comment.id}"))["reactions"]["eyes"] == 1
