"""Run as a process of its own and killed by a test: stores numbered deliveries and says so, one line each."""

import asyncio
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from time import monotonic

from bot.ports.store import Tx
from bot.store import engine
from tests.store.kit import KEY, delivery, received, row


class WallClock:
    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return monotonic()


def replaced(version: int) -> Callable[[Tx], None]:
    return lambda tx: tx.records.replace(KEY, version, [row(version + 1)])


async def main(url: str) -> None:
    store = engine.open(url, WallClock())
    numbers = count()

    async def intake() -> None:
        for number in numbers:
            await store.run(received(delivery(f"g{number}", body=b"x" * 5000)), first=True)
            print(f"g{number}", flush=True)

    async def versions() -> None:
        for version in count():
            await store.run(replaced(version))
            print(f"v{version + 1}", flush=True)

    await asyncio.gather(versions(), *(intake() for _ in range(8)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
