"""From the start of the process to the first signed delivery that is answered, and to a server that is ready with much to do."""

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from bench.contenders import FASTAPI, GIDGETHUB, OURS, PROBOT, contenders
from bench.install import install
from bench.parts.scale import fill
from bench.payloads import deliveries
from bench.rounds import Figures, Goal, Ratio, Report, Runs, alternate, middle, ratio
from bench.servers import Contender, Delivery, running

OPEN = 10_000
#: Seconds within which a restart with so many open records has to be ready.
READY = 30.0


def run(rounds: int, _seconds: float, tell: Callable[[str], None]) -> Report:
    install()
    first = deliveries()[0]
    everyone = {name: one for name, one in contenders().items() if name in {OURS, PROBOT, GIDGETHUB, FASTAPI}}
    full = f"{OURS}, {OPEN:,} open records"
    with tempfile.TemporaryDirectory() as place:
        filled = Path(place) / "signalbox.db"
        fill(filled, OPEN)
        everyone[full] = replace(everyone[OURS], name=full, prepare=lambda folder: _lay(filled, folder))
        runs = alternate({name: _measured(one, first) for name, one in everyone.items()}, rounds, tell)
    rows = [
        (
            name,
            *(f"{middle(runs, name, figure):.2f}" for figure in ("first", "worked")),
            f"{middle(runs, name, 'resident'):.0f}",
        )
        for name in everyone
    ]
    goals = [
        Goal("first answer ÷ probot", ratio(runs, OURS, PROBOT, "first"), 0.6, at_least=False),
        Goal("memory ÷ probot", ratio(runs, OURS, PROBOT, "resident"), 0.9, at_least=False),
    ]
    goals.append(
        Goal(
            f"seconds until a restart with {OPEN:,} open records answers",
            _first_answers(runs, full),
            READY,
            at_least=False,
        )
    )
    return Report("Startup", ("server", "first answer s", "of a processor s", "MiB then"), rows, goals)


def _first_answers(runs: Runs, name: str) -> Ratio:
    return Ratio.of([each["first"] for each in runs[name]])


def _lay(filled: Path, folder: Path) -> None:
    shutil.copy(filled, folder / filled.name)


def _measured(one: Contender, first: Delivery) -> Callable[[], Figures]:
    def measure() -> Figures:
        with running(one, first) as server:
            return {"first": server.first_answer, "worked": server.worked, "resident": server.resident}

    return measure
