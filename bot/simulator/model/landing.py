"""A merge as it really happened: what an oracle compares a record with."""

from dataclasses import dataclass
from datetime import datetime

from bot.simulator.model.people import User
from bot.simulator.model.threads import Pull


@dataclass(frozen=True, eq=False)
class Landing:
    """`head` is the head that was merged, `sha` the tip of the base afterwards. `expected` is the request's `sha`."""

    pull: Pull
    head: str
    sha: str
    base: str
    by: User
    at: datetime
    method: str
    expected: str | None = None
