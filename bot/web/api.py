"""The reading part of the API under `/api/v1`. What a caller may not see does not exist for it."""

from typing import Any, get_args

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from bot.app.browse import Browser, Changed, Name, Wanted
from bot.domain.model.explain import WaitingOn
from bot.domain.model.record import Phase
from bot.web.access import Entry, error, sight
from bot.web.openapi import describe

ROOT = "/api/v1"
ONE = ROOT + "/lifecycles/{owner}/{repo}/{number:thread}"
PHASES: tuple[Phase, ...] = get_args(Phase)
AWAITED: tuple[str, ...] = get_args(WaitingOn)
#: The largest number that every database keeps; issues beyond it do not exist.
LARGEST = 2**31 - 1


class Api:
    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    def entries(self) -> tuple[Entry, ...]:
        """The table of routes. Every one of them needs a token."""
        return (
            Entry(f"{ROOT}/openapi.json", "token", self.openapi, "This description"),
            Entry(
                f"{ROOT}/lifecycles",
                "token",
                self.lifecycles,
                "Records, with filters",
                ("repository", "phase", "waiting_on", "cursor"),
            ),
            Entry(ONE, "token", self.lifecycle, "One record"),
            Entry(f"{ONE}/history", "token", self.history, "Its history, oldest first", ("cursor",)),
            Entry(f"{ONE}/explain", "token", self.explain, "Why it is not merging now"),
            Entry(f"{ONE}/policy", "token", self.policy, "The rules in force in its repository, whole"),
        )

    async def openapi(self, _request: Request) -> Response:
        return _ok(describe(self.entries()))

    async def lifecycles(self, request: Request) -> Response:
        given = request.query_params
        phase = next((phase for phase in PHASES if phase == given.get("phase")), None)
        waiting_on = given.get("waiting_on") or None
        if given.get("phase") and phase is None:
            return _bad_argument("phase", PHASES)
        if waiting_on and waiting_on not in AWAITED:
            return _bad_argument("waiting_on", AWAITED)
        wanted = Wanted(given.get("repository") or None, phase, waiting_on, given.get("cursor") or None)
        try:
            return _ok(await self._browser.list(wanted, sight(request)))
        except ValueError:
            return _bad_cursor()

    async def lifecycle(self, request: Request) -> Response:
        name = _name(request)
        return _found(await self._browser.record(name, sight(request)) if name else None)

    async def history(self, request: Request) -> Response:
        name = _name(request)
        cursor = request.query_params.get("cursor") or None
        try:
            return _found(await self._browser.history(name, sight(request), cursor) if name else None)
        except Changed as changed:
            return error(503, "frozen", str(changed))
        except ValueError:
            return _bad_cursor()

    async def explain(self, request: Request) -> Response:
        name = _name(request)
        return _found(await self._browser.explanation(name, sight(request)) if name else None)

    async def policy(self, request: Request) -> Response:
        name = _name(request)
        return _found(await self._browser.policy(name, sight(request)) if name else None)


def _name(request: Request) -> Name | None:
    given = request.path_params
    return Name(f"{given['owner']}/{given['repo']}", given["number"]) if given["number"] <= LARGEST else None


def _ok(content: Any) -> Response:
    return JSONResponse(content, headers={"Cache-Control": "no-store"})


def _found(content: Any | None) -> Response:
    return error(404, "no_record", "There is no such record.") if content is None else _ok(content)


def _bad_argument(name: str, allowed: tuple[str, ...]) -> Response:
    message = f"{name} must be one of {', '.join(allowed)}."
    return error(422, "bad_argument", message, details={"argument": name, "allowed": list(allowed)})


def _bad_cursor() -> Response:
    return error(422, "bad_argument", "cursor must come from an earlier answer.", details={"argument": "cursor"})
