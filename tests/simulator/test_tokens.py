"""Signing in as the App, and what the tokens it gets are good for."""

from datetime import timedelta
from typing import Any

import httpx
import jwt
import pytest

from bot.simulator.asgi import build
from bot.simulator.keys import private_key_for
from bot.simulator.model.repositories import Repository
from bot.simulator.refusal import HttpError
from bot.simulator.world import World
from tests.simulator.conftest import START

pytestmark = pytest.mark.anyio


def _signed(world: World, key: str, **claims: Any) -> dict[str, str]:
    now = int(world.clock.now().timestamp())
    claims = {"iat": now - 60, "exp": now + 540, "iss": str(world.app.id), **claims}
    return {"Authorization": f"Bearer {jwt.encode(claims, key, 'RS256')}"}


@pytest.fixture
def bare(world: World, repo: Repository) -> tuple[httpx.AsyncClient, str]:
    """A client without a token, on the world's own clock; and the App's key."""
    key = private_key_for(world)
    transport = httpx.ASGITransport(build(world, long_tokens=True))
    return httpx.AsyncClient(transport=transport, base_url="https://api.github.com"), key


async def test_a_signed_app_gets_a_long_token_that_lives_an_hour(
    bare: tuple[httpx.AsyncClient, str], world: World
) -> None:
    http, key = bare
    address = f"/app/installations/{world.installation.id}/access_tokens"
    made = await http.post(address, headers=_signed(world, key))
    token = made.json()["token"]
    assert made.status_code == 201
    assert token.startswith("ghs_")
    assert 500 < len(token) < 560
    assert "." in token
    bearer = {"Authorization": f"token {token}"}
    assert (await http.get("/repos/octo/app", headers=bearer)).status_code == 200
    world.clock.advance(3600)
    expired = await http.get("/repos/octo/app", headers=bearer)
    assert (expired.status_code, expired.json()["message"]) == (401, "Bad credentials")


@pytest.mark.parametrize(
    ("claims", "words"),
    [
        ({"exp": int((START + timedelta(minutes=11)).timestamp())}, "too far in the future"),
        ({"exp": int((START - timedelta(minutes=1)).timestamp())}, "'Expiration time' claim ('exp') must be"),
        ({"iat": int((START + timedelta(minutes=5)).timestamp())}, "'Issued at' claim ('iat')"),
        ({"iss": "1"}, "Integration not found"),
    ],
)
async def test_a_bad_claim_is_refused_by_name(
    bare: tuple[httpx.AsyncClient, str], world: World, claims: dict[str, Any], words: str
) -> None:
    http, key = bare
    answer = await http.get("/app", headers=_signed(world, key, **claims))
    assert answer.status_code == 401
    assert words in answer.json()["message"]


async def test_another_key_does_not_sign_for_the_app(bare: tuple[httpx.AsyncClient, str], world: World) -> None:
    http, _ = bare
    stranger = private_key_for(World(START))
    answer = await http.get("/app", headers=_signed(world, stranger))
    assert (answer.status_code, answer.json()["message"]) == (401, "A JSON web token could not be decoded")


@pytest.mark.parametrize("header", ["", "Bearer ghs_unknown", "Basic abc"])
async def test_an_unknown_token_is_refused(bare: tuple[httpx.AsyncClient, str], header: str) -> None:
    http, _ = bare
    answer = await http.get("/repos/octo/app", headers={"Authorization": header})
    assert (answer.status_code, answer.json()["message"]) == (401, "Bad credentials")


async def test_a_revoked_token_is_refused(world: World, repo: Repository) -> None:
    app = build(world)
    token = app.state.tokens.mint(None, None).text
    http = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="https://api.github.com")
    app.state.tokens.revoke_all()
    answer = await http.get("/repos/octo/app", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 401


async def test_a_narrowed_token_reaches_and_may_only_what_it_names(world: World, repo: Repository) -> None:
    other = world.repository("octo/other")
    issue = world.opens_issue("ada", other, "Hello")
    app = build(world)
    token = app.state.tokens.mint(frozenset({other.id}), {"issues": "read"}).text
    bearer = {"Authorization": f"Bearer {token}"}
    http = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="https://api.github.com", headers=bearer)
    assert (await http.get("/repos/octo/app")).status_code == 404
    assert (await http.get("/repos/octo/other/issues/1")).status_code == 200
    refused = await http.post("/repos/octo/other/issues/1/comments", json={"body": "hi"})
    assert (refused.status_code, refused.json()["message"]) == (403, "Resource not accessible by integration")
    assert refused.headers["x-accepted-github-permissions"] == "issues=write"
    assert issue.comments == []


def test_a_token_cannot_be_wider_than_the_app(world: World, repo: Repository) -> None:
    tokens = build(world).state.tokens
    with pytest.raises(HttpError, match="422"):
        tokens.mint(None, {"administration": "write"})
