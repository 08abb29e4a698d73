"""What an operator says of a merge whose outcome is not known: `/settle merged SHA`, `/settle unmerged WHY`.

A settlement is checked against GitHub before it counts, and only after the settle window: until then it is read.
"""

from datetime import datetime
from typing import Literal

from bot.domain.lifecycle import refusing
from bot.domain.lifecycle.ending import refused_by_a_person
from bot.domain.lifecycle.landing import absent, landed
from bot.domain.lifecycle.outdated import by_github, written_before
from bot.domain.lifecycle.people import lacks_role
from bot.domain.lifecycle.results import Ignore, Refuse
from bot.domain.lifecycle.turn import Turn
from bot.domain.merging.proof import KEPT_BY_GITHUB, may_be_forgotten, shown_unmerged
from bot.domain.model.command_signals import SettleMerged, SettleUnmerged
from bot.domain.model.facts import MergeEvidence, Unknown
from bot.domain.model.questions import AsyncMergeOf, MergeEvidenceOf
from bot.domain.model.record import Record
from bot.domain.model.text import code, settled_from, sha7, until


def settle_merged(turn: Turn, signal: SettleMerged) -> Refuse | Ignore | None:
    """Counts when GitHub shows that commit on the base as this merge."""
    record = turn.record
    if record.phase == "done" and record.merge.sha not in {None, signal.sha}:
        return _merged_already(record)
    how = _can_settle(turn, "if it was merged, that is found by itself")
    if isinstance(how, Refuse | Ignore):
        return how
    if refusal := lacks_role(turn, "operator") or _of_another_request(turn, signal):
        return refusal
    evidence = _evidence(turn, signal.sha)
    if isinstance(evidence, Unknown) or (evidence.on_base is None and not _is_its_own(evidence, signal)):
        return refusing.unreadable("whether that commit is this merge")
    if evidence.pull_open is not False and evidence.pull_merged is not True:
        return refusing.refuse(
            "settle_mismatch",
            "GitHub shows the pull request open, so nothing of it is merged yet. Nothing changed.\n"
            "It is read again by itself; a request that was sent may still land.",
        )
    if evidence.merge_sha != signal.sha or not (_is_on_the_base(evidence) or _is_its_own(evidence, signal)):
        return refusing.refuse(
            "settle_mismatch",
            f"GitHub does not show `{sha7(signal.sha)}` on {_base(record)} as the merge of this pull "
            "request. Nothing changed.\nAn operator looks at the history of the base and names the 40-digit merge commit.",
        )
    if how == "external":
        missing = (*absent(evidence), *turn.record.merge.missing)
        turn.set_merge(missing=tuple(dict.fromkeys(missing)))
        turn.fire("settled", f"settled as merged by {signal.actor.login}")
    else:
        turn.say(f"settled as merged by {signal.actor.login}")
        landed(turn, evidence, settled=True)
    return None


def _is_on_the_base(evidence: MergeEvidence) -> bool:
    """Of a pull request that GitHub shows unmerged only what brings the whole head there counts: whatever else names it may be
    a part of it that somebody pushed."""
    return evidence.on_base is True and (evidence.pull_merged is True or evidence.whole)


def _is_its_own(evidence: MergeEvidence, signal: SettleMerged) -> bool:
    """Whether GitHub says of the pull request itself that it was merged as this commit: its base may have been rolled back or
    deleted since, and then nothing else would ever lead on."""
    return evidence.pull_merged is True and evidence.merge_sha == signal.sha


def settle_unmerged(turn: Turn, signal: SettleUnmerged) -> Refuse | Ignore | None:
    """Ends in submit, refused; only a new human gate leads to the next request."""
    if turn.record.phase == "done":
        return _merged_already(turn.record)
    how = _can_settle(turn, "a request that was sent may land late")
    if isinstance(how, Refuse | Ignore):
        return how
    if refusal := lacks_role(turn, "operator") or _of_another_request(turn, signal):
        return refusal
    if how == "external":
        return _shown_merged(turn.record)
    evidence = _evidence(turn, None)
    if isinstance(evidence, Unknown) or evidence.pull_merged is None or _base_is_unread(turn, evidence):
        return refusing.unreadable("both the pull request and the base")
    if evidence.pull_merged or evidence.on_base:
        return _shown_merged(turn.record)
    if refusal := _may_still_land(turn, evidence):
        return refusal
    gate_voided = tuple(
        d.model_copy(update={"void": "the merge was settled as unmerged"})
        if d.gate == "submit" and d.kind == "operator" and d.void is None
        else d
        for d in turn.record.decisions
    )
    turn.set(decisions=gate_voided)
    who, why = code(signal.actor.login, in_table=True), code(signal.why, in_table=True)
    refused_by_a_person(turn, f"settled as unmerged by {who}: {why}", _said_at(turn, signal))
    return None


def _base_is_unread(turn: Turn, evidence: MergeEvidence) -> bool:
    """Of a base to which more came than is looked through nobody ever reads that it lacks the merge. There the pull request's
    own word counts, once it has lasted for as long as proof takes."""
    if evidence.on_base is not None:
        return False
    began_at = evidence.began_at - turn.facts.clock_ahead
    lasts = shown_unmerged(turn.record.merge, began_at, turn.facts.settle_window)
    return not (evidence.too_long and lasts)


def _may_still_land(turn: Turn, evidence: MergeEvidence) -> Refuse | None:
    """A request that GitHub still has is not dead, whoever says so (LIFECYCLE.md 3.6). Nothing lands on what is closed."""
    record = turn.record
    if record.merge.uuid is None or evidence.pull_open is False:
        return None
    request = turn.ask(AsyncMergeOf(record.pull_request or 0, record.merge.uuid))
    if isinstance(request, Unknown):
        return refusing.unreadable("what became of the request")
    if request.status == "gone":
        forgotten = may_be_forgotten(record.merge, turn.now - turn.facts.clock_ahead)
        return None if forgotten else _not_forgotten_yet(turn)
    if request.status == "failed":
        return None
    return refusing.refuse(
        "settle_mismatch",
        "GitHub still has the request and may carry it out, so it cannot be settled as unmerged. Nothing changed.\n"
        "It is looked at again by itself; an operator who wants no merge closes the pull request.",
    )


def _not_forgotten_yet(turn: Turn) -> Refuse:
    asked = turn.record.merge.requested_at or turn.now
    return refusing.refuse(
        "settle_mismatch",
        "GitHub does not show the request just now, and keeps one for a day, so it may still carry it out: it cannot be "
        f"settled as unmerged before {until(asked + KEPT_BY_GITHUB + turn.facts.clock_ahead)}. Nothing changed.\n"
        "It is looked at again by itself; an operator who wants no merge closes the pull request.",
    )


def _said_at(turn: Turn, signal: SettleUnmerged) -> datetime:
    """By GitHub's clock, to which the next gate is compared. This machine's may be another one."""
    if signal.actor.kind == "cli":
        return turn.facts.github_time() or signal.source.created_at
    return signal.source.created_at


def _base(record: Record) -> str:
    """Whoever may make a branch names it, and a name may hold what ends a code span."""
    return code(record.merge.base or record.base or "")


def _shown_merged(record: Record) -> Refuse:
    return refusing.refuse(
        "settle_mismatch",
        "A read shows it merged, so it cannot be settled as unmerged. Nothing changed.\n"
        f"An operator settles it with `/settle merged` and the merge commit on {_base(record)}.",
    )


def _merged_already(record: Record) -> Refuse:
    """What contradicts a proof is false, and somebody who says it has to hear so."""
    commit = f" as `{sha7(record.merge.sha)}`" if record.merge.sha else ""
    return refusing.refuse(
        "settle_mismatch",
        f"It is done: GitHub showed it merged{commit}. Nothing changed.\nFor more work a builder opens a new issue.",
    )


def _of_another_request(turn: Turn, signal: SettleMerged | SettleUnmerged) -> Refuse | None:
    asked = turn.record.merge.requested_at if turn.record.in_flight else None
    return written_before(signal, "GitHub was asked", None if asked is None else by_github(turn, asked))


def _can_settle(turn: Turn, meanwhile: str) -> Literal["ambiguous", "external"] | Refuse | Ignore:
    """What there is to settle; or why nothing can be now. `meanwhile`: why it is not yet a person's to say."""
    record = turn.record
    if record.phase == "done":
        return Ignore("done already")
    if record.phase == "blocked" and record.blocked is not None and record.blocked.cause == "external_merge":
        return "external"
    if record.withdrawn:
        return refusing.withdrawn(record)
    if record.phase == "blocked":
        return refusing.blocked(record, turn.policy)
    if not record.in_flight:
        return refusing.nothing_to_do(
            record, turn.policy, "and no merge of it is unknown, so there is nothing to settle."
        )
    if record.merge.state not in {"requested", "ambiguous"}:
        return refusing.merge_in_flight(record)
    ends = record.merge.window_ends
    if ends is None or turn.now < ends + turn.facts.clock_ahead or record.merge.state == "requested":
        end = settled_from(ends + turn.facts.clock_ahead) if ends else "the window ends"
        return refusing.refuse(
            "merge_in_flight",
            f"GitHub is still read until {end}: {meanwhile}. Nothing changed.\nAfter that an operator can settle it.",
        )
    return "ambiguous"


def _evidence(turn: Turn, sha: str | None) -> MergeEvidence | Unknown:
    merge = turn.record.merge
    base = merge.base or turn.record.base or ""
    pull, head = turn.record.pull_request or 0, merge.head or turn.record.head or ""
    return turn.ask(MergeEvidenceOf(pull, head, base, sha or merge.sha, merge.base_tip))
