"""Commits that were pushed while GitHub merged the head before them: they are on the branch, and not in the base
(LIFECYCLE.md 2.2, the row of a push). Told once, on the pull request."""

from datetime import timedelta

from bot.domain.lifecycle.refusing import web
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.effects import CreateComment, Effect
from bot.domain.model.facts import MergeEvidence
from bot.domain.model.ids import Person
from bot.domain.model.record import Record
from bot.domain.model.sightings import BranchPushed, HeadPushed
from bot.domain.model.signals import SIGNAL
from bot.domain.model.text import code, sha7, sha12

#: Who pushes this soon after a merge has not read of it.
UNREAD = timedelta(minutes=1)


def tell_of_stranded_commits(turn: Turn, evidence: MergeEvidence, *, ours: bool) -> None:
    """Before what was remembered is forgotten. A branch that is back at the merged head has stranded nothing."""
    last = _last_push(turn.record, ours=ours)
    if last is None or evidence.head is None:
        return
    tip, by = last
    if tip != evidence.head:
        turn.effect(_notice(turn.record, (evidence.head, tip), evidence.base or turn.record.base or "", by))


def left_behind(record: Record, push: BranchPushed) -> tuple[Effect, ...]:
    """The same for a push whose news came after the merge was confirmed. Who pushes later knows that it is merged, and what
    was pushed before GitHub was asked is what it merged, or older: its news may be late, or told once more."""
    merge = record.merge
    if merge.head is None or push.after == merge.head or push.at is None or push.at > record.phase_since + UNREAD:
        return ()
    began = merge.requested_at or merge.merged_at
    if began is not None and push.at < began.replace(microsecond=0):
        return ()
    return (_notice(record, (merge.head, push.after), merge.base or "", push.actor.as_person()),)


def _last_push(record: Record, *, ours: bool) -> tuple[str, Person | None] | None:
    """The newest head that is known, and who pushed it. Where somebody else merged, the head that was read before may
    simply be older than what they merged."""
    pushes = [SIGNAL.validate_python(item.signal) for item in record.merge.remembered]
    newest = next((push for push in reversed(pushes) if isinstance(push, HeadPushed | BranchPushed)), None)
    if newest is not None:
        return newest.after, newest.actor.as_person()
    return (record.head, None) if ours and record.head is not None else None


def _notice(record: Record, between: tuple[str, str], base: str, by: Person | None) -> Effect:
    merged, tip = between
    number = record.pull_request or 0
    branch = code(record.pull.head_ref if record.pull else "")
    who = f"{code(by.login)} pushed" if by else "somebody pushed"
    compare = f"{web(record)}/compare/{sha12(merged)}...{sha12(tip)}"
    marker = f"<!-- signalbox:stranded:{record.repository_id}:{number} -->"
    body = (
        f"**Commits were left behind: {who} `{sha7(tip)}` while GitHub was merging `{sha7(merged)}`.**\n"
        f"They are on {branch} and not in {code(base)} ([what was left behind]({compare})). "
        "Nothing is lost, and nobody has judged them.\n"
        f"Who wants them opens a new issue, and a pull request from {branch} for it. This record is done.\n{marker}"
    )
    write = CreateComment(number=number, body=body, marker=marker)
    return Effect(kind="notice", target=f"thread:{number}", once=f"stranded:{record.key}", write=write)
