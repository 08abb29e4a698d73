"""Each event of the table as the signal that carries it, with GitHub as it is when that signal is true."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from bot.domain.model import command_signals, own_signals, sightings
from bot.domain.model.effects import MergeReply
from bot.domain.model.facts import PullFacts
from bot.domain.model.ids import SIGNALBOX
from bot.domain.model.policy import STRICT
from bot.domain.model.questions import Question
from bot.domain.model.record import Held, Record
from bot.domain.model.traces import Doubt
from tests.domain.lifecycle.columns import IN_FLIGHT, PULL, column
from tests.domain.lifecycle.scene import RED, Scene
from tests.kit.cases import MERGE_SHA, NOW, actor, answers, evidence, pull_facts, runs, source
from tests.kit.records import HEAD, NEW_HEAD, PEOPLE, at

PENDING: dict[str, str | None] = {"build": None, "lint": "success", "unit": "success", "types": "success"}
REVIEW = 70


def said(kind: type[Any], by: str, thread: str = "pull", **words: Any) -> Any:
    """A command, from the thread it belongs in."""
    return kind(key=f"comment:{kind.__name__}", actor=actor(by), source=source(NOW, thread), **words)


def fact(kind: type[Any], by: str = "ada", **words: Any) -> Any:
    return kind(key=f"event:{kind.__name__}", actor=actor(by), **words)


def ours(kind: type[Any], **words: Any) -> Any:
    return kind(key="", actor=SIGNALBOX, **words)


def _push(name: str) -> Scene:
    record = column(name)
    signal = fact(sightings.HeadPushed, pull=34, before=HEAD, after=NEW_HEAD)
    return Scene(record, signal, world={"pull": pull_facts(record, head_sha=NEW_HEAD)})


def _retarget(name: str) -> Scene:
    record = column(name)
    signal = fact(sightings.PullRetargeted, pull=34, before="main", after="release")
    return Scene(record, signal, world={"pull": pull_facts(record, base_ref="release")})


def _closed(name: str) -> Scene:
    record = column(name)
    return Scene(record, fact(sightings.PullClosed, pull=34), world={"pull": pull_facts(record, open=False)})


def _reopened(name: str) -> Scene:
    return Scene(column(name), fact(sightings.PullReopened, pull=34))


def _merged_by_other(name: str) -> Scene:
    """In flight it is the merging step's own look that proves it, otherwise the read after `closed`."""
    record = column(name)
    lin = {"merged_by": PEOPLE["lin"], "merged_by_us": False}
    pull = pull_facts(record, open=False, merged=True, merge_sha=MERGE_SHA)
    looked = (
        ours(own_signals.MergeLooked, reservation=record.merge.id or "")
        if name in IN_FLIGHT
        else fact(sightings.PullClosed, pull=34)
    )
    return Scene(record, looked, world={"pull": pull, "evidence": evidence(record, **lin)})


def _checks(name: str, conclusions: dict[str, str | None]) -> Scene:
    record = column(name)
    signal = fact(sightings.ChecksChanged, head=HEAD, name="build")
    return Scene(record, signal, world={"checks": runs(HEAD, **conclusions)})


def _overdue(name: str) -> Scene:
    """Time tells it; while GitHub may be merging, the re-run that does not end is what is remembered."""
    scene = _checks(name, PENDING)
    if name not in IN_FLIGHT:
        scene.signal = ours(own_signals.TimeCame)
        scene.now = NOW + timedelta(hours=2)
    return scene


def _verification(name: str, *, passed: bool) -> Scene:
    return Scene(column(name), ours(own_signals.VerificationReported, head=HEAD, name="replay", passed=passed))


def _dismissed(name: str) -> Scene:
    """Every review was a native one; the newest is dismissed."""
    record = column(name)
    native = tuple(
        d.model_copy(update={"native": True, "review_id": REVIEW + d.id}) if d.kind == "review" else d
        for d in record.decisions
    )
    newest = max((d.review_id for d in native if d.review_id), default=REVIEW)
    signal = fact(sightings.ReviewDismissed, "omar", pull=34, review_id=newest)
    return Scene(record.model_copy(update={"decisions": native}), signal)


def _plan_approved(name: str) -> Scene:
    return Scene(column(name), said(command_signals.Approve, "lin", "issue", revision=2))


def _gate_of(name: str) -> str:
    return "testing" if column(name).phase == "testing" else "submit"


def _approved(name: str) -> Scene:
    return Scene(column(name), said(command_signals.Approve, "lin", gate=_gate_of(name), sha=HEAD[:12]))


def _gated(name: str) -> Scene:
    return Scene(column(name), said(command_signals.OpenGate, "omar", gate=_gate_of(name), sha=HEAD[:12]))


def _held(name: str) -> Scene:
    scene = Scene(column(name), said(command_signals.Unhold, "lin"))
    if name not in {"reserved", *IN_FLIGHT}:
        scene.change(held=Held(by=PEOPLE["lin"], since=at("14:00")))
    return scene


def _linked_other(name: str) -> Scene:
    """Pull request 35 is to replace 34."""
    record = column(name)
    other = pull_facts(record, number=35, head_sha=NEW_HEAD, head_ref="other")
    signal = said(command_signals.Link, "ada", issue=12)
    signal = signal.model_copy(update={"source": signal.source.model_copy(update={"number": 35})})
    return Scene(record, signal, world={"also": _of_other(record, other)})


def _of_other(record: Record, other: PullFacts) -> dict[Question[Any], Any]:
    linked = record.model_copy(update=PULL | {"pull_request": 35, "head": NEW_HEAD})
    return answers(linked, pull=other)


def _removed(name: str, by: str) -> Scene:
    return Scene(column(name), fact(sightings.LabelRemoved, by, issue=12, label="signalbox"))


def _draft(name: str) -> Scene:
    record = column(name)
    signal = fact(sightings.DraftChanged, pull=34, draft=True)
    return Scene(record, signal, world={"pull": pull_facts(record, draft=True)})


def _auto_merge(name: str) -> Scene:
    record = column(name)
    signal = fact(sightings.AutoMergeSwitched, pull=34)
    return Scene(record, signal, world={"pull": pull_facts(record, auto_merge=True)})


def _ready(name: str) -> Scene:
    scene = Scene(column(name), fact(sightings.DraftChanged, pull=34, draft=False))
    assert scene.record.pull is not None
    scene.change(pull=scene.record.pull.model_copy(update={"draft": True}))
    scene.world["pull"] = pull_facts(scene.record)
    return scene


def _back(name: str) -> Scene:
    """The App is back, and the title was changed while it was away."""
    scene = Scene(column(name), fact(sightings.InstallationChanged, installation_id=77, state="present"))
    if name != "done":
        scene.change(frozen="suspended")
    scene.world["pull"] = pull_facts(scene.record, title="command_signals.Retry uploads, again")
    return scene


def _suspended(name: str) -> Scene:
    return Scene(column(name), fact(sightings.InstallationChanged, installation_id=77, state="suspended"))


def _policy(name: str) -> Scene:
    policy = STRICT.model_copy(update={"sha": "9d1c44e" + "0" * 33})
    return Scene(column(name), ours(own_signals.PolicyChanged), policy=policy)


ANOTHER = Doubt(about="instance_conflict", seen_at=NOW)
ANSWERS: dict[str, dict[str, Any]] = {
    "success": {"status": 200, "sha": MERGE_SHA, "merged": True},
    "refused_head": {"status": 409, "message": "Head branch was modified. Review and try the merge again."},
    "refused_base": {"status": 405, "message": "Base branch was modified. Review and try the merge again."},
    "refused_policy": {
        "status": 405,
        "message": "At least 1 approving review is required by reviewers with write access.",
    },
    "ambiguous": {"status": 502, "message": "Bad gateway"},
}


def _answered(name: str, how: str) -> Scene:
    reply = MergeReply(api="sync", sent=True, **ANSWERS[how])
    return Scene(column(name), ours(own_signals.MergeAnswered, attempt="a-1", reply=reply))


def _lease(name: str) -> Scene:
    later = NOW + timedelta(minutes=5)
    return Scene(column(name), ours(own_signals.MergeLeaseExpired, attempt="a-1"), now=later)


def _settled(name: str, *, merged: bool) -> Scene:
    """After the settle window, with GitHub showing what the operator says."""
    record = column(name)
    words = {"sha": MERGE_SHA} if merged else {"why": "it never arrived"}
    shown = evidence(record) if merged else evidence(record, pull_merged=False, pull_open=True, on_base=False)
    signal = said(command_signals.SettleMerged if merged else command_signals.SettleUnmerged, "omar", **words)
    late = signal.model_copy(update={"source": source(NOW + timedelta(minutes=59))})
    return Scene(record, late, now=NOW + timedelta(hours=1), world={"evidence": shown})


def _resumed(name: str, phase: str) -> Scene:
    return Scene(column(name), said(command_signals.Resume, "omar", phase=phase))


def command(kind: type[Any], by: str, thread: str = "pull", **words: Any) -> Callable[[str], Scene]:
    return lambda name: Scene(column(name), said(kind, by, thread, **words))


def event(kind: type[Any], by: str = "ada", **words: Any) -> Callable[[str], Scene]:
    return lambda name: Scene(column(name), fact(kind, by, **words))


HAPPENINGS: dict[str, Callable[[str], Scene]] = {
    "plan_command": command(command_signals.SubmitPlan, "ada", "issue", text="command_signals.Retry five times."),
    "push": _push,
    "retarget": _retarget,
    "pull_request_closed": _closed,
    "pull_request_reopened": _reopened,
    "merged_by_other": _merged_by_other,
    "check_red": lambda name: _checks(name, RED),
    "check_green": lambda name: _checks(name, {}),
    "checks_overdue": _overdue,
    "verification_passed": lambda name: _verification(name, passed=True),
    "verification_failed": lambda name: _verification(name, passed=False),
    "review_revoked": command(command_signals.Revoke, "grace"),
    "plan_approval_revoked": command(command_signals.Revoke, "grace", "issue"),
    "review_dismissed": _dismissed,
    "approve_plan": _plan_approved,
    "approve_head": _approved,
    "gate_command": _gated,
    "reject_plan": command(command_signals.Reject, "lin", "issue", revision=2, reason="not like that"),
    "reject_head": command(command_signals.Reject, "lin", reason="not like that"),
    "rework": command(command_signals.Rework, "lin", why="smaller, please"),
    "replan": command(command_signals.Replan, "ada", "issue", why="another way"),
    "candidate_command": command(command_signals.DeclareCandidate, "ada"),
    "hold": command(command_signals.Hold, "lin", why="not on Friday"),
    "unhold": _held,
    "block": command(command_signals.BlockWork, "ada", "issue", question="Which store?"),
    "answer": command(command_signals.AnswerQuestion, "omar", "issue", text="The old one."),
    "resume_planning": lambda name: _resumed(name, "planning"),
    "resume_building": lambda name: _resumed(name, "building"),
    "resume_testing": lambda name: _resumed(name, "testing"),
    "resume_submit": lambda name: _resumed(name, "submit"),
    "retry": command(command_signals.Retry, "omar", "issue"),
    "merge_command": command(command_signals.MergeNow, "omar"),
    "settle_merged": lambda name: _settled(name, merged=True),
    "settle_unmerged": lambda name: _settled(name, merged=False),
    "priority": command(command_signals.SetPriority, "omar", "issue", priority=80),
    "link_other": _linked_other,
    "unlink": command(command_signals.Unlink, "ada"),
    "cancel": command(command_signals.Cancel, "ada", "issue", why="not needed"),
    "issue_closed": event(sightings.IssueClosed, issue=12),
    "issue_reopened": event(sightings.IssueReopened, issue=12),
    "issue_gone": event(sightings.IssueGone, issue=12, how="transferred"),
    "label_added": event(
        sightings.StartLabelAdded, issue=12, issue_id=1200, title="command_signals.Retry uploads", label="signalbox"
    ),
    "label_removed_by_builder": lambda name: _removed(name, "ada"),
    "label_removed_by_other": lambda name: _removed(name, "forge-1"),
    "converted_to_draft": _draft,
    "ready_for_review": _ready,
    "auto_merge_switched": _auto_merge,
    "roles_changed": event(sightings.RolesChanged, installation_id=77),
    "doubt_found": lambda name: Scene(column(name), ours(own_signals.DoubtFound, doubt=ANOTHER)),
    "installation_suspended": _suspended,
    "installation_back": _back,
    "policy_changed": _policy,
    "merge_answer_success": lambda name: _answered(name, "success"),
    "merge_answer_refused_head": lambda name: _answered(name, "refused_head"),
    "merge_answer_refused_base": lambda name: _answered(name, "refused_base"),
    "merge_answer_refused_policy": lambda name: _answered(name, "refused_policy"),
    "merge_answer_ambiguous": lambda name: _answered(name, "ambiguous"),
    "lease_expired": _lease,
}
