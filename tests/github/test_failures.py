"""Which of the five failures an answer, or its absence, is."""

from datetime import UTC, datetime, timedelta

import httpx
import pytest
from githubkit.exception import RequestError

from bot.github.failures import of_status, of_transport, outside_cause, pause
from bot.ports.failures import Forbidden, ForgeFailure, Gone, OutcomeUnknown, RateLimited, Unreachable

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
SECONDARY = b'{"message": "You have exceeded a secondary rate limit. Please wait."}'
RESET = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(NOW.timestamp()) + 900)}

Failure = type[ForgeFailure]


@pytest.mark.parametrize(
    ("error", "reading", "writing"),
    [
        (httpx.ConnectError, Unreachable, Unreachable),
        (httpx.ConnectTimeout, Unreachable, Unreachable),
        (httpx.PoolTimeout, Unreachable, Unreachable),
        (httpx.ProxyError, Unreachable, Unreachable),
        (httpx.UnsupportedProtocol, Unreachable, Unreachable),
        (httpx.ReadTimeout, Unreachable, OutcomeUnknown),
        (httpx.WriteTimeout, Unreachable, OutcomeUnknown),
        (httpx.ReadError, Unreachable, OutcomeUnknown),
        (httpx.WriteError, Unreachable, OutcomeUnknown),
        (httpx.CloseError, Unreachable, OutcomeUnknown),
        (httpx.RemoteProtocolError, Unreachable, OutcomeUnknown),
        (httpx.DecodingError, Unreachable, OutcomeUnknown),
    ],
)
def test_without_an_answer_it_matters_whether_the_request_left(
    error: type[httpx.RequestError], reading: Failure, writing: Failure
) -> None:
    assert type(of_transport(error("x"), "GET /x", writing=False)) is reading
    assert type(of_transport(error("x"), "POST /x", writing=True)) is writing


@pytest.mark.parametrize(
    ("status", "reading", "writing"),
    [
        *((status, Unreachable, OutcomeUnknown) for status in (408, 500, 501, 502, 503, 504, 520)),
        *((status, Gone, Gone) for status in (404, 410)),
        *((status, Forbidden, Forbidden) for status in (400, 403, 405, 409, 415, 422, 451)),
        (401, Unreachable, Unreachable),
        (429, RateLimited, RateLimited),
    ],
)
def test_every_status_is_one_of_the_five(status: int, reading: Failure, writing: Failure) -> None:
    for kind, is_write in ((reading, False), (writing, True)):
        assert type(of_status(httpx.Response(status), "GET /x", writing=is_write, now=NOW)) is kind


@pytest.mark.parametrize("status", [200, 201, 202, 204])
def test_success_is_no_failure(status: int) -> None:
    assert of_status(httpx.Response(status), "GET /x", writing=True, now=NOW) is None


@pytest.mark.parametrize(
    ("status", "headers", "body", "seconds"),
    [
        (403, {"retry-after": "30"}, b"", 30),
        (429, {"retry-after": "30"}, b"", 30),
        (403, RESET, b"", 900),
        (429, RESET, b"", 900),
        (403, {"retry-after": "5", **RESET}, b"", 5),
        (403, {"x-ratelimit-remaining": "0"}, b"", 60),
        (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "soon"}, b"", 60),
        (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1"}, b"", 1),
        (403, {"x-ratelimit-remaining": "4000"}, SECONDARY, 60),
        (429, {}, b"", 60),
        (429, {"retry-after": "Mon, 30 Nov 2026 09:00:30 GMT"}, b"", 60),
        (429, {"retry-after": "-5"}, b"", 60),
        (429, {"retry-after": "9" * 11}, b"", 86_400),
        (429, {"retry-after": "9" * 400}, b"", 60),
        (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "9" * 11}, b"", 86_400),
    ],
)
def test_a_rate_limit_says_until_when(status: int, headers: dict[str, str], body: bytes, seconds: int) -> None:
    answer = httpx.Response(status, headers=headers, content=body)
    assert pause(answer, NOW) == NOW + timedelta(seconds=seconds)
    failure = of_status(answer, "POST /x", writing=True, now=NOW)
    assert isinstance(failure, RateLimited)
    assert failure.until == NOW + timedelta(seconds=seconds)


@pytest.mark.parametrize("status", [200, 404, 500, 503])
def test_other_answers_are_no_rate_limit_whatever_their_headers(status: int) -> None:
    assert pause(httpx.Response(status, headers={"retry-after": "30", **RESET}), NOW) is None


def test_a_plain_refusal_is_no_rate_limit() -> None:
    refusal = httpx.Response(403, headers={"x-ratelimit-remaining": "10"}, json={"message": "Resource not accessible"})
    assert type(of_status(refusal, "GET /x", writing=False, now=NOW)) is Forbidden


@pytest.mark.parametrize("bug", [KeyError("x"), TypeError("x"), httpx.LocalProtocolError("bad header")])
def test_a_bug_is_raised_as_it_is_and_never_read_as_an_answer(bug: Exception) -> None:
    wrapped: RequestError[Exception] = RequestError(bug)
    wrapped.__cause__ = bug
    with pytest.raises(type(bug)):
        outside_cause(wrapped)


def test_details_hold_no_body_and_no_query() -> None:
    answer = httpx.Response(500, content=b"ghs_canary", headers={"x-secret": "ghs_canary"})
    failure = of_status(answer, "GET /repos/octo/app", writing=False, now=NOW)
    assert failure is not None
    assert failure.for_operator() == "Unreachable: GET /repos/octo/app: 500"
