"""The edge between the world and a client: every request passes here, is written down, and may suffer a fault.

A fault is chosen by operation name or group (`merge`, `comment`, `check`, `read`, …), oldest first, and used up.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeVar

from bot.simulator.clock import WorldClock
from bot.simulator.model.threads import Pull
from bot.simulator.operations import GRAPHQL, Operation
from bot.simulator.refusal import HttpError, NoAnswer

T = TypeVar("T")
How = Literal["refused", "reset", "timeout"]


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP answer. `body` is JSON; None = no body."""

    status: int
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Request:
    """One request as seen by GitHub. `status` None = the client got no answer. `effect` False = not carried out."""

    operation: str
    method: str
    path: str
    at: datetime
    body: Any = None
    status: int | None = None
    effect: bool = False

    @property
    def reads(self) -> bool:
        """Whether it changes nothing: GraphQL is asked by POST as well."""
        return self.method == "GET" or (self.operation in GRAPHQL and GRAPHQL[self.operation].group == "read")


@dataclass
class Fault:
    """`effect`: does the request act now, later or never. The answer is lost (`how`) or an error (`error`)."""

    operation: str
    times: int | None
    effect: Literal["now", "later", "never"]
    how: How | None = None
    error: HttpError | None = None
    seconds: float = 0.0


class Edge:
    """`requests` is the complete record, for tests that count. A refused connection is recorded with no effect."""

    def __init__(self, clock: WorldClock) -> None:
        self._clock = clock
        self._faults: list[Fault] = []
        self.requests: list[Request] = []

    def add(self, fault: Fault) -> None:
        self._faults.append(fault)

    def heal(self, operation: str | None = None) -> None:
        self._faults = [f for f in self._faults if operation is not None and f.operation != operation]

    def call(self, operation: Operation, path: str, body: Any, act: Callable[[], T], merging: Pull | None = None) -> T:
        """Carry out `act` as one request. `merging` counts the pull request as being merged while a late effect waits.
        Raises HttpError or NoAnswer."""
        record = Request(operation.name, operation.method, path, self._clock.stamp(), body)
        self.requests.append(record)
        fault = self._take(operation)
        if fault is None:
            return self._carry_out(record, act)
        if fault.effect == "now":
            try:
                self._carry_out(record, act)
            except HttpError:
                record.effect = False
        elif fault.effect == "later":
            self._postpone(record, fault.seconds, act, merging)
        if fault.error is not None:
            record.status = fault.error.status
            raise fault.error
        record.status = None
        raise NoAnswer(fault.how or "reset")

    def _carry_out(self, record: Request, act: Callable[[], T]) -> T:
        try:
            result = act()
        except HttpError as no:
            record.status = no.status
            raise
        record.status = result.status if isinstance(result, Reply) else 200
        record.effect = record.status < 400
        return result

    def _postpone(self, record: Request, seconds: float, act: Callable[[], object], merging: Pull | None) -> None:
        if merging is not None:
            merging.in_flight += 1

        def land() -> None:
            if merging is not None:
                merging.in_flight -= 1
            try:
                act()
            except HttpError:
                return
            record.effect = True

        self._clock.later(seconds, land)

    def _take(self, operation: Operation) -> Fault | None:
        for fault in self._faults:
            if fault.operation in (operation.name, operation.group, "any"):
                if fault.times is not None:
                    fault.times -= 1
                    if fault.times == 0:
                        self._faults.remove(fault)
                return fault
        return None
