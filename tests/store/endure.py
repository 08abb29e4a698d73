"""Run as a process of its own and killed by a test: stores numbered deliveries and says so, one line each."""

import asyncio
import sys
from collections.abc import Callable
from itertools import count

from bot.bootstrap.database import open_store
from bot.ports.store import Tx
from tests.store.kit import KEY, delivery, received, row


def replaced(version: int) -> Callable[[Tx], None]:
    return lambda tx: tx.records.replace(KEY, version, [row(version + 1)])


async def main(url: str) -> None:
    store = open_store(url)
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
