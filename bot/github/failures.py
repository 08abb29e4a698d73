"""From what HTTP and githubkit report to the five failures of `bot.ports.failures`.

The question that decides is always: was it carried out? A request that never left, or that GitHub refused, was not.
Details name method, path and status; never a token, a query or a body.
"""

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

import httpx
from githubkit.exception import RequestError

from bot.ports.failures import Forbidden, ForgeFailure, Gone, OutcomeUnknown, RateLimited, Unreachable

#: Failures before the first byte of the request: the connection never stood.
NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol, httpx.ProxyError)

#: GitHub names no time in some of its refusals; its advice is a minute. Nobody is told to wait longer than a day.
DEFAULT_PAUSE = timedelta(seconds=60)
LONGEST_PAUSE = timedelta(days=1)
#: How GitHub calls a repository without a commit.
_NO_COMMITS = "git repository is empty"
#: How GraphQL calls it.
_LIMITS = frozenset({"RATE_LIMIT", "RATE_LIMITED"})


class Elsewhere(Gone):
    """GitHub itself names another place or another repository: that is proof, however often it is asked."""


class NoCommits(Forbidden):
    """409: a Git repository in which nothing was ever committed."""


def of_transport(error: httpx.RequestError, what: str, *, writing: bool) -> ForgeFailure:
    """No answer, or none that can be read."""
    detail = f"{what}: {type(error).__name__}{_why(error)}"
    if writing and not isinstance(error, NOT_SENT):
        return OutcomeUnknown(detail)
    return Unreachable(detail)


def _why(error: httpx.RequestError) -> str:
    """What the system says of a connection that never stood: a name that is not known, a port that is closed, a certificate."""
    said = " ".join(str(error).split()) if isinstance(error, httpx.ConnectError) else ""
    return f", {said}" if said else ""


def outside_cause(error: RequestError[Any]) -> httpx.RequestError:
    """githubkit wraps everything. What is not a failure of the transport is a bug, ours or the simulator's: it is
    raised as it is, never read as an ambiguous answer."""
    cause = error.__cause__
    if isinstance(cause, httpx.RequestError) and not isinstance(cause, httpx.LocalProtocolError):
        return cause
    raise cause or error


def of_status(answer: httpx.Response, what: str, *, writing: bool, now: datetime) -> ForgeFailure | None:
    """None for 2xx. Redirects are for the caller: nobody follows them here."""
    status = answer.status_code
    if 200 <= status < 300:
        return None
    detail = f"{what}: {status}"
    until = pause(answer, now)
    if until is not None:
        return RateLimited(detail, until, named=_named(answer, now) is not None)
    if status == 408 or status >= 500:
        return OutcomeUnknown(detail) if writing else Unreachable(detail)
    if status in (404, 410):
        return Gone(detail)
    if status == 401:
        return Unreachable(detail)
    if status == 409 and _NO_COMMITS in answer.text.casefold():
        return NoCommits(detail)
    return Forbidden(detail)


def pause(answer: httpx.Response, now: datetime) -> datetime | None:
    """When GitHub allows the next request, if this answer is about a rate limit (403 or 429)."""
    if answer.status_code not in (403, 429):
        return None
    secondary = answer.status_code == 429 or "secondary rate limit" in answer.text.casefold()
    exhausted = answer.headers.get("x-ratelimit-remaining") == "0"
    named = _named(answer, now)
    return named or (now + DEFAULT_PAUSE if secondary or exhausted else None)


def of_graphql(answer: httpx.Response, kinds: Collection[object], what: str, now: datetime) -> RateLimited | None:
    """GraphQL says in an answer of 200 that a limit is reached; its headers say until when, as those of a refusal do."""
    if not _LIMITS.intersection(kinds):
        return None
    named = _named(answer, now)
    return RateLimited(f"{what}: rate limit", named or now + DEFAULT_PAUSE, named=named is not None)


def _named(answer: httpx.Response, now: datetime) -> datetime | None:
    """The time that GitHub itself names."""
    after = _number(answer.headers.get("retry-after"))
    if after is not None:
        return now + min(timedelta(seconds=after), LONGEST_PAUSE)
    reset = _number(answer.headers.get("x-ratelimit-reset"))
    exhausted = answer.headers.get("x-ratelimit-remaining") == "0"
    return _bounded(reset, now) if exhausted and reset is not None else None


def github_date(answer: httpx.Response) -> datetime | None:
    """The `Date` header: GitHub's clock, whole seconds."""
    try:
        return parsedate_to_datetime(answer.headers["date"]).astimezone(UTC)
    except (KeyError, ValueError):
        return None


def _bounded(reset: int, now: datetime) -> datetime:
    seconds = min(max(reset - now.timestamp(), 1), LONGEST_PAUSE.total_seconds())
    return now + timedelta(seconds=seconds)


def header_number(answer: httpx.Response, name: str) -> int | None:
    return _number(answer.headers.get(name))


def _number(header: str | None) -> int | None:
    """Digits only, at most what a time can hold."""
    return int(header) if header is not None and header.isascii() and header.isdigit() and len(header) < 12 else None
