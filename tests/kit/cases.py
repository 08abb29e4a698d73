"""One signal against one record: the shortest way to ask the pure core a question.

`facts` is what GitHub would answer if it agreed with the record; a case names only what differs.
"""

from datetime import datetime
from typing import Any

from bot.domain.lifecycle.decide import decide
from bot.domain.lifecycle.facts import Facts
from bot.domain.lifecycle.results import Advance, Ignore, NotYet, Refuse, Result
from bot.domain.merging import reservation
from bot.domain.model.command_signals import Approve, DeclareCandidate, OpenGate, Reject, SubmitPlan
from bot.domain.model.credits import Credits
from bot.domain.model.facts import (
    LEVELS,
    Answer,
    BaseRules,
    CheckFacts,
    CheckRunFacts,
    IssueFacts,
    Level,
    MergeEvidence,
    Permission,
    PullFacts,
    PullSummary,
    RequiredCheck,
    Unknown,
)
from bot.domain.model.ids import Actor, ActorKind
from bot.domain.model.permit import MergeOrder
from bot.domain.model.policy import STRICT, Policy
from bot.domain.model.policy_file import ABSENT, PolicyFileNow
from bot.domain.model.questions import (
    ChecksOn,
    CoAuthorsOf,
    CommitAuthorsOf,
    Contains,
    DescriptionEdited,
    IssueOf,
    MergeEvidenceOf,
    OpenPullsAt,
    OpenPullsBelow,
    PermissionOf,
    PullOf,
    PushesTo,
    Question,
    RulesOf,
    WorkflowFilesIn,
)
from bot.domain.model.record import GateName, Record
from bot.domain.model.shown import ShownRow
from bot.domain.model.sightings import ReviewSubmitted
from bot.domain.model.signal_origin import Source
from bot.domain.model.signals import Signal
from tests.kit.records import GITHUB_ACTIONS, HEAD, PEOPLE, at

NOW = at("14:30")
SILENT = Unknown("502")
MERGE_SHA = "b81d0e2" + "0" * 33
LEVEL: dict[str, Level] = {"ada": "write", "grace": "write", "omar": "maintain", "lin": "write", "forge-1": "read"}
REQUIRED = ("build", "lint", "unit", "types")


def actor(name: str, kind: ActorKind = "person") -> Actor:
    return Actor(kind=kind, id=PEOPLE[name].id, login=name)


def permission(name: str, level: Level, **changes: Any) -> Permission:
    return Permission.model_validate({"user_id": PEOPLE[name].id, "login": name, "level": level} | changes)


def pull_facts(record: Record, **changes: Any) -> PullFacts:
    """The pull request exactly as the record has booked it."""
    linked = record.pull
    fields: dict[str, Any] = {
        "number": record.pull_request or 34,
        "node_id": linked.node_id if linked else "",
        "title": linked.title if linked else "Retry uploads",
        "author": PEOPLE["ada"],
        "open": True,
        "head_sha": record.head or HEAD,
        "head_ref": linked.head_ref if linked else "signalbox/12-retry",
        "head_repository_id": record.repository_id,
        "base_ref": record.base or "main",
        "base_sha": "",
        "base_repository_id": record.repository_id,
        "updated_at": NOW,
    }
    return PullFacts.model_validate(fields | changes)


def runs(head: str = HEAD, **conclusions: str | None) -> CheckFacts:
    """A completed run for each name; None = still running. Without any: all that are required, green."""
    given = conclusions or dict.fromkeys(REQUIRED, "success")
    found = [
        CheckRunFacts(
            id=number,
            name=name,
            app=GITHUB_ACTIONS,
            suite=1,
            status="completed" if conclusion else "in_progress",
            conclusion=conclusion,
            started_at=at("12:05") if conclusion else at("14:20"),
            completed_at=at("12:06") if conclusion else None,
        )
        for number, (name, conclusion) in enumerate(given.items(), start=100)
    ]
    return CheckFacts(head=head, runs=tuple(found))


def evidence(record: Record, **changes: Any) -> MergeEvidence:
    """Both sides show our merge of the head that was asked for."""
    fields: dict[str, Any] = {
        "pull_merged": True,
        "pull_open": False,
        "head": record.merge.head or record.head,
        "merge_sha": MERGE_SHA,
        "merged_by": {"id": 99, "login": "signalbox[bot]"},
        "merged_by_us": True,
        "merged_at": at("14:29"),
        "on_base": True,
        "began_at": NOW,
    }
    return MergeEvidence.model_validate(fields | changes)


def answers(record: Record, **changes: Any) -> dict[Question[Any], Any]:
    """What each question would be answered. Changes by name: pull, rules, up_to_date, checks, twins, below,
    workflows, level, evidence, pushes."""
    number, head, base = record.pull_request or 34, record.head or HEAD, record.base or "main"
    pull = changes.get("pull", pull_facts(record))
    seen = pull.head_sha if isinstance(pull, PullFacts) else head
    level: dict[str, Any] = LEVEL | changes.get("level", {})
    required = tuple(RequiredCheck(name=name) for name in REQUIRED)
    given: dict[Question[Any], Any] = {
        PermissionOf(PEOPLE[name].id, name): permission(name, value) if value in LEVELS else value
        for name, value in level.items()
    }
    given[PullOf(number)] = pull
    for commit in {head, seen}:
        given[ChecksOn(commit)] = changes.get("checks", runs(commit))
        given[OpenPullsAt(commit)] = changes.get("twins", (PullSummary(number=number, head_sha=commit, base_ref=base),))
    for ref in {base, pull.base_ref if isinstance(pull, PullFacts) else base}:
        given[Contains(head, ref)] = changes.get("up_to_date", True)
        shas = {record.pull.base_sha, record.pull.read_against} if record.pull else set()
        shas |= {pull.base_sha} if isinstance(pull, PullFacts) else set()
        given |= {Contains(ref, sha): changes.get("still_on_base", True) for sha in shas}
        given[RulesOf(ref)] = changes.get("rules", BaseRules(required=required, protected=True))
    branches = {record.pull.head_ref if record.pull else "", pull.head_ref if isinstance(pull, PullFacts) else ""}
    given |= {PushesTo(branch): changes.get("pushes", ()) for branch in branches}
    labels = ("signalbox",)
    here = IssueFacts(id=1200, number=record.issue, title="Retry", open=True, author=PEOPLE["ada"], labels=labels)
    given[IssueOf(record.issue)] = changes.get("issue", here)
    given[OpenPullsBelow(number)] = changes.get("below", ())
    given[CoAuthorsOf(number)] = changes.get("credits", Credits())
    given[CommitAuthorsOf(number)] = changes.get("commit_authors", (PEOPLE["ada"],))
    given[PolicyFileNow()] = changes.get("policy_file", ABSENT)
    given[DescriptionEdited(pull.node_id if isinstance(pull, PullFacts) else "")] = changes.get("edited", False)
    given[WorkflowFilesIn(number)] = changes.get("workflows", "none")
    if "evidence" in changes:
        shown = changes["evidence"]
        merged = pull if isinstance(pull, PullFacts) else pull_facts(record)
        merge = record.merge
        given[MergeEvidenceOf(number, merge.head or "", merge.base or "", merge.sha, merge.base_tip)] = shown
        given[MergeEvidenceOf(number, merged.head_sha, merged.base_ref, merged.merge_sha)] = shown
    given |= changes.get("also", {})
    return given


def facts(record: Record, date: datetime = NOW, **changes: Any) -> Facts:
    """See `answers`; and what the store and the settings know, by the names of `Facts`."""
    given = answers(record, **changes)
    named = (
        "shown",
        "base_is_free",
        "linked_elsewhere",
        "may_be_taken",
        "may_land_there",
        "settle_window",
        "unheard_since",
        "async_only",
        "news_waits",
        "clock_ahead",
    )
    known: dict[str, Any] = {"policy_file": ABSENT} | {name: changes[name] for name in named if name in changes}
    return Facts(
        answers={q: value if isinstance(value, Unknown) else Answer(value, date) for q, value in given.items()}, **known
    )


def judge(record: Record, signal: Signal, policy: Policy = STRICT, now: datetime = NOW, **changes: Any) -> Result:
    """What `decide` says, with GitHub as `changes` has it."""
    return decide(record, signal, facts(record, date=changes.pop("date", now), **changes), policy, now)


def advanced(result: Result) -> Record:
    """The record after an Advance that refused nothing."""
    assert isinstance(result, Advance), result
    assert result.refusal is None, result.refusal
    return result.record


def order_of(before: Record, result: Result) -> MergeOrder | None:
    """What GitHub may be asked once this is stored; None when it asks nothing."""
    if not isinstance(result, Advance) or not reservation.asks(before, result.record):
        return None
    return reservation.order(result.record, "title", "body")


def events(result: Result) -> list[str]:
    assert isinstance(result, Advance), result
    return [step.event for step in result.steps]


def refusal(result: Result) -> str:
    """The code of a refusal, whether or not a fact was booked on the way."""
    if isinstance(result, Advance) and result.refusal is not None:
        return result.refusal.code
    assert isinstance(result, Refuse), result
    return result.refusal.code


def verdict(result: Result) -> str | None:
    """None where it counted; otherwise the code of the refusal."""
    return None if isinstance(result, Advance) and result.refusal is None else refusal(result)


def left_alone(result: Result) -> str:
    """Why nothing was written at all."""
    assert isinstance(result, Ignore), result
    return result.why


def waits(result: Result) -> str:
    assert isinstance(result, NotYet), result
    return result.why


def source(written: datetime, thread: str = "pull", **changes: Any) -> Source:
    fields = {"comment_id": 900, "thread": thread, "number": 34 if thread == "pull" else 12, "created_at": written}
    return Source.model_validate(fields | changes)


def approves(by: str, written: datetime = NOW, *, thread: str = "pull", **said: Any) -> Approve:
    kind = said.pop("kind", "person")
    return Approve(key=f"comment:{by}", actor=actor(by, kind), source=source(written, thread), **said)


def opens_gate(by: str, written: datetime = NOW, **said: Any) -> OpenGate:
    return OpenGate(key=f"comment:{by}", actor=actor(by), source=source(written), **said)


def rejects(by: str, written: datetime = NOW, *, thread: str = "pull", **said: Any) -> Reject:
    return Reject(key=f"comment:{by}", actor=actor(by), source=source(written, thread), **{"reason": "not yet"} | said)


def plans(by: str, text: str = "Retry three times.", written: datetime = NOW) -> SubmitPlan:
    return SubmitPlan(key=f"comment:{by}", actor=actor(by), source=source(written, "issue"), text=text)


def declares(by: str, sha: str | None = None) -> DeclareCandidate:
    return DeclareCandidate(key=f"comment:{by}", actor=actor(by), source=source(NOW), sha=sha)


def reviews(by: str, state: str = "APPROVED", written: datetime = NOW, **said: Any) -> ReviewSubmitted:
    fields = {"pull": 34, "review_id": 70, "commit": HEAD, "submitted_at": written, "state": state}
    return ReviewSubmitted(key=f"review:70:{state}", actor=actor(by), **fields | said)


def showed(record: Record, gate: GateName | None, when: datetime, **changes: Any) -> ShownRow:
    """A row of what the status comment showed: this gate of the record as it is."""
    fields: dict[str, Any] = {
        "thread": "issue" if gate == "plan" else "pull",
        "version": record.version,
        "gate": gate,
        "round": record.gates_opened.of(gate).round if gate else record.review_round,
        "head": None if gate == "plan" else record.head,
        "epoch": record.head_epoch,
        "revision": record.plan.revision if record.plan else 0,
        "updated_at": when,
    }
    return ShownRow.model_validate(fields | changes)
