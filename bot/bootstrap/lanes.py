"""The work that goes on beside answering requests, as named endless coroutines."""

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # `bot.bootstrap.bot` imports this module
    from bot.bootstrap.bot import Parts


@dataclass(frozen=True, slots=True)
class Lane:
    """`run()` goes on until it is cancelled. An exception that escapes it ends the process."""

    name: str
    run: Callable[[], Coroutine[Any, Any, None]]


def lanes(_parts: "Parts") -> Sequence[Lane]:
    """All lanes of this process; none in set-up mode."""
    return ()
