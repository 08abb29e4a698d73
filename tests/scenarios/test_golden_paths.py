"""The shortest way under each preset takes exactly the human actions that docs/policy.md prints, and not one less."""

import sys
from pathlib import Path

import pytest

from tests.kit.change import Change
from tests.kit.policy_files import lays_down
from tests.kit.town import Town

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))

from golden_paths import PATHS

pytestmark = pytest.mark.anyio


async def walked(town: Town, preset: str, without: int | None = None) -> str:
    """The phase after all steps, or after all but one."""
    if preset != "strict":
        await lays_down(town, f"version: 1\npreset: {preset}\n")
    change = Change(town, town.world.opens_issue("ada", town.repo, "Retry uploads"))
    await town.settles()
    for number, (who, what, text) in enumerate(PATHS[preset]):
        if number == without:
            continue
        if text:
            thread = change.linked or change.issue
            town.world.comments(who, thread, town.spelled(text.format(head=change.head if change.linked else "")))
            await town.settles()
        elif "pull request" in what:
            await change.opens_pull(who)
        else:
            town.world.labels(who, change.issue, "signalbox")
            await town.settles()
    await town.later(seconds=15)
    for comment in [*town.ours(change.issue), *(town.ours(change.pull) if change.linked else [])]:
        town.reads(comment)
    return change.phase if change.issue.labels else "none"


@pytest.mark.parametrize("preset", PATHS)
async def test_the_path_that_is_printed_ends_in_a_confirmed_merge(town: Town, preset: str) -> None:
    assert await walked(town, preset) == "done"
    assert town.merges() == ["c1 by signalbox[bot]"]


@pytest.mark.parametrize(
    ("preset", "without"),
    [(preset, number) for preset, steps in PATHS.items() for number, step in enumerate(steps) if step[2]],
)
async def test_no_step_of_it_can_be_left_out(town: Town, preset: str, without: int) -> None:
    assert await walked(town, preset, without) != "done"
    assert town.merges() == []


def test_the_page_prints_what_was_measured() -> None:
    page = (Path(__file__).parents[2] / "docs" / "policy.md").read_text()
    for preset, steps in PATHS.items():
        assert f"| `{preset}` | {len(steps)} |" in page
