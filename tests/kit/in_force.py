"""Policies as a file would say them, in force in a town: each name means who or which team bears it now."""

from collections.abc import Iterator

from bot.domain.model.policy import Policy
from bot.domain.policy.accounts import NOBODYS, named, pinned, team_in
from bot.simulator.world import World
from tests.domain.policy.kit import policy


def in_force(world: World, text: str) -> Policy:
    """Raises what GitHub answers for a login that nobody has."""
    said = policy(text)
    return pinned(said, None, dict(_numbers(world, named(said))))


def _numbers(world: World, names: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    """Teams of other organizations cannot be seen."""
    ours = world.account.login
    for name in names:
        team = team_in(name)
        organization, _, slug = (team or "").rpartition("/")
        if team is None:
            yield name, world.user(name).id
        elif (organization or ours).lower() == ours.lower():
            found = (one.id for one in world.teams.values() if (one.organization, one.slug) == (world.account, slug))
            yield name, next(found, NOBODYS)


def named_only(world: World, **roles: str) -> Policy:
    """Roles by name in YAML, such as `reviewers="{teams: [core]}"`; all others as in preset strict."""
    inner = "\n".join(f"  {role}: {rule}" for role, rule in roles.items())
    return in_force(world, f"roles:\n{inner}\n")
