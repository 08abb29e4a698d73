"""`signalbox serve`: one process that listens, works, and ends in order when told to."""

import asyncio
import errno
import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import uvicorn
from starlette.types import ASGIApp

from bot.bootstrap.bot import build
from bot.bootstrap.database import called
from bot.bootstrap.lanes import Lane
from bot.bootstrap.neighbour import neighbour, written_by
from bot.bootstrap.parts import Parts
from bot.bootstrap.protocol import BoundedProtocol
from bot.cli.operations import Refused
from bot.settings import Settings

if TYPE_CHECKING:  # imported by a server that serves
    from bot.bootstrap.github import AtWork

GRACE_SECONDS = 20
KEEP_ALIVE_SECONDS = 30
BACKLOG = 2048
NO_APP = (
    "set-up mode: the webhook answers 503 and nothing is done. Set APP_ID, PRIVATE_KEY_PATH and WEBHOOK_SECRET of your "
    "GitHub App and start again; docs/operations.md says how, and signalbox doctor what is missing"
)


class Server(uvicorn.Server):
    """Ends with its own exit code instead of raising the signal again, so that what comes after it still happens."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.end)
        yield

    def end(self) -> None:
        """However often it is told: to hurry would only cut what is under way, with a trace of each."""
        self.should_exit = True


class NoAddress(Refused):
    """Why the address cannot be had, and what to do about it."""

    def __init__(self, settings: Settings, failed: OSError) -> None:
        self.taken = failed.errno == errno.EADDRINUSE
        self.other = neighbour(settings) if self.taken else None
        why = failed.strerror
        self.do = (
            "end the other program, or set PORT." if self.taken else "set HOST to an address of this machine, or PORT."
        )
        if self.other is not None:
            process = written_by(settings)
            why = f"another Signalbox{f' (process {process})' if process else ''} answers there"
            self.do = "stop that one first, or set PORT, and a DATA_DIR of its own."
        self.what = f"HOST {settings.host}, PORT {settings.port}: cannot listen there: {why}"
        super().__init__(f"{self.what}\nDo: {self.do}")


def listen(settings: Settings) -> socket.socket:
    """Raises NoAddress when somebody else has the port or the address is not ours."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=BACKLOG)
    except OSError as failed:
        raise NoAddress(settings, failed) from None


async def serve(parts: Parts, lanes: Sequence[Lane], listener: socket.socket, working: "AtWork | None" = None) -> int:
    """`working` is what the lanes step. Until a signal comes or a lane crashes; 0 or 1."""
    crashed = False

    def on_crash(name: str, error: BaseException) -> None:
        nonlocal crashed
        crashed = True
        parts.log("error", "lane_crashed", lane=name, error=error)
        server.should_exit = True

    bot = build(parts, lanes, on_crash, working)
    server = Server(config(bot.asgi, parts.settings.forwarded_allow_ips))
    host, port = listener.getsockname()[:2]
    mode = "set_up" if parts.app is None else "serving"
    parts.log("info", "server_started", host=host, port=port, mode=mode, database=called(parts.settings.database))
    if parts.app is None:
        parts.log("warning", "github_app_not_set", msg=NO_APP)
    await server.serve(sockets=[listener])
    parts.log("info", "server_stopped")
    return 1 if crashed or not server.started else 0


def config(asgi: ASGIApp, proxies: str | None = None) -> uvicorn.Config:
    """How this bot speaks HTTP. `proxies`: whose word about the caller's address and scheme is believed; None = nobody's."""
    return uvicorn.Config(
        asgi,
        http=BoundedProtocol,
        ws="none",
        lifespan="on",
        access_log=False,
        log_config=None,
        proxy_headers=proxies is not None,
        forwarded_allow_ips=proxies or "",
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop where it exists."""
    return uvicorn.Config("unused", loop="auto", log_config=None).get_loop_factory()
