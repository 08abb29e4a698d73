"""Up, and able to work: what the two health routes say while parts of the bot are broken."""

import asyncio

import pytest

from bot.bootstrap.bot import build
from bot.bootstrap.lanes import Lane
from bot.bootstrap.parts import Parts
from bot.settings import AppCredentials, Settings
from bot.store.inline import InlineStore
from bot.web.health import Health, database_answers
from tests.web.kit import House, Lines, SetClock, house

pytestmark = pytest.mark.anyio


async def test_a_bot_that_can_work_is_up_and_ready(home: House) -> None:
    up, ready = await home.get("/healthz"), await home.get("/readyz")

    assert (up.status_code, up.json()) == (200, {"status": "up"})
    assert (ready.status_code, ready.json()) == (200, {"status": "ready"})


async def test_set_up_mode_is_ready_so_that_people_reach_it(settings: Settings) -> None:
    fresh = house(settings)

    answer = await fresh.get("/readyz")

    assert (answer.status_code, answer.json()["status"], answer.json()["mode"]) == (200, "ready", "set-up")
    assert answer.json()["hint"].startswith("No GitHub App is set yet")
    await fresh.store.close()


async def test_a_writer_that_fails_is_said_while_the_process_stays_up(home: House) -> None:
    working = True
    clock = SetClock()
    parts = Parts(
        home.bot.parts.settings,
        None,
        InlineStore(":memory:", clock),
        Lines(),
        writer_works=lambda: working,
        clock=clock,
    )
    home.http._transport.app = build(parts, (), lambda _name, _error: None).asgi  # type: ignore[attr-defined]  # httpx's
    working = False

    answer = await home.get("/readyz")

    assert answer.status_code == 503
    assert answer.json()["error"]["details"]["reasons"] == ["Nothing can be stored now."]
    assert (await home.get("/healthz")).status_code == 200


async def test_a_database_that_hangs_counts_as_one_that_does_not_answer(home: House) -> None:
    class Hanging:
        async def read(self, _work: object) -> None:
            await asyncio.Event().wait()

    check = database_answers(Hanging(), seconds=0.01)  # type: ignore[arg-type]  # only `read` is asked

    assert await check() == "The database does not answer."
    assert len(Health([check]).entries()) == 2


async def test_a_crashed_lane_makes_the_bot_unready_and_is_told_of(
    settings: Settings, credentials: AppCredentials
) -> None:
    clock, crashes = SetClock(), list[tuple[str, str]]()
    told = asyncio.Event()

    def on_crash(name: str, error: BaseException) -> None:
        crashes.append((name, str(error)))
        told.set()

    async def breaks() -> None:
        raise ValueError("a bug")

    other = house(settings, InlineStore(":memory:", clock), credentials)
    bot = build(other.bot.parts, [Lane("publisher", breaks)], on_crash)
    other.http._transport.app = bot.asgi  # type: ignore[attr-defined]  # httpx's

    await bot.start()
    await told.wait()
    answer = await other.get("/readyz")
    await bot.stop()

    assert crashes == [("publisher", "a bug")]
    assert answer.json()["error"]["details"]["reasons"] == ["A worker has stopped."]


async def test_stopping_ends_lanes_and_the_socket(settings: Settings, credentials: AppCredentials) -> None:
    started, ended = asyncio.Event(), list[str]()

    async def works() -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("ended")

    other = house(settings, app=credentials)
    bot = build(other.bot.parts, [Lane("worker", works)], lambda _name, _error: None)

    await bot.start()
    await started.wait()
    socket_was_there = (settings.data_dir / "admin.sock").exists()
    await bot.stop()

    assert (socket_was_there, (settings.data_dir / "admin.sock").exists()) == (True, False)
    assert ended == ["ended"]
