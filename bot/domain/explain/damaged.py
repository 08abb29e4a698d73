"""What is said of a record whose stored history is not what was written. Whoever changed the database may have changed what it
says of gates too: none is shown, and nobody is asked to open one.
"""

from bot.domain.explain.ended_rows import changed_history, how_to_look
from bot.domain.explain.merge_row import CHANGED_HISTORY
from bot.domain.explain.offers import ROLE
from bot.domain.model.explain import Explanation, Reason
from bot.domain.model.record import Record

_IS = "what is stored is not what was written"


def damaged(record: Record) -> Explanation:
    """Instead of `explain`."""
    row = Reason(
        what="history",
        state="failed",
        text=_IS,
        waiting_on="operators",
        who_could=(ROLE["operators"],),
        how=f"run {how_to_look(record)}, {CHANGED_HISTORY}",
    )
    return Explanation(verdict=changed(record), phase=record.phase, version=record.version, reasons=(row,))


def changed(record: Record) -> str:
    """As a whole sentence."""
    said = changed_history(record)
    return f"{said[0].upper()}{said[1:]}."


def awaits(record: Record) -> str:
    """Instead of line 2 of the status comment."""
    return f"Waiting for **{ROLE['operators']}** to run {how_to_look(record)}: {_IS}."
