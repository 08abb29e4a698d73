"""What must hold for a merge, beside the record's own authority: re-read, and evaluated on the very version that is replaced
(LIFECYCLE.md section 3). Each blocker is a refusal code and a sentence; an unreadable fact is Unread, never a yes.
"""

from collections.abc import Iterator

from bot.domain.explain.check_rows import open_names
from bot.domain.explain.ended_rows import changed_history
from bot.domain.explain.merge_row import AUTO_MERGE, UNTIL_VERIFIED, stopped_words, unverified_words
from bot.domain.gates.gate import GATES, authority_complete, filled_by, gate_view, seats
from bot.domain.gates.unverified import standing_no
from bot.domain.lifecycle.checking import checks_of_head
from bot.domain.lifecycle.denying import ARTICLE
from bot.domain.lifecycle.people import may_still
from bot.domain.lifecycle.refusing import missing_checks
from bot.domain.lifecycle.results import Unread
from bot.domain.lifecycle.turn import Turn
from bot.domain.lifecycle.twins import look_for_twins
from bot.domain.merging.permission import AND_IT_MAY_NOT, WORKFLOWS
from bot.domain.model.facts import PullFacts, Unknown
from bot.domain.model.policy import Role
from bot.domain.model.questions import Contains, OpenPullsBelow, PullOf, RulesOf, WorkflowFilesIn
from bot.domain.model.record import GateName, Record
from bot.domain.model.refusals import Refusal, RefusalCode
from bot.domain.model.text import code, listed, moment, sha12

#: What a gate lacks, in words.
_NEEDS = {
    "review": "a review",
    "operator": "a human gate",
    "checks": "a green check",
    "verification": "the verification",
}


def blockers(turn: Turn) -> list[Refusal]:
    """Everything that is in the way of merging this record now; empty = it may be asked. Raises Unread."""
    record = turn.record
    standing = list(_of_the_record(turn))
    if standing:
        return standing
    pull = turn.need(PullOf(record.pull_request or 0))
    return [*_of_the_pull(record, pull), *_of_the_head(turn), *_of_the_base(turn), *of_the_people(turn)]


def _no(reason: RefusalCode, message: str) -> Refusal:
    return Refusal(code=reason, message=message)


def _of_the_record(turn: Turn) -> Iterator[Refusal]:
    record = turn.record
    if record.phase != "submit":
        yield _no("wrong_phase", f"the record is in **{record.phase}**")
    if record.held:
        yield _no("held", f"held by {code(record.held.by.login)}")
    if record.withdrawn:
        yield _no("withdrawn", "the record is withdrawn")
    if record.frozen:
        yield _no("frozen", "the record is frozen")
    if record.merge.remembered:
        yield _no("merge_in_flight", "something that happened meanwhile is not applied yet")
    if (no := standing_no(record)) is not None:
        yield _no("could_not_verify", f"{unverified_words(no)}; {UNTIL_VERIFIED}")
    if record.unverified_stop is not None:
        yield _no("could_not_verify", stopped_words(record.unverified_stop))
    if (no_word := unheard(turn)) is not None:
        yield no_word
    if not turn.facts.history_is_sound:
        yield _no("frozen", changed_history(record))
    if not gated_since_settled(record):
        yield _no("not_complete", "it was settled as unmerged, so a human gate must be opened anew")
    yield from _missing(turn)


def unheard(turn: Turn) -> Refusal | None:
    """What came and could not be worked on may be a stop."""
    since = turn.facts.unheard_since
    if since is None:
        return None
    return _no(
        "could_not_verify",
        f"what GitHub told at {moment(since)} may be a stop and could not be worked on; nothing merges before it is, or "
        "before a whole sweep has looked for it",
    )


def gated_since_settled(record: Record) -> bool:
    """After `/settle unmerged` only a human gate that was opened later leads to the next request."""
    after = record.merge.needs_gate_after
    return after is None or any(
        d.gate == "submit" and d.kind == "operator" and d.void is None and d.at > after for d in record.decisions
    )


def _missing(turn: Turn) -> Iterator[Refusal]:
    """What the record's own authority lacks: people's decisions, or green checks of this head."""
    record = turn.record
    if authority_complete(record, turn.policy):
        return
    open_needs = {need.what for gate in GATES for need in gate_view(record, turn.policy, gate).needs if not need.met}
    if open_needs <= {"checks"}:
        names = open_names(record)
        yield _no("checks_missing", f"{missing_checks(names)} not green" if names else "no check is green")
    else:
        missing = [words for what, words in _NEEDS.items() if what in open_needs]
        yield _no("not_complete", f"{listed(missing)} {'is' if len(missing) == 1 else 'are'} missing")


def _of_the_pull(record: Record, pull: PullFacts | None) -> Iterator[Refusal]:
    if pull is None or not pull.open or pull.merged:
        yield _no("not_linked", "the pull request is not open")
        return
    if pull.head_sha != record.head:
        yield _no("head_moved", f"the head moved from `{sha12(record.head or '')}` to `{sha12(pull.head_sha)}`")
    if pull.base_ref != record.base or pull.base_repository_id != record.repository_id:
        yield _no("base_moved", f"the base moved from {code(record.base or '')} to {code(pull.base_ref)}")
    if pull.draft:
        yield _no("draft", "the pull request is a draft; a builder marks it ready for review")
    if pull.auto_merge:
        yield _no("not_complete", f"{AUTO_MERGE}; whoever may write to the repository switches it off there")
    if pull.stack is None:
        raise Unread("which pull requests lie below it in its stack")
    lower = [number for number in pull.stack if number != pull.number]
    if pull.stack and (pull.stack[0] != pull.number and lower):
        yield _no("stacked_pull_request", "merging it would merge the pull requests below it in its stack")


def _of_the_head(turn: Turn) -> Iterator[Refusal]:
    record = turn.record
    twins = look_for_twins(turn)
    if twins:
        yield _no(
            "not_complete", f"#{twins[0]} has the same head, and one commit can be judged for one pull request only"
        )
    yield from _below(turn)
    fresh = checks_of_head(turn)
    if fresh.state != "passed":
        names = tuple(item.name for item in fresh.checks if item.state != "success")
        yield _no("checks_missing", f"{missing_checks(names)} not green" if names else "no check is green")
    workflows = turn.need(WorkflowFilesIn(record.pull_request or 0))
    if workflows != "none":
        yield _no("needs_workflows_permission", f"{WORKFLOWS[workflows]}, {AND_IT_MAY_NOT}")


def _below(turn: Turn) -> Iterator[Refusal]:
    """GitHub takes a pull request for merged once its base has its head. Only a merge commit brings such a head there: what a
    squash and a rebase write are new commits."""
    if "merge" not in {turn.policy.merge.method, turn.record.merge.method}:
        return
    below = turn.need(OpenPullsBelow(turn.record.pull_request or 0))
    if below:
        yield _no(
            "stacked_pull_request",
            f"merging it would merge #{below[0]} as well, whose head is among its commits",
        )


def _of_the_base(turn: Turn) -> Iterator[Refusal]:
    head, base = turn.record.head or "", turn.record.base or ""
    rules = turn.need(RulesOf(base))
    if rules.strict and rules.required and not turn.need(Contains(head, base)):
        yield _no(
            "not_complete",
            f"the checks ran without the newest commit of {code(base)}, and its rules ask for them with it;"
            " a builder brings the branch up to date",
        )
    if rules.merge_queue:
        yield _no("merge_queue", "the base requires a merge queue, which Signalbox does not use")
    if rules.bypass is None:
        raise Unread("whether a ruleset of the base lets the App bypass it")
    if rules.bypass:
        yield _no("bypass_configured", "a rule of the base lets the App bypass it, and nothing may bypass")
    if turn.policy.merge.method not in rules.methods:
        yield _no("not_complete", f"the base does not allow the method {turn.policy.merge.method}")


def of_the_people(turn: Turn) -> Iterator[Refusal]:
    """Plan approval and the submit gate by people who still may; consumed testing decisions are not read again (I16)."""
    if not turn.policy.recheck_at_merge:
        return
    yield from _still(turn, "plan", "review", "reviewer")
    yield from _still(turn, "submit", "review", "reviewer")
    yield from _still(turn, "submit", "operator", "operator")


def _still(turn: Turn, gate: GateName, kind: str, role: Role) -> Iterator[Refusal]:
    """Whoever lost the role does not count, and somebody else may say it anew. Whoever cannot be read is waited for, unless
    the others are enough."""
    record, rule = turn.record, turn.policy.gates.of(gate)
    known = [(each, may_still(turn, each, role)) for each in seats(record, turn.policy, gate, kind)]
    counted = filled_by(tuple(each for each, may in known if may is True), rule, kind)
    need = rule.operators if kind == "operator" else rule.judges
    if counted >= need:
        return
    unread = next((may for _, may in known if isinstance(may, Unknown)), None)
    if unread is not None:
        raise Unread(unread.why)
    lost = [code(each.by.login) for each, may in known if may is False]
    who = f"; {lost[0]} may no longer do this" if lost else ""
    said = f"{counted} of {need} decisions by {ARTICLE[role]} count now{who}"
    # The code says who is awaited: a reviewer approves anew, an operator opens anew.
    yield _no("not_allowed" if role == "reviewer" else "not_complete", said)
