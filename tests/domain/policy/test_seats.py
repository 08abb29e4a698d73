"""Who could fill each seat of each gate, and which gates nobody can complete."""

from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.gates.separation import excluded
from bot.domain.model.facts import Level
from bot.domain.model.policy import STRICT, Policy
from bot.domain.policy.laxer import GATES
from bot.domain.policy.presets import LEAN, SOLO
from bot.domain.policy.seats import Change, Filling, Seats, Someone, filling, filling_by_anybody, holds_role
from tests.domain.policy.kit import policy
from tests.domain.policy.some_policies import changed, some_policies
from tests.kit.records import PEOPLE, in_submit

ADA = Someone(id=1, login="ada", level="write")
GRACE = Someone(id=2, login="grace", level="write")
LIN = Someone(id=3, login="lin", level="write", teams=("octo/core",))
OMAR = Someone(id=4, login="omar", level="maintain")
RUTH = Someone(id=5, login="ruth", level="admin")
RENOVATE = Someone(id=6, login="renovate[bot]", level="write", is_bot=True)
VISITOR = Someone(id=7, login="visitor", level="read")
CREW = Someone(id=8, login="sue", level="triage", role_name="crew")
BY_ADA = Change(authors=frozenset({1}), pushers=frozenset({1}), requester=1)


def seats(found: Filling) -> dict[str, tuple[int, tuple[str, ...]]]:
    return {f"{seat.gate} {seat.kind}": (seat.need, seat.could) for seat in found.seats}


def red(found: Filling) -> list[str]:
    return [gate for gate, _ in found.nobody]


def test_every_seat_names_who_could_fill_it() -> None:
    found = filling(STRICT, [ADA, GRACE, OMAR, RENOVATE, VISITOR], BY_ADA)
    assert seats(found) == {
        "plan review": (1, ("grace", "omar")),
        "testing review": (1, ("grace", "omar")),
        "testing operator": (1, ("omar",)),
        "submit review": (1, ("grace", "omar")),
        "submit operator": (1, ("omar",)),
    }
    assert found.nobody == ()


def test_a_gate_that_nobody_can_complete_is_red_and_says_why() -> None:
    alone = filling(STRICT, [ADA], BY_ADA)
    assert alone.nobody == (
        ("plan", "it needs 1 reviewer, and 0 may review"),
        ("testing", "it needs 1 reviewer, and 0 may review"),
        ("submit", "it needs 1 reviewer, and 0 may review"),
    )
    assert dict(filling(STRICT, [ADA, GRACE], BY_ADA).nobody)["testing"] == "it needs 1 operator, and 0 may open it"


def test_one_person_fills_one_seat_of_a_gate() -> None:
    two = filling(STRICT, [ADA, OMAR], BY_ADA)
    assert red(two) == ["testing", "submit"]
    assert two.nobody[0][1].startswith("nobody may fill two seats of it")
    both = changed(STRICT, {"separation": {"distinct_people": False}})
    assert red(filling(both, [ADA, OMAR], BY_ADA)) == []


def test_two_operators_are_needed_where_the_gates_must_differ() -> None:
    apart = policy("separation: {distinct_gates: true}")
    assert red(filling(apart, [ADA, GRACE, LIN, OMAR], BY_ADA)) == ["submit"]
    assert red(filling(apart, [ADA, GRACE, OMAR, RUTH], BY_ADA)) == []


def test_solo_is_for_one_person_and_lean_for_three() -> None:
    ruth = Change(authors=frozenset({5}), pushers=frozenset({5}), requester=5)
    assert red(filling(SOLO, [RUTH], ruth)) == []
    assert red(filling(LEAN, [RUTH], ruth)) == ["plan", "submit"]
    assert red(filling(LEAN, [ADA, GRACE, OMAR], BY_ADA)) == []


def test_whoever_asked_an_agent_opens_no_gate_for_its_work() -> None:
    agents = policy("agents: {forge-1: [builder]}")
    asked = Change(requester=4, by_agent=True)
    assert red(filling(agents, [GRACE, LIN, OMAR], asked)) == ["testing", "submit"]
    assert red(filling(agents, [GRACE, LIN, OMAR], asked.model_copy(update={"by_agent": False}))) == []


def test_a_seat_for_an_agent_is_offered_to_nobody_as_long_as_no_agent_can_review() -> None:
    """Who has write was offered for it."""
    agent = policy("agents: {sentinel-1: [reviewer]}\ngates: {submit: {reviews: {people: 0, agents: 1}}}")
    found = filling(agent, [ADA, GRACE, OMAR], BY_ADA)
    assert (seats(found)["submit review"], red(found)) == ((1, ()), ["submit"])
    listed = policy("agents: {sentinel-1: [reviewer]}\ngates: {submit: {reviews: 2}}")
    assert red(filling(listed, [ADA, GRACE, OMAR], BY_ADA)) == ["submit"]
    people_only = policy("agents: {sentinel-1: [reviewer]}\ngates: {submit: {reviews: {people: 2, agents: 0}}}")
    assert seats(filling(people_only, [ADA, GRACE, OMAR], BY_ADA))["submit review"] == (2, ("grace", "omar"))
    assert red(filling(people_only, [ADA, GRACE, OMAR], BY_ADA)) == ["submit"]


@pytest.mark.parametrize(
    ("written", "who", "holds"),
    [
        ("{permission: write}", GRACE, True),
        ("{permission: write}", VISITOR, False),
        ("{permission: maintain}", GRACE, False),
        ("{permission: maintain}", RUTH, True),
        ("{users: [Grace]}", GRACE, True),
        ("{users: [grace]}", RUTH, False),
        ("{users: [visitor]}", VISITOR, True),
        ("{teams: [core]}", LIN, True),
        ("{teams: [octo/core]}", LIN, True),
        ("{teams: [core]}", GRACE, False),
        ("{permission: admin, teams: [core]}", LIN, True),
        ("{permission: triage, users: ['renovate']}", RENOVATE, False),
        ("{custom_roles: [crew]}", CREW, True),
        ("{permission: admin, custom_roles: [captains, crew]}", CREW, True),
        ("{custom_roles: [Crew]}", CREW, False),
        ("{custom_roles: [crew]}", GRACE, False),
        ("{custom_roles: [crew]}", CREW.model_copy(update={"level": "none"}), False),
        ("{custom_roles: [crew]}", CREW.model_copy(update={"is_bot": True}), False),
        ("{permission: write}", CREW.model_copy(update={"role_name": "admin"}), False),
    ],
)
def test_a_role_is_held_by_permission_by_name_or_by_team(written: str, who: Someone, holds: bool) -> None:
    assert holds_role(policy(f"roles: {{reviewers: {written}}}").roles.reviewers, who) is holds


def test_a_team_of_another_owner_is_another_team() -> None:
    rule = policy("roles: {reviewers: {teams: [octo/core]}}").roles.reviewers
    assert not holds_role(rule, LIN.model_copy(update={"teams": ("evil/core",)}))


def test_whoever_lost_all_permission_holds_nothing_by_name() -> None:
    rule = policy("roles: {reviewers: {users: [grace]}}").roles.reviewers
    assert not holds_role(rule, GRACE.model_copy(update={"level": "none"}))


def test_before_there_is_a_change_a_gate_is_red_only_if_it_is_for_whoever_builds() -> None:
    everybody = filling_by_anybody(STRICT, [ADA, GRACE, OMAR])
    assert everybody.nobody == ()
    assert seats(everybody)["plan review"] == (1, ("grace", "omar", "ada"))
    assert red(filling_by_anybody(STRICT, [ADA, OMAR])) == ["testing", "submit"]
    assert filling_by_anybody(STRICT, [VISITOR]).nobody == (("plan", "nobody could build: there is no builder"),)


def test_an_agents_work_counts_as_somebodys() -> None:
    agents = policy("agents: {forge-1: [builder]}\nroles: {reviewers: {users: [grace]}, operators: {users: [omar]}}")
    assert red(filling_by_anybody(agents, [GRACE, OMAR, LIN])) == []


@given(some_policies(), st.booleans())
def test_nobody_is_named_whom_the_record_bars(some: Policy, by_agent: bool) -> None:
    """The same answer as the gates of a record give: the two lists of exclusions cannot drift apart."""
    record = in_submit()
    assert record.pull is not None
    assert record.plan is not None
    record = record.model_copy(update={"pull": record.pull.model_copy(update={"author_is_bot": by_agent})})
    change = Change(
        authors=frozenset({record.plan.author.id, record.pull.author.id}),  # type: ignore[union-attr]  # asserted above
        pushers=frozenset(pusher.id for pusher in record.pull.pushers),  # type: ignore[union-attr]  # asserted above
        requester=record.requester.id,
        by_agent=by_agent,
    )
    people = [Someone(id=one.id, login=one.login, level="admin") for one in PEOPLE.values()]
    for seat in filling(some, people, change).seats:
        barred = excluded(record, some, seat.gate, seat.kind)
        assert not set(barred.values()) & set(seat.could)


LEVELS: tuple[Level, ...] = ("write", "maintain")


Seat = tuple[str, str, frozenset[str]]


@settings(max_examples=200)
@given(some_policies(), st.lists(st.sampled_from(LEVELS), min_size=1, max_size=4))
def test_a_gate_is_red_exactly_if_no_way_to_seat_the_people_exists(some: Policy, levels: list[Level]) -> None:
    """Against trying every way."""
    some = some.model_copy(update={"agents": {}})
    people = [Someone(id=n, login=f"p{n}", level=level) for n, level in enumerate(levels)]
    found = filling(some, people, Change(authors=frozenset({0}), pushers=frozenset({0}), requester=0))
    if any("reviews by agents" in why for _, why in found.nobody):
        return
    for gate in GATES if not some.separation.distinct_gates else GATES[:2]:
        assert (gate in red(found)) is not _possible(_each(s for s in found.seats if s.gate == gate), some, [])
    assert bool(red(found)) is not _possible(_each(found.seats), some, [])


def _each(seats: Iterable[Seats]) -> list[Seat]:
    return [(seat.gate, seat.kind, frozenset(seat.could)) for seat in seats for _ in range(seat.need)]


def _possible(wanted: Sequence[Seat], some: Policy, taken: list[tuple[str, str, str]]) -> bool:
    if not wanted:
        return True
    gate, kind, could = wanted[0]
    return any(
        _possible(wanted[1:], some, [*taken, (who, gate, kind)])
        for who in could
        if not any(who == other and _clash((gate, kind), (at, what), some) for other, at, what in taken)
    )


def _clash(one: tuple[str, str], two: tuple[str, str], some: Policy) -> bool:
    if one[0] == two[0]:
        return one[1] == two[1] or some.separation.distinct_people
    return one[1] == two[1] == "operator" and some.separation.distinct_gates
