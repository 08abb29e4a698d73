"""A locked thread takes no answer: the check run carries it until a later one is taken (LIFECYCLE.md 4.2)."""

import pytest
from inline_snapshot import snapshot

from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio
REFUSED = "GitHub did not take this comment on #2:"


def carried(change: Change) -> list[str]:
    """What the text of our check run on the present head carries, without the tree below."""
    (run,) = [one for one in change.town.repo.runs if one.head == change.pull.head and one.name == "signalbox"]
    blocks = change.town.shown(run.text or "").split(REFUSED)[1:]
    return [block.partition("\n\nSignalbox ")[0].strip() for block in blocks]


async def locked(town: Town) -> Change:
    """Only people with write access comment there, and our App does not: each answer is a lost write."""
    town.expected_errors.add("effect_refused")
    change = await begun(town, "testing")
    assert carried(change) == []
    town.world.locks("omar", change.pull)
    await town.settles()
    return change


async def test_an_answer_that_a_locked_thread_refuses_stands_in_the_check_run(town: Town) -> None:
    change = await locked(town)

    said = await change.on_pull("ada", "/approve testing c1")

    assert (change.reply(said), carried(change)) == snapshot(
        (
            None,
            [
                """\
Not counted: `/approve testing c1`. `ada` wrote the plan, opened the pull request and pushed commits, and the policy asks for somebody else's judgement of `c1`. Nothing changed.
Waiting for a reviewer other than `ada`.\
"""
            ],
        )
    )


async def test_only_the_newest_answers_stand_there(town: Town) -> None:
    change = await locked(town)
    for number in range(5):
        await change.on_pull("omar", f"/priority {number + 101}")
    assert len(carried(change)) == 3


async def test_an_answer_that_is_taken_again_ends_it(town: Town) -> None:
    change = await locked(town)
    await change.on_pull("ada", "/priority 101")
    assert len(carried(change)) == 1
    town.world.locks("omar", change.pull, locked=False)
    await town.settles()

    said = await change.on_pull("omar", "/priority 102")

    assert (change.reply(said) is not None, carried(change)) == (True, [])


async def test_nothing_is_written_again_while_the_thread_stays_locked(town: Town) -> None:
    change = await locked(town)
    await change.on_pull("ada", "/priority 101")
    before = town.asked("create_comment", "update_check_run")

    await town.later(minutes=10, stride=60)

    assert town.asked("create_comment", "update_check_run") == before
