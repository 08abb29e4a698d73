"""The issue: starting, withdrawing, reviving, labels (LIFECYCLE.md 2.1, 2.2, 2.6)."""

from bot.domain.lifecycle.issue_order import happened_at, not_revived, withdrawn_again
from bot.domain.lifecycle.landing import merged_seen
from bot.domain.lifecycle.people import lacks_role
from bot.domain.lifecycle.refusing import web
from bot.domain.lifecycle.results import Ignore, Remember, Unread
from bot.domain.lifecycle.stops import enter_blocked, give_back
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.effects import AddLabels, CreateComment, Effect
from bot.domain.model.questions import PullOf
from bot.domain.model.record import Proof
from bot.domain.model.sightings import IssueClosed, IssueGone, IssueReopened, LabelRemoved, StartLabelAdded
from bot.domain.model.text import moment, same_name


def issue_closed(turn: Turn, _signal: IssueClosed) -> Ignore | None:
    """A hint: our own merge closes the issue, so the linked pull request is read first."""
    record = turn.record
    if record.phase == "done" or record.withdrawn:
        return Ignore("done already") if record.phase == "done" else withdrawn_again(turn)
    if record.pull_request is not None:
        pull = turn.need(PullOf(record.pull_request))
        if pull is not None and pull.merged:
            return merged_seen(turn, pull)
    withdraw(turn, "the issue was closed")
    return None


def withdraw(turn: Turn, why: str) -> None:
    """Freeze the record where it is; a reservation that has asked nothing is given back."""
    give_back(turn, why)
    turn.set(withdrawn=True, withdrawn_by=turn.actor.as_person(), withdrawn_at=happened_at(turn))
    turn.say(why)


def issue_reopened(turn: Turn, signal: IssueReopened) -> Ignore | None:
    if turn.record.phase == "done":
        return Ignore("done is final", (_final_notice(turn),))
    return _revive(turn, signal, "the issue was reopened")


def start_label_added(turn: Turn, signal: StartLabelAdded) -> Ignore | None:
    """On a record that exists: revives a withdrawn one, says once that done is final, else only a note."""
    if not same_name(signal.label, turn.policy.start_label):
        return Ignore("not the start label")
    if turn.record.phase == "done":
        return Ignore("done is final", (_final_notice(turn),))
    return _revive(turn, signal, "the start label was added again")


def _revive(turn: Turn, signal: IssueReopened | StartLabelAdded, why: str) -> Ignore | None:
    record = turn.record
    if not record.withdrawn:
        return Ignore("the record is under way")
    refusal = lacks_role(turn, "builder")
    if refusal is not None:
        if refusal.refusal.code == "could_not_verify":
            raise Unread(refusal.refusal.message)
        return Ignore("only a builder revives a withdrawn record")
    if old_news := not_revived(turn, signal):
        return old_news
    turn.set(withdrawn=False, withdrawn_by=None, withdrawn_at=None, issue_gone=None)
    if record.phase == "blocked":
        turn.say(why)
    else:
        turn.fire("revived", why)
    return None


def label_removed(turn: Turn, signal: LabelRemoved) -> Ignore | Remember | None:
    """A builder withdraws by taking the start label away; anybody else's removal is put back. The note is the word that its
    delivery ends with: a remark, and nothing follows (the table's cell); no comment, since no work stopped."""
    record = turn.record
    if not same_name(signal.label, turn.policy.start_label) or record.phase == "done" or record.withdrawn:
        return Ignore("not the start label of a record under way")
    refusal = lacks_role(turn, "builder")
    if refusal is None:
        if record.in_flight:
            return Remember()
        withdraw(turn, "the start label was removed")
        return None
    if refusal.refusal.code == "could_not_verify":
        raise Unread(refusal.refusal.message)
    restore = AddLabels(number=record.issue, names=(turn.policy.start_label,))
    return Ignore(
        "the start label was put back",
        (Effect(kind="put_back_label", target=f"labels:{record.issue}", once=f"put_back:{signal.key}", write=restore),),
    )


def issue_gone(turn: Turn, signal: IssueGone) -> Ignore | None:
    turn.set(issue_gone=signal.how)
    turn.say(f"the issue was {signal.how}")
    if turn.record.phase not in {"done", "blocked"} and not turn.record.withdrawn:
        reason = f"the issue was {signal.how}"
        was = Proof(what=f"GitHub said so {moment(turn.now)}", url=f"{web(turn.record)}/issues/{turn.record.issue}")
        enter_blocked(turn, "issue_gone", "issue_gone", reason, proofs=(was,))
    return None


def _final_notice(turn: Turn) -> Effect:
    record = turn.record
    marker = f"<!-- signalbox:final:{record.repository_id}:{record.issue} -->"
    body = (
        "This issue is **done**: its pull request is merged, and done is final.\n"
        f"For more work, a builder opens a new issue and adds the label there.\n{marker}"
    )
    write = CreateComment(number=record.issue, body=body, marker=marker)
    return Effect(kind="notice", target=f"issue:{record.issue}", once=f"final:{record.key}", write=write)
