"""What one governed change costs at GitHub: calls from the label to the confirmed merge, and while it waits. Counted, not
measured: every run gives the same, so there is one.
"""

import asyncio
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, chdir
from pathlib import Path

from bench.rounds import Goal, Ratio, Report
from tests.kit.change import Change, begun
from tests.kit.policy_files import LEAN, lays_down
from tests.kit.town import Made, Town

#: Minutes in which nobody says anything, shorter than the distance of two sweeps.
QUIET = 4
KINDS = ("read", "write", "token")
BOUNDS = {"strict": 60, "lean": 35}


def run(_rounds: int, _seconds: float, tell: Callable[[str], None]) -> Report:
    counts = {"strict": asyncio.run(_strict()), "lean": asyncio.run(_lean())}
    for name, found in counts.items():
        tell(f"{name}: {dict(found)}")
    quiet = asyncio.run(_waiting())
    rows = [(name, *(str(found[kind]) for kind in (*KINDS, "all"))) for name, found in counts.items()]
    goals = [_goal(f"calls of a clean {name} lifecycle", found["all"], BOUNDS[name]) for name, found in counts.items()]
    goals.append(_goal(f"calls in {QUIET} minutes of waiting for people", quiet, 0))
    return Report("Api", ("lifecycle", "reads", "writes", "signing in", "calls"), rows, goals)


def _goal(what: str, count: int, bound: int) -> Goal:
    return Goal(what, Ratio.of([count]), bound, at_least=False)


def kind(made: Made) -> str:
    if made.request.operation == "token":
        return "token"
    return "read" if made.request.method == "GET" or made.request.operation == "merge_evidence" else "write"


async def _strict() -> Counter[str]:
    """Six commands: plan, its approval, and a review and a human gate for each of testing and submit."""
    async with _town() as town:
        change = await begun(town, "almost")
        await change.merges()
        return await _counted(change)


async def _lean() -> Counter[str]:
    """Four: testing passes by its checks. Its policy file was read before."""
    async with _town() as town:
        await lays_down(town, LEAN)
        before = len(town.calls)
        change = await begun(town, "building")
        await change.opens_pull()
        await change.approved_by("grace")
        await change.merges()
        return await _counted(change, before)


async def _waiting() -> int:
    async with _town() as town:
        change = await begun(town, "testing")
        before = len(town.calls)
        await town.later(minutes=QUIET, stride=20)
        change.notices()
        return len(town.calls) - before


async def _counted(change: Change, before: int = 0) -> Counter[str]:
    if change.phase != "done":
        raise RuntimeError(f"it was not merged: {change.says}")
    change.notices()
    calls = change.town.calls[before:]
    return Counter(map(kind, calls)) + Counter(all=len(calls))


@asynccontextmanager
async def _town() -> AsyncIterator[Town]:
    with tempfile.TemporaryDirectory() as place, chdir(place):
        town = Town(Path(place))
        yield town
        await town.closes()
