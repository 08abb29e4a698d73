"""Reviewers whom the policy names are asked by GitHub's own review request, once for each head and gate."""

import pytest

from tests.kit.change import Change, begun
from tests.kit.in_force import named_only
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


def asked(change: Change) -> list[str]:
    return [one.login for one in change.pull.reviewers]


def requests(town: Town) -> int:
    return sum(made.request.path.endswith("/requested_reviewers") for made in town.calls)


async def test_whom_the_policy_names_is_asked_and_nobody_who_may_not_judge_it(town: Town) -> None:
    town.policy = named_only(town.world, reviewers="{users: [Grace, sam, ada]}")

    change = await begun(town, "testing")

    assert (asked(change), requests(town)) == (["grace", "sam"], 2)
    assert change.notices() == []


async def test_a_team_that_the_policy_names_is_asked_as_a_team(town: Town) -> None:
    town.expected_errors.add("effect_refused")
    town.world.allows_teams()
    core = town.world.team("core", "grace")
    town.world.team("gone", organization=town.world.person("elsewhere"))
    town.policy = named_only(
        town.world, reviewers="{teams: [Core, octo/core, elsewhere/gone, none-here], users: [sam]}"
    )

    change = await begun(town, "testing")
    await town.later(minutes=10, stride=60)

    assert (asked(change), change.pull.team_reviewers) == (["sam"], [core])
    assert requests(town) == 3  # sam, core, and the team that is not there, which stops nobody else
    assert change.notices() == []


async def test_each_head_and_gate_asks_once_and_a_look_asks_nobody_again(town: Town) -> None:
    town.policy = named_only(town.world, reviewers="{users: [grace]}")
    change = await begun(town, "testing")
    await change.on_pull("omar", "/priority 80")
    await change.on_pull("ada", "/status")
    await town.later(minutes=10, stride=60)
    assert (asked(change), requests(town)) == (["grace"], 1)
    await change.pushes("ada")
    assert (asked(change), requests(town)) == (["grace"], 2)
    await change.passes("testing")
    change.notices()

    assert (change.phase, asked(change), requests(town)) == ("submit", ["grace"], 3)


async def test_who_reviews_by_permission_alone_is_not_called_by_name(town: Town) -> None:
    change = await begun(town, "almost")

    assert (asked(change), requests(town)) == ([], 0)


async def test_nobody_is_asked_for_a_review_that_would_not_count(town: Town) -> None:
    policy = named_only(town.world, reviewers="{users: [grace]}")
    town.policy = policy.model_copy(update={"reviews": policy.reviews.model_copy(update={"native": False})})

    await begun(town, "testing")

    assert requests(town) == 0


async def test_whom_github_refuses_to_ask_stops_nobody_else(town: Town) -> None:
    town.expected_errors.add("effect_refused")
    town.world.person("zoe")
    town.policy = named_only(town.world, reviewers="{users: [zoe, grace]}")

    change = await begun(town, "testing")

    assert (change.phase, asked(change)) == ("testing", ["grace"])
