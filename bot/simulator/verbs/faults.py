"""What can go wrong between a client and GitHub, as verbs. `times` None = until `heals`."""

from collections.abc import Mapping
from typing import Literal

from bot.simulator.edge import Fault
from bot.simulator.refusal import HttpError
from bot.simulator.verbs.state import State

_LIMIT = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
_TEXTS = {
    429: _LIMIT,
    403: "Resource not accessible by integration",
    405: "Base branch was modified. Review and try the merge again.",
    500: "Server Error",
    502: "Server Error",
    503: "Service unavailable",
    504: "We couldn't respond to your request in time. Sorry about that.",
}


class FaultVerbs(State):
    def loses_answer_to(
        self, operation: str, *, landed: bool = True, times: int | None = 1, how: Literal["reset", "timeout"] = "reset"
    ) -> None:
        """The request arrives; the client never hears of it. `landed` says whether it was carried out."""
        self.edge.add(Fault(operation, times, "now" if landed else "never", how=how))

    def answers(self, operation: str, status: int, *, before: bool, times: int | None = 1) -> None:
        """A 5xx `before` the effect, or after it (the effect happened)."""
        self.edge.add(Fault(operation, times, "never" if before else "now", error=self._error(status, None, None)))

    def lands_late(self, operation: str, seconds: float, *, status: int | None = None, times: int | None = 1) -> None:
        """The client times out (or gets `status`); the effect happens when the clock has passed `seconds`."""
        error = self._error(status, None, None) if status else None
        self.edge.add(Fault(operation, times, "later", how="timeout", error=error, seconds=seconds))

    def fails(
        self,
        operation: str,
        status: int,
        *,
        times: int | None = 1,
        headers: Mapping[str, str] | None = None,
        message: str | None = None,
    ) -> None:
        """An error answer, not carried out: 403 with `retry-after`, 405 with a text, 422, …"""
        self.edge.add(Fault(operation, times, "never", error=self._error(status, message, headers)))

    def unreachable(self, operation: str = "any", *, times: int | None = 1) -> None:
        """The connection is refused: not one byte arrives."""
        self.edge.add(Fault(operation, times, "never", how="refused"))

    def heals(self, operation: str | None = None) -> None:
        """End the faults of one operation, or all, those of webhooks included."""
        self.edge.heal(operation)
        if operation is None:
            self.hooks.stop_faults()

    def drops_webhooks(self, *, times: int | None = None, event: str | None = None, logged: bool = True) -> None:
        """Deliveries fail. With `logged` GitHub lists them as failed and can redeliver; without, they never existed."""
        self.hooks.drop(times, event, logged)

    def delays_webhooks(self, seconds: float) -> None:
        self.hooks.delay = seconds

    def duplicates_webhooks(self, *, same_guid: bool = True) -> None:
        self.hooks.duplicate = lambda: same_guid

    def reorders_webhooks(self) -> None:
        """Whatever is taken together arrives newest first."""
        self.hooks.reversed = True

    def _error(self, status: int, message: str | None, headers: Mapping[str, str] | None) -> HttpError:
        limited = any(key.lower() == "retry-after" for key in headers or {})
        text = _LIMIT if limited and status == 403 else _TEXTS.get(status, "Server Error")
        return HttpError(status, message or text, headers=headers)
