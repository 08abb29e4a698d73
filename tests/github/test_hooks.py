"""The App's own questions, over HTTP and on the simulation's port: both say the same."""

from datetime import timedelta
from typing import Any

import pytest

from bot.domain.model.sweeping import Installed
from bot.github.hooks import GitHubDirectory, GitHubHookLog
from bot.ports.failures import Forbidden, ForgeFailure, Gone, OutcomeUnknown, Unreachable
from bot.simulator.app import SimulatedDirectory, SimulatedHookLog
from tests.github.conftest import START, Setting

pytestmark = pytest.mark.anyio


def hook_logs(here: Setting) -> tuple[Any, Any]:
    return GitHubHookLog(here.gateway), SimulatedHookLog(here.world)


def directories(here: Setting) -> tuple[Any, Any]:
    return GitHubDirectory(here.gateway), SimulatedDirectory(here.world)


def fails(here: Setting, *statuses: int) -> None:
    """One webhook for each status with which we answered it."""
    for number, status in enumerate(statuses):
        here.world.opens_issue("ada", here.repository, f"Issue {number}")
        for hook in here.world.hooks.take():
            hook.status_code = status


async def test_failed_deliveries_are_listed_newest_first_on_every_page(here: Setting) -> None:
    fails(here, 500, 202, *[0] * 120, 401)
    ours, simulated = hook_logs(here)

    found = await ours.failed(START - timedelta(days=3))

    assert [one.status for one in found] == [401, *[0] * 120, 500]
    assert found == await simulated.failed(START - timedelta(days=3))


async def test_older_deliveries_are_left_out(here: Setting) -> None:
    fails(here, 500)
    here.world.clock.advance(3600)
    fails(here, 503)
    for log in hook_logs(here):
        assert [one.status for one in await log.failed(START + timedelta(minutes=30))] == [503]


async def test_a_delivery_that_is_asked_for_again_comes_with_its_guid(here: Setting) -> None:
    for log in hook_logs(here):
        fails(here, 500)
        failed = (await log.failed(START))[0]
        await log.redeliver(failed.id)
        (again,) = here.world.hooks.take()
        assert (again.guid, again.redelivery) == (failed.guid, True)
        with pytest.raises(Gone):
            await log.redeliver(10**6)


async def test_installations_and_their_repositories_are_listed(here: Setting) -> None:
    here.world.repository("octo/engine")
    for directory in directories(here):
        assert await directory.installations() == (Installed(id=here.world.installation.id),)
        found = await directory.repositories(here.world.installation.id)
        assert [(one.full_name, one.installation_id) for one in found] == [
            ("octo/app", here.world.installation.id),
            ("octo/engine", here.world.installation.id),
        ]


async def test_a_suspended_installation_is_listed_as_such_and_lists_nothing(here: Setting) -> None:
    here.world.suspends()
    for directory in directories(here):
        assert await directory.installations() == (Installed(id=here.world.installation.id, suspended=True),)
        with pytest.raises(Forbidden):
            await directory.repositories(here.world.installation.id)


@pytest.mark.parametrize(("how", "expected"), [("refused", Unreachable), ("reset", OutcomeUnknown)])
async def test_a_lost_answer_to_a_redelivery_may_have_been_heard(
    here: Setting, how: str, expected: type[ForgeFailure]
) -> None:
    for log in hook_logs(here):
        if how == "refused":
            here.world.unreachable("redeliver")
        else:
            here.world.loses_answer_to("redeliver")
        with pytest.raises(expected):
            await log.redeliver(1)


async def test_trouble_is_a_failure_and_never_an_empty_list(here: Setting) -> None:
    here.world.fails("read", 503, times=None)
    for ask in (
        *(log.failed(START) for log in hook_logs(here)),
        *(directory.installations() for directory in directories(here)),
    ):
        with pytest.raises(Unreachable):
            await ask
