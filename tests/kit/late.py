"""Deliveries that come late or in another order, and a second pair of people who judge the head that is there then."""

from bot.simulator import webhooks
from bot.simulator.hooks import HookDelivery
from tests.kit.change import Change
from tests.kit.town import SECRET, Town


async def arrive(town: Town, *hooks: HookDelivery) -> None:
    """These deliveries come now, in this order."""
    for hook in hooks:
        hook.status_code = await town.post(hook.body, webhooks.headers(town.world, hook, SECRET))
    await town.settles()


async def judged_by_sam(change: Change, *gates: str) -> None:
    """sam reviews and omar opens each gate of the head that GitHub shows, and a minute passes."""
    for gate in gates or ("testing", "submit"):
        await change.on_pull("sam", f"/approve {gate} {change.head}")
        change.notices()
        await change.on_pull("omar", f"/gate {gate} {change.head}")
        change.notices()
    await change.town.later(minutes=1)
    change.notices()
