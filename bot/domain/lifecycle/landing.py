"""A merge that both sides show: ours, or somebody else's. Only here does a record become done."""

from datetime import timedelta

from bot.domain.gates.gate import GATES, gate_view
from bot.domain.lifecycle.refusing import web
from bot.domain.lifecycle.results import Ignore
from bot.domain.lifecycle.stops import enter_blocked
from bot.domain.lifecycle.stranded import tell_of_stranded_commits
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.effects import DeleteBranch, Effect
from bot.domain.model.facts import MergeEvidence, PullFacts, Unknown
from bot.domain.model.questions import MergeEvidenceOf
from bot.domain.model.record import Proof, Record
from bot.domain.model.text import code

#: How soon a merge that only one side shows is looked at again.
AGAIN = timedelta(seconds=5)
#: The longest pause between two looks at a merge by somebody else that only the pull request shows.
LONGEST_PAUSE = timedelta(minutes=2)
#: What is known of a merge that was being confirmed for longer than the settle window.
ONE_SIDE = ("only the pull request shows it", "only the base shows it")


def merged_seen(turn: Turn, pull: PullFacts) -> Ignore | None:
    """The pull request says it is merged: believe it when the base shows it too."""
    record = turn.record
    if record.phase == "done":
        return Ignore("done already")
    if record.merge.state == "merged":
        return Ignore("a merge outside that waits for an operator's word")
    evidence = turn.ask(MergeEvidenceOf(pull.number, pull.head_sha, pull.base_ref, pull.merge_sha))
    if isinstance(evidence, Unknown) or not both_sides(evidence):
        if record.in_flight and not isinstance(evidence, Unknown):
            one_side_shows(turn, evidence)
            return None
        return _outside_on_one_side(turn, evidence)
    landed(turn, evidence)
    return None


def _outside_on_one_side(turn: Turn, evidence: MergeEvidence | Unknown) -> Ignore | None:
    """Somebody else merged it, and the base does not show it: it lags, or was rolled back. Looked at with growing pauses, and
    after the settle window it is an operator's to say."""
    since = turn.record.merge.one_sided_since
    if since is None:
        since = turn.now
        turn.set_merge(one_sided_since=since)
        turn.say("the pull request shows a merge, and the base does not")
    waited = turn.now - since
    if isinstance(evidence, Unknown) or waited < timedelta(seconds=turn.facts.settle_window):
        return Ignore(ONE_SIDE[0], look_at=turn.now + min(max(waited, AGAIN), LONGEST_PAUSE))
    landed(turn, evidence)
    return None


def both_sides(evidence: MergeEvidence) -> bool:
    """Our definition of a confirmed merge: the pull request says so, and the base contains a commit that is this merge."""
    return evidence.pull_merged is True and evidence.on_base is True and evidence.merge_sha is not None


def landed(turn: Turn, evidence: MergeEvidence, *, settled: bool = False) -> None:
    """Both sides show it, or the base never will and a person said so (`settled`), or is asked to. Ours iff our App merged it
    and a request of ours exists for the head that was merged."""
    record = turn.record
    ours = evidence.merged_by_us and evidence.head is not None and evidence.head in record.asked_heads
    authorised = ours and record.in_flight and evidence.head == record.merge.head
    missing = (*absent(evidence), *_other_base(record, evidence), *(() if authorised else _missing(turn, evidence)))
    tell_of_stranded_commits(turn, evidence, ours=ours)
    turn.set_merge(
        state="merged",
        sha=evidence.merge_sha,
        head=evidence.head,
        base=evidence.base or record.base,
        external=not ours,
        merged_by=evidence.merged_by,
        merged_at=evidence.merged_at,
        missing=missing,
        locked=False,
        live_attempts=(),
        remembered=(),
        look_at=None,
        one_sided_since=None,
        reason=None,
    )
    if not ours:
        _by_somebody_else(turn, evidence, settled=settled)
    elif evidence.on_base is not True:  # its commits may be on no other branch, so none is deleted
        turn.fire("merge_confirmed", f"settled as merged by {turn.actor.login}; the base does not show it")
    elif record.in_flight:
        turn.fire("merge_confirmed", "merged and confirmed from both sides")
        _delete_branch(turn)
    else:
        turn.fire("landed_late", "our merge landed after it was settled as unmerged")
        _delete_branch(turn)


def absent(evidence: MergeEvidence) -> tuple[str, ...]:
    """What is missing where only the pull request shows the merge."""
    return () if evidence.on_base is True else (f"the merge commit on {code(evidence.base or 'the base')}",)


def _other_base(record: Record, evidence: MergeEvidence) -> tuple[str, ...]:
    """A pull request retargeted while GitHub was asked lands where nobody approved it; GitHub has no guard against that."""
    judged = record.merge.base or record.base
    if evidence.base is None or evidence.base == judged:
        return ()
    return (f"a judgement for base {code(evidence.base)}",)


def _by_somebody_else(turn: Turn, evidence: MergeEvidence, *, settled: bool) -> None:
    who = code(evidence.merged_by.login) if evidence.merged_by else "somebody"
    if turn.policy.external_merge == "block" or not (settled or evidence.on_base):
        commit = evidence.merge_sha or ""
        proof = Proof(what="the merge commit", url=f"{web(turn.record)}/commit/{commit}")
        _stop(turn, f"{who} merged it outside Signalbox", proof)
        return
    turn.fire("merged_externally", f"merged outside Signalbox by {who}")


def _stop(turn: Turn, reason: str, proof: Proof) -> None:
    """Only `/settle` leads on from here, also where something else had blocked it before."""
    stopped = turn.record.blocked
    if stopped is None:
        enter_blocked(turn, "merged_outside", "external_merge", reason, proofs=(proof,))
        return
    fresh = {"cause": "external_merge", "reason": reason, "state": "awaiting", "version": turn.record.version + 1}
    fresh |= {"evidence": proof.what, "proofs": (proof,)}
    turn.set(blocked=stopped.model_copy(update=fresh))
    turn.say(reason)


def _missing(turn: Turn, evidence: MergeEvidence) -> tuple[str, ...]:
    """What was not there at that moment for the head that was merged, gate by gate; no approval is invented."""
    record = _with_head(turn.record, evidence.head)
    words = {"review": "review", "operator": "human gate", "checks": "checks", "verification": "verification"}
    found: list[str] = []
    for gate in GATES:
        view = gate_view(record, turn.policy, gate)
        found += [f"{words[need.what]} ({gate})" for need in view.needs if not need.met and need.what != "checks"]
    if record.verification.head != record.head:
        return (*found, "checks")
    checks = [item.name for item in record.verification.checks if item.state != "success"]
    found += [f"check {code(name)}" for name in checks]
    if not checks and record.verification.state != "passed":
        found.append("checks")
    return tuple(found)


def _with_head(record: Record, merged: str | None) -> Record:
    """What was judged of one head says nothing about another one that was merged."""
    if merged is None or merged == record.head:
        return record
    return record.model_copy(update={"head": merged, "head_epoch": record.head_epoch + 1})


def one_side_shows(turn: Turn, evidence: MergeEvidence) -> None:
    """Only the pull request, or only the base, shows it: wait in confirming. From ambiguous that needs no lock."""
    merge = turn.record.merge
    sha = evidence.merge_sha or merge.sha
    if merge.state == "ambiguous" and merge.answer in ONE_SIDE:
        return  # a person was told: from here only both sides, proof or that person lead on
    if merge.state != "confirming":
        turn.set_merge(state="confirming", sha=sha, confirming_since=turn.now, look_at=turn.now + AGAIN)
        turn.say("one side shows the merge")
        return
    since = merge.confirming_since or turn.now
    if turn.now - since < timedelta(seconds=turn.facts.settle_window):
        turn.set_merge(sha=sha)
        return
    side = ONE_SIDE[0] if evidence.pull_merged else ONE_SIDE[1]
    # The request has said all it knows, and would only lead back here.
    turn.set_merge(state="ambiguous", locked=False, answer=side, confirming_since=None, sha=sha, uuid=None)
    turn.say(side)


def _delete_branch(turn: Turn) -> None:
    record: Record = turn.record
    pull = record.pull
    if not turn.policy.merge.delete_branch or pull is None or not pull.same_repository or not pull.head_ref:
        return
    write = DeleteBranch(ref=pull.head_ref, expected_head=record.merge.head or "")
    once = f"delete_branch:{record.key}:{record.merge.sha}"
    turn.effect(Effect(kind="delete_branch", target=f"branch:{pull.head_ref}", once=once, write=write))
