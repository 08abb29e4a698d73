"""`/metrics`: who may read it, and that what it says is true."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TypeVar

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.bootstrap.bot import build
from bot.bootstrap.metrics import Numbers
from bot.bootstrap.parts import Parts
from bot.ports.store import StoreUnavailable, Tx
from bot.settings import AppCredentials, Settings
from bot.store import engine
from bot.store.inline import InlineStore
from tests.web.kit import House, Lines, SetClock, house, record

pytestmark = pytest.mark.anyio
T = TypeVar("T")
HERE = ("127.0.0.1", 5555)
ELSEWHERE = ("203.0.113.9", 5555)
TOKEN = "scrape-canary-token"


@pytest.fixture
async def guarded(settings: Settings, credentials: AppCredentials) -> AsyncIterator[House]:
    """A bot with a token for its metrics."""
    made = house(
        settings.model_copy(update={"metrics_token": Settings(metrics_token=TOKEN).metrics_token}), app=credentials
    )
    yield made
    await made.http.aclose()
    await made.store.close()


async def asks(home: House, peer: tuple[str, int], host: str = "localhost:3000", **headers: str) -> httpx.Response:
    transport = httpx.ASGITransport(home.bot.asgi, client=peer)
    named = {name.replace("_", "-").encode(): value.encode() for name, value in headers.items()}
    async with httpx.AsyncClient(transport=transport, base_url=f"http://{host}") as client:
        return await client.get("/metrics", headers=named)


def values(text: str) -> dict[str, float]:
    """Each series by how it is written, such as `signalbox_records{phase="done"}`."""
    found = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = ",".join(f'{name}="{value}"' for name, value in sorted(sample.labels.items()))
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


async def test_without_a_token_only_this_machine_may_read_the_numbers(home: House) -> None:
    assert (await asks(home, HERE)).status_code == 200
    assert (await asks(home, ELSEWHERE)).status_code == 401


@pytest.mark.parametrize("header", ["x_forwarded_for", "forwarded", "x_real_ip", "via"])
async def test_a_proxy_on_this_machine_does_not_make_its_callers_local(home: House, header: str) -> None:
    assert (await asks(home, HERE, **{header: "127.0.0.1"})).status_code == 401


async def test_a_public_name_is_not_this_machine(home: House) -> None:
    assert (await asks(home, HERE, host="signalbox.example")).status_code == 401


async def test_the_token_opens_the_numbers_from_anywhere(guarded: House) -> None:
    answer = await asks(guarded, ELSEWHERE, host="signalbox.example", authorization=f"Bearer {TOKEN}")

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "said", [f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", "Bearer ", f"Basic {TOKEN}", TOKEN, "Bearer \u00e9"]
)
async def test_a_wrong_token_is_refused_also_on_this_machine(guarded: House, said: str) -> None:
    for peer in (HERE, ELSEWHERE):
        answer = await asks(guarded, peer, authorization=said)
        assert (answer.status_code, answer.headers.get("www-authenticate")) == (401, "Bearer")
        assert "signalbox_" not in answer.text


async def test_a_token_for_agents_does_not_open_the_numbers(guarded: House) -> None:
    agent = await guarded.token()

    assert (await asks(guarded, ELSEWHERE, authorization=f"Bearer {agent}")).status_code == 401


async def test_what_is_stored_is_counted(home: House) -> None:
    await home.has(record(12), record(13, phase="building"), record(14, phase="building"))
    await home.deliver()
    home.clock.passes(seconds=42)

    found = values((await asks(home, HERE)).text)

    assert found['signalbox_records{phase="building"}'] == 2
    assert found['signalbox_records{phase="plan_ready"}'] == 1
    assert found['signalbox_records{phase="done"}'] == 0
    assert found['signalbox_deliveries{state="received"}'] == 1
    assert found["signalbox_delivery_lag_seconds"] == 42
    assert found["signalbox_records_unshown"] == 3
    assert found['signalbox_merges{state="none"}'] == 3
    assert found["signalbox_merge_ambiguous_seconds"] == 0
    assert found["signalbox_database_up"] == 1
    assert any(name.startswith("signalbox_build_info{") for name in found)


async def test_no_series_names_a_record_a_repository_or_a_person(home: House) -> None:
    """threats.md, T28."""
    await home.has(record(12), record(4711, repository="octo/lib"))
    await home.deliver()

    text = (await asks(home, HERE)).text

    assert not re.search(r"octo|4711|ada", text)


async def test_numbers_of_the_process_are_shown_while_the_database_does_not_answer(settings: Settings) -> None:
    class Down(InlineStore):
        async def read(self, work: Callable[[Tx], T]) -> T:
            raise StoreUnavailable("gone")

    fresh = house(settings, Down(":memory:", SetClock()))
    found = values((await asks(fresh, HERE)).text)

    assert found["signalbox_database_up"] == 0
    assert not any(name.startswith("signalbox_records") for name in found)
    await fresh.store.close()


async def test_what_the_log_says_is_counted_and_still_said(settings: Settings, credentials: AppCredentials) -> None:
    numbers, lines, clock = Numbers(), Lines(), SetClock()
    store = InlineStore(":memory:", clock)
    log = numbers.counted(lines)
    home = house(settings, store, credentials)
    home.bot = build(Parts(settings, credentials, store, log, clock=clock, numbers=numbers), (), lambda *_: None)
    home.http._transport.app = home.bot.asgi  # type: ignore[attr-defined]  # httpx's

    assert (await home.deliver(drop="x-hub-signature-256")).status_code == 401
    assert (await home.deliver()).status_code == 202
    log("info", "merge_answered", status=405, sent=True)
    log("info", "merge_answered", status=None, sent=True)
    log("info", "merge_answered", status=None, sent=False)
    numbers.heard(77, 200, 5000, 4321)
    numbers.heard(0, 401, None, None)
    numbers.waited(0.7)

    found = values((await asks(home, HERE)).text)
    assert found['signalbox_deliveries_refused_total{code="bad_signature"}'] == 1
    assert found['signalbox_log_events_total{event="delivery_accepted",level="debug"}'] == 1
    assert [found[f'signalbox_merge_answers_total{{status="{status}"}}'] for status in ("405", "none", "not_sent")] == [
        1,
        1,
        1,
    ]
    assert found['signalbox_github_requests_total{installation="77",status="200"}'] == 1
    assert found['signalbox_github_requests_total{installation="app",status="401"}'] == 1
    assert found['signalbox_github_remaining{installation="77"}'] == 4321
    assert found["signalbox_github_write_wait_seconds_count"] == 1
    assert "delivery_refused" in lines.events()
    await store.close()


async def test_commits_are_timed(tmp_path: Path) -> None:
    numbers = Numbers()
    store = engine.open(f"sqlite:///{tmp_path / 'x.db'}", SetClock(), numbers.committed)

    await asyncio.gather(*(store.run(lambda tx: tx.now()) for _ in range(3)))
    text = (await numbers.scraper(store)()).decode()
    await store.close()

    assert values(text)["signalbox_store_commit_seconds_count"] >= 1
