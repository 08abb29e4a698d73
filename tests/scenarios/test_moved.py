"""The same repository, reached through another installation: the App was installed again, or the repository was transferred."""

import pytest

from tests.kit.change import begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def test_the_app_that_is_installed_again_goes_on_where_it_was(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.uninstalls("ada")
    await town.settles()
    assert (await change.record())["frozen"] == "suspended"

    town.world.installs("ada")
    await town.settles()
    await change.on_pull("omar", f"/gate submit {change.head}", heard=False)
    await town.later(minutes=120, stride=120)
    change.notices()

    assert (await change.record())["frozen"] is None


async def test_a_repository_that_moved_to_another_installation_is_merged_in(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.installation.id += 1000
    town.steps = town._steps(town.private_key)  # no token of the old one is left
    await change.on_pull("omar", f"/gate submit {change.head}", heard=False)
    await town.later(minutes=60, stride=60)
    change.notices()

    assert town.merges() == ["c1 by signalbox[bot]"]


async def test_an_answer_that_had_not_left_is_given_through_the_new_installation(town: Town) -> None:
    change = await begun(town, "building")
    asked = await change.on_issue("lin", "/hold it loses data", heard=False)
    await town.hears()
    town.world.uninstalls("ada")
    await town.hears()
    await town.later(minutes=2, stride=30)
    assert (change.reply(asked), change.reaction(asked)) == (None, "")

    town.world.installs("ada")
    await town.later(minutes=12, stride=120)

    assert change.reaction(asked) == "confused"
    assert "It needs a reviewer" in (change.reply(asked) or "")
    change.notices()
