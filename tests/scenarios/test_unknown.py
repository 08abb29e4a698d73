"""While nobody knows whether it was merged, sentence by sentence (LIFECYCLE.md section 3, 5 to 8): how it is read, what counts
as proof and when, whose merge it was, and what a late answer still says."""

import asyncio
from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from inline_snapshot import snapshot

from bot.domain.model.ids import RecordKey
from bot.simulator.verbs.merging import MergeCall
from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio

SYNC = pytest.mark.parametrize("merge_api", ["sync"])
ASYNC = pytest.mark.parametrize("merge_api", ["async"])


async def window_ends(change: Change) -> datetime:
    return datetime.fromisoformat((await change.record())["merge"]["window_ends"])


async def until(town: Town, when: datetime, stride: float = 60) -> None:
    await town.later(seconds=(when - town.world.clock.now()).total_seconds(), stride=stride)


async def test_confirming_reached_from_ambiguous_needs_no_lock(town: Town) -> None:
    first, second = await begun(town, "almost"), await begun(town, "almost", "Faster parser")
    town.world.merge_async_seconds = 30
    town.world.loses_answer_to("merge")
    await first.merges(seconds=5)
    await second.asked(seconds=35)
    assert (await first.merge_state(), await second.merge_state()) == ("ambiguous", "requested")

    await town.later(seconds=27)

    assert (first.phase, await second.merge_state()) == ("done", "requested")
    await town.later(minutes=1)
    assert second.phase == "done"
    first.notices()


@SYNC
async def test_what_our_app_merged_at_a_head_it_never_asked_for_is_external(town: Town) -> None:
    change = await begun(town, "almost")
    await change.unknown()
    await change.pushes("ada")

    town.world.merge(town.world.bot, change.pull, MergeCall(change.pull.head, "squash"))
    await town.later(minutes=2, stride=10)

    merge = (await change.record())["merge"]
    assert (change.phase, merge["external"], town.merges()) == ("done", True, ["c2 by signalbox[bot]"])
    assert merge["missing"] == snapshot(
        ["review (testing)", "human gate (testing)", "review (submit)", "human gate (submit)", "checks"]
    )
    assert (change.notices(), change.status) == snapshot(
        (
            [
                """\
**`signalbox[bot]` merged this pull request outside Signalbox**, as `m1` at hh:mm UTC.
Missing at that moment: review (testing), human gate (testing), review (submit), human gate (submit), checks.
No approval was recorded for them.
The record is done and marked as merged outside.
Nothing has to be done here.
If it was a mistake, revert it on GitHub.\
"""
            ],
            """\
**done** · merged outside Signalbox by `signalbox[bot]` as `m1`
Missing at that moment: review (testing), human gate (testing), review (submit), human gate (submit), checks.

| Authorised by | Who |
|---|---|
| Plan r1 | `grace` |

History\
""",
        )
    )


@SYNC
async def test_the_pull_request_is_read_first_and_then_the_base_with_back_off(town: Town) -> None:
    change = await begun(town, "almost")
    await change.unknown()
    before = len(town.calls)

    await town.later(minutes=6, stride=1)

    looks = [one.request for one in town.calls[before:] if one.by == "merger"]
    pulls = [one.at for one in looks if one.operation == "pull"]
    gaps = [(later - earlier).total_seconds() for earlier, later in pairwise(pulls)]
    order = [one.operation for one in looks[:2]]
    assert (order, gaps) == snapshot((["pull", "branch"], [15.0, 30.0, 60.0, 60.0, 60.0, 60.0, 60.0]))


@SYNC
async def test_two_agreeing_reads_begin_after_the_window_and_a_minute_apart_before_it_is_called_dead(
    town: Town,
) -> None:
    change = await begun(town, "almost")
    await change.unknown()
    await change.pushes("ada")
    ends = await window_ends(change)
    await until(town, ends - timedelta(seconds=5))
    await until(town, ends + timedelta(seconds=55), stride=5)
    assert (await change.merge_state(), change.phase) == ("ambiguous", "submit")

    await until(town, ends + timedelta(seconds=180), stride=5)

    reads = [read for read in (await change.record())["merge"]["reads"] if datetime.fromisoformat(read["at"]) > ends]
    times = [datetime.fromisoformat(read["at"]) for read in reads]
    assert (change.phase, town.asked("merge"), times[-1] - times[0] >= timedelta(seconds=60)) == ("testing", 1, True)


@ASYNC
async def test_an_asynchronous_request_that_ends_in_a_queue_is_followed_and_not_repeated(town: Town) -> None:
    town.world.merge_async_seconds = 30
    change = await begun(town, "almost")
    await change.on_pull("omar", "/gate submit c1")
    (request,) = change.pull.requests.values()
    request.action = "merge_queue"

    await town.later(minutes=3, stride=10)
    assert (request.status, await change.merge_state(), town.merges()) == snapshot(("enqueued", "ambiguous", []))
    town.world.merges_by_hand("sam", change.pull)
    await town.later(minutes=1, stride=10)

    assert (change.phase, town.asked("merge_async"), (await change.record())["merge"]["external"]) == ("done", 1, True)
    change.notices()


LATE = {
    "success": ((200, True), "merged"),
    "a definitive no": ((409, None), "none"),
}


@SYNC
@pytest.mark.parametrize("answer", LATE)
async def test_a_late_answer_is_stored_by_attempt_id_whatever_the_state(town: Town, answer: str) -> None:
    change = await begun(town, "almost")
    await change.reserved()
    at_the_door, let_in = asyncio.Event(), asyncio.Event()

    async def is_held_up() -> None:
        at_the_door.set()
        await let_in.wait()

    town.just_before("/merge", is_held_up)
    if answer != "success":
        town.world.fails("merge", 409, message="Head branch was modified. Review and try the merge again.")
    sending = asyncio.ensure_future(town.steps["merger"]())
    await at_the_door.wait()
    town.world.clock.advance(65)
    await town._steps(town.private_key)["merger"]()
    assert await change.merge_state() == "ambiguous"

    let_in.set()
    await sending

    key = RecordKey(town.repo.id, change.issue.number)
    (row,) = await town.store.read(lambda tx: tx.attempts.of(key))
    told, ends = LATE[answer]
    assert [(reply.status, reply.merged) for reply in row.replies] == [told]
    await town.later(minutes=20, stride=30)
    assert (await change.merge_state(), town.asked("merge")) == (ends, 1)
    change.notices()
