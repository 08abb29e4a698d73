"""How a request to merge ends without one, or becomes unknown; and what was remembered meanwhile (LIFECYCLE.md 2.2, 3)."""

from datetime import datetime, timedelta

from bot.domain.lifecycle.results import Unread
from bot.domain.lifecycle.turn import Turn
from bot.domain.merging import reservation as reservations
from bot.domain.merging.unmerged import Unmerged, by_github, unmerged_words
from bot.domain.model.merge import Remembered
from bot.domain.model.questions import MergeEvidenceOf
from bot.domain.model.record import Record


def refused(turn: Turn, why: str, code: Unmerged | None = None, *, for_now: bool = False) -> None:
    """There is no merge. `code` says what else than GitHub's own no ended it; what was remembered is applied by the caller.
    `for_now`: nothing was decided about it, so the command to merge stands."""
    before = turn.record.merge
    over = reservations.ended(before, reason=why, code=code, refused=True, now=turn.now)
    commanded = before.commanded if for_now else None
    turn.put_merge(over.model_copy(update={"remembered": before.remembered, "commanded": commanded}))
    turn.say(unmerged_words(turn.record.merge))


def refused_by_a_person(turn: Turn, why: str, at: datetime) -> None:
    """Settled as unmerged: refused, and nothing is asked before a human gate that was opened after these words."""
    refused(turn, why, "settled_unmerged")
    turn.set_merge(needs_gate_after=at)
    apply_remembered(turn)


def apply_remembered(turn: Turn) -> None:
    """The reservation ended without a merge: what happened meanwhile happens now, in order, in the same write. That it ended is
    certain, whatever cannot be read of that."""
    merge = turn.record.merge
    turn.set_merge(remembered=())
    turn.book("merge_refused" if by_github(merge) else merge.reason_code or "merge_refused")
    _apply(turn, merge.remembered)


def apply_what_waits(turn: Turn) -> None:
    """What could not be read when the reservation ended; until it is applied nothing is reserved."""
    waiting = turn.record.merge.remembered
    if waiting and not turn.record.in_flight:
        turn.set_merge(remembered=())
        _apply(turn, waiting)


def _apply(turn: Turn, waiting: tuple[Remembered, ...]) -> None:
    """In order: behind what cannot be read yet, the rest waits as well."""
    for place, item in enumerate(waiting):
        try:
            with turn.whole():
                turn.replay(item.signal)
        except Unread:
            turn.set_merge(remembered=waiting[place:])
            turn.look_again()
            return


def ambiguous(turn: Turn, why: str, uuid: str | None) -> None:
    """Nobody can know whether it happened: the base is given free, the pull request is not."""
    merge = turn.record.merge
    turn.set_merge(
        state="ambiguous",
        locked=False,
        answer=why,
        uuid=uuid or merge.uuid,
        look_at=turn.now + timedelta(seconds=2),
        window_ends=merge.window_ends or turn.now + timedelta(seconds=turn.facts.settle_window),
        confirming_since=None,
    )
    turn.say(f"it is not known whether GitHub merged it: {why}")


def both_sides_of(record: Record) -> MergeEvidenceOf:
    merge = record.merge
    return MergeEvidenceOf(record.pull_request or 0, merge.head or "", merge.base or "", merge.sha, merge.base_tip)
