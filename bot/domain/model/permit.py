"""The right to send one merge request. It is handed out for a stored request, once, by `bot.app.attempts` alone."""

from dataclasses import dataclass

from bot.domain.model.merge import MergeApi, MergeMethod


@dataclass(frozen=True, slots=True)
class MergeOrder:
    """The exact request of one attempt, as it was stored."""

    reservation: str
    attempt: str
    pull: int
    head: str
    base: str
    method: MergeMethod
    title: str
    body: str
    api: MergeApi


class MergePermit:
    """The right to send `order`, once. Made only by `bot.app.attempts.permit`, after the transaction that inserted the
    attempt was committed: a merge without a stored request cannot be written down."""

    __slots__ = ("_spent", "order")
    _seal = object()

    def __init__(self, seal: object, order: MergeOrder) -> None:
        if seal is not MergePermit._seal:
            raise TypeError("a merge permit is handed out only by the write that stored the request")
        self.order = order
        self._spent = False

    def spend(self) -> MergeOrder:
        """Give the order out; a second call is our bug and raises."""
        if self._spent:
            raise RuntimeError(f"merge attempt {self.order.attempt} was already spent")
        self._spent = True
        return self.order
