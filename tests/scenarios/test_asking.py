"""Reserve, publish and ask, sentence by sentence (LIFECYCLE.md section 3, 1 to 4): what is stored before a byte leaves, and
what is kept or let go when GitHub says no."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from inline_snapshot import snapshot

from bot.domain.model.ids import RecordKey
from bot.ports.rows import AttemptRow
from tests.kit import holding_up
from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio

SYNC = pytest.mark.parametrize("merge_api", ["sync"])


async def attempts(town: Town, change: Change) -> list[AttemptRow]:
    """The requests that were stored for a change, oldest first."""
    key = RecordKey(town.repo.id, change.issue.number)
    return list(await town.store.read(lambda tx: tx.attempts.of(key)))


def sees(change: Change, into: list[Any]) -> Callable[[], Awaitable[None]]:
    """Look at the record while a request waits in the door."""

    async def look() -> None:
        into.append((await change.record())["merge"])

    return look


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


async def test_one_reservation_per_pull_request_though_two_operators_complete_it_at_once(town: Town) -> None:
    change = await begun(town, "almost")
    await change.on_pull("omar", "/gate submit c1", heard=False)
    second = await change.on_pull("sam", "/gate submit c1", heard=False)

    await town.hears()
    await town.later(seconds=10)

    events = [row["signal"] for row in (await town.api(f"{change.repo_path}/history"))["items"]]
    assert (events.count("reserved"), town.asked("merge_async"), town.merges()) == (1, 1, ["c1 by signalbox[bot]"])
    assert (change.reaction(second), change.reply(second)) == snapshot(("+1", None))


async def test_the_lock_of_a_base_is_held_in_reserved_too(town: Town) -> None:
    first, second = await begun(town, "almost"), await begun(town, "almost", "Faster parser")
    await first.reserved()

    await second.on_pull("omar", "/gate submit c2", heard=False)
    await town.hears()

    assert (await first.merge_state(), await second.merge_state()) == ("reserved", "none")
    await town.later(minutes=1)
    assert town.merges() == ["c1 by signalbox[bot]", "c2 by signalbox[bot]"]


@pytest.mark.parametrize("merge_api", ["async", "sync"])
async def test_requested_is_stored_with_attempt_lease_head_method_and_texts_before_a_byte_leaves(town: Town) -> None:
    change = await begun(town, "almost")
    seen: list[Any] = []
    rows: list[AttemptRow] = []

    async def look() -> None:
        await sees(change, seen)()
        rows.extend(await attempts(town, change))

    town.just_before("/merge-async" if town.merge_api == "async" else "/merge", look)

    await change.merges()

    (merge,), (row,) = seen, rows
    (sent,) = [
        one.body
        for one in town.world.requests
        if one.operation == ("merge_async" if town.merge_api == "async" else "merge")
    ]
    assert (row.method, row.title, row.body) == (sent["merge_method"], sent["commit_title"], sent["commit_message"])
    assert (row.title, row.state) == (f"Retry uploads (#{change.pull.number})", "stored")
    (after,) = await attempts(town, change)
    assert (after.title, after.body, after.state) == (row.title, row.body, "answered")
    assert (merge["state"], town.shown(merge["head"]), merge["base"], merge["method"]) == (
        "requested",
        "c1",
        "main",
        "squash",
    )
    assert (merge["attempt"], row.head, row.owner != "") == (row.id, change.pull.head, True)
    asked, lease, window = (at(merge[name]) for name in ("requested_at", "lease_ends", "window_ends"))
    assert (lease - asked, window - lease) == (timedelta(seconds=40), timedelta(minutes=15))


async def test_an_attempt_whose_lease_was_too_short_is_stored_not_sent_and_never_sent(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()
    holding_up.after_storing_the_request(town, 11)

    await town.later(seconds=30)

    assert [row.state for row in await attempts(town, change)] == ["not_sent", "answered"]
    assert (town.asked("merge_async"), change.phase) == (1, "done")


@SYNC
async def test_a_moved_base_keeps_the_reservation_and_takes_the_next_attempt_id(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.fails("merge", 405, times=2)

    await change.merges(seconds=60)

    rows = await attempts(town, change)
    assert (len(rows), len({row.reservation for row in rows}), len({row.id for row in rows})) == (3, 1, 3)
    assert town.merges() == ["c1 by signalbox[bot]"]


@SYNC
@pytest.mark.parametrize("status", [405, 409])
async def test_a_head_that_github_calls_out_of_date_is_asked_for_again_and_then_refused(
    town: Town, status: int
) -> None:
    change = await begun(town, "almost")
    town.world.fails("merge", status, message="Head branch is out of date. Review and try the merge again.", times=2)

    await change.merges(seconds=60)

    assert (change.phase, town.asked("merge"), town.merges()) == ("done", 3, ["c1 by signalbox[bot]"])


@pytest.mark.parametrize("merge_api", ["async", "sync"])
async def test_where_the_base_wants_heads_that_contain_it_an_older_one_is_not_even_asked_for(town: Town) -> None:
    town.world.requires(town.repo, "build", strict=True)
    change = await begun(town, "almost")
    town.world.pushes("sam", town.repo, "main")

    await change.merges()
    assert (town.asked("merge", "merge_async"), change.waits, change.row("Merge")) == snapshot(
        (
            0,
            "Waiting for **an operator**: the checks ran without the newest commit of `main`, and its rules ask for them with it; a builder brings the branch up to date.",
            "❌ Merge: the checks ran without the newest commit of `main`, and its rules ask for them with it; a builder brings the branch up to date · an operator: change what is named",
        )
    )
    town.heads.append(town.world.updates_branch("ada", change.pull))
    change.check_run()
    await town.settles()
    await change.passes("testing")
    await change.approved_by("grace")
    await change.merges()

    assert (town.merges(), change.phase) == (["c2 by signalbox[bot]"], "done")


async def test_where_the_bypass_list_cannot_be_read_the_merge_is_allowed(town: Town) -> None:
    town.world.protects(town.repo, required=list(town.repo.rulesets.popitem()[1].required))
    town.world.app.permissions.pop("administration", None)
    change = await begun(town, "almost")

    await change.merges()

    assert (change.phase, town.merges()) == ("done", ["c1 by signalbox[bot]"])


async def test_a_success_answer_is_confirmed_before_anything_is_said_to_be_done(town: Town) -> None:
    change = await begun(town, "almost")

    def base_cannot_be_read() -> None:
        for operation in ("compare", "merge_evidence"):
            town.world.fails(operation, 500, times=None)

    town.just_before("/merge-async", base_cannot_be_read)

    await change.merges(seconds=60)
    assert (town.merges(), change.phase, await change.merge_state()) == (
        ["c1 by signalbox[bot]"],
        "submit",
        "confirming",
    )
    town.world.heals()
    await town.later(seconds=60)

    assert change.phase == "done"


async def test_the_check_turns_to_action_required_when_nobody_knows_and_a_request_that_has_not_run_is_refused(
    town: Town,
) -> None:
    town.world.requires(town.repo, "signalbox", app=town.world.app)
    town.world.merge_async_seconds = 120
    change = await begun(town, "almost")
    town.world.loses_answer_to("merge_async")

    await change.merges()
    assert (await change.merge_state(), change.check) == snapshot(
        ("ambiguous", "action_required · submit: it is not known whether GitHub merged c1")
    )
    await town.later(minutes=5)

    (theirs,) = change.pull.requests.values()
    assert (theirs.status, theirs.message) == snapshot(("failed", 'Required status check "signalbox" is expected.'))
    assert (town.merges(), town.asked("merge_async"), await change.merge_state()) == ([], 1, "ambiguous")
    change.notices()
