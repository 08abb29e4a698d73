"""The local admin socket: who may open it, what it answers, and that nonsense does not hurt it."""

import asyncio
import json
import stat
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.app.admin import AdminDesk
from bot.cli.admin_client import connect
from bot.cli.operations import Refused
from bot.socket_path import reachable
from bot.web.admin_socket import MAX_LINE, AdminSocket
from tests.web.kit import House

pytestmark = pytest.mark.anyio
ORDER: dict[str, Any] = {"name": "forge-1", "role": "builder", "repositories": ["octo/app"], "lifetime": "P30D"}


@pytest.fixture(params=["short", "d" * 120])
def deep_or_not(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The second one has a path that does not fit a socket's address."""
    path: Path = tmp_path / request.param
    path.mkdir()
    return path


@pytest.fixture
async def directory(deep_or_not: Path, home: House) -> AsyncIterator[Path]:
    """A DATA_DIR with a live socket."""
    admin = AdminSocket(deep_or_not, AdminDesk(home.tokens, home.log))
    await admin.start()
    yield deep_or_not
    await admin.stop()


async def ask(directory: Path, op: str, args: dict[str, Any]) -> dict[str, Any]:
    connection = await connect(directory, "host:ada")
    assert connection is not None
    answer = await connection.ask(op, args)
    await connection.close()
    return answer


async def say(directory: Path, *lines: bytes) -> list[Any]:
    with reachable(directory / "admin.sock") as address:
        reader, writer = await asyncio.open_unix_connection(address)
    writer.write(b"".join(lines))
    writer.write_eof()
    answers = (await reader.read()).splitlines()
    writer.close()
    await writer.wait_closed()
    return [json.loads(answer) for answer in answers]


async def test_only_its_owner_may_open_it(directory: Path) -> None:
    assert stat.S_IMODE((directory / "admin.sock").stat().st_mode) == 0o600


async def test_a_token_is_made_listed_and_revoked_through_it(directory: Path, home: House) -> None:
    made = await ask(directory, "token.create", ORDER)
    again = await ask(directory, "token.create", ORDER)
    listed = await ask(directory, "token.list", {})
    revoked = await ask(directory, "token.revoke", {"name": "forge-1"})
    nothing = await ask(directory, "token.revoke", {"name": "forge-1"})

    assert sorted(made["result"]) == ["expires_at", "id", "name", "role", "token"]
    assert again["error"]["code"] == "already_recorded"
    assert [(row["name"], row["repositories"]) for row in listed["result"]] == [("forge-1", ["octo/app"])]
    assert (revoked["result"], nothing["error"]["code"]) == ({"name": "forge-1"}, "nothing_to_revoke")
    assert home.log.events() == ["token_created", "token_revoked"]
    assert home.log.kept[0]["actor"] == "host:ada"
    assert made["result"]["token"] not in str(home.log.kept)


@pytest.mark.parametrize(
    "line",
    [
        b"{\n",
        b"[]\n",
        b"[" * 50_000 + b"\n",
        b"\xff\n",
        b'{"op":"shutdown"}\n',
        b'{"op":"token.create","args":{"name":"x"},"actor":"a"}\n',
        b'{"op":"token.create","args":{"name":"x","role":"operator"},"actor":"a"}\n',
        b'{"op":"token.revoke","args":{},"actor":"a"}\n',
        b"x" * (MAX_LINE + 2) + b"\n",
    ],
)
async def test_nonsense_is_refused_and_the_socket_goes_on(directory: Path, line: bytes) -> None:
    answers = await say(directory, line)

    assert answers[0]["error"]["code"] == "bad_argument"
    assert (await ask(directory, "token.list", {})) == {"result": []}


async def test_a_socket_that_a_dead_server_left_is_nobody(tmp_path: Path) -> None:
    left = AdminSocket(tmp_path, AdminDesk(None, lambda *_a, **_k: None))  # type: ignore[arg-type]  # unused
    await left.start()
    assert left._server is not None
    left._server.close()

    assert await connect(tmp_path, "host:ada") is None
    assert await connect(tmp_path / "nowhere", "host:ada") is None


async def test_a_server_that_goes_away_before_it_answers_is_said(tmp_path: Path) -> None:
    async def hang_up(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_unix_server(hang_up, tmp_path / "admin.sock")
    connection = await connect(tmp_path, "host:ada")
    assert connection is not None

    with pytest.raises(Refused, match="went away"):
        await connection.ask("token.list", {})
    await connection.close()
    server.close()


async def test_a_long_answer_arrives_whole(tmp_path: Path, home: House) -> None:
    long = "x" * (1024 * 1024)

    async def tells(_args: Any, _actor: str) -> dict[str, Any]:
        return {"result": long}

    admin = AdminSocket(tmp_path, AdminDesk(home.tokens, home.log, {"long.look": tells}))
    await admin.start()

    assert await ask(tmp_path, "long.look", {}) == {"result": long}
    await admin.stop()


async def test_after_a_fault_of_the_server_nobody_waits_for_an_answer(tmp_path: Path, home: House) -> None:
    async def breaks(_args: Any, _actor: str) -> dict[str, Any]:
        raise RuntimeError("a bug")

    faults: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: faults.append(str(context["exception"])))
    admin = AdminSocket(tmp_path, AdminDesk(home.tokens, home.log, {"breaks.look": breaks}))
    await admin.start()

    connection = await connect(tmp_path, "host:ada")
    assert connection is not None

    with pytest.raises(Refused, match="went away"):
        await connection.ask("breaks.look", {})
    await connection.close()
    assert faults == ["a bug"]
    await admin.stop()


async def test_whoever_asks_says_who_it_is(directory: Path) -> None:
    (answer,) = await say(directory, b'{"op":"token.list","args":{},"actor":"somebody"}\n')

    assert answer["error"]["code"] == "bad_argument"
