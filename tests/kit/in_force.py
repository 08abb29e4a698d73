"""Policies as a file would say them, in force in a town: each login means whoever bears it now."""

from bot.domain.model.policy import Policy
from bot.domain.policy.accounts import named, pinned
from bot.simulator.world import World
from tests.domain.policy.kit import policy


def in_force(world: World, text: str) -> Policy:
    """Raises what GitHub answers for a login that nobody has."""
    said = policy(text)
    return pinned(said, None, {login: world.user(login).id for login in named(said)})


def named_only(world: World, **roles: str) -> Policy:
    """Roles by name in YAML, such as `reviewers="{teams: [core]}"`; all others as in preset strict."""
    inner = "\n".join(f"  {role}: {rule}" for role, rule in roles.items())
    return in_force(world, f"roles:\n{inner}\n")
