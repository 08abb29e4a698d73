"""Rules change, and every open record hears of it, whatever keeps one of them from it."""

import pytest

from tests.kit.change import Change, begun
from tests.kit.policy_files import lays_down
from tests.kit.town import Town

pytestmark = pytest.mark.anyio

TWO = "version: 1\ngates:\n  testing: {reviews: 2, operators: 1}\n"


async def two_that_wait(town: Town) -> tuple[Change, Change]:
    """Both have one of the two reviews that they need; omar's new file will ask for one."""
    await lays_down(town, TWO)
    first, second = await begun(town, "testing"), await begun(town, "testing", "Faster parser")
    for change in (first, second):
        await change.passes("testing")
    assert (first.phase, second.phase) == ("testing", "testing")
    return first, second


def told(town: Town) -> int:
    """Of how many files every record has heard."""
    return [event for _, event, _ in town.log.lines].count("policy_told")


async def test_a_record_that_meets_a_fault_keeps_no_other_from_hearing_of_new_rules(town: Town) -> None:
    first, second = await two_that_wait(town)
    town.expected_errors |= {"news_failed", "policy_failed"}

    def breaks() -> None:
        raise ValueError("a bug of ours")

    town.just_before(f"/pulls/{first.pull.number}", breaks)
    await lays_down(town, "version: 1\n")

    assert (first.phase, second.phase) == ("testing", "submit")
    assert [event for level, event, _ in town.log.lines if level == "error"] == ["news_failed"]
    assert told(town) == 1
    held = await town.store.read(lambda tx: [one.name for one in tx.leases.held("aside:")])
    assert held == [f"aside:policies:{town.repo.id}#{first.issue.number}"]

    await town.later(minutes=11, stride=60)
    assert (first.phase, second.phase) == ("submit", "submit")
    assert told(town) == 2


async def test_a_record_that_github_does_not_show_keeps_no_other_from_hearing_of_new_rules(town: Town) -> None:
    first, second = await two_that_wait(town)
    town.world.fails("pull", 503, times=3)

    await lays_down(town, "version: 1\n")

    assert (first.phase, second.phase) == ("testing", "submit")
    await town.later(minutes=1)
    assert (first.phase, second.phase) == ("submit", "submit")
