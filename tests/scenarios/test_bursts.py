"""Many deliveries at once, of which one reading tells enough."""

import pytest

from tests.kit.change import begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def test_a_check_that_turns_red_while_it_is_read_stops_the_head(town: Town) -> None:
    change = await begun(town, "building")

    town.just_before("/statuses", lambda: change.check_run(conclusion="failure"))
    await change.opens_pull()

    assert change.phase == "building"
    assert "`build` failed" in change.status
