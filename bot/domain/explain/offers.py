"""Who could move a need on, and the command they would type."""

from collections.abc import Iterable

from bot.domain.gates.gate import counting
from bot.domain.gates.separation import excluded
from bot.domain.model.explain import WaitingOn
from bot.domain.model.policy import Policy
from bot.domain.model.record import GateName, Record
from bot.domain.model.text import code, listed, sha12, unslashed

ROLE: dict[WaitingOn, str] = {
    "builders": "a builder",
    "reviewers": "a reviewer",
    "operators": "an operator",
    "agents": "an agent",
    "checks": "the checks",
    "verification": "the verification",
    "github": "GitHub",
}


#: What a person writes behind a command that says nothing without it.
BEHIND = {"settle merged": "SHA", "settle unmerged": "WHY", "answer": "TEXT"}


def behind(command: str) -> str:
    """What stands for the words that only a person knows, in a text that shows the command; empty where none are needed."""
    said = command.strip().removeprefix("/").removeprefix("signalbox ")
    return BEHIND.get(said) or BEHIND.get(said.partition(" q")[0], "")


def person(login: str) -> str:
    return unslashed(code(login, limit=40, in_table=True))


def name(text: str) -> str:
    """Names of checks, branches and the like: user text, short."""
    return unslashed(code(text, limit=80, in_table=True))


def spelled(policy: Policy, words: str) -> str:
    """A command as this repository hears it: bare, or the long form where the bare verb is off."""
    bare = policy.commands.bare
    heard = words.split(" ", 1)[0] in bare if isinstance(bare, tuple) else bare
    return f"/{words}" if heard else f"/signalbox {words}"


def ways_back(record: Record, policy: Policy) -> tuple[str, ...]:
    """What else can be said of a head that is judged, than what leads on."""
    if not record.is_judged or record.withdrawn or record.frozen is not None or record.in_flight:
        return ()
    reject, rework, hold = (f"`{spelled(policy, verb)}`" for verb in ("reject", "rework", "hold"))
    back = f"To send it back: comment {reject} and why (reviewer), or {rework} and why (reviewer, operator)"
    # There is one hold at a time, and its own row says who lifts it.
    return (back, f"To stop the merge only: comment {hold}") if record.held is None else (back,)


def other_than(role: str, logins: Iterable[str]) -> str:
    """The role, and whose judgement is not wanted: "a reviewer other than `ada`"."""
    shown = listed([person(login) for login in logins])
    return f"{role} other than {shown}" if shown else role


def unable(record: Record, policy: Policy, gate: GateName, kind: str) -> dict[int, str]:
    """Who may not fill another seat of this kind, by numeric id, and the login to show: authors and pushers, and whoever judged
    at this gate already. An approval that no seat was left for counts as one."""
    barred = dict(excluded(record, policy, gate, kind))
    given = [decision for decision in counting(record, gate) if decision.verdict == "approve"]
    if not policy.separation.distinct_people:
        given = [decision for decision in given if (decision.kind == "operator") is (kind == "operator")]
    if kind == "operator" and gate == "submit" and policy.separation.distinct_gates:
        given += [decision for decision in counting(record, "testing") if decision.kind == "operator"]
    for decision in given:
        barred.setdefault(decision.by.id, decision.by.login)
    return barred


def seat_takers(record: Record, policy: Policy, gate: GateName, kind: str) -> str:
    """Who could fill the next seat of this kind: the role without authors, pushers and whoever sits already."""
    role = ROLE["operators" if kind == "operator" else "reviewers"]
    return other_than(role, unable(record, policy, gate, kind).values())


def seat_command(record: Record, policy: Policy, gate: GateName, kind: str) -> str:
    """The explicit form: it names what is judged, with 12 digits of the head."""
    if gate == "plan":
        return spelled(policy, f"approve r{record.plan.revision if record.plan else 1}")
    verb = "gate" if kind == "operator" else "approve"
    return spelled(policy, f"{verb} {gate} {sha12(record.head or '')}")
