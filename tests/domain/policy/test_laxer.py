"""What is laxer than what, part by part; and that it means what it says at the gates."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.gates.gate import authority_complete, complete
from bot.domain.model.policy import STRICT, Policy
from bot.domain.model.record import Record
from bot.domain.policy.keys import as_data, keys
from bot.domain.policy.laxer import GATES, NOT_ABOUT_AUTHORITY, laxer
from bot.domain.policy.presets import LEAN, SOLO
from tests.domain.policy.some_policies import changed, some_policies
from tests.kit.some_records import records


def at(policy: Policy, than: Policy) -> list[str]:
    return [".".join(map(str, each.path)) for each in laxer(policy, than)]


#: A change of one part of preset strict, and what is laxer then.
CHANGES: list[tuple[dict[str, Any], list[str]]] = [
    ({"roles": {"operators": {"permission": "write"}}}, ["roles.operators.permission"]),
    ({"roles": {"operators": {"permission": "admin"}}}, []),
    ({"roles": {"operators": {"permission": None, "users": ["omar"]}}}, ["roles.operators.users"]),
    ({"roles": {"builders": {"apps": ["renovate"]}}}, ["roles.builders.apps"]),
    ({"roles": {"reviewers": {"teams": ["core"]}}}, ["roles.reviewers.teams"]),
    ({"roles": {"reviewers": {"custom_roles": ["crew"]}}}, ["roles.reviewers.custom_roles"]),
    ({"agents": {"sentinel-1": ["reviewer"]}}, ["agents.sentinel-1"]),
    ({"separation": {"author_may_review": True}}, ["separation.author_may_review"]),
    ({"separation": {"author_may_gate": True}}, ["separation.author_may_gate"]),
    ({"separation": {"pusher_may_gate": True}}, ["separation.pusher_may_gate"]),
    ({"separation": {"unknown_pusher": "refuse"}}, []),
    ({"separation": {"distinct_people": False}}, ["separation.distinct_people"]),
    ({"separation": {"distinct_gates": True}}, []),
    ({"separation": {"requester_may_gate": True}}, ["separation.requester_may_gate"]),
    ({"separation": {"requester_may_gate": False}}, []),
    ({"gates": {"plan": {"reviews": 2}}}, []),
    ({"gates": {"testing": {"reviews": 0}}}, ["gates.testing.reviews"]),
    ({"gates": {"testing": {"operators": 0}}}, ["gates.testing.operators"]),
    ({"gates": {"submit": {"reviews": {"people": 1, "agents": 1}}}}, []),
    ({"gates": {"submit": {"verification": "both"}}}, []),
    ({"gates": {"submit": {"verification": "contract"}}}, ["gates.submit.verification"]),
    ({"reviews": {"native": False}}, []),
    ({"checks": {"required": [{"name": "build", "app": 1}]}}, ["checks.required"]),
    ({"checks": {"none": "allow"}}, ["checks.none"]),
    ({"checks": {"none": "refuse"}}, []),
    ({"checks": {"accept": ["success", "neutral"]}}, ["checks.accept"]),
    ({"merge": {"trigger": "command"}}, []),
    ({"recheck_at_merge": False}, ["recheck_at_merge"]),
    ({"blocked_recovery": "builder"}, ["blocked_recovery"]),
    ({"external_merge": "block"}, []),
    ({"ungoverned": "neutral"}, ["ungoverned"]),
    ({"ungoverned": "require"}, []),
    ({"commands": {"bots": ["renovate[bot]"]}}, ["commands.bots"]),
    ({"machines": {"mode": "json_strict"}}, []),
]


@pytest.mark.parametrize(("change", "found"), CHANGES, ids=[str(change) for change, _ in CHANGES])
def test_one_change_of_preset_strict_is_laxer_there_or_not_at_all(change: dict[str, Any], found: list[str]) -> None:
    assert at(changed(STRICT, change), STRICT) == found


@pytest.mark.parametrize(("change", "found"), CHANGES, ids=[str(change) for change, _ in CHANGES])
def test_what_was_stricter_is_laxer_when_it_is_taken_back(change: dict[str, Any], found: list[str]) -> None:
    """What cannot be compared is laxer both ways."""
    both_ways = {"checks.required", "gates.submit.verification", "roles.operators.users"}
    back = at(STRICT, changed(STRICT, change))
    assert bool(back) is (not found or set(found) <= both_ways)


def test_a_named_check_that_is_dropped_or_unbound_is_laxer() -> None:
    def requires(*checks: dict[str, Any]) -> Policy:
        return changed(STRICT, {"checks": {"required": list(checks)}})

    bound, free, lint = {"name": "build", "app": 1}, {"name": "build"}, {"name": "lint", "app": 1}
    assert at(requires(bound, lint), requires(bound)) == []
    assert at(requires(bound), requires(bound, lint)) == ["checks.required"]
    assert at(requires(free), requires(bound)) == ["checks.required"]
    assert at(requires(bound), requires(free)) == []
    assert at(requires({"name": "build", "app": 2}), requires(bound)) == ["checks.required"]


def test_reviews_by_people_and_agents_are_counted_apart() -> None:
    def submit(reviews: Any) -> Policy:
        return changed(STRICT, {"gates": {"submit": {"reviews": reviews}}})

    assert at(submit({"people": 0, "agents": 2}), submit({"people": 1, "agents": 1})) == ["gates.submit.reviews"]
    assert at(submit(2), submit({"people": 1, "agents": 1})) == ["gates.submit.reviews"]
    assert at(submit({"people": 2, "agents": 1}), submit({"people": 1, "agents": 1})) == []


def test_a_program_that_is_no_longer_run_is_laxer() -> None:
    unit = {"name": "unit", "argv": ["make", "test"]}
    with_unit = changed(STRICT, {"verification": [unit]})
    assert at(STRICT, with_unit) == ["verification"]
    assert at(changed(STRICT, {"verification": [unit | {"exit_code": 1}]}), with_unit) == ["verification"]
    assert at(changed(STRICT, {"verification": [unit, unit | {"name": "lint"}]}), with_unit) == []


def test_the_presets_go_from_strict_to_solo() -> None:
    assert at(STRICT, LEAN) == at(LEAN, SOLO) == at(STRICT, SOLO) == []
    assert at(LEAN, STRICT) == ["gates.testing.reviews", "gates.testing.operators"]
    assert "separation.author_may_gate" in at(SOLO, LEAN)


def test_every_key_is_compared_or_not_about_authority() -> None:
    """Each key is changed to something else: only the named ones make no difference in either direction."""
    silent = {path for path in PROBES if not at(PROBES[path], STRICT) and not at(STRICT, PROBES[path])}
    assert {path for path in silent if not _excused(path)} == set()
    untried = [".".join(map(str, key.path)) for key in keys() if "[]" not in str(key.path)]
    assert [path for path in untried if path not in PROBES and not _excused(path)] == []


def _excused(path: str) -> bool:
    return any(path == name or path.startswith(f"{name}.") for name in NOT_ABOUT_AUTHORITY)


def _nested(path: str, value: Any) -> dict[str, Any]:
    for part in reversed(path.split(".")):
        value = {part: value}
    return dict(value)


KINDS = ("custom_roles", "teams", "users", "apps")
PROBES = {
    path: changed(STRICT, _nested(path, value))
    for path, value in {
        **{f"roles.{role}.permission": "admin" for role in as_data(STRICT)["roles"]},
        **{f"roles.{role}.{kind}": ["x"] for role in as_data(STRICT)["roles"] for kind in KINDS},
        "agents": {"forge-1": ["builder"]},
        "verification": [{"name": "unit", "argv": ["make"]}],
        **{
            f"separation.{key}": not value
            for key, value in as_data(STRICT)["separation"].items()
            if isinstance(value, bool)
        },
        "separation.unknown_pusher": "refuse",
        "separation.requester_may_gate": True,
        **{f"gates.{gate}.reviews": 3 for gate in GATES},
        **{f"gates.{gate}.operators": 3 for gate in GATES[1:]},
        **{f"gates.{gate}.verification": "both" for gate in GATES[1:]},
        "reviews.native": False,
        "checks.required": [{"name": "build"}],
        "checks.none": "allow",
        "checks.accept": ["success", "skipped"],
        "merge.trigger": "command",
        "recheck_at_merge": False,
        "blocked_recovery": "builder",
        "external_merge": "block",
        "ungoverned": "neutral",
        "commands.bots": ["x"],
        "machines.mode": "json_strict",
    }.items()
}


@given(some_policies())
def test_no_policy_is_laxer_than_itself(policy: Policy) -> None:
    assert laxer(policy, policy) == ()


@given(some_policies(), some_policies(), some_policies())
def test_whoever_is_not_laxer_than_one_who_is_not_laxer_is_not_laxer(one: Policy, two: Policy, three: Policy) -> None:
    if not laxer(one, two) and not laxer(two, three):
        assert laxer(one, three) == ()


#: Each lets something through.
LOOSER: tuple[dict[str, Any], ...] = (
    *({"separation": {name: True}} for name in ("author_may_review", "author_may_gate", "pusher_may_gate")),
    {"separation": {"distinct_people": False}},
    {"separation": {"distinct_gates": False}},
    {"separation": {"requester_may_gate": True}},
    *({"gates": {gate: {"reviews": 1}}} for gate in GATES),
    *({"gates": {gate: {"reviews": 0, "operators": 0}}} for gate in GATES[1:]),
    *({"gates": {gate: {"verification": "checks"}}} for gate in GATES[1:]),
)


@settings(max_examples=300)
@given(records(), some_policies(), st.lists(st.sampled_from(LOOSER), min_size=1, max_size=6))
def test_what_a_policy_lets_through_a_laxer_one_lets_through(
    record: Record, than: Policy, changes: list[dict[str, Any]]
) -> None:
    """Not laxer = no record is complete that would not have been. Judged by the gates themselves."""
    loose = than
    for change in changes:
        loose = changed(loose, change)
    for policy, other in ((than, loose), (loose, than)):
        if not laxer(policy, other):
            for gate in GATES:
                assert complete(record, other, gate) or not complete(record, policy, gate)
            assert authority_complete(record, other) or not authority_complete(record, policy)
