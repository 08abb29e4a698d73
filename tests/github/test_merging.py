"""The merge request over the simulated GitHub: what each answer becomes, and that it is asked once."""

from collections.abc import Callable
from typing import Any, Literal

import pytest

from bot.domain.model.effects import MergeReply
from bot.domain.model.permit import MergeOrder, MergePermit
from bot.simulator.model.threads import Pull
from bot.simulator.world import World
from tests.github.conftest import START, Setting, setting

pytestmark = pytest.mark.anyio

Api = Literal["async", "sync"]
APIS: tuple[Api, Api] = ("async", "sync")


def permit(pull: Pull, api: Api, **change: Any) -> MergePermit:
    order = MergeOrder(
        reservation="m-1",
        attempt="a-1",
        pull=pull.number,
        head=change.get("head", pull.head),
        base="main",
        method=change.get("method", "squash"),
        title=change.get("title", "Retry (#1)"),
        body=change.get("body", "By ada and grace"),
        api=api,
    )
    return MergePermit(MergePermit._seal, order)


def yes() -> bool:
    return True


def plain(_: Setting, __: Pull) -> None:
    pass


def head_moves(here: Setting, pull: Pull) -> None:
    here.world.pushes("ada", pull)


def draft(here: Setting, pull: Pull) -> None:
    here.world.converts_to_draft("ada", pull)


def closed(here: Setting, pull: Pull) -> None:
    here.world.closes("ada", pull)


def merged_already(here: Setting, pull: Pull) -> None:
    here.world.merges_by_hand("ada", pull)


def check_missing(here: Setting, _: Pull) -> None:
    here.world.requires(here.repository, "build")


def base_modified(here: Setting, _: Pull) -> None:
    here.world.fails("merge", 405)


def rate_limited(here: Setting, _: Pull) -> None:
    here.world.fails("merge", 403, headers={"retry-after": "20"})


def feature_missing(here: Setting, _: Pull) -> None:
    here.repository.merge_async = False


def answer_lost_after_landing(here: Setting, _: Pull) -> None:
    here.world.loses_answer_to("merge", landed=True)


def answer_lost_before_landing(here: Setting, _: Pull) -> None:
    here.world.loses_answer_to("merge", landed=False, how="timeout")


def bad_gateway_after_landing(here: Setting, _: Pull) -> None:
    here.world.answers("merge", 502, before=False)


def lands_late(here: Setting, _: Pull) -> None:
    here.world.lands_late("merge", 30)


def refused(here: Setting, _: Pull) -> None:
    here.world.unreachable("merge")


STORIES = (
    *(plain, head_moves, draft, closed, merged_already, check_missing, base_modified, rate_limited, feature_missing),
    *(answer_lost_after_landing, answer_lost_before_landing, bad_gateway_after_landing, lands_late, refused),
)


async def told(which: str, api: Api, story: Callable[[Setting, Pull], None]) -> tuple[MergeReply, Setting]:
    here = setting(World(START))
    pull = here.world.opens_pull("ada", here.repository)
    order = permit(pull, api)
    story(here, pull)
    sender = here.sender if which == "http" else here.simulated_sender
    return await sender.merge(here.repo, order, yes), here


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("story", STORIES, ids=lambda one: one.__name__)
async def test_both_forges_answer_the_same(api: Api, story: Callable[[Setting, Pull], None]) -> None:
    ours, here = await told("http", api, story)
    simulated, _ = await told("simulated", api, story)
    assert ours.model_copy(update={"why": ""}) == simulated.model_copy(update={"why": ""})
    assert bool(ours.why) == (ours.status is None)
    assert here.asked(f"merge{'_async' if api == 'async' else ''}") == 1


async def test_a_success_names_the_commit_on_the_base(here: Setting) -> None:
    pull = here.world.opens_pull("ada", here.repository)
    reply = await here.sender.merge(here.repo, permit(pull, "sync"), yes)
    assert (reply.status, reply.merged, reply.sha) == (200, True, pull.merge_commit)
    (landing,) = here.world.landed
    assert (landing.head, landing.method, landing.expected) == (pull.head, "squash", pull.head)


async def test_an_asynchronous_request_is_a_direct_merge_of_this_head(here: Setting) -> None:
    pull = here.world.opens_pull("ada", here.repository)
    reply = await here.sender.merge(here.repo, permit(pull, "async"), yes)
    assert (reply.status, reply.body_status, reply.expected_head) == (202, "pending", pull.head)
    (request,) = pull.requests.values()
    assert (request.uuid, request.action, request.method) == (reply.uuid, "direct_merge", "squash")


async def test_empty_texts_are_left_out_and_nothing_else_is_sent(here: Setting) -> None:
    pull = here.world.opens_pull("ada", here.repository)
    await here.sender.merge(here.repo, permit(pull, "sync", title="", body="", method="rebase"), yes)
    assert here.world.requests[-1].body == {"sha": pull.head, "merge_method": "rebase"}


async def test_a_no_at_the_last_moment_sends_nothing(here: Setting) -> None:
    pull = here.world.opens_pull("ada", here.repository)
    reply = await here.sender.merge(here.repo, permit(pull, "sync"), lambda: False)
    assert not reply.sent
    assert reply.why
    assert here.asked("merge") == 0


async def test_the_token_is_there_before_the_last_question(here: Setting) -> None:
    pull = here.world.opens_pull("ada", here.repository)
    seen: list[str] = []

    def may_send() -> bool:
        seen.extend(one.operation for one in here.world.requests)
        return True

    await here.sender.merge(here.repo, permit(pull, "sync"), may_send)
    assert seen == ["token"]


@pytest.mark.parametrize("status", [403, 404, 422, 500])
async def test_without_a_token_nothing_is_sent_and_nobody_is_asked(here: Setting, status: int) -> None:
    pull = here.world.opens_pull("ada", here.repository)
    here.world.fails("token", status, headers={"retry-after": "9"} if status == 403 else None)
    asked: list[bool] = []

    def may_send() -> bool:
        asked.append(True)
        return True

    reply = await here.sender.merge(here.repo, permit(pull, "sync"), may_send)
    assert (reply.sent, reply.status, asked) == (False, None, [])
    assert (reply.not_before is not None) == (status == 403)


async def test_a_revoked_token_is_not_renewed_for_the_same_attempt(here: Setting) -> None:
    pull = here.world.opens_pull("ada", here.repository)
    await here.sender.merge(here.repo, permit(pull, "sync", head="0" * 40), yes)
    here.tokens.revoke_all()
    reply = await here.sender.merge(here.repo, permit(pull, "sync"), yes)
    assert (reply.sent, reply.status, pull.merged) == (True, 401, False)
    assert (await here.sender.merge(here.repo, permit(pull, "sync"), yes)).merged


async def test_a_merge_is_never_redirected(here: Setting) -> None:
    pull = here.world.opens_pull("ada", here.repository)
    order = permit(pull, "sync")
    here.world.renames_repository("octo", here.repository, "better")
    reply = await here.sender.merge(here.repo, order, yes)
    assert (reply.sent, reply.status, pull.merged) == (True, 307, False)


async def test_a_permit_is_good_for_one_request(here: Setting) -> None:
    pull = here.world.opens_pull("ada", here.repository)
    once = permit(pull, "sync")
    await here.sender.merge(here.repo, once, yes)
    with pytest.raises(RuntimeError):
        await here.sender.merge(here.repo, once, yes)
    assert here.asked("merge") == 1
