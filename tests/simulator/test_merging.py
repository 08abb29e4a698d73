"""Both merge endpoints answer as reference/github.md documents it, over both faces."""

# ruff: noqa: ARG005  # the lambdas of one table share one signature

import pytest

from bot.domain.model.effects import MergeReply
from bot.simulator.merge_sender import SimulatedMergeSender
from bot.simulator.model.repositories import Repository, Required
from bot.simulator.model.threads import Pull
from bot.simulator.verbs.merging import MergeCall
from bot.simulator.world import World
from tests.simulator.conftest import Clients
from tests.simulator.merge_cases import ASYNC, HEADS, SYNC, Arrange, named, order, over_http, permit

pytestmark = pytest.mark.anyio


@pytest.fixture
def pull(world: World, repo: Repository) -> Pull:
    return world.opens_pull("grace", repo, "Say hello", body="Closes #99")


@pytest.mark.parametrize("case", SYNC)
async def test_the_synchronous_endpoint_answers_over_the_port(
    case: str, world: World, repo: Repository, pull: Pull
) -> None:
    arrange, status, message = SYNC[case]
    arrange(world, repo, pull)
    given = order(pull, head=HEADS.get(case, pull.head))
    reply = await SimulatedMergeSender(world).merge(named(world, repo), permit(given), lambda: True)
    assert (reply.sent, reply.status, reply.message) == (True, status, message)
    assert reply.merged is (True if status == 200 else None)
    assert bool(reply.sha) == (status == 200)


@pytest.mark.parametrize("case", SYNC)
async def test_the_synchronous_endpoint_answers_the_same_over_http(
    case: str, clients: Clients, world: World, repo: Repository, pull: Pull
) -> None:
    arrange, status, message = SYNC[case]
    arrange(world, repo, pull)
    answer = await over_http(clients, pull, "sync", order(pull, head=HEADS.get(case, pull.head)))
    assert (answer.status_code, answer.json()["message"]) == (status, message)
    if status != 200:
        assert answer.json()["status"] == str(status)
        assert answer.json()["documentation_url"].startswith("https://docs.github.com/")


@pytest.mark.parametrize("case", ASYNC)
async def test_the_asynchronous_endpoint_answers_over_the_port(
    case: str, world: World, repo: Repository, pull: Pull
) -> None:
    arrange, status, body_status = ASYNC[case]
    arrange(world, repo, pull)
    given = order(pull, "async", head=HEADS.get(case, pull.head))
    reply = await SimulatedMergeSender(world).merge(named(world, repo), permit(given), lambda: True)
    assert (reply.status, reply.body_status) == (status, body_status)
    assert bool(reply.uuid) == (body_status == "pending")


@pytest.mark.parametrize("case", ASYNC)
async def test_the_asynchronous_endpoint_answers_the_same_over_http(
    case: str, clients: Clients, world: World, repo: Repository, pull: Pull
) -> None:
    arrange, status, body_status = ASYNC[case]
    arrange(world, repo, pull)
    answer = await over_http(clients, pull, "async", order(pull, "async", head=HEADS.get(case, pull.head)))
    assert answer.status_code == status
    if body_status is None:
        assert answer.json()["status"] == str(status)
    else:
        assert answer.json()["status"] == body_status
        assert ("uuid" in answer.json()["details"]) == (body_status == "pending")


def test_an_accepted_request_lands_only_when_time_passes(world: World, repo: Repository, pull: Pull) -> None:
    uuid = world.merge_async(world.bot, pull, MergeCall(pull.head, "squash")).body["details"]["uuid"]
    assert world.merge_status(pull, uuid).body["status"] == "pending"
    world.clock.advance(1)
    result = world.merge_status(pull, uuid).body
    assert result["status"] == "merged"
    assert result["details"]["sha"] == repo.branches["main"]


@pytest.mark.parametrize(
    ("between", "message"),
    [
        (lambda w, r, p: w.pushes("grace", p), "Head branch was modified. Review and try the merge again."),
        (lambda w, r, p: w.requires(r, "build"), 'Required status check "build" is expected.'),
        (lambda w, r, p: w.closes("ada", p), "Pull Request is not mergeable"),
    ],
)
def test_rules_and_head_are_looked_at_when_the_request_runs(
    world: World, repo: Repository, pull: Pull, between: Arrange, message: str
) -> None:
    world.merge_async_seconds = 60
    uuid = world.merge_async(world.bot, pull, MergeCall(pull.head)).body["details"]["uuid"]
    between(world, repo, pull)
    world.clock.advance(60)
    assert world.merge_status(pull, uuid).body == {"status": "failed", "details": {"message": message}}
    assert not pull.merged


def test_a_request_is_forgotten_after_a_day(world: World, repo: Repository, pull: Pull) -> None:
    uuid = world.merge_async(world.bot, pull, MergeCall(pull.head)).body["details"]["uuid"]
    world.clock.advance(86_500)
    with pytest.raises(Exception, match="404"):
        world.merge_status(pull, uuid)


def test_merging_a_stack_merges_everything_below_it(world: World, repo: Repository, pull: Pull) -> None:
    above = world.opens_pull("grace", repo, head="above")
    top = world.opens_pull("grace", repo, head="top")
    world.stacks(pull, above, top)
    world.merge_async(world.bot, above, MergeCall(above.head))
    world.clock.advance(1)
    assert (pull.merged, above.merged, top.merged) == (True, True, False)
    assert [one.pull for one in world.landed] == [pull, above]


def test_a_merge_commit_has_the_head_as_parent_and_names_the_pull(world: World, repo: Repository, pull: Pull) -> None:
    base = repo.branches["main"]
    world.merge(world.bot, pull, MergeCall(pull.head, "merge"))
    assert world.commits[repo.branches["main"]].parents == (base, pull.head)
    assert world.pulls_with(repo, repo.branches["main"]) == [pull]


def test_a_squash_is_one_commit_that_names_the_pull(world: World, repo: Repository, pull: Pull) -> None:
    base = repo.branches["main"]
    world.pushes("grace", pull, files={"README.md": None, "hello.txt": "hello\n"})
    world.merge(world.bot, pull, MergeCall(pull.head, "squash", "Title", "Body"))
    merged = world.commits[repo.branches["main"]]
    assert merged.parents == (base,)
    assert merged.message == "Title\n\nBody"
    assert merged.files.keys() >= {"hello.txt"}
    assert "README.md" not in merged.files
    assert world.pulls_with(repo, merged.sha) == [pull]
    assert not world.contains(merged.sha, pull.head)


def test_a_rebase_repeats_every_commit_on_the_base(world: World, repo: Repository, pull: Pull) -> None:
    world.pushes("grace", pull)
    world.pushes("ada", repo, "main")
    base = repo.branches["main"]
    world.merge(world.bot, pull, MergeCall(pull.head, "rebase"))
    tip = world.commits[repo.branches["main"]]
    assert world.commits[tip.parents[0]].parents == (base,)
    assert world.pulls_with(repo, tip.sha) == [pull]


@pytest.mark.parametrize(
    ("body", "base", "open_after"),
    [
        ("Closes #1", "main", False),
        ("fixes: octo/app#1", "main", False),
        ("Resolved #1", "main", False),
        ("Closes #1", "release", True),
        ("See #1", "main", True),
        ("Encloses #1", "main", True),
    ],
)
def test_closing_keywords_close_when_the_merge_lands_on_the_default_branch(
    world: World, repo: Repository, body: str, base: str, open_after: bool
) -> None:
    issue = world.opens_issue("ada", repo, "Greet people")
    world.branches("ada", repo, "release")
    pull = world.opens_pull("grace", repo, base=base, body=body)
    world.merge(world.bot, pull, MergeCall(pull.head))
    assert issue.open is open_after


def test_pushing_the_commits_to_the_base_marks_the_pull_merged(world: World, repo: Repository, pull: Pull) -> None:
    world.force_pushes("ada", repo, "main", sha=pull.head)
    assert pull.merged
    assert pull.merged_by is world.person("ada")
    assert world.landed == []


def test_a_merge_by_us_is_written_down_with_its_expected_head(world: World, repo: Repository, pull: Pull) -> None:
    world.merge(world.bot, pull, MergeCall(pull.head, "squash"))
    (landing,) = world.landed
    assert (landing.head, landing.expected, landing.by) == (pull.head, pull.head, world.bot)
    assert landing.sha == repo.branches["main"]


async def test_nothing_is_sent_when_the_lease_does_not_cover_it(world: World, repo: Repository, pull: Pull) -> None:
    reply = await SimulatedMergeSender(world).merge(named(world, repo), permit(order(pull)), lambda: False)
    assert reply == MergeReply(api="sync", sent=False, why="the lease no longer covers the request")
    assert world.requests == []


def test_skipped_and_neutral_satisfy_a_required_check_and_a_rerun_does_not(
    world: World, repo: Repository, pull: Pull
) -> None:
    world.requires(repo, "build")
    run = world.check_run("actions", pull, "build", conclusion="skipped")
    assert world.missing_checks(pull) == []
    world.rerequests("ada", repo, run)
    assert [one.context for one in world.missing_checks(pull)] == ["build"]


def test_a_name_required_in_both_systems_must_pass_in_both(world: World, repo: Repository, pull: Pull) -> None:
    world.requires(repo, "build")
    world.check_run("actions", pull, "build")
    world.status("grace", pull, "build", "failure")
    assert [one.context for one in world.missing_checks(pull)] == ["build"]


def test_an_app_that_may_bypass_is_asked_for_nothing(world: World, repo: Repository, pull: Pull) -> None:
    world.ruleset(repo, required=(Required("build"),), bypass="always")
    world.merge(world.bot, pull, MergeCall(pull.head))
    assert pull.merged
