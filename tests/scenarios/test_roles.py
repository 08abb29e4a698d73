"""Who holds a role: by base permission, by name or by team, read from GitHub each time it counts."""

from collections.abc import Callable
from typing import NamedTuple

import pytest
from inline_snapshot import snapshot

from bot.simulator.model.people import Team
from tests.kit.change import Change, begun
from tests.kit.in_force import in_force, named_only
from tests.kit.town import Town

pytestmark = pytest.mark.anyio

COUNTED = "counted"
CREW = "{users: [grace], custom_roles: [crew]}"


class Row(NamedTuple):
    """`rule` of the reviewers. `who` approves; zoe and yuri may read, lin may triage, grace may write. Team core: zoe, with
    ursula in a team below it and an invitation to yuri."""

    rule: str
    who: str
    outcome: str
    before: Callable[[Town], None] = lambda _: None


def custom(level: str, name: str) -> Callable[[Town], None]:
    return lambda town: town.world.sets_permission("lin", town.repo, level, name)  # type: ignore[arg-type]  # a level


def hidden(town: Town) -> None:
    del town.world.app.permissions["members"]


def failing(town: Town) -> None:
    town.world.fails("team_membership", 500, times=None)


TABLE = {
    "the permission is enough": Row("{permission: write}", "grace", COUNTED),
    "a lower permission is not": Row("{permission: write}", "lin", "not_allowed"),
    "a higher permission is": Row("{permission: write}", "sam", COUNTED),
    "a custom role counts by its base permission": Row("{permission: write}", "lin", COUNTED, custom("write", "crew")),
    "its name never does": Row("{permission: write}", "lin", "not_allowed", custom("triage", "admin")),
    "a custom role that is named": Row("{custom_roles: [crew]}", "lin", COUNTED, custom("triage", "crew")),
    "maintain is more than write": Row("{permission: maintain}", "grace", "not_allowed"),
    "somebody is named": Row("{users: [Zoe]}", "zoe", COUNTED),
    "somebody else is named": Row("{users: [zoe]}", "grace", "not_allowed"),
    "a permission beside a name": Row("{permission: write, users: [zoe]}", "grace", COUNTED),
    "in the team": Row("{teams: [core]}", "zoe", COUNTED),
    "in the team, by its whole name": Row("{teams: [Octo/Core]}", "zoe", COUNTED),
    "in a team below it": Row("{teams: [core]}", "ursula", COUNTED),
    "in the second team": Row("{teams: [none-here, core]}", "zoe", COUNTED),
    "only invited": Row("{teams: [core]}", "yuri", "not_allowed"),
    "in no team": Row("{teams: [core]}", "sam", "not_allowed"),
    "a permission beside a team": Row("{permission: admin, teams: [core]}", "zoe", COUNTED),
    "the App may not see teams": Row("{teams: [core]}", "zoe", "could_not_verify", hidden),
    "a team of another organization": Row("{teams: [evil/core]}", "zoe", "could_not_verify"),
    "GitHub does not answer about the team": Row("{teams: [core]}", "zoe", "could_not_verify", failing),
    "nobody needs to ask about the team": Row("{permission: write, teams: [core]}", "grace", COUNTED, failing),
    "one team is enough, whatever the other": Row("{teams: [evil/core, core]}", "zoe", COUNTED),
}


def core_of(town: Town) -> Team:
    town.world.allows_teams()
    core = town.world.team("core", "zoe")
    town.world.team("inner", "ursula", above=core)
    town.world.invites_to_team("yuri", core)
    town.world.team("none-here")
    return core


async def outcome(change: Change, who: str, words: str, row: str) -> str:
    """`counted`, or the code of the refusal."""
    before = change.row(row)
    said = await change.on_pull(who, words)
    change.notices()
    if change.reaction(said) == "+1" and change.phase == "testing":
        assert change.row(row) != before
        return COUNTED
    return str((await change.record())["last_refusal"]["code"])


@pytest.mark.parametrize("case", TABLE)
async def test_a_role_is_held_by_permission_by_name_or_by_team(town: Town, case: str) -> None:
    """known-faults.md, row 130."""
    rule, who, expected, before = TABLE[case]
    change = await begun(town, "testing")
    core_of(town)
    town.policy = named_only(town.world, reviewers=rule)
    before(town)

    assert await outcome(change, who, f"/approve testing {change.head}", "Review") == expected


async def test_a_role_that_is_held_by_name_only_says_whose_it_is(town: Town) -> None:
    change = await begun(town, "testing")
    core_of(town)
    town.policy = named_only(town.world, operators="{teams: [core], users: [sam]}", reviewers=CREW)

    denied = await change.on_pull("omar", "/gate testing c1")
    stopped = await change.on_pull("lin", "/hold")

    assert change.reply(denied) == snapshot("""\
Not counted: `/gate testing c1`.
It needs an operator (a member of `core` or `sam`), and `omar` is not one of them.
Waiting for an operator other than `ada`.
Nothing changed.\
""")
    assert change.reply(stopped) == snapshot("""\
Not counted: `/hold`.
It needs a reviewer (the custom role `crew` or `grace`) or an operator (a member of `core` or `sam`), and `lin` is not one of them.
Waiting for a reviewer or an operator.
Nothing changed.\
""")


async def test_a_team_that_cannot_be_read_says_what_would_help(town: Town) -> None:
    """known-faults.md, row 130."""
    change = await begun(town, "testing")
    core_of(town)
    town.policy = named_only(town.world, reviewers="{teams: [core]}")
    hidden(town)

    said = await change.on_pull("zoe", "/approve testing c1")

    assert change.reply(said) == snapshot("""\
Not counted: `/approve testing c1`.
GitHub did not say whether `zoe` is a member of `core`, so it was not counted.
Repeat it in a few minutes.
If that does not help, an owner of the organization lets the App read its members (Members: read), or corrects the team's name in `.github/signalbox.yml`.\
""")
    assert change.row("Review").startswith("⏳ Review: 0 of 1")


async def test_a_label_by_somebody_who_is_not_named_says_who_is(town: Town) -> None:
    town.policy = named_only(town.world, builders="{users: [ada]}")
    issue = town.world.opens_issue("ada", town.repo, "Retry uploads")
    town.world.labels("omar", issue, "signalbox")
    await town.settles()

    assert [town.reads(one) for one in town.unread(issue)] == snapshot(
        [
            """\
Not started: the label needs a builder (`ada`), and `omar` is not one of them.
Nothing changed.
A builder starts it by removing the label and adding it again.\
"""
        ]
    )


async def test_help_offers_what_a_team_allows(town: Town) -> None:
    change = await begun(town, "testing")
    core_of(town)
    town.policy = named_only(town.world, operators="{teams: [core]}")

    of_zoe = change.reply(await change.on_pull("zoe", "/help")) or ""
    of_omar = change.reply(await change.on_pull("omar", "/help")) or ""

    assert ("/gate testing" in of_zoe, "/gate testing" in of_omar) == (True, False)


@pytest.mark.parametrize(("level", "outcome"), [("admin", "submit"), ("write", "testing")])
async def test_on_a_personal_repository_maintain_means_admin(town: Town, level: str, outcome: str) -> None:
    """GitHub knows owners and collaborators there, and nothing between them."""
    change = await begun(town, "testing")
    town.repo.owner.type = "User"
    town.world.sets_permission("omar", town.repo, level)  # type: ignore[arg-type]  # a level
    await change.passes("testing")

    assert change.phase == outcome
    change.notices()


# At the merge.


async def almost(town: Town) -> tuple[Change, Team]:
    """grace reviews because she is in the team core; only the human gate of submit is missing."""
    town.world.allows_teams()
    core = town.world.team("core", "grace", "sue")
    town.policy = named_only(town.world, reviewers="{teams: [core]}")
    return await begun(town, "almost"), core


async def test_whoever_left_the_team_does_not_count_at_the_merge_and_somebody_else_of_it_approves_anew(
    town: Town,
) -> None:
    change, core = await almost(town)
    del core.members[town.world.user("grace").id]  # and no webhook says so

    await change.merges()
    assert (town.merges(), change.row("Merge")) == snapshot(
        (
            [],
            "❌ Merge: 0 of 1 decisions by a reviewer count now; `grace` may no longer do this · a reviewer: approve it anew, as somebody who may",
        )
    )
    await change.on_pull("sue", "/approve submit c1")
    await change.on_issue("sue", "/approve r1")
    await town.later(seconds=10)

    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")


async def test_a_team_that_cannot_be_read_at_the_merge_only_delays_it(town: Town) -> None:
    change, _ = await almost(town)
    failing(town)

    await change.merges()
    assert (town.merges(), change.row("Merge")) == snapshot(
        ([], "⏳ Merge: GitHub did not show all that is needed · Signalbox")
    )
    town.world.heals()
    await town.later(minutes=2)

    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")


async def test_who_cannot_be_read_is_not_waited_for_where_others_are_enough(town: Town) -> None:
    change, _ = await almost(town)
    await change.on_pull("sue", "/approve submit c1")
    await change.on_issue("sue", "/approve r1")
    grace = town.world.user("grace")
    town.world.renames_user(grace, "grace-2")  # her new name would have to be read
    town.world.fails("user_by_id", 500, times=None)

    await change.merges()

    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")


async def test_people_and_agents_are_counted_apart_at_the_merge_too(town: Town) -> None:
    """A gate of two people is not filled by one who may still and one who may not."""
    change = await begun(town, "submit")
    town.policy = in_force(town.world, "gates: {submit: {reviews: {people: 2, agents: 0}}}")
    await change.approved_by("grace")
    await change.approved_by("sam")
    town.world.sets_permission("sam", town.repo, "read")

    await change.merges()

    assert (town.merges(), change.row("Merge")) == snapshot(
        (
            [],
            "❌ Merge: 1 of 2 decisions by a reviewer count now; `sam` may no longer do this · a reviewer: approve it anew, as somebody who may",
        )
    )


async def test_fewer_roles_in_the_newest_rules_take_the_seat_away(town: Town) -> None:
    change = await begun(town, "almost")
    town.policy = named_only(town.world, operators="{users: [sam]}")

    said = await change.on_pull("omar", "/gate submit c1")
    change.notices()
    assert change.reaction(said) == "confused"
    await change.on_pull("sam", "/gate submit c1")
    await town.later(seconds=10)

    assert town.merges() == ["c1 by signalbox[bot]"]
