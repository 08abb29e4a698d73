"""Whether GitHub answers this App at all: asked at the start and each minute, and told plainly.

Work waits by itself while it does not. But who has just started a server, or wonders why nothing happens, must not have to
find that out from what failed.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from bot.domain.model.text import moment
from bot.ports.failures import ForgeFailure, RateLimited
from bot.ports.runtime import Clock, Log
from bot.ports.survey import AppAnswer, Survey

EACH = timedelta(minutes=1)
#: A trouble that lasts is told again this often.
AGAIN = timedelta(minutes=10)
OK = 200


class Trouble(NamedTuple):
    """`what` follows the address of GitHub's API in a sentence, `short` GitHub's name; `do` is what helps."""

    event: str
    what: str
    short: str
    why: str
    do: str


def of_failure(failure: ForgeFailure) -> Trouble:
    why = "without GitHub nothing is read, shown or merged."
    do = "check the network, a proxy on the way, and GITHUB_API_URL."
    return Trouble("github_unreached", f"does not answer ({failure.detail})", "does not answer", why, do)


def of_answer(answer: AppAnswer) -> Trouble | None:
    if answer.status == OK:
        return None
    what = "does not take the App's key"
    do = "compare APP_ID with the App's settings page and make a new private key there; then look at the clock."
    full = f"{what} (answer {answer.status})"
    return Trouble("github_refused_key", full, what, "nothing is read, shown or merged.", do)


class Contact:
    """What was found last. Nothing was, until GitHub was asked for the first time."""

    def __init__(self) -> None:
        self.trouble: Trouble | None = None
        self.since: datetime | None = None


@dataclass(slots=True)
class Calling:
    """`step` asks when it is time; `api_url` is where GitHub is."""

    survey: Survey
    contact: Contact
    clock: Clock
    log: Log
    api_url: str
    _asks_at: datetime | None = None
    _tells_at: datetime | None = None

    async def step(self) -> bool:
        """Always False: nobody has to hurry to the next question."""
        now = self.clock.now()
        if self._asks_at is not None and now < self._asks_at:
            return False
        self._asks_at = now + EACH
        self._heard(await self._asked(), now)
        return False

    async def _asked(self) -> Trouble | None:
        try:
            return of_answer(await self.survey.about())
        except RateLimited:
            return None  # it answers
        except ForgeFailure as failure:
            return of_failure(failure)

    def _heard(self, found: Trouble | None, now: datetime) -> None:
        before, self.contact.trouble = self.contact.trouble, found
        if found is None:
            if before is not None:
                self.log("info", "github_reached", msg=f"{self.api_url} answers again. Work goes on.")
            self.contact.since = self._tells_at = None
            return
        if before is None or before.event != found.event:
            self.contact.since, self._tells_at = now, None
        if self._tells_at is None or now >= self._tells_at:
            self._tells_at = now + AGAIN
            self._tell(found, now)

    def _tell(self, found: Trouble, now: datetime) -> None:
        so = f"{self.api_url} {found.what}. Work waits and nothing is lost, but {found.why}"
        msg = f"{so} Do: {found.do} signalbox doctor says more."
        self.log("warning", found.event, since=moment(self.contact.since or now), msg=msg)
