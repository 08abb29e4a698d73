"""Names in the policy file stand for accounts and teams: renamed accounts keep their role, whoever takes a name over gets none (T21)."""

import pytest
from inline_snapshot import snapshot

from bot.simulator.model.people import User
from tests.kit.change import Change, begun
from tests.kit.policy_files import annotations, lays_down
from tests.kit.town import Town

pytestmark = pytest.mark.anyio

ZOE = "version: 1\nroles:\n  reviewers: {users: [Zoe]}\n"
ZOE_AND_GRACE = "version: 1\nroles:\n  reviewers: {users: [zoe, grace]}\n"
CORE = "version: 1\nroles:\n  reviewers: {teams: [Core]}\n"
BY_FORGE = "version: 1\nroles:\n  builders: {permission: write, apps: [forge]}\n"


async def code(change: Change) -> str | None:
    """Of the last refusal."""
    refused = (await change.record())["last_refusal"]
    return refused["code"] if refused else None


async def another_takes_the_login(town: Town) -> User:
    """The file named zoe; she has another login since, and somebody else has hers. Who she is."""
    zoe = town.world.person("zoe")
    await lays_down(town, ZOE)
    town.world.renames_user(zoe, "zoe-2")
    town.world.person("zoe")
    return zoe


async def test_a_login_that_somebody_else_took_over_gives_them_nothing_and_its_first_owner_keeps_the_role(
    town: Town,
) -> None:
    """threats.md, T21."""
    change = await begun(town, "testing")
    await another_takes_the_login(town)

    taken = await change.on_pull("zoe", "/approve testing c1")
    refused = await code(change)
    kept = await change.on_pull("zoe-2", "/approve testing c1")
    change.notices()

    assert (change.reaction(taken), refused, change.reaction(kept)) == ("confused", "not_allowed", "+1")
    assert change.row("Review").startswith("✅ Review: 1 of 1 · `zoe-2`")


async def test_a_new_version_of_the_file_keeps_whom_a_login_meant_and_says_that_it_is_somebody_elses_now(
    town: Town,
) -> None:
    change = await begun(town, "testing")
    zoe = await another_takes_the_login(town)

    commit = await lays_down(town, ZOE_AND_GRACE)
    taken = await change.on_pull("zoe", "/approve testing c1")
    change.notices()

    assert change.reaction(taken) == "confused"
    told = [one.replace(str(zoe.id), "N") for one in annotations(town, commit) if "login" in one]
    assert [one.partition(", and is")[0] for one in told] == snapshot(
        ["warning line 3: this login was of the account N when it was written here"]
    )


async def test_a_login_that_is_taken_out_and_in_again_means_whoever_has_it_by_then(town: Town) -> None:
    change = await begun(town, "testing")
    town.world.renames_user(town.world.person("zoe"), "zoe-2")
    await lays_down(town, ZOE.replace("Zoe", "zoe-2"))
    town.world.person("zoe")
    await lays_down(town, ZOE)

    said = await change.on_pull("zoe", "/approve testing c1")

    assert change.reaction(said) == "+1"
    change.notices()


async def test_a_login_that_nobody_has_is_told_and_is_nobodys_whoever_registers_it_later(town: Town) -> None:
    """known-faults.md, row 130."""
    change = await begun(town, "testing")
    commit = await lays_down(town, ZOE)
    town.world.person("zoe")

    said = await change.on_pull("zoe", "/approve testing c1")
    change.notices()

    assert (change.reaction(said), await code(change)) == ("confused", "not_allowed")
    assert annotations(town, commit) == snapshot(
        [
            "notice line 3: laxer than preset strict: `Zoe` without regard to the permission.",
            "warning line 3: nobody has this login, so nobody holds the role by it; once somebody has it, take it out and in again.",
        ]
    )


async def test_a_file_whose_logins_cannot_be_looked_up_does_not_come_into_force_yet(town: Town) -> None:
    change = await begun(town, "testing")
    town.world.person("zoe")
    town.world.fails("user_by_login", 500, times=None)
    await lays_down(town, ZOE)

    early = await change.on_pull("zoe", "/approve testing c1")
    assert (change.reaction(early), change.row("Review")[:8]) == ("confused", "⏳ Review")
    change.notices()
    town.world.heals()
    await town.later(minutes=2)
    late = await change.on_pull("zoe", "/approve testing c1")

    assert change.reaction(late) == "+1"
    change.notices()


async def test_an_app_whose_pull_requests_are_a_builders_is_linked_by_itself_and_another_one_is_not(town: Town) -> None:
    forge, other = town.world.another_app("forge").bot, town.world.another_app("forge-2").bot
    await lays_down(town, BY_FORGE)
    change, second = await begun(town, "building"), await begun(town, "building", title="Another one")

    await change.opens_pull(forge.login)
    await second.opens_pull(other.login)

    assert (change.phase, second.phase) == ("testing", "building")
    assert len(second.notices()) == 1


async def test_an_app_that_took_over_the_name_of_a_listed_one_is_another_app(town: Town) -> None:
    await lays_down(town, BY_FORGE.replace("forge", "forge-2"))
    first = town.world.another_app("forge")
    await lays_down(town, BY_FORGE)
    first.bot.login = "forge-old[bot]"
    change = await begun(town, "building")

    taker = town.world._new_user("forge[bot]", "Bot")
    await change.opens_pull(taker.login)

    assert change.phase == "building"
    assert len(change.notices()) == 1


# Teams.


async def test_a_team_that_is_made_after_the_file_named_it_gives_its_members_nothing_until_it_is_named_anew(
    town: Town,
) -> None:
    """threats.md, T21: whoever may make teams would otherwise take the role by a name that is free."""
    change = await begun(town, "testing")
    town.world.allows_teams()
    commit = await lays_down(town, CORE)
    town.world.team("core", "zoe")

    early = await change.on_pull("zoe", "/approve testing c1")
    refused = await code(change)
    await lays_down(town, ZOE)
    await lays_down(town, CORE)
    late = await change.on_pull("zoe", "/approve testing c1")
    change.notices()

    assert (change.reaction(early), refused, change.reaction(late)) == ("confused", "not_allowed", "+1")
    assert annotations(town, commit)[1:] == snapshot(
        [
            "warning line 3: no team has this name, so nobody holds the role by it; once one has it, take it out and in again."
        ]
    )


async def test_another_team_of_the_same_name_gives_nothing_and_the_next_version_of_the_file_says_so(town: Town) -> None:
    change = await begun(town, "testing")
    town.world.allows_teams()
    core = town.world.team("core", "grace")
    await lays_down(town, CORE)
    town.world.deletes_team(core)
    other = town.world.team("core", "zoe")

    commit = await lays_down(town, CORE + "start_label: go\n")
    said = await change.on_pull("zoe", "/approve testing c1")
    change.notices()

    assert (change.reaction(said), await code(change)) == ("confused", "not_allowed")
    told = [one.replace(str(core.id), "N").replace(str(other.id), "M") for one in annotations(town, commit)[1:]]
    assert told == snapshot(
        [
            "warning line 3: this name was of the team N when it was written here, and is of the team M now; it still means the first one. Write its new name, or take it out and in again."
        ]
    )


async def test_a_team_that_cannot_be_seen_yet_counts_by_itself_once_it_can(town: Town) -> None:
    change = await begun(town, "testing")
    town.world.team("core", "zoe")
    commit = await lays_down(town, CORE)

    early = await change.on_pull("zoe", "/approve testing c1")
    refused = await code(change)
    change.notices()
    town.world.allows_teams()
    await town.later(minutes=30, stride=300)
    late = await change.on_pull("zoe", "/approve testing c1")

    assert (change.reaction(early), refused, change.reaction(late)) == ("confused", "could_not_verify", "+1")
    assert annotations(town, commit)[1:] == snapshot(
        [
            "warning line 3: this team cannot be seen, so nobody holds the role by it. It has to be of the organization that owns the repository, and an owner of it lets the App read its members (Members: read)."
        ]
    )
    change.notices()
