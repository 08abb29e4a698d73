"""A start while the database does not answer: the address is there, nothing is accepted, and it is asked again."""

import asyncio
import signal
import socket
from collections.abc import Callable
from functools import partial

from bot.bootstrap.database import OpenStore
from bot.bootstrap.serving import Server, config
from bot.cli.operations import Down
from bot.ports.runtime import Log
from bot.web.awaiting import NoDatabase

#: Seconds until it is asked again, and between two lines about it in the log.
AGAIN, TOLD = 1.0, 60.0


async def opened(open_: Callable[[], OpenStore], listener: socket.socket, log: Log) -> OpenStore | None:
    """What `open_` gives as soon as it raises Down no more. None: the process was told to end before that."""
    try:
        return await asyncio.to_thread(open_)
    except Down as down:
        why = str(down)
    server = Server(config(NoDatabase()))
    answering = asyncio.create_task(server.serve(sockets=[listener.dup()]))
    await asyncio.sleep(0)  # from here on it hears signals
    told = partial(log, "warning", "database_awaited", host=listener.getsockname()[0], port=listener.getsockname()[1])
    try:
        found = await _asked_again(open_, answering, why, told)
        if found is not None and server.should_exit:
            await found.close()
            found = None
    finally:
        server.end()
        await answering
        for number in (signal.SIGINT, signal.SIGTERM):  # until the next server takes them, they end at once
            asyncio.get_running_loop().remove_signal_handler(number)
    if found is not None:
        log("info", "database_reached")
    return found


async def _asked_again(
    open_: Callable[[], OpenStore], answering: "asyncio.Task[None]", why: str, tell: Callable[..., None]
) -> OpenStore | None:
    clock = asyncio.get_running_loop().time
    told = float("-inf")
    while True:
        if clock() - told >= TOLD:
            told = clock()
            tell(msg=f"{why} Until it does, GitHub gets 503 and nothing is lost. Trying again.")
        done, _ = await asyncio.wait({answering}, timeout=AGAIN)
        if done:
            return None
        try:
            return await asyncio.to_thread(open_)
        except Down as down:
            why = str(down)
