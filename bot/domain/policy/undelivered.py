"""Keys whose form is fixed and that nothing in this version fulfils: agents, contracts, the workflow, requirements, machines.

A gate that waits for one of them waits for ever: that is a warning. What merely does nothing is a notice.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from bot.domain.model.policy import STRICT, GateRule, Policy
from bot.domain.model.written import Path, Written
from bot.domain.policy.keys import as_data
from bot.domain.policy.laxer import GATES

#: Whatever they say, nothing changes. What says no other than the file without it asks for nothing, and is not told.
IDLE: tuple[Path, ...] = (
    ("requirement_label",),
    ("roles", "product_owners"),
    ("roles", "engineering_managers"),
    ("agents",),
    ("verification",),
    ("budgets", "dispatches"),
    ("budgets", "parallel_tasks"),
    ("contracts",),
    ("workflow",),
    ("machines",),
)
NOTHING_DOES = "nothing in this version does this, so it changes nothing"


class Undelivered(NamedTuple):
    path: Path
    message: str


def shut_gates(policy: Policy) -> Iterator[Undelivered]:
    """What keeps a gate shut for ever."""
    for gate in GATES:
        rule = policy.gates.of(gate)
        what = "plan" if gate == "plan" else "head"
        says = f"nothing in this version delivers this; no {what} would pass `{gate}`"
        if wants_agents(rule):
            yield Undelivered(("gates", gate, "reviews"), f"{says}: reviews come from people alone")
        if gate != "plan" and rule.verification != "checks":
            yield Undelivered(("gates", gate, "verification"), f"{says}: only `checks` are looked at")


def idle(policy: Policy, written: Written) -> Iterator[Undelivered]:
    """What the file asks for in vain."""
    said, unsaid = as_data(policy), as_data(STRICT)
    for path in IDLE:
        if written.has(path) and _at(said, path) != _at(unsaid, path):
            yield Undelivered(path, NOTHING_DOES)


def _at(data: Any, path: Path) -> Any:
    for part in path:
        data = data[part]
    return data


def wants_agents(rule: GateRule) -> bool:
    """Whether reviews by agents are counted apart: nobody in this version gives them."""
    return not isinstance(rule.reviews, int) and rule.reviews.agents > 0


def remark(path: Path) -> str:
    """For the table of keys, where entries of lists stand as `[]`; empty for what is fulfilled."""
    bare = tuple(str(part).removesuffix("[]") for part in path)
    if any(bare[: len(each)] == each for each in IDLE):
        return "**Not yet:** nothing in this version does this."
    if bare[0] == "gates" and bare[-1] == "reviews":
        return "**Not yet:** nothing in this version gives reviews by `agents`; a gate that asks for them stays shut."
    if bare[0] == "gates" and bare[-1] == "verification":
        return "**Not yet:** nothing in this version fulfils `contract` or `both`; such a gate stays shut."
    return ""
