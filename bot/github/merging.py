"""The one dangerous request. It is sent once, or provably not at all, and its answer is handed on unjudged."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx

from bot.domain.model.effects import MergeReply
from bot.domain.model.ids import Repo
from bot.domain.model.permit import MergeOrder, MergePermit
from bot.github.client import GitHubGateway
from bot.github.failures import NOT_SENT, pause
from bot.github.shapes import clean
from bot.github.tokens import Token
from bot.ports.failures import ForgeFailure, RateLimited

#: GitHub's `merge_action` of a merge that goes into no queue.
DIRECTLY = "direct_merge"
#: The last moment at which nothing has left yet: the connection stands, the first byte is about to be written.
LAST_MOMENT = "http11.send_request_headers.started"


class _Withheld(Exception):
    """Raised out of the transport at the last moment. Nothing was written."""


class _Gatekeeper:
    """Asks `may_send` directly before the first byte and remembers whether it let the request pass."""

    def __init__(self, may_send: Callable[[], bool]) -> None:
        self._may_send = may_send
        self.passed = False

    def ask(self) -> None:
        if not self._may_send():
            raise _Withheld
        self.passed = True

    async def trace(self, event: str, _info: dict[str, Any]) -> None:
        if event == LAST_MOMENT:
            self.ask()


class GitHubMergeSender:
    """GitHub behind the MergeSender port."""

    def __init__(self, gateway: GitHubGateway) -> None:
        self._gateway = gateway

    async def merge(self, repo: Repo, permit: MergePermit, may_send: Callable[[], bool]) -> MergeReply:
        return await merge(self._gateway, repo, permit, may_send)


async def merge(gateway: GitHubGateway, repo: Repo, permit: MergePermit, may_send: Callable[[], bool]) -> MergeReply:
    """One PUT with `sha`. No retry, no redirect, a total deadline. Never raises for an outcome."""
    order = permit.spend()
    try:
        token = await gateway.tokens.to_merge(repo)
    except RateLimited as failure:
        return MergeReply(api=order.api, sent=False, why=failure.for_operator(), not_before=failure.until)
    except ForgeFailure as failure:
        return MergeReply(api=order.api, sent=False, why=failure.for_operator())
    gate = _Gatekeeper(may_send)
    try:
        async with asyncio.timeout(gateway.endpoint.merge_timeout):
            answer = await _put(gateway, repo, token, order, gate)
    except _Withheld:
        return MergeReply(api=order.api, sent=False, why="too little of the lease remained when the connection stood")
    except TimeoutError:
        return MergeReply(api=order.api, sent=gate.passed, why="no answer within the deadline")
    except httpx.RequestError as error:
        if isinstance(error, httpx.LocalProtocolError):
            raise
        sent = gate.passed and not isinstance(error, NOT_SENT)
        return MergeReply(api=order.api, sent=sent, why=type(error).__name__)
    gateway.tell(repo.installation_id, answer)
    if answer.status_code == 401:
        gateway.tokens.forget(repo, token)
    elif answer.status_code == 403:
        gateway.tokens.lacked(repo)
    return _reply(order, answer, gateway)


async def _put(
    gateway: GitHubGateway, repo: Repo, token: Token, order: MergeOrder, gate: _Gatekeeper
) -> httpx.Response:
    endpoint = "merge-async" if order.api == "async" else "merge"
    url = f"{gateway.path(repo)}/pulls/{order.pull}/{endpoint}"
    github = gateway.merging_client(token)
    async with github.get_async_client() as client:
        request = client.build_request(
            "PUT",
            url,
            json=_body(order),
            headers={"X-GitHub-Api-Version": gateway.endpoint.api_version},
            timeout=_timeout(gateway.endpoint.merge_timeout),
            extensions={"trace": gate.trace},
        )
        if not gateway.traced:
            gate.ask()
        return await client.send(request, follow_redirects=False)


def _timeout(deadline: float) -> httpx.Timeout:
    """TCP and TLS each end by themselves before the deadline does: the transport then closes what it opened."""
    return httpx.Timeout(deadline, connect=min(10.0, deadline / 3))


def _body(order: MergeOrder) -> dict[str, str]:
    """GitHub rejects null texts: empty ones are left out. The bypass of rules is never asked for."""
    texts = {"commit_title": order.title, "commit_message": order.body}
    body = {"sha": order.head, "merge_method": order.method, **{key: text for key, text in texts.items() if text}}
    return body | {"merge_action": DIRECTLY} if order.api == "async" else body


def _reply(order: MergeOrder, answer: httpx.Response, gateway: GitHubGateway) -> MergeReply:
    """The status of an asynchronous merge stands beside `details`; elsewhere `status` repeats the HTTP status."""
    body = _object(answer)
    inside = body.get("details")
    details = inside if isinstance(inside, dict) else {}
    merged = body.get("merged")
    return MergeReply(
        api=order.api,
        sent=True,
        status=answer.status_code,
        message=_text(body, "message") or _text(details, "message") or "",
        body_status=_text(body, "status") if details else None,
        sha=_text(body, "sha") or _text(details, "sha"),
        merged=merged if isinstance(merged, bool) else None,
        uuid=_text(details, "uuid"),
        expected_head=_text(details, "expected_head_sha"),
        merge_method=_text(details, "merge_method"),
        direct=_text(details, "merge_action") == DIRECTLY,
        not_before=pause(answer, gateway.clock.now()),
    )


def _object(answer: httpx.Response) -> dict[str, Any]:
    """An unreadable body says nothing; the status still counts."""
    try:
        body = answer.json()
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) else {}


def _text(body: dict[str, Any], key: str) -> str | None:
    value = clean(body.get(key))
    return value if isinstance(value, str) else None
