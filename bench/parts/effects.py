"""From a comment that asks something to the answer on GitHub: effects a second, and how much of GitHub each takes.

Ours stores the delivery, reads who asks, decides, stores, and writes a reply and a reaction, each marked as sent before it
leaves. Probot posts a comment for each delivery and stores nothing; its throttle, which spaces comments by three seconds, is off.
"""

import asyncio
import json
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from bench.contenders import OURS, PROBOT, contenders
from bench.install import install
from bench.moves import stored
from bench.payloads import questions
from bench.recording import empty
from bench.rounds import Figures, Goal, Report, alternate, middle, ratio
from bench.servers import LOAD_CORE, ROOT, Contender, Delivery, post, running
from bot.bootstrap.runtime import SystemClock
from bot.store.sqlite import SqliteStore
from tests.kit.records import a_record

#: Installations with a repository and an open record each: of one installation, effects go out one after the other.
PLACES = 16
AT_ONCE = 16
PATIENCE = 120.0
#: What is for GitHub's limits is off, and as many are worked on at once as come at once: the other bot has no such limits.
UNPACED = {"WRITE_INTERVAL_SECONDS": "0", "WORKERS": str(AT_ONCE)}
#: Deliveries for each second of a measurement, about what each does in it.
DELIVERIES = {OURS: 60, PROBOT: 400}


def run(rounds: int, seconds: float, tell: Callable[[str], None]) -> Report:
    install(("probot",))
    everyone = contenders()
    measured = {
        name: partial(_measured, everyone[name], questions(max(1, int(seconds * each)), PLACES))
        for name, each in DELIVERIES.items()
    }
    runs = alternate(measured, rounds, tell)
    rows = [
        (name, *(f"{middle(runs, name, figure):,.0f}" for figure in ("effects", "answers", "work", "resident")))
        for name in measured
    ]
    goals = [Goal("effects ÷ probot without throttle", ratio(runs, OURS, PROBOT, "effects"), 0.8)]
    notes = [
        f"{PLACES} installations, {AT_ONCE} deliveries at once; of ours {AT_ONCE} workers, and no distance between writes.",
        f"answered deliveries ÷ probot: {ratio(runs, OURS, PROBOT, 'answers')}",
    ]
    return Report(
        "Effects",
        ("bot", "effects per s", "deliveries answered per s", "µs of a processor for an effect", "MiB after"),
        rows,
        goals,
        notes,
    )


def _measured(one: Contender, given: Sequence[Delivery]) -> Figures:
    """`answers`: deliveries for which everything was written."""
    command = (sys.executable, "-m", "bench.github")
    fake = Contender("GitHub", command, "/_seen", {"PYTHONPATH": str(ROOT)}, core=LOAD_CORE)
    with running(fake) as github:
        url = {"GITHUB_API_URL": f"http://127.0.0.1:{github.port}", "COMMENTS": "yes", **UNPACED}
        prepare = fill if one.name == OURS else one.prepare
        with running(replace(one, environment={**one.environment, **url}, prepare=prepare), given[0]) as bot:
            wanted = len(given) * (2 if one.name == OURS else 1)
            _until(github.port, 1)
            before, began, worked = seen(github.port), time.monotonic(), bot.worked
            with ThreadPoolExecutor(AT_ONCE) as posting:
                list(posting.map(partial(_post, bot.port, one.path), given[1:], range(1, len(given))))
            after = _until(github.port, wanted)
            written = after["effects"] - before["effects"]
            took = after["last"] - began
            return {
                "effects": written / took,
                "answers": (len(given) - 1) / took,
                "work": (bot.worked - worked) / written * 1e6,
                "resident": bot.resident,
            }


def _post(port: int, path: str, delivery: Delivery, number: int) -> None:
    if not 200 <= post(port, path, delivery, f"question-{number}") < 300:
        raise RuntimeError("a delivery was not taken")


def seen(port: int) -> dict[str, Any]:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/_seen")
        said: dict[str, Any] = json.loads(connection.getresponse().read())
    finally:
        connection.close()
    return said | {"effects": said["comments"] + said["reactions"]}


def _until(port: int, effects: int) -> dict[str, Any]:
    """What was seen once so many effects were."""
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        found = seen(port)
        if found["effects"] >= effects:
            return found
        time.sleep(0.02)  # noqa: TID251 - nothing tells when another process has written
    raise TimeoutError(f"{seen(port)['effects']} of {effects} effects were written within {PATIENCE:.0f} s")


def fill(folder: Path) -> None:
    """A record in planning in each repository, with everything shown that is to be shown."""
    path = folder / "signalbox.db"
    empty(path)

    async def work() -> None:
        store = SqliteStore(str(path), SystemClock())
        for place in range(1, PLACES + 1):
            record = a_record(repository=f"octo/app{place}", repository_id=place, installation_id=place, issue=1)
            await store.run(stored(record))
        await store.close()

    asyncio.run(work())
