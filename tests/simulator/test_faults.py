"""What can go wrong, over both faces: what happened, what the client saw, what was recorded."""

# the lambdas of one table share one signature

from collections.abc import Callable
from datetime import timedelta

import httpx
import pytest
from githubkit.exception import RequestError

from bot.domain.model.effects import CreateComment, MarkReady
from bot.domain.model.questions import IssueOf, MergeEvidenceOf, PullOf
from bot.ports.failures import Forbidden, ForgeFailure, Gone, OutcomeUnknown, RateLimited, Unreachable
from bot.simulator.forge import SimulatedForge
from bot.simulator.merge_sender import SimulatedMergeSender
from bot.simulator.model.repositories import Repository
from bot.simulator.model.threads import Pull, Thread
from bot.simulator.world import World
from tests.simulator.conftest import Clients
from tests.simulator.merge_cases import named, order, over_http, permit

pytestmark = pytest.mark.anyio
Break = Callable[[World], None]
SAY = CreateComment(number=1, body="hi", marker="m")


@pytest.fixture
def issue(world: World, repo: Repository) -> Thread:
    return world.opens_issue("ada", repo, "Hello")


@pytest.fixture
def pull(world: World, repo: Repository, issue: Thread) -> Pull:
    return world.opens_pull("grace", repo)


@pytest.fixture
def forge(world: World) -> SimulatedForge:
    return SimulatedForge(world)


@pytest.fixture
def sender(world: World) -> SimulatedMergeSender:
    return SimulatedMergeSender(world)


@pytest.mark.parametrize(
    ("break_it", "failure", "said"),
    [
        (lambda w: w.loses_answer_to("comment"), OutcomeUnknown, 1),
        (lambda w: w.loses_answer_to("comment", landed=False), OutcomeUnknown, 0),
        (lambda w: w.answers("comment", 502, before=True), OutcomeUnknown, 0),
        (lambda w: w.answers("comment", 502, before=False), OutcomeUnknown, 1),
        (lambda w: w.unreachable("comment"), Unreachable, 0),
        (lambda w: w.fails("comment", 403), Forbidden, 0),
        (lambda w: w.fails("comment", 422), Forbidden, 0),
        (lambda w: w.fails("comment", 404), Gone, 0),
        (lambda w: w.fails("comment", 401), Unreachable, 0),
        (lambda w: w.fails("comment", 429), RateLimited, 0),
        (lambda w: w.fails("comment", 408), OutcomeUnknown, 0),
        (lambda w: w.fails("comment", 403, message="You have exceeded a secondary rate limit."), RateLimited, 0),
        (lambda w: w.fails("create_comment", 403, headers={"Retry-After": "30"}), RateLimited, 0),
        (lambda w: w.locks("ada", next(iter(w.repositories.values())).threads[1]), Forbidden, 0),
        (lambda w: w.deletes_issue("octo", next(iter(w.repositories.values())).threads[1]), Gone, 0),
    ],
)
async def test_a_write_fails_in_one_of_five_ways(
    world: World,
    repo: Repository,
    issue: Thread,
    forge: SimulatedForge,
    break_it: Break,
    failure: type[ForgeFailure],
    said: int,
) -> None:
    break_it(world)
    with pytest.raises(failure):
        await forge.perform(named(world, repo), SAY)
    assert len(issue.comments) == said


async def test_a_fault_is_used_up(world: World, repo: Repository, issue: Thread, forge: SimulatedForge) -> None:
    world.answers("comment", 502, before=True, times=2)
    for _ in range(2):
        with pytest.raises(OutcomeUnknown):
            await forge.perform(named(world, repo), SAY)
    written = await forge.perform(named(world, repo), SAY)
    assert written.id == issue.comments[0].id
    assert [one.status for one in world.requests] == [502, 502, 200]


async def test_a_rate_limit_says_until_when(
    world: World, repo: Repository, issue: Thread, forge: SimulatedForge
) -> None:
    world.fails("comment", 403, headers={"Retry-After": "30"})
    with pytest.raises(RateLimited) as limited:
        await forge.perform(named(world, repo), SAY)
    assert limited.value.until == world.clock.stamp() + timedelta(seconds=30)


async def test_a_lasting_fault_ends_when_healed(
    world: World, repo: Repository, issue: Thread, forge: SimulatedForge
) -> None:
    world.unreachable("read", times=None)
    for _ in range(3):
        with pytest.raises(Unreachable):
            await forge.read(named(world, repo), IssueOf(1))
    world.heals()
    seen = (await forge.read(named(world, repo), IssueOf(1))).value
    assert seen is not None
    assert seen.title == "Hello"


async def test_a_lost_merge_answer_may_have_landed(
    world: World, repo: Repository, pull: Pull, sender: SimulatedMergeSender
) -> None:
    world.loses_answer_to("merge")
    reply = await sender.merge(named(world, repo), permit(order(pull)), lambda: True)
    assert (reply.sent, reply.status, reply.why) == (True, None, "reset")
    assert pull.merged
    assert world.requests[-1].effect


async def test_a_merge_that_never_arrived_was_not_sent(
    world: World, repo: Repository, pull: Pull, sender: SimulatedMergeSender
) -> None:
    world.unreachable("merge")
    reply = await sender.merge(named(world, repo), permit(order(pull)), lambda: True)
    assert (reply.sent, reply.status) == (False, None)
    assert not pull.merged


async def test_a_late_merge_lands_after_the_client_gave_up(
    world: World, repo: Repository, pull: Pull, sender: SimulatedMergeSender
) -> None:
    world.lands_late("merge", 120)
    reply = await sender.merge(named(world, repo), permit(order(pull)), lambda: True)
    assert (reply.sent, reply.status, reply.why) == (True, None, "timeout")
    again = await sender.merge(named(world, repo), permit(order(pull)), lambda: True)
    assert (again.status, again.message) == (405, "Merge already in progress")
    world.clock.advance(119)
    assert not pull.merged
    world.clock.advance(1)
    assert pull.merged
    assert world.requests[0].effect


async def test_the_sha_guard_holds_for_a_late_merge_too(
    world: World, repo: Repository, pull: Pull, sender: SimulatedMergeSender
) -> None:
    world.lands_late("merge", 120, status=502)
    reply = await sender.merge(named(world, repo), permit(order(pull)), lambda: True)
    assert reply.status == 502
    world.pushes("grace", pull)
    world.clock.advance(120)
    assert not pull.merged
    assert not world.requests[0].effect


async def test_one_unreadable_side_of_a_merge_is_unknown_and_two_are_no_answer(
    world: World, repo: Repository, pull: Pull, forge: SimulatedForge
) -> None:
    question = MergeEvidenceOf(pull.number, pull.head, "main")
    world.merges_by_hand("ada", pull)
    world.unreachable("pull")
    half = (await forge.read(named(world, repo), question)).value
    assert (half.pull_merged, half.on_base) == (None, True)
    world.unreachable("commit_pulls")
    half = (await forge.read(named(world, repo), question)).value
    assert (half.pull_merged, half.on_base) == (True, None)
    world.unreachable("read", times=2)
    with pytest.raises(Unreachable):
        await forge.read(named(world, repo), question)


async def test_a_lost_repository_is_not_a_deleted_issue(
    world: World, repo: Repository, issue: Thread, forge: SimulatedForge
) -> None:
    assert (await forge.read(named(world, repo), IssueOf(99))).value is None
    world.removes_repository(repo)
    with pytest.raises(Gone):
        await forge.read(named(world, repo), IssueOf(1))


async def test_a_suspended_installation_may_do_nothing(
    world: World, repo: Repository, pull: Pull, forge: SimulatedForge
) -> None:
    world.suspends()
    with pytest.raises(Forbidden):
        await forge.read(named(world, repo), PullOf(pull.number))
    with pytest.raises(Forbidden):
        await forge.perform(named(world, repo), MarkReady(pull=pull.number, node_id=pull.node_id))


async def test_a_scheduler_can_step_in_before_and_after_every_request(
    world: World, repo: Repository, pull: Pull
) -> None:
    seen = []

    async def pause(where: str) -> None:
        seen.append(where)

    forge = SimulatedForge(world, pause)
    await forge.read(named(world, repo), PullOf(pull.number))
    await forge.perform(named(world, repo), SAY)
    await SimulatedMergeSender(world, pause).merge(named(world, repo), permit(order(pull, "async")), lambda: True)
    requests = ("pull", "create_comment", "merge_async")
    assert seen == [f"{when} {name}" for name in requests for when in ("before", "after")]


async def test_the_date_of_an_answer_is_githubs_whole_second(
    world: World, repo: Repository, issue: Thread, forge: SimulatedForge
) -> None:
    world.clock.advance(0.75)
    answer = await forge.read(named(world, repo), IssueOf(1))
    assert answer.date == world.clock.now().replace(microsecond=0)


@pytest.mark.parametrize(
    ("break_it", "seen", "merged"),
    [
        (lambda w: w.loses_answer_to("merge"), httpx.ReadError, True),
        (lambda w: w.loses_answer_to("merge", how="timeout", landed=False), httpx.ReadTimeout, False),
        (lambda w: w.unreachable("merge"), httpx.ConnectError, False),
        (lambda w: w.lands_late("merge", 60), httpx.ReadTimeout, False),
    ],
)
async def test_a_broken_connection_looks_like_one_to_the_client(
    clients: Clients, world: World, pull: Pull, break_it: Break, seen: type[Exception], merged: bool
) -> None:
    break_it(world)
    with pytest.raises(seen):
        await over_http(clients, pull, "sync", order(pull))
    assert pull.merged is merged
    assert world.requests[-1].status is None


async def test_the_real_client_names_the_broken_connection_as_the_cause(
    clients: Clients, world: World, repo: Repository, pull: Pull
) -> None:
    world.loses_answer_to("pull")
    with pytest.raises(RequestError) as failed:
        await clients.gh.rest.pulls.async_get("octo", "app", pull.number)
    assert isinstance(failed.value.__cause__, httpx.ReadError)


async def test_an_error_answer_over_http_carries_its_headers(clients: Clients, world: World, issue: Thread) -> None:
    world.fails("comment", 403, headers={"Retry-After": "30"})
    answer = await clients.http.post("/repos/octo/app/issues/1/comments", json={"body": "hi"})
    assert (answer.status_code, answer.headers["retry-after"]) == (403, "30")
    assert "secondary rate limit" in answer.json()["message"]
    assert issue.comments == []
