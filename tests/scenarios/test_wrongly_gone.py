"""GitHub says of an issue that is there that it is not: nothing ends by that."""

import pytest

from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def misses_its_issue(town: Town, times: int | None) -> Change:
    """Its label is taken away, so that it is read by itself; and GitHub does not find it."""
    change = await begun(town, "testing")
    town.world.drops_webhooks(logged=False)
    town.world.unlabels("lin", change.issue, "signalbox")
    await town.settles()
    town.world.heals()
    town.world.fails("issue", 404, times=times)
    await town.later(minutes=60, stride=60)
    town.world.heals()
    return change


async def test_one_wrong_answer_is_no_proof_that_an_issue_is_gone(town: Town) -> None:
    change = await misses_its_issue(town, 1)
    record = await change.record()
    change.notices()

    assert record["phase"] != "blocked"


async def test_what_was_called_gone_and_is_there_goes_on_when_an_operator_says_so(town: Town) -> None:
    change = await misses_its_issue(town, None)
    assert (await change.record())["phase"] == "blocked"
    said = await change.on_pull("omar", "/resume testing")
    change.notices()

    assert ((await change.record())["phase"], change.reaction(said)) == ("testing", "+1")
