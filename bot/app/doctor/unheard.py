"""What a sweep found and nobody has heard yet, where that lasts: merges wait for it, however long."""

from collections.abc import Iterator
from datetime import timedelta

from bot.app import hearing
from bot.app.doctor.finding import Finding, problem, some, span, warning
from bot.app.doctor.given_up import thread
from bot.app.hearing import Mark
from bot.domain.model.ids import RecordKey
from bot.ports.store import Tx

#: A sweep hears what it finds in moments, and the next one comes soon where it could not.
SLOW = timedelta(minutes=5)


def of_marks(tx: Tx) -> Iterator[Finding]:
    late = sorted((one for one in hearing.standing(tx) if tx.now() - one.since > SLOW), key=lambda one: one.since)
    threads = [one for one in late if one.thread is not None]
    if threads:
        what = f"{some([_name(tx, one) for one in threads])}: something found there could not be decided, {_since(tx, threads)}"
        why = "it may be a stop, so nothing merges there."
        do = "read in the log why (sweep_incomplete, sweep_fault); every sweep tries again, and the first that can ends it."
        yield problem("sweep", what, why, do)
    whole = [one for one in late if one.thread is None]
    if whole:
        what = f"{some([_name(tx, one) for one in whole])}: a sweep ended before it had heard what it found, {_since(tx, whole)}"
        why = "it may be a stop, so nothing merges there before a whole sweep has looked again."
        yield warning(
            "sweep", what, why, "it ends by itself; if this stays, the log says what keeps the sweeps from their end."
        )


def _since(tx: Tx, marks: list[Mark]) -> str:
    return f"the oldest {span((tx.now() - marks[0].since).total_seconds())} ago"


def _name(tx: Tx, mark: Mark) -> str:
    if mark.thread is not None:
        return thread(tx, RecordKey(mark.repository_id, mark.thread))
    repo = tx.repositories.get(mark.repository_id)
    return repo.full_name if repo else str(mark.repository_id)
