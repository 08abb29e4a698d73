"""Repositories that are archived, come back, or leave their name to another: the number decides, and nothing is lost."""

import pytest
from inline_snapshot import snapshot

from tests.kit.change import begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def test_an_archived_repository_stands_still_and_goes_on_where_it_was(town: Town) -> None:
    """known-faults.md, row 70: every write is refused there, so nothing is written, asked or merged until it is back."""
    town.expected_errors.add("effect_refused")
    change = await begun(town, "almost")
    await change.on_pull("omar", "/gate submit c1", heard=False)
    town.world.sets_permission("sam", town.repo, "admin")
    town.world.archives("sam", town.repo)
    await town.later(minutes=20, stride=60)
    quiet = len(town.calls)
    await town.later(minutes=20, stride=60)
    frozen = (await change.record())["frozen"], town.merges(), _writes(town, quiet)

    town.world.unarchives("sam", town.repo)
    await town.later(minutes=20, stride=60)
    change.notices()

    assert frozen == snapshot(("suspended", [], []))
    assert (change.phase, town.merges(), (await change.record())["frozen"]) == snapshot(
        ("done", ["c1 by signalbox[bot]"], None)
    )


def _writes(town: Town, since: int) -> list[str]:
    return [made.request.operation for made in town.calls[since:] if not made.request.reads]


async def test_who_takes_a_former_name_over_has_no_say_in_what_bore_it(town: Town) -> None:
    """threats.md, T22: the record is that of a number. Another repository of that name has issues of its own."""
    change = await begun(town, "almost")
    town.world.sets_permission("sam", town.repo, "admin")
    town.world.renames_repository("sam", town.repo, "application")
    jacked = town.world.repository("octo/app", members={"lin": "admin", "omar": "maintain"})
    theirs = town.world.opens_issue("lin", jacked, "Mine now")
    town.world.branches("lin", jacked, "work")
    town.world.pushes("lin", jacked, "work")
    pull = town.world.opens_pull("lin", jacked, "Merge me", head="work")
    for thread in (theirs, pull):
        town.world.comments("omar", thread, f"/gate submit {change.pull.head[:12]}")
        town.world.comments("lin", thread, "/cancel It is over.")
    await town.later(minutes=10, stride=60)

    record = await town.api(f"/lifecycles/octo/application/{change.issue.number}")
    assert (record["phase"], record["withdrawn"], town.merges()) == ("submit", False, [])
    await change.merges(seconds=60)
    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")
