"""Who is asked whether there is something to do, and who need not be asked again."""

from collections.abc import Awaitable, Callable

from bot.store.inline import InlineStore


class Idle:
    """The parts of a bot that had nothing to do at this moment. They have none until some part does something, or writes, or
    there is `news`: a delivery, another time."""

    def __init__(self, store: InlineStore) -> None:
        self._store = store
        self._parts: set[str] = set()

    async def step(self, name: str, step: Callable[[], Awaitable[bool]]) -> bool:
        """Whether the part did something. Not asked where it is idle."""
        if name in self._parts:
            return False
        before = self._store.changes
        moved = await step()
        if moved or self._store.changes != before:
            self._parts.clear()
        else:
            self._parts.add(name)
        return moved

    def news(self) -> None:
        self._parts.clear()
