"""Places a story can begin at that more than one story needs."""

from bot.domain.model.policy import STRICT, MergeRule
from tests.kit.change import Change, begun
from tests.kit.town import Town

BY_COMMAND = STRICT.model_copy(update={"merge": MergeRule(trigger="command")})


async def green(town: Town) -> Change:
    """Complete authority, success on the head, and nothing merges before somebody says so."""
    town.policy = BY_COMMAND
    change = await begun(town, "almost")
    await change.on_pull("omar", "/gate submit c1")
    assert change.check == "success · submit: all gates complete for c1"
    return change


async def out_of_tries(town: Town) -> Change:
    """One check failed as often as the policy allows it to, here once and once more."""
    budgets = STRICT.budgets.model_copy(update={"check_retries": 1})
    town.policy = STRICT.model_copy(update={"budgets": budgets})
    change = await begun(town, "testing")
    for _ in range(2):
        await change.check_ends("failure")
        await change.check_ends("success")
    return change


async def approved_on_another_base(town: Town) -> Change:
    """Retargeted to `next`, and in submit with its reviewer's approval there."""
    change = await begun(town, "testing")
    town.world.branches("ada", town.repo, "next")
    town.world.retargets("ada", change.pull, "next")
    await town.later(minutes=3, stride=30)
    await change.passes("testing")
    await change.approved_by("grace")
    return change
