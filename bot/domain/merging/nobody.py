"""Seats that nobody is left to fill, as far as that is certain: what the policy file says alone decides it.

Who has a permission or a custom role or is in a team cannot be listed, so a role that is held that way counts as one that
somebody else may hold.
A role of named people alone is a closed circle: once separation of duties takes its last member out, the gate waits for ever.
"""

from collections.abc import Iterator
from typing import NamedTuple

from bot.domain.model.policy import Policy
from bot.domain.model.record import GateName, Record
from bot.domain.policy.circles import is_closed, strangers
from bot.domain.policy.seats import Change, SeatKind, Someone, filling
from bot.domain.policy.undelivered import wants_agents


class Empty(NamedTuple):
    """`kind` of the seat that stays empty. `way`: what a change of the file would have to do, after "an operator: "."""

    kind: SeatKind
    way: str


def nobody_can(record: Record, policy: Policy, gate: GateName) -> Empty | None:
    """The seat of this gate that nobody can fill; None where somebody may."""
    roles = policy.roles
    if wants_agents(policy.gates.of(gate)):
        return Empty("review", f"ask for people alone under `gates.{gate}.reviews` in `.github/signalbox.yml`")
    if not (is_closed(roles.reviewers) or is_closed(roles.operators)):
        return None
    people = tuple(_possible(policy))
    found = filling(policy, people, _change(record, gate))
    if gate not in {name for name, _ in found.nobody}:
        return None
    for seats in found.seats:
        if seats.gate == gate and len(seats.could) < seats.need:
            role = "operators" if seats.kind == "operator" else "reviewers"
            return Empty(seats.kind, f"name somebody else under `roles.{role}` in `.github/signalbox.yml`")
    return Empty(
        "operator", "name more people under `roles` in `.github/signalbox.yml`: nobody fills two seats of one gate"
    )


def _change(record: Record, gate: GateName) -> Change:
    """Whose work it is; at the plan gate there is no head that somebody could have pushed."""
    pull = record.pull if gate != "plan" else None
    authors = [*([record.plan.author] if record.plan else []), *([pull.author] if pull else [])]
    pushers = list(pull.pushers) if pull else []
    if pull is not None and record.pusher_is_unknown:
        pushers += [pull.author, *pull.commit_authors]
    return Change(
        authors=frozenset(each.id for each in authors),
        pushers=frozenset(each.id for each in pushers),
        requester=record.requester.id,
        by_agent=record.pull is not None and record.pull.author_is_bot,
    )


def _possible(policy: Policy) -> Iterator[Someone]:
    """Everybody who is named, and for each role that is not closed more people than there are seats."""
    roles = (policy.roles.reviewers, policy.roles.operators)
    for place, login in enumerate(dict.fromkeys(name.lower() for rule in roles for name in rule.users)):
        number = policy.accounts.get(login)
        if number != 0:
            yield Someone(id=-100_000 - place if number is None else number, login=login, level="read")
    yield from strangers(policy, roles)
