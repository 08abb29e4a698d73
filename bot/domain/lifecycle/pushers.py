"""Who pushed the linked pull request's commits: people named by events and by the repository's activity, never by the commits
themselves. What cannot be read stays unknown, and then the commits' authors fill no seat either (LIFECYCLE.md 2.5).
"""

from bot.domain.lifecycle.turn import Turn
from bot.domain.model.facts import UNTOLD, Push, Unknown
from bot.domain.model.ids import Actor, Person
from bot.domain.model.linked import LinkedPull
from bot.domain.model.questions import CommitAuthorsOf, Contains, PushesTo
from bot.domain.model.record import Record

NOWHERE = "0" * 40


def with_pushers(turn: Turn, pull: LinkedPull, head: str, base: str) -> LinkedPull:
    """The pull request with everybody who is known to have pushed up to this head. Nobody who was known is forgotten;
    whoever moved it last is named last. What `base` had when this was read last and has no more is the pull request's own
    now, so whoever brought it there is a pusher too."""
    pushes = turn.ask(PushesTo(pull.head_ref)) if pull.same_repository and pull.head_ref else ()
    lost = tuple(
        each for each in dict.fromkeys((pull.base_sha, pull.read_against)) if each and not _has(turn, base, each)
    )
    stop = "" if pull.base_sha in lost else pull.base_sha
    found, whole = _moved_by(() if isinstance(pushes, Unknown) else pushes, head, stop)
    brought, all_named, tip = _brought(turn, base, lost) if lost else ((), True, pull.base_sha)
    whole = whole and all_named
    if whole and turn.record.unexplained_head is not None:
        turn.set(unexplained_head=turn.record.unexplained_head.model_copy(update={"known": True}))
    moved_it = {one.id for one in found}
    earlier = tuple(one for one in (*pull.pushers, *brought) if one.id not in moved_it)
    authors = () if whole else turn.need(CommitAuthorsOf(pull.number))
    known = {one.id: one for one in (*earlier, *reversed(tuple(dict.fromkeys(found))))}
    return pull.model_copy(
        update={
            "pushers": tuple(known.values()),
            "pusher_unknown": not whole and (pull.pusher_unknown or bool(lost)),
            "commit_authors": authors or (),
            "commit_authors_unknown": authors is None,
            "base_mover_unknown": not all_named,
            "read_against": (stop or tip) if all_named else pull.read_against or pull.base_sha,
        }
    )


def base_went_back(turn: Turn, tip: str = "") -> bool:
    """Whether the base, whose newest commit is `tip` where that is read anyway, has no more what the pushers were read
    against. A base that only advanced still has it."""
    record = turn.record
    against = record.pull.read_against if record.pull is not None else ""
    return against not in {"", tip} and not _has(turn, record.base or "", against)


def may_be_learned(record: Record) -> bool:
    """Whether it is not known who pushed, and the branch's activity may say it by now."""
    return record.pusher_is_unknown and record.pull is not None and record.pull.same_repository


def read_pushers(turn: Turn) -> None:
    """Who pushed, against the base as it is now."""
    record = turn.record
    if record.pull is not None and record.head is not None:
        turn.set(pull=with_pushers(turn, record.pull, record.head, record.base or ""))


def _has(turn: Turn, base: str, commit: str) -> bool:
    return turn.need(Contains(base, commit))


def _brought(turn: Turn, base: str, lost: tuple[str, ...]) -> tuple[tuple[Person, ...], bool, str]:
    """Who brought the base to what it has no more, whether that is everybody, and where the base is now."""
    pushes = turn.ask(PushesTo(base))
    rows = () if isinstance(pushes, Unknown) else pushes
    gone, unseen = set(lost), set(lost)
    people: list[Person] = []
    nameless = False
    for row in rows:
        if row.after not in gone:
            continue
        unseen.discard(row.after)
        nameless = nameless or row.actor is None
        people += [row.actor] if row.actor is not None else []
        if row.before != NOWHERE and row.before not in gone and not _has(turn, base, row.before):
            gone.add(row.before)
            unseen.add(row.before)
    tip = rows[0].after if rows else ""
    return tuple(people), not unseen and not nameless, tip


def book_pusher(turn: Turn, actor: Actor) -> None:
    """Whoever an event names, people and bots alike."""
    pull = turn.record.pull
    if pull is not None and actor.id not in {pusher.id for pusher in pull.pushers}:
        turn.set(pull=pull.model_copy(update={"pushers": (*pull.pushers, actor.as_person())}))


def forget_unexplained(turn: Turn) -> None:
    """A second unexplained move hides the first: its pusher stays unknown, unless that was read."""
    open_question, pull = turn.record.unexplained_head, turn.record.pull
    if open_question is not None and pull is not None:
        unknown = pull.pusher_unknown or not open_question.known
        turn.set(unexplained_head=None, pull=pull.model_copy(update={"pusher_unknown": unknown}))


def doubt_pushers(turn: Turn) -> None:
    if turn.record.pull is not None:
        turn.set(pull=turn.record.pull.model_copy(update={"pusher_unknown": True}))


def who_pushed(turn: Turn, branch: str, head: str) -> Person | None:
    """Whoever moved this branch of the repository to this head last, if that can be read."""
    pushes = turn.ask(PushesTo(branch))
    rows = () if isinstance(pushes, Unknown) else pushes
    return next((row.actor for row in rows if row.after == head), None)


def _moved_by(pushes: tuple[Push, ...], head: str, base: str) -> tuple[tuple[Person, ...], bool]:
    """Who moved the branch, newest first, and whether that is everybody: an unbroken line from this head back to the base,
    or to where the branch was made, with a name at each step. Behind a deletion that was undone the line goes on."""
    people: list[Person] = []
    at = head
    for number, push in enumerate(pushes):
        if push.after != at:
            return tuple(people), False
        at = push.before
        if push.after == NOWHERE:
            continue  # who deletes a branch brings no commit
        if push.after != base:
            if push.actor is None:
                return tuple(people), False
            people.append(push.actor)
        if at == base or (at == NOWHERE and not _was_restored(push, pushes[number + 1 :])):
            return tuple(people), True
    return tuple(people), False


def _was_restored(made: Push, older: tuple[Push, ...]) -> bool:
    """Whether the branch was made where it had been deleted, as far as that is told."""
    return bool(older) and (older[0] == UNTOLD or (older[0].after == NOWHERE and older[0].before == made.after))
