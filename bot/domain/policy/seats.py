"""Who could fill each seat of each gate, and which gates nobody can complete (INTERFACE.md section 5).

A seat is one judgement that a gate needs. One person takes one seat of a gate where `distinct_people` says so, and one of
the operators' seats of `testing` and `submit` where `distinct_gates` says so. Whether that can be done is a matching of
seats to people: an operator's seat leaves alone whoever the reviews cannot do without.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from bot.domain.model.facts import LEVELS, Level, Permission
from bot.domain.model.ids import NOBODY, Value
from bot.domain.model.policy import GateRule, Policy, RoleRule
from bot.domain.model.record import GateName
from bot.domain.model.text import counted
from bot.domain.policy.laxer import GATES
from bot.domain.policy.undelivered import wants_agents

SeatKind = Literal["review", "operator"]


class Someone(Value):
    """A person as the repository knows them. `role_name`: what GitHub calls their highest role, a custom one or its own; None =
    it did not say. `teams` by slug, with the owner's name or without. Apps and bots are `is_bot` and fill no seat."""

    id: int
    login: str
    level: Level
    role_name: str | None = None
    teams: tuple[str, ...] = ()
    is_bot: bool = False


def as_someone(may: Permission) -> Someone:
    return Someone(id=may.user_id, login=may.login, level=may.level, role_name=may.role_name, is_bot=may.is_bot)


class Change(Value):
    """Whose change it is that would be judged. `authors`: of the plan and the pull request; `by_agent`: the pull request is
    no person's."""

    authors: frozenset[int] = frozenset()
    pushers: frozenset[int] = frozenset()
    requester: int | None = None
    by_agent: bool = False


class Seats(NamedTuple):
    """The seats of one kind at one gate. `could`: everybody who may take one, by login."""

    gate: GateName
    kind: SeatKind
    need: int
    could: tuple[str, ...]


class Filling(NamedTuple):
    """`nobody`: the gates that cannot be completed, a red line each, and why."""

    seats: tuple[Seats, ...]
    nobody: tuple[tuple[GateName, str], ...]


def is_nobody(who: Someone) -> bool:
    """Apps and bots, GitHub's stand-in for deleted accounts, and whoever cannot even read hold no role, however named."""
    return who.is_bot or who.level == "none" or who.id in NOBODY


def holds_role(rule: RoleRule, who: Someone, accounts: Mapping[str, int] | None = None) -> bool:
    """By base permission, by custom role, by name, or by team. `accounts`: the account that each name of the file stands for, by
    number; None = whoever bears it, for people of whom there is only a list. On personal repositories nobody has `maintain` but
    admins."""
    if is_nobody(who):
        return False
    if rule.permission is not None and LEVELS.index(who.level) >= LEVELS.index(rule.permission):
        return True
    if who.role_name in rule.custom_roles:
        return True
    teams = {team.lower() for team in who.teams} | {team.lower().rpartition("/")[2] for team in who.teams}
    return any(_is_named(user.lower(), who, accounts) for user in rule.users) or any(
        team.lower() in teams for team in rule.teams
    )


def _is_named(name: str, who: Someone, accounts: Mapping[str, int] | None) -> bool:
    """A renamed account keeps what it was given by name; whoever takes the name over gets nothing."""
    return who.login.lower() == name if accounts is None else accounts.get(name) == who.id


def filling(policy: Policy, people: Sequence[Someone], change: Change) -> Filling:
    """For one change: who could fill each seat, and the gates for which that is not enough."""
    pools = {gate: _Pool(policy, people, change, gate) for gate in GATES}
    seats = tuple(each for gate in GATES for each in pools[gate].seats())
    red = [(gate, why) for gate in GATES if (why := pools[gate].missing()) is not None]
    both = pools["testing"].operator_slots() + pools["submit"].operator_slots()
    if policy.separation.distinct_gates and not red and not _can_be_filled(both):
        red.append(("submit", "`testing` and `submit` need different operators, and there are not enough"))
    return Filling(seats, tuple(red))


def filling_by_anybody(policy: Policy, people: Sequence[Someone]) -> Filling:
    """Before there is a change: what is red whoever builds. The seats are those that somebody's change would leave."""
    builders = [who for who in people if holds_role(policy.roles.builders, who)]
    changes = [_own_work(who) for who in builders]
    if policy.roles.builders.apps or any("builder" in roles for roles in policy.agents.values()):
        changes += [Change(requester=who.id, by_agent=True) for who in builders]
    if not changes:
        return Filling(filling(policy, people, Change()).seats, (("plan", "nobody could build: there is no builder"),))
    tried = [filling(policy, people, change) for change in changes]
    easiest = min(tried, key=lambda one: len(one.nobody))
    could = [dict.fromkeys(name for one in tried for name in one.seats[at].could) for at in range(len(easiest.seats))]
    seats = tuple(each._replace(could=tuple(names)) for each, names in zip(easiest.seats, could, strict=True))
    return Filling(seats, easiest.nobody)


def _own_work(who: Someone) -> Change:
    return Change(authors=frozenset({who.id}), pushers=frozenset({who.id}), requester=who.id)


class _Pool:
    """Who may take the seats of one gate."""

    def __init__(self, policy: Policy, people: Sequence[Someone], change: Change, gate: GateName) -> None:
        self._gate: GateName = gate
        self._rule: GateRule = policy.gates.of(gate)
        self._apart = policy.separation.distinct_people
        review, operate = _barred(policy, change, gate, "review"), _barred(policy, change, gate, "operator")
        roles = policy.roles
        self._reviewers = [who for who in people if holds_role(roles.reviewers, who) and who.id not in review]
        self._operators = [who for who in people if holds_role(roles.operators, who) and who.id not in operate]

    def seats(self) -> Iterator[Seats]:
        if self._rule.judges:
            could = _logins(self._reviewers) if self._people_wanted() else ()
            yield Seats(self._gate, "review", self._rule.judges, tuple(could))
        if self._rule.operators and self._gate != "plan":
            yield Seats(self._gate, "operator", self._rule.operators, tuple(_logins(self._operators)))

    def missing(self) -> str | None:
        """Why this gate cannot be completed; None when it can."""
        wanted = self._people_wanted()
        if wants_agents(self._rule):
            return "it needs reviews by agents, and in this version nobody gives them"
        if wanted > len(self._reviewers):
            return f"it needs {counted(wanted, 'reviewer')}, and {len(self._reviewers)} may review"
        slots = self.operator_slots()
        if len(slots) > len(self._operators):
            return f"it needs {counted(len(slots), 'operator')}, and {len(self._operators)} may open it"
        if not _can_be_filled(slots):
            return "nobody may fill two seats of it, and there are not enough people for all of them"
        return None

    def _people_wanted(self) -> int:
        wanted = self._rule.reviews
        return wanted if isinstance(wanted, int) else wanted.people

    def operator_slots(self) -> list[frozenset[int]]:
        """For each operator's seat who may take it. So many reviewers as the reviews leave over may operate instead; the other
        seats are for people who do not review."""
        if self._gate == "plan":
            return []
        everybody = frozenset(who.id for who in self._operators)
        others = everybody - {who.id for who in self._reviewers}
        spare = len(self._reviewers) - self._people_wanted() if self._apart else self._rule.operators
        return [everybody if index < spare else others for index in range(self._rule.operators)]


def _barred(policy: Policy, change: Change, gate: GateName, kind: SeatKind) -> set[int]:
    """As `merging.gate.excluded` says it of a record."""
    separation, barred = policy.separation, set[int]()
    author_may = separation.author_may_gate if kind == "operator" else separation.author_may_review
    pusher_may = separation.pusher_may_gate if kind == "operator" else separation.author_may_review
    if not author_may:
        barred |= change.authors
    if gate != "plan" and not pusher_may:
        barred |= change.pushers
    if kind == "operator" and change.requester is not None and not _requester_may(policy, change):
        barred.add(change.requester)
    return barred


def _requester_may(policy: Policy, change: Change) -> bool:
    may = policy.separation.requester_may_gate
    return not change.by_agent if may == "people" else may


def _logins(people: Iterable[Someone]) -> list[str]:
    return [who.login for who in people]


def _can_be_filled(slots: Sequence[Collection[int]]) -> bool:
    """Whether every seat can have somebody of its own: a matching, seat by seat, where earlier ones move if they can."""
    taken: dict[int, int] = {}

    def seat(slot: int, tried: set[int]) -> bool:
        for person in slots[slot]:
            if person in tried:
                continue
            tried.add(person)
            if person not in taken or seat(taken[person], tried):
                taken[person] = slot
                return True
        return False

    return all(seat(slot, set()) for slot in range(len(slots)))
