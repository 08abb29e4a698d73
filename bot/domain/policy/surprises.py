"""Combinations that say something else than they seem to.

An error where the file cannot mean what it says: a gate that nobody can complete, a head that nobody judges, a rule that never
applies to anything. A warning where it works, and probably not as meant. What is only laxer than the preset is told by `laxer`.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from bot.domain.model.facts import LEVELS
from bot.domain.model.policy import OWN_NAMES, GateRule, Policy, RoleRule, is_our_label
from bot.domain.model.record import GateName
from bot.domain.model.text import code
from bot.domain.model.written import Level, Path, Written
from bot.domain.policy.laxer import GATES, ROLES
from bot.domain.policy.undelivered import shut_gates

TEMPLATE_NAMES = frozenset({"title", "number", "issue", "summary"})
MOST_MENTIONED = 5
_NAMED = re.compile(r"\{([^{}]{0,40})\}")
_SKIPS_CI = re.compile(r"\[(?:skip ci|ci skip|no ci|skip actions|actions skip)\]", re.IGNORECASE)
_ON_THE_HEAD: tuple[GateName, ...] = ("testing", "submit")


class Surprise(NamedTuple):
    level: Level
    path: Path
    message: str


def surprises(policy: Policy, written: Written) -> list[Surprise]:
    return [found for look in _LOOKS for found in look(policy, written)]


def _form(policy: Policy, written: Written) -> Iterator[Surprise]:
    if not written.has(("version",)):
        yield Surprise("warning", (), f"`version: {policy.version}` is missing; the file is read as that version")


def _labels(policy: Policy, _written: Written) -> Iterator[Surprise]:
    for key, label in (("start_label", policy.start_label), ("requirement_label", policy.requirement_label)):
        if is_our_label(label):
            yield Surprise("error", (key,), f"labels that begin with `{label.partition('/')[0]}/` are set by Signalbox")
    if policy.start_label.lower() == policy.requirement_label.lower():
        yield Surprise("error", ("requirement_label",), "this is the start label too, and one label cannot mean both")


def _roles(policy: Policy, _written: Written) -> Iterator[Surprise]:
    for name in ROLES:
        rule: RoleRule = getattr(policy.roles, name)
        path: Path = ("roles", name)
        if rule.permission is None and not (rule.custom_roles or rule.teams or rule.users or rule.apps):
            yield Surprise("error", path, "nobody holds this role: it has neither a permission nor a name")
        if rule.apps and name != "builders":
            yield Surprise("error", (*path, "apps"), "an App can be a builder and nothing else: seats are for people")
        if rule.permission == "triage":
            message = "with `triage` people decide who may not change the code themselves"
            yield Surprise("warning", (*path, "permission"), message)
        yield from _twice((*path, "custom_roles"), rule.custom_roles)
        for index, role in enumerate(rule.custom_roles):
            if role.strip().lower() in (*LEVELS, "push", "pull"):
                message = "this is one of GitHub's own roles: write it as `permission`"
                yield Surprise("error", (*path, "custom_roles", index), message)
        for kind in ("teams", "users", "apps"):
            yield from _twice((*path, kind), (each.lower() for each in getattr(rule, kind)))


def _agents(policy: Policy, _written: Written) -> Iterator[Surprise]:
    for name, roles in policy.agents.items():
        yield from _twice(("agents", name), roles)
        if "builder" in roles and "reviewer" in roles:
            message = "this agent builds and reviews; its own work it never reviews"
            yield Surprise("warning", ("agents", name), message)


def _judges(policy: Policy, _written: Written) -> Iterator[Surprise]:
    reviewers = sum("reviewer" in roles for roles in policy.agents.values())
    if policy.gates.plan.judges < 1:
        yield Surprise("error", ("gates", "plan", "reviews"), "a plan needs at least one review before it is built")
    if not any(_seats(policy.gates.of(gate)) for gate in _ON_THE_HEAD):
        message = "nobody would judge the head: `testing` or `submit` needs a review or an operator"
        yield Surprise("error", ("gates", "submit"), message)
    elif not any(_needs_a_person(policy.gates.of(gate), reviewers) for gate in GATES):
        yield Surprise("error", ("gates", "submit"), "agents alone could complete every gate: one needs a person")
    if not any(policy.gates.of(gate).operators for gate in _ON_THE_HEAD):
        message = (
            "no operator judges a pull request, not even one that changes this file; `testing` or `submit` can need one"
        )
        yield Surprise("warning", ("gates", "submit", "operators"), message)
    for gate in GATES:
        wanted = policy.gates.of(gate).reviews
        if not isinstance(wanted, int) and wanted.agents > reviewers:
            message = f"{wanted.agents} agents shall review, and `agents` lists {reviewers} as `reviewer`"
            yield Surprise("error", ("gates", gate, "reviews"), message)


def _seats(rule: GateRule) -> int:
    return rule.judges + rule.operators


def _needs_a_person(rule: GateRule, reviewing_agents: int) -> bool:
    if rule.operators:
        return True
    return rule.judges > reviewing_agents if isinstance(rule.reviews, int) else rule.reviews.people > 0


def _separation(policy: Policy, written: Written) -> Iterator[Surprise]:
    separation = policy.separation
    path: Path = ("separation", "author_may_gate")
    halves = (path, ("separation", "pusher_may_gate"))
    if separation.author_may_gate and not separation.pusher_may_gate and any(map(written.has, halves)):
        place = next(filter(written.has, halves))
        yield Surprise("warning", place, "an author who pushed still may not open the gate: `pusher_may_gate` is false")
    if separation.distinct_gates and not all(policy.gates.of(gate).operators for gate in _ON_THE_HEAD):
        message = "there are no two operators to tell apart: one of the gates needs none"
        yield Surprise("warning", ("separation", "distinct_gates"), message)


def _verification(policy: Policy, _written: Written) -> Iterator[Surprise]:
    asking = [gate for gate in _ON_THE_HEAD if policy.gates.of(gate).verification != "checks"]
    verifiers = any("verifier" in roles for roles in policy.agents.values())
    for gate in asking:
        path: Path = ("gates", gate, "verification")
        if not policy.verification:
            yield Surprise("error", path, "there is nothing to dispatch: `verification` lists no program")
        if not verifiers:
            yield Surprise("error", path, "nobody could verify: `agents` lists no `verifier`")
    if policy.verification and not asking:
        yield Surprise("warning", ("verification",), "no gate asks for it: `gates.testing.verification` is `checks`")
    yield from _twice(("verification",), (rule.name for rule in policy.verification), "error")


def _checks(policy: Policy, written: Written) -> Iterator[Surprise]:
    checks = policy.checks
    if "success" not in checks.accept:
        yield Surprise("error", ("checks", "accept"), "a check that succeeded must be green: `success` is missing")
    testing = policy.gates.testing
    if checks.none == "allow" and not _seats(testing) and testing.verification == "checks":
        message = "where nothing is required, `testing` passes at once and nothing is verified"
        yield Surprise("warning", ("checks", "none"), message)
    if checks.required != "auto":
        yield from _named_checks(policy)
        if written.has(("checks", "none")):
            message = "this has no effect: `checks.required` names what is needed"
            yield Surprise("warning", ("checks", "none"), message)


def _named_checks(policy: Policy) -> Iterator[Surprise]:
    named = () if policy.checks.required == "auto" else policy.checks.required
    if all(check.name in OWN_NAMES for check in named):
        message = "no check is named: write `auto` for those that rulesets and protection name, or at least one"
        yield Surprise("error", ("checks", "required"), message)
    for index, check in enumerate(named):
        path: Path = ("checks", "required", index)
        if check.name in OWN_NAMES:
            yield Surprise("warning", path, "this check is ours and never counts")
        elif not check.name.strip() or check.name != check.name.strip():
            yield Surprise(
                "error", (*path, "name"), "no check has this name: it is empty or begins or ends with a space"
            )
        elif check.app is None:
            yield Surprise("warning", path, "without `app` whoever may write can report this check themselves")
        if check.app is not None and check.app < 1:
            yield Surprise("error", (*path, "app"), "this is no App's number")
    yield from _twice(("checks", "required"), (f"{check.name}, {check.app}" for check in named))


def _merge(policy: Policy, written: Written) -> Iterator[Surprise]:
    for key, template in (("title", policy.merge.title), ("body", policy.merge.body)):
        path: Path = ("merge", key)
        unknown = [name for name in _NAMED.findall(template) if name not in TEMPLATE_NAMES]
        if unknown:
            known = ", ".join(f"`{{{name}}}`" for name in sorted(TEMPLATE_NAMES))
            yield Surprise("error", path, f"{code(f'{{{unknown[0]}}}')} is filled with nothing; there are {known}")
        if _SKIPS_CI.search(template):
            yield Surprise("warning", path, "checks will not run on the commit that is merged")
        if policy.merge.method == "rebase" and written.has(path):
            yield Surprise("warning", path, "this has no effect: a rebase keeps the commits' own texts")


def _talking(policy: Policy, _written: Written) -> Iterator[Surprise]:
    if len(policy.notify) > MOST_MENTIONED:
        yield Surprise("warning", ("notify",), f"the first {MOST_MENTIONED} are mentioned, the others are not")
    yield from _twice(("notify",), (name.removeprefix("@").lower() for name in policy.notify))
    yield from _twice(("workflow", "plan"), policy.workflow.plan, "error")


def _shut_gates(policy: Policy, _written: Written) -> Iterator[Surprise]:
    yield from (Surprise("warning", *each) for each in shut_gates(policy))


def _twice(path: Path, names: Iterable[str], level: Level = "warning") -> Iterator[Surprise]:
    for name, times in Counter(names).items():
        if times > 1:
            yield Surprise(level, path, f"{code(name)} stands here {times} times")


_LOOKS: tuple[Callable[[Policy, Written], Iterable[Surprise]], ...] = (
    _form,
    _labels,
    _roles,
    _agents,
    _judges,
    _separation,
    _verification,
    _checks,
    _merge,
    _talking,
    _shut_gates,
)
