"""Two instances on one repository, and a database that was restored from a copy: what people see, and what is not done."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


def another_writes(town: Town, change: Change, conclusion: str = "success") -> None:
    """A second installation of our App shows its own check on the head."""
    fields = {"external_id": f"another:{town.repo.id}#{change.issue.number}:v7:e1", "title": "theirs"}
    town.world.check_run(town.world.app, change.pull, "signalbox", conclusion=conclusion, **fields)


async def test_while_another_instance_writes_nothing_is_authorised_and_nothing_merges(town: Town) -> None:
    """threats.md, T29."""
    change = await begun(town, "submit")
    another_writes(town, change)
    await change.passes("submit")
    await town.later(minutes=30, stride=60)

    assert ((await change.record())["frozen"], town.merges(), town.asked("merge", "merge_async")) == (
        "instance_conflict",
        [],
        0,
    )
    ours = next(run for run in town.repo.runs if run.name == "signalbox" and not run.external_id.startswith("another:"))
    assert (ours.conclusion, ours.title) == ("action_required", "submit: frozen, another Signalbox writes here")
    assert change.notices()[-1].startswith("**An operator is needed: another installation of Signalbox writes here.**")


async def test_an_hour_after_the_other_instance_fell_silent_it_goes_on_and_merges(town: Town) -> None:
    change = await begun(town, "submit")
    another_writes(town, change)
    await change.passes("submit")
    await town.later(minutes=50, stride=120)
    assert ((await change.record())["frozen"], town.merges()) == ("instance_conflict", [])

    await town.later(minutes=25, stride=120)

    assert (change.phase, town.merges()) == ("done", ["c1 by signalbox[bot]"])
    assert "no other installation of Signalbox writes here any more" in change.notices()[-1]


async def test_another_instance_that_wrote_at_the_last_moment_stops_the_request(town: Town) -> None:
    change = await begun(town, "almost")
    await change.reserved()
    written = town.asked("update_check_run")
    town.just_before(f"/commits/{change.pull.head}/check-runs", lambda: another_writes(town, change))
    await town.later(minutes=3)

    assert ((await change.record())["frozen"], town.asked("merge", "merge_async")) == ("instance_conflict", 0)
    assert town.asked("update_check_run") == written + 1, "success was never shown"
    assert change.notices()


async def test_another_instance_that_wrote_beside_our_success_stops_the_request(town: Town) -> None:
    """After we looked, and before the success that we then wrote was read back."""
    change = await begun(town, "almost")
    await change.reserved()
    ours = next(run for run in town.repo.runs if run.name == "signalbox" and run.head == change.pull.head)
    town.just_before(f"/check-runs/{ours.id}", lambda: another_writes(town, change))
    await town.later(minutes=3)

    assert ((await change.record())["frozen"], town.asked("merge", "merge_async")) == ("instance_conflict", 0)
    assert change.notices()


async def test_a_restored_copy_that_misses_a_revocation_merges_nothing(tmp_path: Path, town: Town) -> None:
    """The copy says that all is approved. GitHub shows that we knew more than that."""
    town.opens(str(tmp_path / "signalbox.db"))
    change = await begun(town, "submit")
    backup = tmp_path / "backup.db"
    await town.store.close()
    shutil.copy(tmp_path / "signalbox.db", backup)
    town.opens(str(tmp_path / "signalbox.db"))
    await change.on_issue("grace", "/revoke")
    await town.later(seconds=10)
    assert change.phase == "plan_ready"
    await town.store.close()

    town.opens(str(backup))
    await town.later(minutes=11, stride=60)
    assert (await change.record())["frozen"] == "database_behind"
    assert change.check == "action_required · submit: frozen, the database is behind GitHub"
    await change.on_pull("grace", "/approve")
    await change.on_pull("omar", f"/gate submit {change.pull.head}")
    await town.later(minutes=11, stride=60)

    assert town.merges() == []
    assert any("/replan` and why, and everything is decided anew" in told for told in change.notices())


async def test_after_a_restore_an_operator_lets_it_begin_anew(tmp_path: Path, town: Town) -> None:
    town.opens(str(tmp_path / "signalbox.db"))
    change = await begun(town, "building")
    await town.store.close()
    shutil.copy(tmp_path / "signalbox.db", tmp_path / "backup.db")
    town.opens(str(tmp_path / "signalbox.db"))
    await change.on_issue("grace", "/revoke")
    await town.later(seconds=10)
    await town.store.close()
    town.opens(str(tmp_path / "backup.db"))
    await town.later(minutes=11, stride=60)
    assert (await change.record())["frozen"] == "database_behind"

    await change.on_issue("ada", "/replan The copy is old.")
    assert (await change.record())["frozen"] == "database_behind", "a builder cannot"
    await change.on_issue("omar", "/replan The copy is old.")
    await town.later(minutes=11, stride=60)

    record = await change.record()
    assert (record["frozen"], record["phase"]) == (None, "planning")
    assert [d for d in record["decisions"] if d["void_because"] is None] == []
    assert any("it begins anew in **planning**" in told for told in change.notices())


@pytest.mark.parametrize(("stage", "others"), [("plan_ready", 0), ("testing", 2)])
async def test_a_restored_copy_freezes_before_it_hears_what_its_lost_versions_heard(
    stage: str, others: int, tmp_path: Path, town: Town
) -> None:
    """As many words as versions are lost: heard anew they would make versions of the same numbers. What they said counts
    when an operator lets the work begin anew."""
    town.opens(str(tmp_path / "signalbox.db"))
    change = await begun(town, stage)
    await town.store.close()
    shutil.copy(tmp_path / "signalbox.db", tmp_path / "backup.db")
    town.opens(str(tmp_path / "signalbox.db"))
    await change.on_issue("grace", "/hold it loses data")
    for number in range(others):
        await change.on_issue("omar", f"/priority {number + 1}")
    await town.later(seconds=10)
    await town.store.close()

    town.opens(str(tmp_path / "backup.db"))
    known = (await change.record())["version"]
    await town.later(minutes=12, stride=120)
    rows = (await town.api(f"{change.repo_path}/history"))["items"]
    assert [row["signal"] for row in rows[known:]] == ["doubt_found"]
    assert "An operator can put the newest database back" in change.notices()[-1]

    await change.on_issue("omar", "/replan The copy is old.")
    await town.later(minutes=11, stride=60)
    record = await change.record()
    assert (record["frozen"], record["phase"], record["held"]["why"]) == (None, "planning", "it loses data")
    change.notices()


async def test_an_older_standby_that_takes_over_under_a_running_process_freezes_before_it_hears_anything(
    town: Town,
) -> None:
    """The record was compared already, with the database that is gone."""
    change = await begun(town, "plan_ready")
    await change.on_issue("omar", "/priority 7", heard=False)
    town.world.hooks.take()
    await town.later(minutes=6, stride=120)
    assert (await change.record())["priority"] == 7, "the sweep heard it, and has compared"
    with closing(sqlite3.connect(":memory:")) as standby:
        town.store._connection.backup(standby)
        known = (await change.record())["version"]
        await change.on_issue("grace", "/hold it loses data")
        await town.later(seconds=10)
        standby.backup(town.store._connection)
    town.store.exchanges = 1

    await town.later(minutes=12, stride=120)

    rows = (await town.api(f"{change.repo_path}/history"))["items"]
    assert [row["signal"] for row in rows[known:]] == ["doubt_found"]
    assert "An operator can put the newest database back" in change.notices()[-1]
