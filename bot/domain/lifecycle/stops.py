"""The two ways work stops by itself or by a person: blocked, and a reservation given back."""

from bot.domain.lifecycle.outdated import stopped_at
from bot.domain.lifecycle.turn import Turn
from bot.domain.merging.reservation import ended
from bot.domain.model.ids import Person
from bot.domain.model.record import Blocked, Proof


def enter_blocked(
    turn: Turn, event: str, cause: str, reason: str, by: Person | None = None, proofs: tuple[Proof, ...] = ()
) -> bool:
    """Copies, restores and voids nothing. False, and nothing changed, where no edge leads there."""
    before = turn.record
    stopped = Blocked.model_validate(
        {
            "reason": reason,
            "evidence": "; ".join(proof.what for proof in proofs) or None,
            "proofs": proofs,
            "from": before.phase,
            "since": stopped_at(turn),
            "cause": cause,
            "by": by,
            "state": "awaiting",
            "version": before.version + 1,
        }
    )
    turn.set(blocked=stopped)
    if turn.fire(event, reason):
        return True
    turn.record = before
    return False


def give_back(turn: Turn, why: str, code: str | None = None) -> None:
    """End a reservation that has asked nothing; does nothing where there is none. A later look may take the right again."""
    if turn.record.merge.state == "reserved":
        turn.put_merge(ended(turn.record.merge, reason=why, code=code, now=turn.now))


def take_back_the_command(turn: Turn) -> None:
    """A person's stop: the merge that an operator asked for before is asked for anew."""
    turn.set_merge(commanded=None)
