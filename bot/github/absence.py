"""What a 404 proves. GitHub gives it for what is not there, for what this App may not see, and in between for what is there all
the same; so one such answer proves nothing (docs/decisions/nothing-there.md).

Gone is raised, and "not there" answered, only by what agrees: a second reading after a pause, and nothing else that GitHub says
against it. What contradicts it makes it Unreachable: not known yet.
"""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from bot.github.api import Api
from bot.github.failures import Elsewhere
from bot.github.reply import Reply
from bot.github.shapes import Id, Part
from bot.ports.failures import Gone, Unreachable

T = TypeVar("T")
#: Seconds before it is asked once more.
PAUSE = 1.0


class _Thread(Part):
    number: Id
    pull_request: dict[str, object] | None = None


async def surely(api: Api, read: Callable[[], Awaitable[T]]) -> T:
    """What is read. Raises Gone after a second reading that agrees."""
    try:
        return await read()
    except Elsewhere:
        raise
    except Gone:
        await api.gateway.sleep(PAUSE)
        return await read()


async def thread_is_gone(api: Api, number: int, *, as_pull: bool = False) -> Reply:
    """Of an issue or a pull request, of which GitHub said so elsewhere: every pull request is an issue too. `as_pull`: an issue
    that is none is no pull request. Raises Unreachable where it is there, and Gone where the repository is gone."""
    seen = await api.still_there()
    try:
        reply = await surely(api, lambda: api.get(f"/issues/{number}"))
    except Gone:
        return seen
    thread = reply.read(_Thread)
    if thread.number != number or (as_pull and thread.pull_request is None):
        return seen
    raise Unreachable(f"#{number}: GitHub says 404 of it, and shows it elsewhere")


async def of_thread(api: Api, number: int, missing: Gone) -> Gone:
    """What belongs to a thread is gone with it. Raises Unreachable where the thread is there."""
    await thread_is_gone(api, number)
    return missing


async def of_repository(api: Api, missing: Gone) -> Gone:
    """A list of the repository is gone with it, which raises Gone by itself. Raises Unreachable where the repository is there."""
    await api.still_there()
    raise Unreachable(f"{missing.detail}, and the repository is there") from missing
