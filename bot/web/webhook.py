"""The hot path: one delivery from the wire to the store, in front of Starlette (reference/performance.md section 2).

Checked in this order: size, signature, headers, content type, JSON. What is not signed leaves no trace and costs
little: it is never kept in memory whole unless its signature header could be one, and all of it together has a bound.
"""

import asyncio
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from starlette.types import Receive, Scope, Send

from bot.app.intake import Intake, Routing
from bot.ports.runtime import Log
from bot.ports.store import CommitUnknown, StoreUnavailable
from bot.web.answers import CLOSE, Headers, error_body, send_json

MAX_BODY = 25 * 1024 * 1024
#: Bytes of bodies that are being received now, of all requests together.
MAX_HELD = 4 * MAX_BODY
BODY_SECONDS = 10.0
RETRY: Headers = ((b"retry-after", b"30"),)
_SIGNATURE = re.compile(rb"sha256=[0-9a-f]{64}")
_GUID = re.compile(r"[A-Za-z0-9-]{1,64}")
_EVENT = re.compile(r"[a-z_]{1,64}")
_TARGET = b"x-github-hook-installation-target-id"
#: No body is as long as a number of more digits.
_LONGEST = 18
_JSON = re.compile(r"application/json\s*(;.*)?", re.IGNORECASE)


class Problem(NamedTuple):
    """An answer that is not 2xx. `unread`: more of the body is on its way."""

    status: int
    code: str
    message: str
    extra: Headers = ()
    unread: bool = False


TOO_LARGE = Problem(413, "too_large", "Deliveries end at 25 MiB.", CLOSE, unread=True)
TOO_SLOW = Problem(408, "too_slow", "The body did not arrive in time.", CLOSE)
TOO_BUSY = Problem(503, "busy", "Too much is arriving at once.", CLOSE + RETRY)
#: Seconds between two lines about a secret that may be wrong, and what they say.
DOUBTED_AGAIN = 3600.0
DOUBTED = (
    "a delivery that names this App is signed with another secret. If GitHub sent it, set WEBHOOK_SECRET to the secret of the "
    "App's webhook; what was lost is found by the sweep, and signalbox doctor says how many were. If not, nothing is to do"
)
UNSIGNED = Problem(401, "bad_signature", "The signature is missing or wrong.")
BAD_HEADERS = Problem(400, "bad_headers", "X-GitHub-Event and X-GitHub-Delivery are needed, once each.")
OTHER_APP = Problem(400, "other_app", "This delivery is for another App or hook.")
NOT_JSON = Problem(415, "not_json", "Set the webhook's content type to application/json.")
MALFORMED = Problem(400, "malformed", "The body is not a JSON object of GitHub.")
CONFLICT = Problem(409, "guid_conflict", "This delivery is known with another body.")
NOT_STORED = Problem(503, "not_stored", "The delivery could not be stored.", RETRY)
NOT_SET_UP = Problem(503, "not_set_up", "This server has no GitHub App yet.", RETRY)
WRONG_METHOD = Problem(405, "method_not_allowed", "Deliveries are posted.", ((b"allow", b"POST"),))


@dataclass(frozen=True, slots=True)
class Inbound:
    """What is known about GitHub's form of deliveries. `verify(body, header)` compares in constant time with every
    secret. `route(body)` raises ValueError for what is not a JSON object of GitHub. `app_id` is our own."""

    app_id: int
    verify: Callable[[bytes, str], bool]
    route: Callable[[bytes], Routing]


@dataclass(frozen=True, slots=True)
class Limits:
    body: int = MAX_BODY
    held: int = MAX_HELD
    seconds: float = BODY_SECONDS


class Webhook:
    """An ASGI callable for one path. `inbound` None = set-up mode: nothing could be verified, so nothing is taken."""

    def __init__(self, inbound: Inbound | None, intake: Intake, log: Log, limits: Limits = Limits()) -> None:
        self._inbound = inbound
        self._intake = intake
        self._log = log
        self._limits = limits
        self._held = 0
        self._told_again = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        outcome = await self._receive(scope, receive)
        if isinstance(outcome, Problem):
            peer = scope.get("client") or (None,)
            self._log("info", "delivery_refused", code=outcome.code, peer=peer[0])
            if outcome is UNSIGNED and self._inbound is not None:
                self._doubts_the_secret(_Headers(scope["headers"]), self._inbound.app_id)
            await self._refuse(outcome, receive, send)
        elif outcome is not None:
            status, content = outcome
            await send_json(send, status, content)

    def _doubts_the_secret(self, headers: "_Headers", app_id: int) -> None:
        """Anybody can send what is signed wrongly; what names this App may be GitHub's, and then nothing arrives any more."""
        now = asyncio.get_running_loop().time()
        if headers.raw(_TARGET) == b"%d" % app_id and now >= self._told_again:
            self._told_again = now + DOUBTED_AGAIN
            self._log("warning", "webhook_secret_doubted", msg=DOUBTED)

    async def _refuse(self, problem: Problem, receive: Receive, send: Send) -> None:
        body = error_body(problem.code, problem.message)
        await send_json(send, problem.status, body, problem.extra, more=problem.unread)
        if problem.unread:
            # Closing on a sender that still sends would reset the connection, and the answer would be lost.
            with suppress(TimeoutError):
                async with asyncio.timeout(self._limits.seconds):
                    await _discard(receive)
            await send({"type": "http.response.body", "body": b""})

    async def _receive(self, scope: Scope, receive: Receive) -> "Problem | tuple[int, dict[str, str]] | None":
        """None when the sender has gone."""
        if scope["method"] != "POST":
            return WRONG_METHOD
        if self._inbound is None:
            return NOT_SET_UP
        headers = _Headers(scope["headers"])
        signature = headers.raw(b"x-hub-signature-256")
        could_be_signed = signature is not None and _SIGNATURE.fullmatch(signature) is not None
        body = await self._body(headers, receive, keep=could_be_signed)
        if body is None or isinstance(body, Problem):
            return body
        if signature is None or not could_be_signed or not self._inbound.verify(body, signature.decode()):
            return UNSIGNED
        return await self._accept(self._inbound, headers, body)

    async def _accept(self, inbound: Inbound, headers: "_Headers", body: bytes) -> Problem | tuple[int, dict[str, str]]:
        """The body is authentic from here on."""
        guid, event = headers.text(b"x-github-delivery"), headers.text(b"x-github-event")
        if not _GUID.fullmatch(guid) or not _EVENT.fullmatch(event):
            return BAD_HEADERS
        if not headers.can_be_for(inbound.app_id):
            return OTHER_APP
        if not _JSON.fullmatch(headers.text(b"content-type")):
            return NOT_JSON
        try:
            routing = inbound.route(body)
        except (ValueError, RecursionError):
            return MALFORMED
        if event == "ping":
            return 200, {"delivery": guid, "status": "pong"}
        try:
            outcome = await self._intake.accept(guid, event, body, routing)
        except (StoreUnavailable, CommitUnknown) as failed:
            self._log("error", "delivery_not_stored", delivery=guid, error=failed)
            return NOT_STORED
        if outcome == "conflict":
            return CONFLICT
        self._log("debug", "delivery_accepted", delivery=guid, hook=event, status=outcome)
        return 202, {"delivery": guid, "status": outcome}

    async def _body(self, headers: "_Headers", receive: Receive, *, keep: bool) -> bytes | Problem | None:
        """The whole body; without `keep` it is only measured, and the answer is empty."""
        length = headers.raw(b"content-length")
        if length is not None and length.isdigit() and (len(length) > _LONGEST or int(length) > self._limits.body):
            return TOO_LARGE
        chunks: list[bytes] = []
        try:
            async with asyncio.timeout(self._limits.seconds):
                return await self._chunks(receive, chunks if keep else None)
        except TimeoutError:
            return TOO_SLOW
        finally:
            self._held -= sum(map(len, chunks))

    async def _chunks(self, receive: Receive, chunks: list[bytes] | None) -> bytes | Problem | None:
        size = 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            chunk: bytes = message.get("body", b"")
            more: bool = message.get("more_body", False)
            size += len(chunk)
            if size > self._limits.body:
                return TOO_LARGE._replace(unread=more)
            if chunks is not None:
                if self._held + len(chunk) > self._limits.held:
                    return TOO_BUSY._replace(unread=more)
                chunks.append(chunk)
                self._held += len(chunk)
            if not more:
                return b"".join(chunks or ())


async def _discard(receive: Receive) -> None:
    while (await receive()).get("more_body", False):
        pass


class _Headers:
    """Request headers by lower-case name; a header that is repeated is as good as missing: it could mean either."""

    def __init__(self, pairs: list[tuple[bytes, bytes]]) -> None:
        values: dict[bytes, bytes | None] = {}
        for name, value in pairs:
            values[name] = None if name in values else value
        self._values: Mapping[bytes, bytes | None] = values

    def raw(self, name: bytes) -> bytes | None:
        return self._values.get(name)

    def can_be_for(self, app_id: int) -> bool:
        """GitHub says which App, or whose own hook, a delivery is for. Compared when present: a secret may be shared."""
        return self._values.get(_TARGET, b"%d" % app_id) == b"%d" % app_id

    def text(self, name: bytes) -> str:
        return (self.raw(name) or b"").decode("latin-1")
