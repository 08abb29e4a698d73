"""Who may hold a role, as far as a file says it: a closed circle of named people, or whoever has a permission or a custom
role, or is in a team.

GitHub lists nobody for us, so people of an open circle have no names here; there are always as many as there are seats.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bot.domain.model.policy import Policy, RoleRule
from bot.domain.policy.laxer import GATES
from bot.domain.policy.seats import Filling, Someone, filling_by_anybody


class SeatLine(NamedTuple):
    """One kind of seat of a gate: how many are needed, and who could take one, in words."""

    gate: str
    kind: str
    need: int
    could: tuple[str, ...]


def is_closed(rule: RoleRule) -> bool:
    return rule.permission is None and not (rule.teams or rule.custom_roles)


def strangers(policy: Policy, rules: Iterable[RoleRule]) -> Iterator[Someone]:
    """More people than there are seats for each of these roles that is open."""
    most = 1 + sum(policy.gates.of(gate).judges + policy.gates.of(gate).operators for gate in GATES)
    numbers = iter(range(-1, -10_000, -1))
    for rule in rules:
        for _ in range(0 if is_closed(rule) else most):
            role = next(iter(rule.custom_roles), None)
            level = rule.permission or "read"
            yield Someone(id=next(numbers), login=_called(rule), level=level, role_name=role, teams=rule.teams)


def _called(rule: RoleRule) -> str:
    ways = [f"anybody with {rule.permission}"] if rule.permission else []
    ways += [f"anybody with the custom role {name}" for name in rule.custom_roles]
    return " or ".join([*ways, *(f"a member of {team}" for team in rule.teams)])


def could_sit(policy: Policy, named: Iterable[Someone]) -> tuple[tuple[SeatLine, ...], Filling]:
    """For each gate who could fill each seat, whoever builds; and the gates that nobody can complete."""
    roles = policy.roles
    unknown = strangers(policy, (roles.builders, roles.reviewers, roles.operators))
    found = filling_by_anybody(policy, [*named, *unknown])
    lines = tuple(SeatLine(one.gate, one.kind, one.need, tuple(dict.fromkeys(one.could))) for one in found.seats)
    return lines, found
