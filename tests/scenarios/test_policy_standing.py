"""Which rules are in force, and what is wrong with a file, as operators see it: doctor, the terminal and the page say the same."""

import pytest

from bot.app.browse import Browser, Name
from bot.app.doctor.stored import of_the_store
from bot.bootstrap.ruling import stored
from bot.settings import Settings
from tests.kit.change import Change, begun
from tests.kit.policy_files import BROKEN, LEAN, lays_down
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def doctor(town: Town) -> list[str]:
    findings = await town.store.read(of_the_store(300.0))
    return [f"{one.mark} {one.what}" for one in findings if one.area == "policy"]


async def terminal(town: Town, change: Change) -> tuple[str, str | None]:
    browser = Browser(town.store.read, stored(Settings()))
    rules = await browser.rules(Name("octo/app", change.issue.number), lambda _repository: True)
    assert rules is not None
    return rules.named, rules.concern


async def test_the_api_has_the_whole_of_the_rules_in_force_and_what_came_of_the_newest_file(town: Town) -> None:
    change = await begun(town, "planning")
    without = await town.api(f"{change.repo_path}/policy")
    lean = await lays_down(town, LEAN)
    broken = await lays_down(town, BROKEN)

    shown = await town.api(f"{change.repo_path}/policy")

    assert (without["policy_sha"], without["policy"]["preset"], without["newest_file"]) == ("builtin", "strict", None)
    assert (shown["policy_sha"], shown["policy"]["preset"]) == (lean, "lean")
    assert shown["policy"]["gates"]["testing"] == {"reviews": 0, "operators": 0, "verification": "checks"}
    assert (shown["newest_file"]["commit"], shown["newest_file"]["accepted"]) == (broken, False)
    assert [one["line"] for one in shown["newest_file"]["findings"]] == [4]
    assert shown["concern"].startswith(".github/signalbox.yml")


async def test_the_rules_in_force_have_the_name_of_their_preset_and_commit(town: Town) -> None:
    change = await begun(town, "planning")
    assert await terminal(town, change) == ("strict (built in)", None)

    commit = await lays_down(town, LEAN)

    assert await doctor(town) == [f"ok octo/app lean ({commit[:7]})"]
    assert await terminal(town, change) == (f"lean ({commit[:7]})", None)


async def test_a_file_that_is_not_used_is_a_warning_with_its_line_and_what_holds_instead(town: Town) -> None:
    change = await begun(town, "planning")
    good = await lays_down(town, LEAN)
    bad = await lays_down(town, BROKEN)

    said = f".github/signalbox.yml at {bad[:7]} is not used: 1 error, the first in line 4. In force stays lean ({good[:7]})."
    assert await doctor(town) == [f"warning octo/app: {said}"]
    assert await terminal(town, change) == (f"lean ({good[:7]})", said)


async def test_a_file_that_cannot_be_read_is_a_warning_and_changes_nothing(town: Town) -> None:
    good = await lays_down(town, LEAN)
    for operation in ("contents", "commits"):
        town.world.fails(operation, 500, times=None)
    town.world.pushes("omar", town.repo, "main")
    await lays_down(town, BROKEN)

    (said,) = await doctor(town)
    assert said.startswith("warning octo/app: .github/signalbox.yml could not be read: Unreachable")
    assert said.endswith(f"In force stays lean ({good[:7]}).")
    town.world.heals()
    await town.later(minutes=1)
    assert "is not used: 1 error" in (await doctor(town))[0]
