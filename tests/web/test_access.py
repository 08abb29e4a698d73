"""Deny by default: a crawl of every route without credentials, and with wrong ones."""

import base64
import re

import httpx
import pytest

from bot.app.browse import Browser
from bot.app.tokens import NameTaken, TokenOrder, digest_of
from bot.domain.model.policy import STRICT
from bot.ports.rows import TokenRow
from bot.settings import AppCredentials, Settings
from bot.store import engine
from bot.store.inline import InlineStore
from bot.web.access import Entry
from bot.web.api import Api
from bot.web.health import Health
from bot.web.metrics import Metrics
from bot.web.pages.routes import Pages
from tests.web.kit import HOOK, House, SetClock, house, record

pytestmark = pytest.mark.anyio
#: The table is the same whatever it is answered from.
READ = InlineStore(":memory:", SetClock()).read


async def no_numbers() -> bytes:
    return b""


TABLE: tuple[Entry, ...] = (
    *Health(()).entries(),
    *Metrics(no_numbers, "text/plain").entries(),
    *Api(Browser(READ, lambda _tx, _record: STRICT)).entries(),
    *Pages(READ, lambda _tx, _record: STRICT, "https://github.com").entries(),
)


def filled(path: str) -> str:
    named = path.replace("{owner}", "octo").replace("{repo}", "app").replace("{name}", "signalbox.css")
    return re.sub(r"\{number[^}]*\}", "12", named)


@pytest.mark.parametrize("entry", TABLE, ids=lambda entry: entry.path)
async def test_without_credentials_only_public_routes_answer(home: House, entry: Entry) -> None:
    """threats.md, T14."""
    await home.has(record())

    answer = await home.get(filled(entry.path))

    assert answer.status_code == (200 if entry.audience == "public" else 401)
    if entry.audience != "public":
        assert answer.headers["www-authenticate"] == "Bearer"
        assert answer.json()["error"]["code"] == "not_authenticated"
    assert "octo" not in answer.text
    assert "Work" not in answer.text


async def test_the_only_public_routes_are_the_two_of_health_and_what_pages_are_dressed_with() -> None:
    assert [entry.path for entry in TABLE if entry.audience == "public"] == ["/healthz", "/readyz", "/static/{name}"]


@pytest.mark.parametrize(
    "path", ["/lifecycles", "/docs", "/api/v1", "/api/v1/tokens", "/healthz/", "/metrics/", "/.env", "/%00"]
)
async def test_an_unknown_address_is_not_found_in_the_shape_of_errors(home: House, path: str) -> None:
    answer = await home.get(path, await home.token())

    assert answer.status_code == 404
    assert answer.json() == {"error": {"code": "not_found", "message": "There is nothing here.", "details": {}}}


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
async def test_what_is_only_read_takes_no_other_method(home: House, method: str) -> None:
    answer = await home.http.request(method, "/api/v1/lifecycles")

    assert (answer.status_code, answer.json()["error"]["code"]) == (405, "method_not_allowed")


@pytest.mark.parametrize(
    "authorization",
    ["", "Bearer", "Bearer ", "Bearer sbx_short", "Bearer sbx_" + "a" * 43, "Basic c2J4OnNieA==", "sbx_" + "a" * 43],
)
async def test_a_wrong_credential_is_as_good_as_none(home: House, authorization: str) -> None:
    await home.token()

    answer = await home.http.get("/api/v1/lifecycles", headers={"authorization": authorization})

    assert answer.status_code == 401


async def test_a_token_works_whatever_the_case_of_bearer(home: House) -> None:
    token = await home.token()

    answer = await home.http.get("/api/v1/lifecycles", headers={"authorization": f"bearer {token}"})

    assert answer.status_code == 200


async def test_a_token_never_opens_the_webhook(home: House) -> None:
    token = await home.token()

    answer = await home.http.post(HOOK, content=b"{}", headers={"authorization": f"Bearer {token}"})

    assert answer.status_code == 401


async def test_only_the_hash_of_a_token_is_stored(settings: Settings, credentials: AppCredentials) -> None:
    made = house(settings, engine.open(settings.database, SetClock()), credentials)
    token = await made.token()

    found = await made.store.read(lambda tx: tx.tokens.by_digest(digest_of(token)))
    await made.store.close()

    assert isinstance(found, TokenRow)
    assert token.startswith("sbx_")
    assert len(token) == len("sbx_") + 43
    assert token.encode() not in (settings.data_dir / "signalbox.db").read_bytes()


async def test_two_tokens_never_have_the_same_name_until_one_is_revoked(home: House) -> None:
    order = TokenOrder(name="forge-1", role="builder")
    await home.tokens.create(order)

    assert await home.tokens.create(order) == NameTaken("forge-1")
    assert await home.tokens.revoke("forge-1")
    assert not await home.tokens.revoke("forge-1")
    assert not isinstance(await home.tokens.create(order), NameTaken)


async def test_our_own_fault_is_logged_and_answered_without_a_trace(home: House) -> None:
    token = await home.token()
    await home.store.close()

    answer = await home.get("/api/v1/lifecycles", token)

    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal")
    assert "Traceback" not in answer.text
    assert "request_failed" in home.log.events()


async def test_a_database_that_does_not_answer_is_said(settings: Settings, credentials: AppCredentials) -> None:
    broken = house(settings, engine.open(settings.database, SetClock()), credentials)
    for file in settings.data_dir.glob("signalbox.db*"):
        file.unlink()

    answers = [await broken.get("/readyz"), await broken.get("/api/v1/lifecycles", "sbx_" + "a" * 43)]
    await broken.store.close()

    assert [answer.status_code for answer in answers] == [503, 503]
    assert answers[0].json()["error"]["details"]["reasons"] == ["The database does not answer."]
    assert answers[1].json()["error"]["code"] == "store_unavailable"
    assert str(settings.data_dir) not in answers[0].text + answers[1].text


def numbers() -> list[str]:
    """Too long for Python, for a database, for an issue; and what looks like digits."""
    return ["9" * 5000, "9" * 41, "9" * 19, "9" * 10, "0", "-1", "%C2%B2", "%D9%A3"]


async def test_no_number_that_a_stranger_sends_makes_a_fault_of_the_server(home: House) -> None:
    served = httpx.ASGITransport(home.bot.asgi, raise_app_exceptions=False)
    home.http = httpx.AsyncClient(transport=served, base_url="http://signalbox.test")
    for number in numbers():
        for path in {re.sub(r"\{\w+[^}]*\}", number, entry.path) for entry in TABLE}:
            answer = await home.http.get(path, headers={"host": f"here:{number}", "content-length": number})
            assert answer.status_code < 500, (path[:80], answer.text)
        sent = dict.fromkeys(("content_length", "x_github_delivery", "x_github_hook_installation_target_id"), number)
        for name in sent:
            assert (await home.deliver(**{name: number})).status_code < 500, (name, number[:80])
    assert "error" not in {line["level"] for line in home.log.kept}


@pytest.mark.parametrize("name", ["cursor", "before", "q", "show", "view", "phase", "repository"])
async def test_no_number_that_a_caller_sends_makes_a_fault_of_the_server(home: House, name: str) -> None:
    await home.has(record())
    token = await home.token()
    spelled = [base64.urlsafe_b64encode(b".".join([b"9" * 5000] * n)).decode() for n in (1, 2, 4)]
    spelled += [base64.urlsafe_b64encode(b".".join([b"9" * 30] * n)).decode() for n in (1, 2, 4)]
    for number in [*numbers(), "%23" + "9" * 5000, "%23%C2%B2", *spelled]:
        for path in {filled(entry.path) for entry in TABLE if entry.audience in ("token", "reader")}:
            answer = await home.get(f"{path}?{name}={number}", token)
            assert answer.status_code < 500, (path, name, number[:80], answer.text)
    assert "error" not in {line["level"] for line in home.log.kept}
