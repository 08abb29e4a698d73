"""Everything that may happen next to a record in the walk: a small alphabet of signals, each with GitHub as it is then.

Two heads, two bases, two pull requests, four people. Every move happens a minute after the one before.
"""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

from bot.domain.model import command_signals, own_signals, sightings
from bot.domain.model.effects import MergeReply
from bot.domain.model.policy import Policy
from bot.domain.model.policy_work import BudgetRule
from bot.domain.model.record import GateName, Record
from tests.domain.lifecycle.happenings import ANSWERS, PENDING, fact, ours
from tests.domain.lifecycle.scene import RED, Scene
from tests.kit.cases import MERGE_SHA, actor, answers, evidence, pull_facts, runs, source
from tests.kit.records import HEAD, NEW_HEAD, PEOPLE

POLICY = Policy(sha="9d1c44e" + "0" * 33, budgets=BudgetRule(check_retries=1))
BLOCKING = POLICY.model_copy(update={"external_merge": "block"})
MINUTE = timedelta(minutes=1)
Move = Callable[[Record, datetime], Scene]


def said(kind: type[Any], by: str, now: datetime, thread: str = "pull", **words: Any) -> Any:
    place = source(now, thread)
    return kind(key=f"comment:{now.isoformat()}", actor=actor(by), source=place, **words)


def scene(record: Record, signal: Any, now: datetime, policy: Policy = POLICY, **world: Any) -> Scene:
    world.setdefault(
        "pull",
        pull_facts(record, draft=bool(record.pull and record.pull.draft), open=bool(record.pull and record.pull.open)),
    )
    return Scene(record, signal, policy, now, world)


def command(kind: type[Any], by: str, thread: str = "pull", **words: Any) -> Move:
    return lambda record, now: scene(record, said(kind, by, now, thread, **words), now)


def event(kind: type[Any], by: str = "ada", **words: Any) -> Move:
    return lambda record, now: scene(record, fact(kind, by, **words), now)


def _approves_plan(record: Record, now: datetime) -> Scene:
    return scene(
        record,
        said(command_signals.Approve, "grace", now, "issue", revision=record.plan.revision if record.plan else 1),
        now,
    )


def _gate(record: Record) -> GateName:
    return "submit" if record.phase == "submit" else "testing"


def _approves(by: str) -> Move:
    return lambda record, now: scene(
        record, said(command_signals.Approve, by, now, gate=_gate(record), sha=record.head or HEAD), now
    )


def _opens_gate(record: Record, now: datetime) -> Scene:
    return scene(record, said(command_signals.OpenGate, "omar", now, gate=_gate(record), sha=record.head or HEAD), now)


def _other(head: str | None) -> str:
    return NEW_HEAD if head == HEAD else HEAD


def _pushes(conclusions: dict[str, str | None]) -> Move:
    def move(record: Record, now: datetime) -> Scene:
        after = _other(record.head)
        signal = fact(sightings.HeadPushed, pull=record.pull_request or 34, before=record.head or HEAD, after=after)
        pull = pull_facts(record, head_sha=after)
        return scene(record, signal, now, pull=pull, checks=runs(after, **conclusions))

    return move


def _retargets(record: Record, now: datetime) -> Scene:
    base = "release" if record.base == "main" else "main"
    signal = fact(sightings.PullRetargeted, pull=record.pull_request or 34, before=record.base or "main", after=base)
    return scene(record, signal, now, pull=pull_facts(record, base_ref=base))


def _closes(record: Record, now: datetime) -> Scene:
    return scene(
        record, fact(sightings.PullClosed, pull=record.pull_request or 34), now, pull=pull_facts(record, open=False)
    )


def _reopens(record: Record, now: datetime) -> Scene:
    return scene(record, fact(sightings.PullReopened, pull=record.pull_request or 34), now, pull=pull_facts(record))


def _links(record: Record, now: datetime) -> Scene:
    """The other pull request, at the other head."""
    number = 35 if record.pull_request == 34 else 34
    pull = pull_facts(record, number=number, head_sha=_other(record.head))
    signal = said(command_signals.Link, "ada", now, issue=12)
    signal = signal.model_copy(update={"source": signal.source.model_copy(update={"number": number})})
    linked = record.model_copy(update={"pull_request": number, "head": pull.head_sha})
    return scene(record, signal, now, also=answers(linked, pull=pull))


def _unlinks(record: Record, now: datetime) -> Scene:
    signal = said(command_signals.Unlink, "ada", now)
    here = signal.source.model_copy(update={"number": record.pull_request or 34})
    return scene(record, signal.model_copy(update={"source": here}), now)


def _checks(conclusions: dict[str, str | None]) -> Move:
    def move(record: Record, now: datetime) -> Scene:
        signal = fact(sightings.ChecksChanged, head=record.head or HEAD, name="build")
        return scene(record, signal, now, checks=runs(record.head or HEAD, **conclusions))

    return move


def _time(hours: float, conclusions: dict[str, str | None]) -> Move:
    def move(record: Record, now: datetime) -> Scene:
        then = now + timedelta(hours=hours)
        return scene(record, ours(own_signals.TimeCame), then, checks=runs(record.head or HEAD, **conclusions))

    return move


def _verification_fails(record: Record, now: datetime) -> Scene:
    signal = ours(own_signals.VerificationReported, head=record.head or HEAD, name="replay", passed=False)
    return scene(record, signal, now)


def _asks(record: Record, now: datetime) -> Scene:
    merge = record.merge
    signal = ours(
        own_signals.AskMerge,
        reservation=merge.id or "",
        attempts=merge.attempts,
        lease_ends=now + MINUTE,
        window_ends=now + 2 * MINUTE,
        api="sync",
    )
    return scene(record, signal, now)


def _answers(how: str) -> Move:
    def move(record: Record, now: datetime) -> Scene:
        reply = MergeReply(api="sync", sent=True, **ANSWERS[how])
        return scene(record, ours(own_signals.MergeAnswered, attempt=record.merge.attempt or "", reply=reply), now)

    return move


def _looks(**shown: Any) -> Move:
    def move(record: Record, now: datetime) -> Scene:
        found = evidence(record, began_at=now, **shown)
        return scene(record, ours(own_signals.MergeLooked, reservation=record.merge.id or ""), now, evidence=found)

    return move


def _merged(policy: Policy, *, by_us: bool) -> Move:
    def move(record: Record, now: datetime) -> Scene:
        pull = pull_facts(record, open=False, merged=True, merge_sha=MERGE_SHA)
        who = {} if by_us else {"merged_by": PEOPLE["lin"], "merged_by_us": False}
        found = evidence(record, head=record.head, **who)
        signal = fact(sightings.PullClosed, pull=record.pull_request or 34)
        return scene(record, signal, now, policy, pull=pull, evidence=found)

    return move


def _settles(kind: type[Any], **words: Any) -> Move:
    def move(record: Record, now: datetime) -> Scene:
        merged = kind is command_signals.SettleMerged
        shown = {} if merged else {"pull_merged": False, "pull_open": True, "on_base": False}
        then = now + timedelta(minutes=5)
        return scene(record, said(kind, "omar", then, **words), then, evidence=evidence(record, **shown))

    return move


MOVES: dict[str, Move] = {
    "ada plans": command(command_signals.SubmitPlan, "ada", "issue", text="Retry three times."),
    "grace approves the plan": _approves_plan,
    "lin rejects the plan": command(command_signals.Reject, "lin", "issue", reason="no"),
    "grace takes the plan back": command(command_signals.Revoke, "grace", "issue"),
    "ada links": _links,
    "ada unlinks": _unlinks,
    "a green push": _pushes({}),
    "a red push": _pushes(RED),
    "an unfinished push": _pushes(PENDING),
    "a new base": _retargets,
    "the pull request closes": _closes,
    "it reopens": _reopens,
    "ada declares": command(command_signals.DeclareCandidate, "ada"),
    "grace approves": _approves("grace"),
    "omar opens the gate": _opens_gate,
    "lin rejects": command(command_signals.Reject, "lin", reason="no"),
    "lin sends back": command(command_signals.Rework, "lin", why="smaller"),
    "grace takes it back": command(command_signals.Revoke, "grace"),
    "checks turn red": _checks(RED),
    "checks turn green": _checks({}),
    "checks run": _checks(PENDING),
    "two hours pass": _time(2, PENDING),
    "a day passes": _time(25, {}),
    "a verification fails": _verification_fails,
    "ada plans anew": command(command_signals.Replan, "ada", "issue", why="otherwise"),
    "lin holds": command(command_signals.Hold, "lin", why="wait"),
    "lin lets go": command(command_signals.Unhold, "lin"),
    "ada asks": command(command_signals.BlockWork, "ada", "issue", question="Which?"),
    "omar resumes planning": command(command_signals.Resume, "omar", "issue", phase="planning"),
    "omar resumes building": command(command_signals.Resume, "omar", "issue", phase="building"),
    "omar resumes testing": command(command_signals.Resume, "omar", "issue", phase="testing"),
    "omar resumes submit": command(command_signals.Resume, "omar", "issue", phase="submit"),
    "omar grants more": command(command_signals.Retry, "omar", "issue"),
    "ada cancels": command(command_signals.Cancel, "ada", "issue", why="no need"),
    "ada labels": event(sightings.StartLabelAdded, issue=12, issue_id=1200, title="Retry uploads", label="signalbox"),
    "the issue goes": event(sightings.IssueGone, issue=12, how="deleted"),
    "GitHub is asked": _asks,
    "it says yes": _answers("success"),
    "it says no": _answers("refused_policy"),
    "it says the head moved": _answers("refused_head"),
    "it says the base moved": _answers("refused_base"),
    "it says nothing": _answers("ambiguous"),
    "both sides show it": _looks(),
    "no side shows it": _looks(pull_merged=False, pull_open=False, on_base=False),
    "omar settles it as merged": _settles(command_signals.SettleMerged, sha=MERGE_SHA),
    "omar settles it as unmerged": _settles(command_signals.SettleUnmerged, why="it never came"),
    "lin merges": _merged(POLICY, by_us=False),
    "lin merges, which blocks": _merged(BLOCKING, by_us=False),
    "ours lands late": _merged(POLICY, by_us=True),
}


def possible(record: Record) -> Iterator[tuple[str, Move]]:
    """The moves; those of the merging step only while there is something to merge."""
    merging = {"GitHub is asked", "both sides show it", "no side shows it"} | {
        m for m in MOVES if m.startswith("it says")
    }
    for name, move in MOVES.items():
        if name not in merging or record.merge.state not in {"none", "refused", "merged"}:
            yield name, move
