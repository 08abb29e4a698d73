"""Changes through the running server's admin socket."""

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from bot.app.admin import SOCKET_NAME
from bot.cli.operations import Refused
from bot.socket_path import reachable

#: A request that reads GitHub may wait for it several times.
SECONDS = 120.0
#: A list of everything that was left may be long.
LONGEST_ANSWER = 64 * 1024 * 1024


class AdminConnection:
    """One conversation. `actor` is who types, as `host:user`."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, actor: str) -> None:
        self._reader = reader
        self._writer = writer
        self._actor = actor

    async def ask(self, op: str, args: dict[str, Any]) -> dict[str, Any]:
        """Raises Refused when the server is gone before it has answered."""
        request = {"op": op, "args": args, "actor": self._actor}
        self._writer.write(json.dumps(request).encode() + b"\n")
        try:
            async with asyncio.timeout(SECONDS):
                await self._writer.drain()
                line = await self._reader.readline()
        except (TimeoutError, ConnectionError):
            line = b""
        if not line:
            raise Refused("The server went away before it answered. Look before you repeat this.")
        answer: dict[str, Any] = json.loads(line)
        return answer

    async def close(self) -> None:
        self._writer.close()
        with suppress(ConnectionError):
            await self._writer.wait_closed()


async def connect(directory: Path, actor: str) -> AdminConnection | None:
    """None when no server listens in this DATA_DIR: the socket is missing, or was left by a server that died."""
    try:
        with reachable(directory / SOCKET_NAME) as address:
            reader, writer = await asyncio.open_unix_connection(address, limit=LONGEST_ANSWER)
    except (FileNotFoundError, ConnectionRefusedError):
        return None
    return AdminConnection(reader, writer, actor)
