"""Whoever starts a server and sees nothing happen is told whether GitHub answers: by its log, by /readyz and by doctor."""

import re
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from bot.app.contact import Calling
from bot.bootstrap.github import at_work
from bot.settings import AppCredentials
from tests.kit.town import Town
from tests.web.kit import SECRETS

pytestmark = pytest.mark.anyio
TOLD = ("github_unreached", "github_refused_key", "github_reached")


@pytest.fixture
def town(tmp_path: Path) -> Town:
    return Town(tmp_path)


def calling(town: Town, key: str | None = None) -> Calling:
    """As a server runs it, with GitHub in process."""
    parts = town.bot.parts
    app = AppCredentials(town.world.app.id, key or town.private_key, SECRETS)
    working = at_work(replace(parts, app=app), town.road)
    assert working is not None
    return working.calling


async def passes(town: Town, calls: Calling, minutes: int) -> None:
    for _ in range(minutes):
        town.world.clock.advance(60)
        await calls.step()


def lines(town: Town) -> list[tuple[str, str]]:
    return [(event, str(fields["msg"])) for _, event, fields in town.log.lines if event in TOLD]


async def notes(town: Town) -> list[str]:
    answer = await town.http.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (200, "ready")
    found: list[str] = answer.json().get("notes", [])
    return found


async def page(town: Town) -> str | None:
    """The line above the list, as whoever sits at the machine sees it."""
    here = httpx.AsyncClient(transport=httpx.ASGITransport(town.bot.asgi), base_url="http://localhost")
    found = re.search(r'<p class="outage">(.*?)</p>', (await here.get("/")).text)
    return found and found[1]


async def test_a_server_that_does_not_reach_github_at_its_start_says_so_at_once_and_what_to_do(town: Town) -> None:
    town.world.unreachable(times=None)

    await calling(town).step()

    assert [event for event, _ in lines(town)] == ["github_unreached"]
    [(_, said)] = lines(town)
    assert said.startswith("https://api.github.com does not answer (GET /app: ConnectError")
    assert said.endswith(
        "Work waits and nothing is lost, but without GitHub nothing is read, shown or merged. "
        "Do: check the network, a proxy on the way, and GITHUB_API_URL. signalbox doctor says more."
    )
    assert await notes(town) == [
        "GitHub does not answer since 30 Nov 2024, 09:00 UTC: work waits, and nothing is lost."
    ]
    assert await page(town) == "GitHub does not answer since 30 Nov 2024, 09:00 UTC; what you see is from then."


async def test_where_github_answers_nothing_is_said(town: Town) -> None:
    calls = calling(town)
    await calls.step()
    await passes(town, calls, 30)

    assert lines(town) == []
    assert await notes(town) == []
    assert await page(town) is None


async def test_a_silence_that_begins_later_is_told_once_then_each_ten_minutes_and_its_end_too(town: Town) -> None:
    calls = calling(town)
    await calls.step()
    town.world.unreachable(times=None)
    await passes(town, calls, 9)
    first = [event for event, _ in lines(town)]
    await passes(town, calls, 16)
    town.world.heals()
    await passes(town, calls, 5)

    assert first == ["github_unreached"]
    assert [event for event, _ in lines(town)] == [*["github_unreached"] * 3, "github_reached"]
    assert lines(town)[-1][1] == "https://api.github.com answers again. Work goes on."
    assert await notes(town) == []


async def test_a_key_that_github_does_not_take_is_not_called_silence(town: Town) -> None:
    other = rsa.generate_private_key(public_exponent=65537, key_size=2048)

    await calling(town, other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()).step()

    [(event, said)] = lines(town)
    assert event == "github_refused_key"
    assert "does not take the App's key (answer 401)" in said
    assert "Do: compare APP_ID with the App's settings page" in said
    assert await notes(town) == [
        "GitHub does not take the App's key since 30 Nov 2024, 09:00 UTC: work waits, and nothing is lost."
    ]


async def test_a_pause_that_github_asks_for_is_an_answer(town: Town) -> None:
    town.world.fails("app", 403, headers={"retry-after": "60"})

    await calling(town).step()

    assert lines(town) == []
