"""The pull request as it is now: heads, bases, drafts, closing, linking. Events are hints; the read decides.

Head epoch: +1 for each distinct synchronize, each reopening, and each read that finds a head nothing explains; the first
synchronize that explains such a read counts nothing. Over-counting is allowed, under-counting never.
"""

from bot.domain.lifecycle import refusing
from bot.domain.lifecycle.arriving import arrive, explained, shown
from bot.domain.lifecycle.candidates import offer
from bot.domain.lifecycle.epochs import came_back, next_epoch
from bot.domain.lifecycle.former import former_pulls, pushed_before
from bot.domain.lifecycle.landing import merged_seen
from bot.domain.lifecycle.linking import EDITED, link_hint, named_by_branch, why_not_linked
from bot.domain.lifecycle.outdated import links_said_at, written_before
from bot.domain.lifecycle.people import lacks_role, may
from bot.domain.lifecycle.pushers import book_pusher, doubt_pushers, forget_unexplained, who_pushed, with_pushers
from bot.domain.lifecycle.results import Ignore, Refuse, Unread
from bot.domain.lifecycle.roles import is_listed_app
from bot.domain.lifecycle.stops import give_back
from bot.domain.lifecycle.turn import Turn
from bot.domain.model.command_signals import Link
from bot.domain.model.facts import PullFacts, Unknown
from bot.domain.model.ids import Person
from bot.domain.model.linked import LinkedPull, UnexplainedHead
from bot.domain.model.questions import Contains, DescriptionEdited, PullOf, RulesOf
from bot.domain.model.record import Record
from bot.domain.model.sightings import (
    AutoMergeSwitched,
    DraftChanged,
    HeadPushed,
    PullClosed,
    PullOpened,
    PullReopened,
    PullRetargeted,
)
from bot.domain.model.text import sha7

PullSignal = HeadPushed | PullRetargeted | PullClosed | PullReopened | DraftChanged | AutoMergeSwitched


def pull_changed(turn: Turn, signal: PullSignal) -> Ignore | None:
    if signal.pull != turn.record.pull_request:
        return Ignore("not the linked pull request")
    if turn.record.phase == "done":
        return Ignore("done already")
    return look(turn, signal)


def look(turn: Turn, hint: PullSignal | None = None) -> Ignore | None:
    """Re-read the linked pull request. A look that finds it merged is about the merge, whatever it was meant for."""
    pull = look_at_pull(turn, hint)
    return merged_seen(turn, pull) if pull is not None and pull.merged else None


def look_at_pull(turn: Turn, hint: PullSignal | None = None) -> PullFacts | None:
    """Re-read the linked pull request and book what differs; whoever calls goes on afterwards. None when it is gone."""
    record = turn.record
    if record.pull_request is None:
        return None
    pull = turn.need(PullOf(record.pull_request))
    if pull is None:
        _closed(turn)
        return None
    if pull.merged or record.phase == "done":
        return pull  # the merging rules look at both sides before they believe it
    if record.merge.one_sided_since is not None:
        turn.set_merge(one_sided_since=None)
    _book_base(turn, pull, hint)
    _book_head(turn, pull, hint)
    _book_state(turn, pull, hint)
    if hint is not None or turn.changed:
        offer(turn)
    shown(turn)
    return pull


def observe(turn: Turn) -> None:
    """What a command does first: look, and book what the look found as a version of its own, so that a refusal of the command
    does not forget it."""
    look(turn)
    turn.book("pull_request_read")


def _book_base(turn: Turn, pull: PullFacts, hint: PullSignal | None) -> None:
    if pull.base_ref == turn.record.base and not came_back(turn.record, hint):
        return
    before, linked = turn.record.base, turn.record.pull
    if linked is not None:  # another base lacks other commits: whoever pushed them is asked anew
        doubted = linked.model_copy(update={"base_sha": pull.base_sha, "read_against": "", "pusher_unknown": True})
        turn.set(pull=with_pushers(turn, doubted, turn.record.head or "", pull.base_ref))
    next_epoch(turn, base=pull.base_ref)
    moved = f"from {before} to {pull.base_ref}" if before != pull.base_ref else f"away from {before} and back"
    _leave(turn, "retargeted", f"the base moved {moved}")


def _book_head(turn: Turn, pull: PullFacts, hint: PullSignal | None) -> None:
    record = turn.record
    moved = pull.head_sha != record.head
    pushed = hint if isinstance(hint, HeadPushed) else None
    if pushed is not None:
        book_pusher(turn, pushed.actor)
    if pushed is not None and _explained(record, pushed):
        explained(turn, pushed)
        if not moved:
            return
    elif pushed is None and not moved:
        return
    if moved:
        forget_unexplained(turn)
    if moved and pushed is not None and pushed.before != record.head:
        doubt_pushers(turn)  # between the two heads is a push of which there was no news
    if moved and (pushed is None or pushed.after != pull.head_sha):
        before = pushed.after if pushed is not None else record.head or ""
        turn.set(unexplained_head=UnexplainedHead(before=before, after=pull.head_sha))
    linked = _linked_anew(turn, pull)
    if moved:
        arrive(turn, pull.head_sha, pushed)
    next_epoch(turn, head=pull.head_sha, pull=linked or turn.record.pull, twins=())
    if pushed is not None and linked is not None:
        book_pusher(turn, pushed.actor)
    _leave(turn, "head_moved", f"the head moved from {sha7(record.head or '')} to {sha7(pull.head_sha)}")


def _linked_anew(turn: Turn, read: PullFacts) -> LinkedPull | None:
    """The linked pull request with a new head; while it is not known who pushed, that is read."""
    pull = turn.record.pull
    if pull is None:
        return None
    fresh = pull.model_copy(update={"head_since": turn.now, "head_ref": read.head_ref, "base_sha": read.base_sha})
    return with_pushers(turn, fresh, read.head_sha, read.base_ref) if turn.record.pusher_is_unknown else fresh


def _explained(record: Record, pushed: HeadPushed) -> bool:
    open_question = record.unexplained_head
    return open_question is not None and (open_question.before, open_question.after) == (pushed.before, pushed.after)


def _book_state(turn: Turn, pull: PullFacts, hint: PullSignal | None) -> None:
    linked = turn.record.pull
    if linked is None:
        return
    fresh = linked.model_copy(
        update={
            "open": pull.open,
            "draft": pull.draft,
            "auto_merge": pull.auto_merge,
            "title": pull.title,
            "base_sha": pull.base_sha,
            "head_ref": pull.head_ref,
        }
    )
    if fresh != linked:
        turn.set(pull=fresh)
    if not pull.open:
        if linked.open or turn.record.is_judged:
            _leave(turn, "pull_request_closed", "the pull request was closed")
        return
    if isinstance(hint, PullReopened) or not linked.open:
        next_epoch(turn)
        _leave(turn, "head_moved", "the pull request was reopened")
    if pull.draft:
        give_back(turn, "the pull request became a draft")
    if pull.auto_merge:
        give_back(turn, "GitHub's auto-merge was switched on")


def _closed(turn: Turn) -> None:
    if turn.record.pull is not None and turn.record.pull.open:
        turn.set(pull=turn.record.pull.model_copy(update={"open": False}))
    _leave(turn, "pull_request_closed", "the pull request is gone")


def _leave(turn: Turn, event: str, detail: str) -> None:
    if turn.record.is_judged and not turn.record.withdrawn:
        turn.fire(event, detail)
    else:
        turn.say(detail)


def pull_opened(turn: Turn, signal: PullOpened) -> Ignore | None:
    """Automatic linking: only of a builder, only when nothing is linked; everything else is told once how a builder links
    it. (The shell found exactly one governed issue.)"""
    record = turn.record
    if record.in_flight:
        return Ignore("GitHub may be merging; a look follows by itself")
    if record.pull_request == signal.pull:
        return look(turn)
    if record.phase == "done":
        return Ignore("done is final")
    pull = turn.need(PullOf(signal.pull))
    if pull is None or turn.facts.linked_elsewhere is not None:
        return Ignore("gone, or it belongs to another record")
    hint = why_not_linked(record, turn.policy, pull)
    if hint is None:
        return Ignore("not an open pull request of this repository")
    if record.pull_request is not None or record.withdrawn:
        return Ignore("another pull request is linked, or the record is withdrawn", (hint,))
    if any(former.number == pull.number for former in record.former_pulls):
        return Ignore("it was unlinked, so only `/link` brings it back")
    if not _of_a_builder(turn, pull, signal):
        return Ignore("neither its author nor who pushed it is a builder, so it is not linked by itself", (hint,))
    if named_by_branch(pull, record.repo) != record.issue and turn.need(DescriptionEdited(pull.node_id)):
        hint = link_hint(record.repo, pull.number, (record.issue,), EDITED)
        return Ignore("its description was edited after it was opened, so it is not linked by itself", (hint,))
    link(turn, pull)
    return None


def _of_a_builder(turn: Turn, pull: PullFacts, signal: PullOpened) -> bool:
    """Whether its author, or whoever pushed this very head, is a builder."""
    if pull.author is not None and _builds(turn, pull.author):
        return True
    pusher: Person | None = None
    if signal.pushed == pull.head_sha:
        pusher = turn.actor.as_person()
    elif pull.head_repository_id == pull.base_repository_id:
        pusher = who_pushed(turn, pull.head_ref, pull.head_sha)
    return pusher is not None and _builds(turn, pusher)


def _builds(turn: Turn, person: Person) -> bool:
    if is_listed_app(turn.policy, person.login, person.id):
        return True
    builder = may(turn, person, "builder")
    if isinstance(builder, Unknown):
        raise Unread(builder.why)
    return builder


def link_command(turn: Turn, signal: Link) -> Ignore | Refuse | None:
    record = turn.record
    number = signal.source.number
    if record.withdrawn:
        return refusing.withdrawn(record)
    if record.phase == "done":
        return refusing.nothing_to_judge(record)
    if record.in_flight:
        return refusing.merge_in_flight(record)
    if record.pull_request == number:
        return refusing.already_recorded(f"Pull request #{number}")
    if refusal := written_before(signal, "what is linked here was last said", links_said_at(record)):
        return refusal
    if refusal := lacks_role(turn, "builder"):
        return refusal
    pull = turn.need(PullOf(number))
    if pull is None or not pull.open:
        return refusing.missing_pull(number, "is not open")
    if pull.base_repository_id != record.repository_id:
        return refusing.missing_pull(number, "is not of this repository")
    if turn.facts.linked_elsewhere is not None and not turn.facts.may_be_taken:
        return refusing.linked_elsewhere(number, turn.facts.linked_elsewhere, may_land=turn.facts.may_land_there)
    link(turn, pull)
    return None


def link(turn: Turn, pull: PullFacts) -> None:
    """Bind this pull request; a linked one is replaced, and what was judged about it is over."""
    record = turn.record
    replaced = record.pull_request is not None
    if record.phase == "building" and not pull.draft:
        turn.will_need(Contains(pull.base_ref, pull.base_sha), RulesOf(pull.base_ref))
    linked = LinkedPull(
        number=pull.number,
        title=pull.title,
        author=pull.author or Person(id=0, login="ghost"),
        author_is_bot=pull.author_is_bot,
        url=pull.url,
        node_id=pull.node_id,
        open=pull.open,
        draft=pull.draft,
        auto_merge=pull.auto_merge,
        head_ref=pull.head_ref,
        same_repository=pull.head_repository_id == pull.base_repository_id,
        base_sha=pull.base_sha,
        head_since=turn.now,
        linked_at=turn.signal.source.created_at if isinstance(turn.signal, Link) else None,
        pushers=pushed_before(record),
        pusher_unknown=True,
    )
    next_epoch(
        turn,
        pull_request=pull.number,
        pull=with_pushers(turn, linked, pull.head_sha, pull.base_ref),
        head=pull.head_sha,
        base=pull.base_ref,
        former_pulls=former_pulls(record),
        unexplained_head=None,
        red_head=None,
        twins=(),
    )
    if replaced:
        _leave(turn, "pull_request_replaced", f"pull request #{pull.number} replaced #{record.pull_request}")
    else:
        turn.say(f"pull request #{pull.number} linked")
    offer(turn)
