"""The local admin socket: a Unix socket in DATA_DIR that only its owner may open. JSON lines, one answer per request.

Whoever may connect may do everything, as whoever may write the database file could.
"""

import asyncio
import json
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any

from bot.app.admin import SOCKET_NAME, AdminDesk
from bot.app.requests import refused
from bot.ports.store import CommitUnknown, StoreUnavailable
from bot.socket_path import reachable
from bot.web.answers import as_json

MAX_LINE = 64 * 1024


class AdminSocket:
    def __init__(self, directory: Path, desk: AdminDesk) -> None:
        self._path = directory / SOCKET_NAME
        self._desk = desk
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """The caller holds the store's lock, or has asked who is here, so a socket that lies here is a dead server's."""
        self._path.unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        with reachable(self._path) as address:
            listener.bind(address)
        # Nobody can connect before it listens, so there is no moment at which others could.
        self._path.chmod(0o600)
        self._server = await asyncio.start_unix_server(self._serve, sock=listener, limit=MAX_LINE)

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
            self._path.unlink(missing_ok=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            # A caller that goes away has its answer in the database: there is nothing left to tell it.
            with suppress(ConnectionError):
                while answer := await self._answer(reader):
                    writer.write(as_json(answer) + b"\n")
                    await writer.drain()
        finally:  # also after a fault of ours: whoever waits for an answer hears that there is none
            writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()

    async def _answer(self, reader: asyncio.StreamReader) -> dict[str, Any] | None:
        """None at the end of the conversation."""
        try:
            line = await reader.readline()
        except ValueError:
            return refused("bad_argument", "The request is too long.")
        if not line:
            return None
        try:
            return await self._desk.answer(json.loads(line))
        except (ValueError, RecursionError):
            return refused("bad_argument", "The request is not JSON.")
        except (StoreUnavailable, CommitUnknown):
            return refused("store_unavailable", "The database does not answer. Nothing may have been changed.")
