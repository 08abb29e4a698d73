"""Somebody changed the database: nothing of that record merges, and people read how to find out what (threats.md, T24)."""

import pytest
from inline_snapshot import snapshot

from bot.app.audit import Audit
from bot.domain.model.ids import RecordKey
from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio

DAMAGE = {
    "one byte of an old row": "UPDATE history SET document = replace(document, '\"grace\"', '\"Grace\"') WHERE version = 3",
    "an old row is no row": "UPDATE history SET document = '{\"version' WHERE version = 3",
    "the record itself": "UPDATE records SET document = replace(document, '\"Retry uploads\"', '\"Retry  uploads\"')",
}


def damages(town: Town, statement: str) -> None:
    assert town.store._connection.execute(statement).rowcount == 1


@pytest.mark.parametrize("how", DAMAGE)
async def test_a_record_whose_history_was_changed_is_not_merged_and_says_how_to_look(town: Town, how: str) -> None:
    """threats.md, T24."""
    change = await begun(town, "almost")
    damages(town, DAMAGE[how])

    await change.on_pull("omar", f"/gate submit {change.head}")
    await town.later(minutes=5, stride=60)

    assert (town.merges(), town.asked("merge", "merge_async"), change.phase) == ([], 0, "submit")
    assert (change.row("Merge"), change.check) == snapshot(
        (
            "❌ Merge: its stored history is not what was written, and nothing of it merges; `signalbox verify-history octo/app#1` says what differs · an operator: find out who changed the database, and restore a backup",
            "in_progress · submit: waiting for an operator",
        )
    )


async def test_a_change_of_another_record_stops_only_that_one(town: Town) -> None:
    damaged, sound = await begun(town, "almost"), await begun(town, "almost", "Faster parser")
    issue = damaged.issue.number
    damages(town, f"UPDATE history SET digest = 'x' || digest WHERE version = 3 AND issue = {issue}")

    await damaged.on_pull("omar", f"/gate submit {damaged.head}")
    await sound.on_pull("omar", f"/gate submit {sound.head}")
    await town.later(minutes=3, stride=30)

    assert town.merges() == ["c2 by signalbox[bot]"]


async def test_a_start_names_each_record_that_was_changed_meanwhile_before_anybody_needs_it(town: Town) -> None:
    """threats.md, T24."""
    town.expected_errors.add("history_broken")
    damaged, _sound = await begun(town, "building"), await begun(town, "plan_ready", "Faster parser")
    damages(town, f"UPDATE history SET digest = 'x' || digest WHERE version = 2 AND issue = {damaged.issue.number}")

    audit = Audit(town.store, town.log)
    looks = [await audit.step() for _ in range(4)]

    assert looks == [True, True, False, False], "one record at a time, and each once"
    said = [line for line in town.log.lines if line[0] == "error"]
    assert said == [("error", "history_broken", {"repository": "octo/app", "issue": damaged.issue.number})]


async def rules_forgotten(town: Town, until: str) -> Change:
    """The database has no rules of this repository, and GitHub does not show its file."""
    change = await begun(town, until)
    if until == "almost":
        await change.asked(seconds=20)
    damages(town, "DELETE FROM policies")
    town.world.fails("contents", 502, times=None)
    return change


async def test_a_merge_whose_rules_nobody_can_read_is_looked_at_every_few_seconds_and_no_oftener(town: Town) -> None:
    change = await rules_forgotten(town, "almost")
    seen = len(town.calls)
    await town.later(minutes=2, stride=5)
    assert 10 < sum(made.by == "merger" for made in town.calls[seen:]) < 100

    town.world.heals()
    await town.later(minutes=2, stride=20)
    assert change.phase == "done"


async def test_a_look_by_time_that_lacks_the_rules_is_repeated_after_as_long_again(town: Town) -> None:
    change = await rules_forgotten(town, "testing")
    key = RecordKey(town.repo.id, change.issue.number)
    await town.store.run(lambda tx: tx.records.wake_at(key, tx.now()))
    seen = len(town.calls)
    await town.later(minutes=60, stride=20)

    assert 3 < len([made for made in town.calls[seen:] if made.by == "timers"]) < 60
