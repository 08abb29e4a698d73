"""The hidden line of our comments, by which a restored copy is noticed: people can edit it, and nothing stands still by that."""

import re
import shutil
from pathlib import Path

import pytest

from bot.simulator.keys import private_key_for
from bot.simulator.model.threads import Comment
from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


def our_comment(change: Change) -> Comment:
    """The status comment of the issue."""
    town = change.town
    (found,) = [one for one in change.issue.comments if one.app is town.world.app and "signalbox:status:" in one.body]
    return found


def edits(change: Change, body: str) -> None:
    change.town.world.clock.advance(2)
    change.town.world.edits_comment("grace", our_comment(change), body)


async def copied(town: Town, path: Path) -> Path:
    await town.store.close()
    shutil.copy(path / "signalbox.db", path / "backup.db")
    town.opens(str(path / "signalbox.db"))
    return path / "backup.db"


async def test_a_raised_version_in_our_hidden_line_freezes_nothing_and_is_written_anew(town: Town) -> None:
    """threats.md, T20. Also where it stands in a comment that is never written again, and is written as older releases did."""
    change = await begun(town, "submit")
    ours = our_comment(change)
    said = await change.on_pull("lin", "/approve")
    (told,) = town.unread(change.pull)
    town.reads(told)
    edits(change, re.sub(r"(written:\S+):v\d+", r"\1:v999", ours.body))
    plain = re.sub(r"(written:\S+):v\d+\S*", r"\1:v999", ours.body)
    town.world.edits_comment("grace", told, f"{told.body}\n{plain}")
    await town.later(minutes=11, stride=60)

    assert ((await change.record())["frozen"], ":v999" in ours.body, change.reaction(said)) == (None, False, "confused")
    edited = [str(fields["comment"]) for _, event, fields in town.log.lines if event == "mark_edited"]
    assert {link.partition("#")[2] for link in edited} == {f"issuecomment-{ours.id}", f"issuecomment-{told.id}"}
    await change.passes("submit")
    await town.later(minutes=1)
    assert town.merges() == ["c1 by signalbox[bot]"]


async def test_an_older_line_of_ours_put_back_by_somebody_is_harmless(town: Town) -> None:
    change = await begun(town, "building")
    older = our_comment(change).body
    await change.reaches("testing")
    edits(change, older)
    await town.later(minutes=11, stride=60)

    assert ((await change.record())["frozen"], our_comment(change).body == older) == (None, False)
    assert [event for _, event, _ in town.log.lines if event == "mark_edited"] == []


@pytest.mark.parametrize("meanwhile", ["another key", "another line beside it"])
async def test_a_restored_copy_is_noticed_whatever_happened_to_the_key_or_the_comment(
    tmp_path: Path, town: Town, meanwhile: str
) -> None:
    town.opens(str(tmp_path / "signalbox.db"))
    change = await begun(town, "building")
    backup = await copied(town, tmp_path)
    await change.on_issue("grace", "/revoke")
    await town.later(seconds=10)
    await town.store.close()

    if meanwhile == "another key":
        town.private_key = private_key_for(town.world)
    else:
        ours = our_comment(change).body
        (sealed,) = [line for line in ours.splitlines() if "signalbox:written:" in line]
        unsealed = re.sub(r":v\d+\S*", ":v999", sealed)
        edits(change, f"Look here!\n{ours}\n{unsealed}")
    town.opens(str(backup))
    await town.later(minutes=11, stride=60)

    assert (await change.record())["frozen"] == "database_behind"
    change.notices()


async def test_a_copy_that_made_as_many_versions_as_it_lost_is_noticed_and_begins_anew_once(
    tmp_path: Path, town: Town
) -> None:
    """Webhooks are worked on before anything is compared."""
    town.opens(str(tmp_path / "signalbox.db"))
    change = await begun(town, "testing")
    backup = await copied(town, tmp_path)
    await change.on_issue("grace", "/hold it loses data")
    await town.later(seconds=10)
    lost = (await change.record())["version"]
    await town.store.close()

    town.opens(str(backup))
    await change.on_issue("omar", "/hold not today", heard=False)
    await town.hears()
    assert (await change.record())["version"] == lost
    await town.shows()
    record = await change.record()
    assert (record["frozen"], change.check) == (
        "database_behind",
        "action_required · testing: frozen, the database is behind GitHub",
    )

    await change.on_issue("omar", "/replan The copy is old.")
    await town.later(minutes=21, stride=120)
    assert ((await change.record())["frozen"], change.phase) == (None, "planning")
    change.notices()


async def test_a_success_that_has_to_go_does_not_wait_for_what_cannot_be_compared(tmp_path: Path, town: Town) -> None:
    town.opens(str(tmp_path / "signalbox.db"))
    change = await begun(town, "almost")
    await change.reserved()
    await town.shows()
    assert change.check.startswith("success")
    await town.store.close()

    town.opens(str(tmp_path / "signalbox.db"))
    town.world.fails("comments", 502, times=None)
    await change.on_pull("grace", "/reject it loses data", heard=False)
    await town.hears()
    await town.shows(1)

    assert not change.check.startswith("success")
