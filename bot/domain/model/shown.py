"""What the status comments showed, and when: the thing a short command is bound to."""

from datetime import datetime
from typing import Literal

from bot.domain.model.ids import Value
from bot.domain.model.record import GateName


class ShownRow(Value):
    """One of the two status comments showed this. `updated_at` is GitHub's clock (whole seconds) from the answer of the
    write that showed it; `acknowledged_at` is when that answer was stored here, by the database's clock. Rows of older
    versions lack it. `gate` None = no gate was open.
    """

    thread: Literal["issue", "pull"]
    version: int
    gate: GateName | None
    round: int
    head: str | None
    epoch: int
    revision: int
    updated_at: datetime
    acknowledged_at: datetime | None = None
