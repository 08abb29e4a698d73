"""Who pushed the linked pull request's commits: people named by events and by the repository's activity, never by the commits
themselves. What cannot be read stays unknown, and then the commits' authors fill no seat either (LIFECYCLE.md 2.5).
"""

from bot.domain.lifecycle.turn import Turn
from bot.domain.model.facts import Push, Unknown
from bot.domain.model.ids import Actor, Person
from bot.domain.model.linked import LinkedPull
from bot.domain.model.questions import CommitAuthorsOf, PushesTo

NOWHERE = "0" * 40


def with_pushers(turn: Turn, pull: LinkedPull, head: str) -> LinkedPull:
    """The pull request with everybody who is known to have pushed up to this head. Nobody who was known is forgotten;
    whoever moved it last is named last."""
    pushes = turn.ask(PushesTo(pull.head_ref)) if pull.same_repository and pull.head_ref else ()
    found, whole = _moved_by(() if isinstance(pushes, Unknown) else pushes, head, pull.base_sha)
    if whole and turn.record.unexplained_head is not None:
        turn.set(unexplained_head=turn.record.unexplained_head.model_copy(update={"known": True}))
    moved_it = {one.id for one in found}
    earlier = tuple(one for one in pull.pushers if one.id not in moved_it)
    known = {one.id: one for one in (*earlier, *reversed(tuple(dict.fromkeys(found))))}
    return pull.model_copy(
        update={
            "pushers": tuple(known.values()),
            "pusher_unknown": pull.pusher_unknown and not whole,
            "commit_authors": () if whole else turn.need(CommitAuthorsOf(pull.number)),
        }
    )


def learn_pushers(turn: Turn) -> None:
    """Before somebody fills a seat: while it is not known who pushed, the branch's activity is read once more."""
    record = turn.record
    if record.pull is None or record.head is None or not record.pusher_is_unknown or not record.pull.same_repository:
        return
    turn.set(pull=with_pushers(turn, record.pull, record.head))
    turn.book("pushes_read")


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
    """Whether the branch was made where it had been deleted."""
    return bool(older) and older[0].after == NOWHERE and older[0].before == made.after
