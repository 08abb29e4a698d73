"""What a sweep has found is not overtaken by a merge, whatever becomes of the sweep (LIFECYCLE.md 2.5, 5; decisions/waiting.md)."""

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

import pytest
from inline_snapshot import snapshot

from bot.app import hearing
from bot.app.doctor.stored import of_the_store
from bot.domain.lifecycle import planning
from tests.kit.change import Change, begun
from tests.kit.town import Killed, Town

pytestmark = pytest.mark.anyio


async def holds_unheard(town: Town) -> Change:
    """The webhook of grace's /hold is lost while the merge is reserved, and the next sweep is due."""
    change = await begun(town, "almost")
    await change.reserved()
    town.world.clock.advance(3)
    town.world.drops_webhooks(logged=False)
    await change.on_pull("grace", "/hold not today", heard=False)
    await town.hears()
    town.world.heals()
    town.world.clock.advance(301)
    return change


async def sweeps(town: Town) -> None:
    while await town.steps_once("sweep"):
        pass


async def merger_goes_on(town: Town) -> None:
    for _ in range(5):
        await town.steps_once("merger")


async def ends_held(town: Town, change: Change) -> None:
    await town.settles()
    change.notices()
    assert (town.merges(), (await change.record())["held"] is not None) == ([], True)
    assert await town.store.read(hearing.standing) == []


async def test_a_stop_that_a_sweep_has_read_is_not_overtaken_while_it_reads_on(town: Town) -> None:
    change = await holds_unheard(town)
    town.just_before(f"/pulls/{change.pull.number}/reviews", lambda: merger_goes_on(town))

    await sweeps(town)

    await ends_held(town, change)


@pytest.mark.parametrize("how", ["the clock jumps", "GitHub is slow"])
async def test_a_stop_that_a_sweep_hears_is_not_overtaken_however_long_that_takes(town: Town, how: str) -> None:
    change = await holds_unheard(town)

    async def jumps() -> None:
        if how == "GitHub is slow":
            town.world.clock.advance(301)
        else:
            town.host.off += timedelta(minutes=10)
        await merger_goes_on(town)

    town.just_before("/collaborators/grace/permission", jumps)
    await sweeps(town)

    await ends_held(town, change)


async def test_a_stop_that_a_sweep_found_is_not_overtaken_though_the_process_dies_before_it_is_heard(
    town: Town,
) -> None:
    """omar's gate and sam's later /hold were lost; one sweep finds both, hears the gate, and dies before the /hold."""
    change = await begun(town, "almost")
    town.world.drops_webhooks(logged=False)
    town.world.clock.advance(3)
    await change.on_pull("omar", "/gate submit c1")
    town.world.clock.advance(3)
    await change.on_pull("sam", "/hold not today")
    town.world.heals()
    town.kills_before("/collaborators/sam/permission")
    with suppress(Killed):
        await town.later(minutes=11, stride=30)
    town.store.before_commit = None
    assert (town.merges(), await change.merge_state()) == ([], "reserved")

    await town.boots()
    await town.later(minutes=11, stride=30)

    await ends_held(town, change)


async def test_what_a_killed_sweep_found_waits_for_the_record_whose_lists_the_next_one_cannot_read(town: Town) -> None:
    """The /hold stands in a review. After the restart GitHub shows everything but that list; the gate is opened meanwhile."""
    change, other = await begun(town, "submit"), await begun(town, "almost", "Another")
    await town.later(minutes=6, stride=60)
    town.world.drops_webhooks(logged=False)
    town.world.reviews("sam", change.pull, "COMMENTED", "/hold not today")
    await town.hears()
    town.world.heals()
    town.kills_before("/collaborators/sam/permission")
    with suppress(Killed):
        await town.later(minutes=6, stride=60)
    town.store.before_commit = None
    town.world.fails("reviews", 502, times=None)

    await town.boots()

    marks = await town.store.read(hearing.standing)
    assert {mark.thread for mark in marks} >= {change.issue.number, change.pull.number}
    assert None not in {mark.thread for mark in marks}, (
        "the other record's lists are unread as well, and it alone waits for that"
    )
    town.world.heals()
    await town.later(minutes=3, stride=60)
    await ends_held(town, change)
    assert other.phase == "submit"


def closes(town: Town, change: Change) -> None:
    town.world.closes("ada", change.issue)


def unlabels(town: Town, change: Change) -> None:
    town.world.unlabels("ada", change.issue, "signalbox")


@pytest.mark.parametrize(("stops", "unread"), [(closes, "pull"), (unlabels, "permission"), (closes, "issue")])
async def test_a_stop_that_a_sweep_found_and_could_not_decide_is_not_overtaken(
    town: Town, stops: Callable[[Town, Change], None], unread: str
) -> None:
    """Then GitHub is well again, and the merger is faster than the next sweep."""
    change = await begun(town, "almost")
    await change.reserved()
    town.world.clock.advance(3)
    town.world.drops_webhooks(logged=False)
    stops(town, change)
    await town.hears()
    town.world.heals()
    town.world.clock.advance(301)
    town.world.fails(unread, 502, times=None)
    await sweeps(town)
    town.world.heals()

    await town.later(seconds=20)
    change.notices()
    assert town.merges() == []
    await town.later(minutes=3, stride=60)
    assert (town.merges(), (await change.record())["withdrawn"]) == ([], True)
    assert await town.store.read(hearing.standing) == []


async def test_a_bug_of_ours_at_one_word_silences_neither_the_other_words_nor_lets_a_merge_by(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ada's plan in another thread meets it, at every sweep; sam's /hold was written after it, omar's gate before."""
    change = await begun(town, "almost")
    other, merged = await begun(town, "planning", "Other"), await begun(town, "almost", "Third")
    town.world.drops_webhooks(logged=False)
    for who, says, what in (
        ("omar", change.on_pull, "/gate submit c1"),
        ("ada", other.on_issue, "/plan\nboom"),
        ("sam", change.on_pull, "/hold not today"),
        ("omar", merged.on_pull, f"/gate submit {merged.head}"),
    ):
        town.world.clock.advance(3)
        await says(who, what)
    town.world.heals()
    town.expected_errors |= {"sweep_fault"}
    with monkeypatch.context() as patched:
        patched.setattr(planning, "digest_of", _broken)
        await town.later(minutes=14, stride=60)
        marks = await town.store.read(hearing.standing)
    told = [one.what for one in await town.store.read(of_the_store(300.0)) if one.mark == "problem"]
    assert ((await change.record())["held"] is not None, [mark.thread for mark in marks]) == (
        True,
        [other.issue.number],
    )
    assert town.merges() == ["c2 by signalbox[bot]"], "nobody waits for the word of another record"
    assert told == snapshot(
        [
            "octo/app#3: something found there could not be decided, the oldest 11 min ago",
            "the sweep met a fault of this program at octo/app#3",
        ]
    )

    await town.later(minutes=6, stride=60)
    for one in (change, other, merged):
        one.notices()
    assert other.phase == "plan_ready", "it is heard as soon as we are mended"
    assert await town.store.read(hearing.standing) == []


def _broken(_text: str) -> str:
    raise RuntimeError("a bug of ours")
