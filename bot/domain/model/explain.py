"""The shapes in which gates and reasons are shown. Check run, comments, pages, API and command line print the same tree."""

from typing import Literal

from bot.domain.model.ids import Value
from bot.domain.model.record import GateName, Phase

WaitingOn = Literal["builders", "reviewers", "operators", "checks", "verification", "agents", "github"]
ReasonState = Literal["ok", "waiting", "failed", "later"]


class Need(Value):
    """One thing a gate needs. For seats `have` of `need`; for checks `state` and the names still `missing`."""

    what: Literal["review", "operator", "checks", "verification"]
    have: int | None = None
    need: int | None = None
    waiting_on: WaitingOn | None = None
    state: str | None = None
    missing: tuple[str, ...] = ()

    @property
    def met(self) -> bool:
        if self.need is not None:
            return (self.have or 0) >= self.need
        return self.state == "passed"


class GateView(Value):
    """A gate as the API lists it. `open` = the record is in the phase this gate leaves."""

    name: GateName
    open: bool
    needs: tuple[Need, ...]

    @property
    def complete(self) -> bool:
        return all(need.met for need in self.needs)


class Reason(Value):
    """One row of the explain tree. `text` is GitHub Markdown without block structure; user text in it is inert.

    `brief` is `text` for a narrow table cell (empty = the same). `how` says what `who_could` can do, or who did it.
    `command` is the command to copy, if one moves this row on. A row in state `later` that waits on somebody is
    about a thing that does not exist yet (no plan, no new head).
    """

    what: str
    state: ReasonState
    text: str
    waiting_on: WaitingOn | None = None
    who_could: tuple[str, ...] = ()
    children: tuple["Reason", ...] = ()
    brief: str = ""
    how: str = ""
    command: str | None = None


class Explanation(Value):
    """Why the record is not merging now. `verdict` is one sentence."""

    verdict: str
    phase: Phase
    version: int
    reasons: tuple[Reason, ...] = ()
