"""The policy file: what no webhook told of it."""

from bot.app.sweep.tour import Tour
from bot.ports.failures import Forbidden


async def look_at_policy(tour: Tour) -> None:
    """An unchanged file costs nothing. One that GitHub does not let us read leaves everything else to be looked at."""
    try:
        await tour.hands.policies.look(tour.repo)
    except Forbidden as failure:
        tour.trouble(failure.for_operator())
