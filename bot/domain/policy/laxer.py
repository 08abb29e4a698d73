"""Where one policy lets through what another would have stopped, part by part. Pure comparison; says nothing of meaning.

Laxer = somebody more may decide, fewer must, less must be green, or something is not asked that was. What cannot be compared
counts as laxer: nobody should find out later. `COMPARED` and `NOT_ABOUT_AUTHORITY` together are every key of the file.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from bot.domain.model.facts import LEVELS
from bot.domain.model.policy import Checks, GateRule, Policy, ReviewSplit, RoleRule
from bot.domain.model.record import GateName
from bot.domain.model.text import listed
from bot.domain.model.written import Path


class Laxer(NamedTuple):
    """`why` finishes "laxer than before: …"."""

    path: Path
    why: str


#: From strict to lax, wherever words or switches are ordered.
ORDERS: dict[Path, tuple[object, ...]] = {
    ("separation", "author_may_review"): (False, True),
    ("separation", "author_may_gate"): (False, True),
    ("separation", "pusher_may_gate"): (False, True),
    ("separation", "unknown_pusher"): ("refuse", "author"),
    ("separation", "distinct_people"): (True, False),
    ("separation", "distinct_gates"): (True, False),
    ("separation", "requester_may_gate"): (False, "people", True),
    ("reviews", "native"): (False, True),
    ("checks", "none"): ("refuse", "observed", "allow"),
    ("merge", "trigger"): ("command", "auto"),
    ("recheck_at_merge",): (True, False),
    ("blocked_recovery",): ("human", "builder"),
    ("external_merge",): ("block", "record"),
    ("ungoverned",): ("require", "ignore", "neutral"),
}
ROLES = ("builders", "reviewers", "operators", "product_owners", "engineering_managers")
GATES: tuple[GateName, ...] = ("plan", "testing", "submit")
#: What verification at a gate asks for. A gate that asks for less, or for something else, is laxer.
ASKED = {"checks": {"checks"}, "contract": {"contract"}, "both": {"checks", "contract"}}


def laxer(policy: Policy, than: Policy) -> tuple[Laxer, ...]:
    """Every part in which `policy` is laxer; empty = it is at least as strict everywhere."""
    return tuple(found for compare in COMPARED.values() for found in compare(policy, than))


def _ordered(policy: Policy, than: Policy) -> Iterator[Laxer]:
    for path, order in ORDERS.items():
        now, before = _at(policy, path), _at(than, path)
        if _rank(order, now) > _rank(order, before):
            yield Laxer(path, f"{_word(now)} instead of {_word(before)}")


def _at(policy: Any, path: Path) -> object:
    for part in path:
        policy = getattr(policy, str(part))
    return policy


def _rank(order: tuple[object, ...], value: object) -> int:
    return next(index for index, each in enumerate(order) if each == value and type(each) is type(value))


def _word(value: object) -> str:
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _roles(policy: Policy, than: Policy) -> Iterator[Laxer]:
    for name in ROLES:
        now: RoleRule = getattr(policy.roles, name)
        before: RoleRule = getattr(than.roles, name)
        if now.permission is not None and (before.permission is None or _level(now) < _level(before)):
            instead = f"`{before.permission}`" if before.permission else "those named alone"
            yield Laxer(("roles", name, "permission"), f"`{now.permission}` is enough instead of {instead}")
        kinds = {kind: _added(getattr(now, kind), getattr(before, kind)) for kind in ("teams", "users", "apps")}
        kinds["custom_roles"] = [role for role in now.custom_roles if role not in before.custom_roles]
        for kind, added in kinds.items():
            if added:
                yield Laxer(("roles", name, kind), f"{_names(added)} without regard to the permission")


def _level(rule: RoleRule) -> int:
    return LEVELS.index(rule.permission or "admin")


def _added(now: Iterable[str], before: Iterable[str]) -> list[str]:
    """By name, whatever the case: GitHub knows no other."""
    known = {name.lower() for name in before}
    return [name for name in now if name.lower() not in known]


def _names(names: list[str]) -> str:
    return listed([f"`{name}`" for name in names], limit=5)


def _agents(policy: Policy, than: Policy) -> Iterator[Laxer]:
    for name, roles in policy.agents.items():
        added = [role for role in roles if role not in than.agents.get(name, ())]
        if added:
            yield Laxer(("agents", name), f"its token counts as {_names(list(added))}")


def _verification(policy: Policy, than: Policy) -> Iterator[Laxer]:
    for rule in than.verification:
        if rule not in policy.verification:
            yield Laxer(("verification",), f"`{rule.name}` is not what it was")


def _gates(policy: Policy, than: Policy) -> Iterator[Laxer]:
    for gate in GATES:
        now, before = policy.gates.of(gate), than.gates.of(gate)
        if _fewer_reviews(now, before):
            yield Laxer(("gates", gate, "reviews"), f"{_reviews(now)} instead of {_reviews(before)}")
        if now.operators < before.operators:
            yield Laxer(("gates", gate, "operators"), f"`{now.operators}` instead of `{before.operators}`")
        if not ASKED[now.verification] >= ASKED[before.verification]:
            yield Laxer(("gates", gate, "verification"), f"`{now.verification}` instead of `{before.verification}`")


def _fewer_reviews(now: GateRule, before: GateRule) -> bool:
    """In all, by people, or by agents."""
    mine, theirs = _split(now), _split(before)
    return now.judges < before.judges or mine.people < theirs.people or mine.agents < theirs.agents


def _split(rule: GateRule) -> ReviewSplit:
    return ReviewSplit() if isinstance(rule.reviews, int) else rule.reviews


def _reviews(rule: GateRule) -> str:
    if isinstance(rule.reviews, int):
        return f"`{rule.reviews}`"
    return f"{rule.reviews.people} by people and {rule.reviews.agents} by agents"


def _checks(policy: Policy, than: Policy) -> Iterator[Laxer]:
    now, before = policy.checks, than.checks
    if _requires_less(now, before):
        instead = "what rulesets and protection name" if before.required == "auto" else "all that were named"
        listed_ones = "what rulesets and protection name" if now.required == "auto" else "only these"
        yield Laxer(("checks", "required"), f"{listed_ones} instead of {instead}")
    added = [each for each in now.accept if each not in before.accept]
    if added:
        yield Laxer(("checks", "accept"), f"{_names(list(added))} counts as green")


def _requires_less(now: Checks, before: Checks) -> bool:
    """A list and `auto` cannot be compared. A check without an App is satisfied by any."""
    if now.required == "auto" or before.required == "auto":
        return now.required != before.required
    kept = {(each.name, each.app) for each in now.required}
    return any((old.name, old.app) not in kept and not _stricter(old.name, old.app, kept) for old in before.required)


def _stricter(name: str, app: int | None, kept: set[tuple[str, int | None]]) -> bool:
    return app is None and any(other == name for other, _ in kept)


def _bots(policy: Policy, than: Policy) -> Iterator[Laxer]:
    added = _added(policy.commands.bots, than.commands.bots)
    if added:
        yield Laxer(("commands", "bots"), f"comments by {_names(added)} are read")


def _machines(policy: Policy, than: Policy) -> Iterator[Laxer]:
    strict = than.machines.mode == "json_strict" and policy.machines.mode != "json_strict"
    if strict:
        yield Laxer(("machines", "mode"), f"`{policy.machines.mode}` instead of `json_strict`")


Compare = Callable[[Policy, Policy], Iterable[Laxer]]
COMPARED: dict[str, Compare] = {
    "roles": _roles,
    "agents": _agents,
    "verification": _verification,
    "gates": _gates,
    "checks": _checks,
    "commands.bots": _bots,
    "machines.mode": _machines,
    "words and switches": _ordered,
}
#: Names, texts, times and budgets: they decide when somebody is asked, never whether something may merge.
NOT_ABOUT_AUTHORITY = frozenset(
    {
        "version",
        "preset",
        "start_label",
        "requirement_label",
        "checks.timeout_minutes",
        "merge.method",
        "merge.delete_branch",
        "merge.title",
        "merge.body",
        "budgets",
        "contracts",
        "workflow",
        "machines.path",
        "commands.bare",
        "notify",
    }
)
