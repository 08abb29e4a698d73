"""What somebody asks is answered, whatever else was said within the hour (INTERFACE.md 4: `/help` is for anyone with read)."""

import pytest

from tests.kit.change import begun
from tests.kit.town import Town
from tests.scenarios.conftest import anyio_backend, merge_api, town

__all__ = ["anyio_backend", "merge_api", "town"]
pytestmark = pytest.mark.anyio


async def test_help_is_given_to_whoever_was_denied_something_before(town: Town) -> None:
    change = await begun(town, "testing")
    await change.on_pull("lin", "/approve")
    change.notices()

    asked = await change.on_pull("lin", "/help")

    assert change.notices() != [], f"asked and only {change.reaction(asked)}"


async def test_a_denial_is_said_to_whoever_asked_for_help_before(town: Town) -> None:
    change = await begun(town, "testing")
    await change.on_pull("lin", "/help")
    change.notices()

    denied = await change.on_pull("lin", "/approve")

    assert change.notices() != [], f"denied and only {change.reaction(denied)}"
