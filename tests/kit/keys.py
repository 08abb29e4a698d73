"""One key pair for all simulated Apps of a run: making one takes longer than a whole story."""

from datetime import UTC, datetime
from functools import cache

from bot.simulator.keys import private_key_for
from bot.simulator.world import World


@cache
def _pair() -> tuple[str, str]:
    world = World(datetime(2024, 1, 1, tzinfo=UTC))
    return private_key_for(world), world.app.public_key or ""


def app_key(world: World) -> str:
    """Tell the world the public half; the private half (PEM)."""
    private, world.app.public_key = _pair()
    return private
