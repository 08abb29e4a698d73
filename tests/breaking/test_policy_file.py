"""A policy file that the reader of YAML chokes on is a wrong file like any other: it is told where, and nobody's word is lost
(INTERFACE.md 5, threats T11, T25)."""

import pytest

from tests.kit.change import begun
from tests.kit.policy_files import lays_down, policy_check
from tests.kit.town import Town
from tests.scenarios.conftest import anyio_backend, merge_api, town

__all__ = ["anyio_backend", "merge_api", "town"]

pytestmark = pytest.mark.anyio
#: A code point beyond the last one.
BEYOND = 'version: 1\nstart_label: "\\UFFFFFFFF"\n'


async def test_what_people_say_in_a_repository_with_such_a_file_is_heard_and_answered(town: Town) -> None:
    """Its first file: without one that could be used before, the strict rules hold."""
    await lays_down(town, BEYOND, heard=False)

    change = await begun(town)
    await change.on_issue("ada", "/plan\nRetry three times.")

    assert change.phase == "plan_ready"


async def test_a_commit_with_such_a_file_gets_a_check_that_says_so(town: Town) -> None:
    change = await begun(town, "almost")

    commit = await lays_down(town, BEYOND)

    assert policy_check(town, commit) == "failure · not used: 1 error"
    await change.merges()
    assert change.phase == "done"
