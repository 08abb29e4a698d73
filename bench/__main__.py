"""`python -m bench [PART ...] [--rounds N] [--seconds S] [--write]`."""

import argparse
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from bench.others import Others, told
from bench.rounds import Report
from bench.table import write, written

PARTS = ("intake", "effects", "core", "scale", "startup", "api")
#: What a busy machine does not change.
COUNTED = ("api",)
PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
#: Minutes after which all of it is given up: a machine that is slower by so much measures nothing.
LIMIT = 60


def tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def main() -> int:
    """1 when a goal is not met, or cannot be told met because others had the machine."""
    asked = argparse.ArgumentParser(prog="python -m bench", description="Ratios of contenders, measured in one run.")
    asked.add_argument("parts", nargs="*", choices=[*PARTS, []], help="all without any")
    asked.add_argument("--rounds", type=int, default=5)
    asked.add_argument("--seconds", type=float, default=3.0, help="of each measurement")
    asked.add_argument("--write", action="store_true", help="write the tables into docs/performance.md")
    given = asked.parse_args()
    parts: list[str] = given.parts or list(PARTS)
    tell(f"about {minutes(parts, given.rounds, given.seconds):.0f} minutes; ends by itself after {LIMIT}")
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(LIMIT * 60)
    reports: list[Report] = []
    for name in parts:
        part: Callable[[int, float, Callable[[str], None]], Report] = import_module(f"bench.parts.{name}").run
        others = Others()
        report = part(given.rounds, given.seconds, tell)
        beside = [] if name in COUNTED else told(others.share)
        reports.append(replace(report, notes=[*report.notes, *beside], judged=not beside))
        print("\n".join(written(reports[-1])))
    if given.write:
        words = ("python -m bench", *given.parts, f"--rounds {given.rounds}", f"--seconds {given.seconds:g}")
        write(PAGE, reports, " ".join(words))
    return 0 if all(report.judged and goal.met for report in reports for goal in report.goals) else 1


def minutes(parts: list[str], rounds: int, seconds: float) -> float:
    """Measured on two cores that had nothing else to do: what begins once, and what each round takes."""
    takes = {
        "intake": (30, 8 * (3 * seconds + 2)),
        "effects": (5, 3 * seconds + 10),
        "core": (5, 4 * seconds + 1),
        "scale": (500, 2 * seconds),
        "startup": (5, 8),
        "api": (5, 0),
    }
    return sum(once + rounds * each for once, each in (takes[part] for part in parts)) / 60


def _too_long(_number: int, _frame: object) -> NoReturn:
    raise TimeoutError(f"not done after {LIMIT} minutes")


if __name__ == "__main__":
    sys.exit(main())
