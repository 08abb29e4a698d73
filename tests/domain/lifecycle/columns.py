"""The record of each column of the table: the usual one, with something in it that can stop counting."""

from typing import Any

from bot.domain.model.linked import TriedCandidate
from bot.domain.model.merge import Merge
from bot.domain.model.record import Blocked, GateName, Phase, Question, Record
from tests.kit.records import (
    HEAD,
    PEOPLE,
    a_pull,
    a_record,
    approval,
    at,
    authorised,
    green,
    in_submit,
    in_testing,
    linked,
    merged,
    merging,
    planned,
)

IN_FLIGHT = ("requested", "ambiguous", "confirming")
MERGING = ("reserved", *IN_FLIGHT)
COLUMNS = (
    "planning",
    "plan_ready",
    "plan_rejected",
    "building",
    "testing",
    "submit",
    *MERGING,
    "blocked",
    "withdrawn",
    "done",
)
PULL: dict[str, Any] = {"pull_request": 34, "pull": a_pull(), "head": HEAD, "head_epoch": 3, "base": "main"}
#: The present head was judged already, so it is no candidate by itself.
TRIED = (TriedCandidate(head=HEAD, epoch=3, base="main"),)
JUDGED: dict[str, Any] = {"tried": TRIED}


def adding(record: Record, gate: GateName, kind: str, by: str, **changes: Any) -> Record:
    given = approval(record, gate, by, at("14:10"), kind=kind, **changes)
    own_id = max((each.id for each in record.decisions), default=0) + 1
    return record.model_copy(update={"decisions": (*record.decisions, given.model_copy(update={"id": own_id}))})


def without(record: Record, gate: GateName, kind: str) -> Record:
    """The same record before somebody decided."""
    kept = tuple(d for d in record.decisions if (d.gate, d.kind) != (gate, kind))
    return record.model_copy(update={"decisions": kept})


def testing(**changes: Any) -> Record:
    return adding(in_testing(**JUDGED | changes), "testing", "review", "grace")


def complete_testing(**changes: Any) -> Record:
    return adding(testing(**changes), "testing", "operator", "omar")


def submit(**changes: Any) -> Record:
    return adding(in_submit(**JUDGED), "submit", "review", "grace").model_copy(update=changes)


def ready(**changes: Any) -> Record:
    """In submit with everything complete and nothing reserved."""
    return authorised(**JUDGED | changes)


def refused(record: Record) -> Record:
    """The same record after GitHub refused to merge it."""
    merge = Merge(state="refused", id="r-12-17", refused_since=at("14:00"), reason="GitHub said no", attempts=1)
    return record.model_copy(update={"merge": merge, "asked_heads": (HEAD,)})


def asked(state: str, **changes: Any) -> Record:
    """Reserved, or GitHub was asked once and may still act."""
    record = merging(state, **changes).model_copy(update=JUDGED)
    if state == "reserved":
        return record
    merge = record.merge.model_copy(update={"live_attempts": ("a-1",)})
    return record.model_copy(update={"merge": merge, "asked_heads": (HEAD,)})


def blocked(record: Record, cause: str = "question", from_: Phase | None = None, **changes: Any) -> Record:
    """This record, stopped where it is, with one open question where a question stopped it."""
    stop = {"reason": "stopped", "from": from_ or record.phase, "since": at("14:20"), "cause": cause, "version": 12}
    questions = (a_question(),) if cause == "question" else ()
    fields = {"phase": "blocked", "blocked": Blocked.model_validate(stop), "questions": questions}
    return record.model_copy(update=fields | changes)


def a_question() -> Question:
    return Question(id="q1", text="Which store holds the key?", asked_by=PEOPLE["grace"])


def merged_outside() -> Record:
    """Blocked by a merge outside Signalbox, by policy."""
    how = {"state": "merged", "external": True, "sha": "b81d0e2" + "0" * 33, "head": HEAD, "base": "main"}
    return blocked(testing(), cause="external_merge", merge=Merge.model_validate(how))


def column(name: str) -> Record:
    match name:
        case "planning":
            return a_record(**PULL)
        case "plan_ready":
            return adding(planned(**PULL), "plan", "plan", "grace")
        case "plan_rejected":
            return planned(phase="plan_rejected", **PULL)
        case "building":
            return linked(rejected_heads=(HEAD,), verification=green(), **JUDGED)
        case "testing":
            return testing()
        case "submit":
            return submit()
        case "blocked":
            return blocked(testing())
        case "withdrawn":
            return testing(withdrawn=True, withdrawn_by=PEOPLE["ada"])
        case "done":
            return merged()
        case _:
            return asked(name)
