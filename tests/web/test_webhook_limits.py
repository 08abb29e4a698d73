"""What hostile senders cost: memory, time and places in the queue. Spoken in raw ASGI, where time and chunks are ours."""

import asyncio
import itertools
import tracemalloc
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Any

import pytest

from bot.app.intake import Intake
from bot.bootstrap.bot import inbound
from bot.bootstrap.runtime import EventNudge
from bot.settings import AppCredentials
from bot.store.inline import InlineStore
from bot.web.webhook import MAX_BODY, Limits, Webhook
from tests.web.kit import BODY, Lines, SetClock, hook_headers

pytestmark = pytest.mark.anyio
Message = dict[str, Any]
CHUNK = 64 * 1024


class Conversation:
    """One request whose messages come from `messages`; afterwards it is silent for ever."""

    def __init__(self, messages: Iterable[Message]) -> None:
        self._messages = iter(messages)
        self.sent: list[Message] = []

    async def receive(self) -> Message:
        await asyncio.sleep(0)
        for message in self._messages:
            return message
        await asyncio.Event().wait()
        raise AssertionError

    async def send(self, message: Any) -> None:
        self.sent.append(message)

    @property
    def status(self) -> int | None:
        return self.sent[0]["status"] if self.sent else None


Call = Callable[[Webhook, Iterable[Message], dict[str, str]], Awaitable[Conversation]]


@pytest.fixture
def hook(credentials: AppCredentials) -> Callable[[Limits], Webhook]:
    clock = SetClock()
    store = InlineStore(":memory:", clock)
    return lambda limits: Webhook(inbound(credentials), Intake(store, clock, EventNudge()), Lines(), limits)


async def call(webhook: Webhook, messages: Iterable[Message], headers: dict[str, str]) -> Conversation:
    talk = Conversation(messages)
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    await webhook({"type": "http", "method": "POST", "headers": raw}, talk.receive, talk.send)
    return talk


def body_of(size: int) -> Iterator[Message]:
    """Fresh bytes for each chunk, so that keeping them shows."""
    for start in range(0, size, CHUNK):
        yield {"type": "http.request", "body": bytes(CHUNK), "more_body": start + CHUNK < size}


@pytest.mark.parametrize("size", [MAX_BODY, 4 * MAX_BODY])
async def test_a_large_unsigned_body_takes_constant_memory(hook: Callable[[Limits], Webhook], size: int) -> None:
    """known-faults.md, row 114; threats.md, T17."""
    webhook = hook(Limits())
    tracemalloc.start()

    talk = await call(webhook, body_of(size), {})

    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert talk.status == (401 if size == MAX_BODY else 413)
    assert peak < 4 * 2**20


async def test_a_body_without_an_end_is_answered_and_given_up(hook: Callable[[Limits], Webhook]) -> None:
    endless = itertools.repeat({"type": "http.request", "body": bytes(CHUNK), "more_body": True})

    talk = await call(hook(Limits(body=CHUNK, seconds=0.01)), endless, {})

    assert (talk.status, len(talk.sent)) == (413, 3)
    assert (talk.sent[1]["more_body"], talk.sent[2]["body"]) == (True, b"")


async def test_a_body_that_stops_arriving_is_given_up(hook: Callable[[Limits], Webhook]) -> None:
    first_half = [{"type": "http.request", "body": BODY[:10], "more_body": True}]

    talk = await call(hook(Limits(seconds=0.01)), first_half, hook_headers(BODY))

    assert talk.status == 408
    assert (b"connection", b"close") in talk.sent[0]["headers"]


async def test_a_sender_that_goes_away_gets_no_answer(hook: Callable[[Limits], Webhook]) -> None:
    half = {"type": "http.request", "body": BODY[:10], "more_body": True}

    talk = await call(hook(Limits()), [half, {"type": "http.disconnect"}], hook_headers(BODY))

    assert talk.sent == []


async def test_bodies_that_arrive_at_the_same_time_share_one_bound(hook: Callable[[Limits], Webhook]) -> None:
    webhook = hook(Limits(held=len(BODY)))
    half = {"type": "http.request", "body": BODY[:10], "more_body": True}
    whole = {"type": "http.request", "body": BODY, "more_body": False}
    slow = asyncio.create_task(call(webhook, [half], hook_headers(BODY)))
    await asyncio.sleep(0)

    refused = await call(webhook, [whole], hook_headers(BODY))
    slow.cancel()
    await asyncio.gather(slow, return_exceptions=True)
    accepted = await call(webhook, [whole], hook_headers(BODY))

    assert (refused.status, accepted.status) == (503, 202)
