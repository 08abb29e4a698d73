"""FORWARDED_ALLOW_IPS: whose word about the caller is believed."""

import httpx
import pytest

from bot.bootstrap.serving import config
from tests.web.kit import HOOK, House

pytestmark = pytest.mark.anyio
PROXY = ("10.0.0.7", 5555)


async def peer_seen(home: House, proxies: str | None, peer: tuple[str, int] = PROXY) -> object:
    """The caller's address as the log tells it of a delivery that nobody signed."""
    served = config(home.bot.asgi, proxies)
    served.load()
    transport = httpx.ASGITransport(served.loaded_app, client=peer)
    async with httpx.AsyncClient(transport=transport, base_url="http://signalbox.test") as client:
        headers = {"x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https"}
        assert (await client.post(HOOK, content=b"{}", headers=headers)).status_code == 401
    (line,) = [line for line in home.log.kept if line["event"] == "delivery_refused"]
    assert (line["level"], line["code"]) == ("info", "bad_signature")
    return line["peer"]


async def test_without_the_setting_nobody_is_believed(home: House) -> None:
    assert await peer_seen(home, None) == "10.0.0.7"


@pytest.mark.parametrize("proxies", ["10.0.0.7", "10.0.0.0/8", "*"])
async def test_a_proxy_that_is_named_is_believed(home: House, proxies: str) -> None:
    assert await peer_seen(home, proxies) == "203.0.113.9"


async def test_somebody_else_is_not(home: House) -> None:
    assert await peer_seen(home, "10.0.0.7", ("198.51.100.1", 5555)) == "198.51.100.1"


async def test_a_caller_whom_a_proxy_calls_local_is_not_local(home: House) -> None:
    served = config(home.bot.asgi, "*")
    served.load()
    transport = httpx.ASGITransport(served.loaded_app, client=PROXY)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost:3000") as client:
        answer = await client.get("/metrics", headers={"x-forwarded-for": "127.0.0.1"})

    assert answer.status_code == 401
