"""Where bare commands are not heard, nothing that is said advises one (INTERFACE.md 4)."""

import pytest
from inline_snapshot import snapshot

from tests.kit.change import begun
from tests.kit.in_force import in_force
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def test_comments_that_are_written_once_offer_commands_as_they_are_heard(town: Town) -> None:
    one, two = await begun(town, "building"), await begun(town, "plan_ready", "Faster parser")
    said = await two.on_issue("grace", "/approve r1")
    town.policy = in_force(town.world, "commands: {bare: false}\n")

    town.world.edits_comment("grace", said, "Never mind.")
    town.heads.append(town.world.pushes("ada", town.repo, "both"))
    body = f"Closes #{one.issue.number}, closes #{two.issue.number}"
    both = town.world.opens_pull("ada", town.repo, "Both", head="both", body=body)
    fork = town.world.forks("eve", town.repo)
    outside = town.world.opens_pull(
        "eve", town.repo, head=f"{fork.owner.login}:feature", body=f"Closes #{one.issue.number}"
    )
    await town.settles()

    told = [*two.notices(), *(town.reads(comment) for pull in (both, outside) for comment in town.unread(pull))]
    assert [text.splitlines()[-1] for text in told] == snapshot(
        [
            "To withdraw it, `grace` comments `/signalbox revoke`.",
            "A builder comments `/signalbox link #1` or `/signalbox link #2`.",
            "A builder comments `/signalbox link #1`.",
        ]
    )
