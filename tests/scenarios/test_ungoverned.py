"""Pull requests without a record: what our check says on them is the policy's choice, and never stands over a judgement."""

import pytest
from inline_snapshot import snapshot

from bot.simulator.model.threads import Pull
from tests.kit.change import Change, begun
from tests.kit.policy_files import lays_down
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


def says(rule: str) -> str:
    return f"version: 1\nungoverned: {rule}\n"


async def opened(town: Town, *, heard: bool = True) -> Pull:
    """ada's pull request that names no issue."""
    town.world.branches("ada", town.repo, "chore")
    town.heads.append(town.world.pushes("ada", town.repo, "chore"))
    pull = town.world.opens_pull("ada", town.repo, "Tidy up", head="chore")
    if heard:
        await town.settles()
    return pull


def checks(town: Town, head: str) -> list[str]:
    """Our runs on a head, oldest first; the last one is what GitHub believes."""
    runs = [one for one in town.repo.runs if (one.head, one.name) == (head, "signalbox")]
    return [f"{one.conclusion or one.status}: {one.title}" for one in sorted(runs, key=lambda one: one.id)]


def let_through(town: Town) -> int:
    """How often we asked GitHub to show a neutral check."""
    return sum((made.request.body or {}).get("conclusion") == "neutral" for made in town.calls)


async def test_nothing_is_said_where_the_policy_says_nothing(town: Town) -> None:
    pull = await opened(town)

    assert checks(town, pull.head) == []


@pytest.mark.parametrize("rule", ["neutral", "require"])
async def test_each_head_is_told_once_what_the_policy_wants_of_it(town: Town, rule: str) -> None:
    await lays_down(town, says(rule))
    pull = await opened(town)
    first = pull.head
    town.heads.append(town.world.pushes("ada", pull))
    await town.later(minutes=20, stride=60)

    expected = {
        "neutral": "neutral: not governed: this pull request has no record",
        "require": "action_required: not governed: this pull request needs a record",
    }[rule]
    assert [checks(town, head) for head in (first, pull.head)] == [[expected], [expected]]
    assert town.ours(pull) == []


async def test_what_is_required_is_said_with_the_way_to_it(town: Town) -> None:
    await lays_down(town, says("require"))
    pull = await opened(town)

    (run,) = [one for one in town.repo.runs if (one.head, one.name) == (pull.head, "signalbox")]
    assert run.summary == snapshot(
        "The policy asks for a record behind every pull request, and this one has none. To have it judged, a builder adds the label `signalbox` to an issue, and comments `/link` and the number of that issue here."
    )


async def neutral_and_linked(town: Town) -> tuple[Change, Pull]:
    """A pull request that was told it is not governed, and is linked now; nobody has heard of that yet."""
    await lays_down(town, says("neutral"))
    change = await begun(town, "building")
    pull = await opened(town)
    town.world.comments("ada", pull, f"/link #{change.issue.number}")
    return change, pull


async def test_a_record_that_comes_speaks_for_itself(town: Town) -> None:
    change, pull = await neutral_and_linked(town)
    await town.settles()

    assert checks(town, pull.head) == snapshot(
        [
            "neutral: not governed: this pull request has no record",
            "in_progress: testing: waiting for a reviewer, an operator and check build",
        ]
    )
    assert change.phase == "testing"


async def test_a_record_that_comes_is_heard_at_once_where_the_check_was_neutral(town: Town) -> None:
    _, pull = await neutral_and_linked(town)
    await town.hears()
    while await town.steps_once("publisher"):
        pass

    assert checks(town, pull.head)[-1].startswith("in_progress: testing")
    await town.settles()


async def test_governed_pull_requests_are_never_told(town: Town) -> None:
    await lays_down(town, says("neutral"))

    change = await begun(town, "testing")
    await change.pushes("ada")
    await town.later(minutes=20, stride=60)

    every = [one for head in town.heads for one in checks(town, head)]
    assert [one for one in every if "not governed" in one] == []


async def test_two_pull_requests_with_one_head_are_not_let_through_by_the_one_without_a_record(town: Town) -> None:
    await lays_down(town, says("neutral"))
    change = await begun(town, "testing")

    town.world.branches("ada", town.repo, "twin", f"signalbox/{change.issue.number}-retry")
    town.world.opens_pull("ada", town.repo, "The same again", head="twin")
    await town.later(minutes=20, stride=60)

    assert let_through(town) == 0


async def test_a_change_of_the_rule_is_told_on_every_open_pull_request(town: Town) -> None:
    pull = await opened(town)
    told = []
    for rule in ("neutral", "require", "ignore"):
        await lays_down(town, says(rule))
        told.append(checks(town, pull.head))

    assert told == snapshot(
        [
            ["neutral: not governed: this pull request has no record"],
            ["action_required: not governed: this pull request needs a record"],
            ["cancelled: not governed"],
        ]
    )


async def linked_meanwhile(town: Town, change: Change, pull: Pull, *, shown: bool) -> None:
    town.world.comments("ada", pull, f"/link #{change.issue.number}")
    await town.hears()
    if shown:
        await town.shows()


async def test_a_record_that_comes_while_the_answer_is_missing_is_not_written_over(town: Town) -> None:
    await lays_down(town, says("neutral"))
    change = await begun(town, "building")
    town.world.loses_answer_to("create_check_run", landed=False)
    pull = await opened(town)
    assert checks(town, pull.head) == []

    town.just_before("/check-runs", lambda: linked_meanwhile(town, change, pull, shown=False))
    await town.later(minutes=5)

    assert change.phase == "testing"
    assert [one for one in checks(town, pull.head) if one.startswith("neutral")] == []


async def test_what_lands_over_a_judgement_is_written_over_at_once(town: Town) -> None:
    await lays_down(town, says("neutral"))
    change = await begun(town, "building")

    pull = await opened(town, heard=False)
    town.just_before("/check-runs", lambda: linked_meanwhile(town, change, pull, shown=True))
    await town.settles()

    assert change.phase == "testing"
    assert not checks(town, pull.head)[-1].startswith("neutral")
