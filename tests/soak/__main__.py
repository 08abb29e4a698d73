"""`python -m tests.soak [--minutes 8] [--seed N]`: see the package. Ends with code 1 where something is not as it must be."""

import argparse
import asyncio
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from bot.simulator.webhooks import failed
from tests.kit import postgresql
from tests.kit.github_process import SECRET
from tests.kit.keys import app_key
from tests.kit.processes import ROOT
from tests.soak.city import City
from tests.soak.fleet import KIBIBYTES, Fleet
from tests.soak.judge import faults
from tests.soak.people import PATIENCE, Author, Told

REPLICAS = 3
#: People who work in one repository at the same time.
AUTHORS = 2
#: Seconds between two restarts, at random between these.
PAUSE = (8.0, 16.0)
#: One restart in so many is a kill.
KILLS = 3
#: Seconds without a delivery after which the bot is at rest.
QUIET = 5.0
#: Windows that are minutes elsewhere.
SETTINGS = {
    "CHECKS_SETTLE_SECONDS": "0.2",
    "MERGE_RETRY_SECONDS": "0.5",
    "MERGE_TIMEOUT_SECONDS": "5",
    "SETTLE_WINDOW_SECONDS": "10",
    "SWEEP_INTERVAL_SECONDS": "15",
    "WRITE_INTERVAL_SECONDS": "0",
}


@dataclass
class Soak:
    city: City
    fleet: Fleet
    seed: int
    minutes: float
    told: Told = field(default_factory=Told)
    memories: list[int] = field(default_factory=list)
    restarts: int = 0
    kills: int = 0

    async def runs(self) -> None:
        for number in range(REPLICAS):
            await self._arrives(number)
        until = time.monotonic() + self.minutes * 60
        authors = [Author(self.city, one, self.told) for one in self.city.repositories for _ in range(AUTHORS)]
        work = [asyncio.create_task(one.works(lambda: time.monotonic() > until)) for one in authors]
        while time.monotonic() < until:
            await self._restarts_one()
        await asyncio.gather(*work)
        await self._rests()
        await self.fleet.ends()

    async def _arrives(self, number: int) -> None:
        member = await self.fleet.starts(number)
        self.city.doors[number] = member.url

    async def _restarts_one(self) -> None:
        """In turn; whoever is stopped gets no deliveries any more, whoever is killed gets some."""
        chance = random.Random(f"{self.seed}/{self.restarts}")
        await asyncio.sleep(chance.uniform(*PAUSE))
        number, kill = self.restarts % REPLICAS, chance.randrange(KILLS) == 0
        self.memories.append(self.fleet.members[number].memory)
        if not kill:
            del self.city.doors[number]
        await self.fleet.stops(number, kill=kill)
        self.city.doors.pop(number, None)
        await self._arrives(number)
        self.restarts += 1
        self.kills += kill

    async def _rests(self) -> None:
        """What was lost on the way comes again by the bot's own sweeps, and what is written at last is told as well."""
        github, hooks = self.city.github, self.city.world.hooks
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while await self._hears_more() or not github.silent or failed(hooks):
                    continue

    async def _hears_more(self) -> bool:
        """Within a while in which the slowest write would be made."""
        self.city.github.attempted.clear()
        try:
            await asyncio.wait_for(self.city.github.attempted.wait(), QUIET)
        except TimeoutError:
            return False
        return True

    def faults(self) -> Iterator[str]:
        yield from self.told.stuck
        yield from faults(self.city.world)
        for member in self.fleet.everybody:
            for line in member.errors:
                yield f"process {member.number} logged an error: {line}"
        yield from (f"process {number} ended with {code}" for number, code in self.fleet.exits if code)
        if not self.told.merged:
            yield "nothing was merged at all"
        if sorted(self.told.merged) != sorted(one.head for one in self.city.world.landed):
            yield "what people were told of merges is not what landed"

    def report(self) -> str:
        mib = [round(one / KIBIBYTES**2) for one in self.memories]
        waited = statistics.quantiles([seconds for seconds, _ in self.told.waited], n=100)
        slowest = "; ".join(f"{seconds:.0f} s {where}" for seconds, where in sorted(self.told.waited)[-3:])
        return (
            f"{self.minutes:g} min, {REPLICAS} processes, {self.restarts} restarts of which {self.kills} kills, "
            f"{len(self.told.merged)} changes merged, {self.told.commands} commands, "
            f"{self.told.settled} merges settled by a person, "
            f"{len(self.city.world.requests)} requests to GitHub, {len(self.city.world.hooks.log)} deliveries\n"
            f"from an act to its sight: median {waited[49]:.2f} s, 99th of 100 {waited[98]:.2f} s; the slowest: {slowest}\n"
            f"memory before each restart: {min(mib)} to {max(mib)} MiB, median {statistics.median(mib):g}"
        )


async def soak(minutes: float, seed: int, folder: Path, database: str) -> Soak:
    city = City()
    async with city.open():
        app = {"APP_ID": str(city.world.app.id), "PRIVATE_KEY": app_key(city.world), "WEBHOOK_SECRET": SECRET}
        settings = {**app, **SETTINGS, "GITHUB_API_URL": city.url, "DATABASE_URL": database}
        here = Soak(city, Fleet(folder, settings), seed, minutes)
        try:
            await here.runs()
        finally:
            for number in list(here.fleet.members):
                await here.fleet.stops(number, kill=True)
    return here


def histories(folder: Path, database: str) -> subprocess.CompletedProcess[str]:
    """Every record against its chain, by the command that an operator has."""
    return subprocess.run(
        [sys.executable, "-m", "bot", "verify-history"],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "DATABASE_URL": database, "DATA_DIR": str(folder)},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=8.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    server = postgresql.server()
    database = server.url(server.clone())
    with tempfile.TemporaryDirectory(prefix="signalbox-soak-") as name:
        folder = Path(name)
        here = asyncio.run(soak(given.minutes, given.seed, folder, database))
        looked = histories(folder, database)
    print(here.report())
    found = list(here.faults())
    if looked.returncode:
        found.append(f"verify-history: {looked.stdout[-500:]}{looked.stderr[-500:]}")
    print(f"verify-history: {looked.stdout.strip() or looked.stderr.strip()}")
    for fault in found:
        print(f"FAULT {fault}")
    print("soak: nothing is wrong" if not found else f"soak: {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
