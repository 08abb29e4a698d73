"""Is the process up, and can it do its work? Reasons are fixed sentences: no versions, paths or addresses."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from bot.ports.store import Store, StoreUnavailable
from bot.web.access import Entry, error

#: Answers a sentence that says why not, or None when all is well.
Check = Callable[[], Awaitable[str | None]]
SECONDS = 2.0
NO_STORE = {"Cache-Control": "no-store"}


#: What /readyz says beside being ready in set-up mode: people must reach the server, and see why nothing happens.
SET_UP = "No GitHub App is set yet: the webhook answers 503. `signalbox doctor` says what is missing."


class Health:
    """`set_up`: the process has no GitHub App, which is a mode and no failure. `notes` say what a restart would not help."""

    def __init__(self, checks: Sequence[Check], notes: Sequence[Check] = (), *, set_up: bool = False) -> None:
        self._checks = checks
        self._notes = notes
        self._set_up = set_up

    def entries(self) -> tuple[Entry, ...]:
        return (
            Entry("/healthz", "public", self.alive, "The process is up"),
            Entry("/readyz", "public", self.ready, "The process can do its work"),
        )

    async def alive(self, _request: Request) -> Response:
        return JSONResponse({"status": "up"}, headers=NO_STORE)

    async def ready(self, _request: Request) -> Response:
        reasons = await _said(self._checks)
        if reasons:
            return error(503, "not_ready", " ".join(reasons), details={"reasons": reasons})
        mode = {"mode": "set-up", "hint": SET_UP} if self._set_up else {}
        notes = await _said(self._notes)
        noted = {"notes": notes} if notes else {}
        return JSONResponse({"status": "ready", **mode, **noted}, headers=NO_STORE)


async def _said(checks: Sequence[Check]) -> list[str]:
    return [sentence for sentence in [await check() for check in checks] if sentence is not None]


def database_answers(store: Store, seconds: float = SECONDS) -> Check:
    """Reads and writes: a writer that died shows only when it is used."""

    async def check() -> str | None:
        try:
            async with asyncio.timeout(seconds):
                await store.read(lambda tx: tx.now())
                await store.run(lambda tx: tx.now())
        except (StoreUnavailable, TimeoutError):
            return "The database does not answer."
        return None

    return check
