"""A webhook request as received, and what became of it."""

from datetime import datetime
from typing import Literal

from bot.domain.model.ids import Value

DeliveryState = Literal["received", "working", "applied", "no_op", "ignored", "failed"]


class Delivery(Value):
    """Raw and unparsed but for the few fields that route it. `lane` is the repository's numeric id, 0 without one.
    `installation_id` and `repository` come from the signed body; the headers are not signed and decide nothing."""

    guid: str
    event: str
    action: str | None = None
    lane: int = 0
    installation_id: int | None = None
    repository: str | None = None
    body: bytes
    received_at: datetime


class DeliveryRow(Value):
    """How a delivery went, for lists. `detail` says why it was ignored or how it failed."""

    guid: str
    event: str
    action: str | None
    lane: int
    repository: str | None
    received_at: datetime
    state: DeliveryState
    attempts: int
    finished_at: datetime | None
    detail: str | None
