"""Records to look at: small steps from a plan to a merge, with the people and numbers of the documentation."""

from datetime import UTC, datetime, timedelta
from typing import Any

from bot.domain.model.ids import Person
from bot.domain.model.linked import LinkedPull
from bot.domain.model.merge import Merge
from bot.domain.model.policy import Policy
from bot.domain.model.record import (
    CheckEvidence,
    Decision,
    GateName,
    MachineRef,
    OpenedGate,
    OpenedGates,
    Plan,
    Record,
    Verification,
)

PEOPLE = {
    name: Person(id=number, login=name)
    for number, name in enumerate(("ada", "grace", "omar", "lin", "forge-1"), start=11)
}
HEAD = "3f2a91c84e07d5b1f0c2a9e86b4d7713c05a2f9e"
OLD_HEAD = "51d0c7e" + "0" * 33
NEW_HEAD = "9be04d1f22aa" + "0" * 28
DIGEST = "sha256:8c1f20b7" + "0" * 56
GITHUB_ACTIONS = 15368
POLICY = Policy(sha="9d1c44e" + "0" * 33)


def at(clock: str, day: int = 30) -> datetime:
    hour, minute, *second = (int(part) for part in clock.split(":"))
    return datetime(2026, 11, day, hour, minute, second[0] if second else 0, tzinfo=UTC)


def a_record(**changes: Any) -> Record:
    """A record in planning: octo/app, issue 12, asked for by ada."""
    fields: dict[str, Any] = {
        "repository": "octo/app",
        "repository_id": 1,
        "installation_id": 77,
        "issue": 12,
        "issue_id": 1200,
        "title": "Retry uploads after a network drop",
        "version": 1,
        "phase": "planning",
        "requester": PEOPLE["ada"],
        "machine": MachineRef(hash="0" * 64),
        "started_at": at("09:12"),
        "phase_since": at("09:12"),
    }
    return Record.model_validate(fields | changes)


def a_plan(revision: int = 2, author: str = "ada") -> Plan:
    return Plan(
        revision=revision,
        digest=DIGEST,
        text="Retry an upload when the connection drops.",
        author=PEOPLE[author],
        submitted_at=at("15:31", day=29),
        round=revision,
        url=f"https://github.com/octo/app/issues/12#issuecomment-{1000 + revision}",
    )


def planned(**changes: Any) -> Record:
    """In plan_ready with plan r2."""
    gates = OpenedGates(plan=OpenedGate(round=2, opened_at=at("15:31", day=29)))
    return a_record(
        **{"version": 4, "phase": "plan_ready", "plan": a_plan(), "review_round": 2, "gates_opened": gates} | changes
    )


def approval(record: Record, gate: GateName, by: str, when: datetime, **changes: Any) -> Decision:
    """A decision that counts: bound to what the record holds now."""
    assert record.plan is not None
    bound: dict[str, Any] = {}
    if gate != "plan":
        bound = {
            "head": record.head,
            "epoch": record.head_epoch,
            "base": record.base,
            "pull_request": record.pull_request,
        }
    fields: dict[str, Any] = {
        "id": len(record.decisions) + 1,
        "gate": gate,
        "kind": "plan" if gate == "plan" else "review",
        "verdict": "approve",
        "by": PEOPLE[by],
        "at": when,
        "revision": record.plan.revision,
        "digest": record.plan.digest,
        "round": record.gates_opened.of(gate).round,
        "source": f"comment:{len(record.decisions) + 1}",
    }
    return Decision.model_validate(fields | bound | changes)


def decided(record: Record, *decisions: tuple[GateName, str, str, datetime]) -> Record:
    """`(gate, kind, login, time)`: approvals of what the record holds now."""
    for gate, kind, by, when in decisions:
        given = approval(record, gate, by, when, kind=kind)
        record = record.model_copy(update={"decisions": (*record.decisions, given)})
    return record


def approved(**changes: Any) -> Record:
    """In building with plan r2, approved by grace."""
    record = decided(planned(), ("plan", "plan", "grace", at("18:40", day=29)))
    return record.model_copy(update={"version": 5, "phase": "building", "phase_since": at("18:40", day=29)} | changes)


def a_pull(**changes: Any) -> LinkedPull:
    fields: dict[str, Any] = {
        "number": 34,
        "title": "Retry uploads",
        "author": PEOPLE["ada"],
        "url": "https://github.com/octo/app/pull/34",
        "head_ref": "signalbox/12-retry",
        "pushers": (PEOPLE["ada"],),
        "head_since": at("12:03"),
    }
    return LinkedPull.model_validate(fields | changes)


def linked(**changes: Any) -> Record:
    """In building with pull request 34 into main."""
    record = approved()
    pull = {"pull_request": 34, "pull": a_pull(), "head": HEAD, "head_epoch": 3, "base": "main"}
    return record.model_copy(update=pull | {"version": 6} | changes)


def green(names: tuple[str, ...] = ("build", "lint", "unit", "types"), head: str = HEAD) -> Verification:
    checks = tuple(
        CheckEvidence(name=name, app=GITHUB_ACTIONS, state="success", conclusion="success", since=at("12:06"))
        for name in names
    )
    return Verification(state="passed", head=head, checks=checks, read_at=at("12:06"))


def in_testing(**changes: Any) -> Record:
    """In testing, round 5, all checks green."""
    record = linked()
    gates = record.gates_opened.model_copy(update={"testing": OpenedGate(round=5, opened_at=at("12:03"))})
    fields = {
        "version": 11,
        "phase": "testing",
        "phase_since": at("12:03"),
        "review_round": 5,
        "gates_opened": gates,
        "verification": green(),
    }
    return record.model_copy(update=fields | changes)


def in_submit(**changes: Any) -> Record:
    """In submit, round 6: testing judged by grace and omar, nothing judged yet at submit."""
    record = decided(
        in_testing(), ("testing", "review", "grace", at("13:40")), ("testing", "operator", "omar", at("13:50"))
    )
    gates = record.gates_opened.model_copy(update={"submit": OpenedGate(round=6, opened_at=at("13:50"))})
    consumed = tuple(d.model_copy(update={"consumed": True}) if d.gate == "testing" else d for d in record.decisions)
    fields = {
        "version": 14,
        "phase": "submit",
        "phase_since": at("13:50"),
        "review_round": 6,
        "gates_opened": gates,
        "decisions": consumed,
    }
    return record.model_copy(update=fields | changes)


def authorised(**changes: Any) -> Record:
    """In submit with every gate complete; nothing asked yet."""
    record = decided(
        in_submit(), ("submit", "review", "grace", at("14:20")), ("submit", "operator", "omar", at("14:29"))
    )
    return record.model_copy(update={"version": 16} | changes)


def merging(state: str, **changes: Any) -> Record:
    """Every gate complete and the merge under way, in this `merge.state`."""
    asked = state not in {"none", "reserved", "refused"}
    merge: dict[str, Any] = {
        "state": state,
        "id": "r-39",
        "method": "squash",
        "head": HEAD,
        "base": "main",
        "reserved_at": at("14:29:59"),
    }
    if asked:
        merge |= {"attempt": "a-1", "attempts": 1, "requested_at": at("14:30:05"), "lease_ends": at("14:30:45")}
    if asked:
        merge["window_ends"] = merge["lease_ends"] + timedelta(minutes=15)
    return authorised(version=17, merge=Merge.model_validate(merge | changes))


def merged(**changes: Any) -> Record:
    """Done by our own merge."""
    how: dict[str, Any] = {
        "sha": "b81d0e2" + "0" * 33,
        "merged_at": at("14:31"),
        "merged_by": Person(id=99, login="signalbox[bot]"),
    }
    record = merging("confirming")
    merge = record.merge.model_copy(update={"state": "merged"} | how | changes)
    return record.model_copy(update={"phase": "done", "phase_since": at("14:31"), "merge": merge, "version": 18})
