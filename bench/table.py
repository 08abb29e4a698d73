"""What was measured, as Markdown."""

import os
import platform
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from bench.rounds import Goal, Report

_PLACE = re.compile(r"(?s)<!-- measured: (\w+) -->\n.*?<!-- end: \1 -->")


def written(report: Report) -> list[str]:
    lines = [f"### {report.title}", "", *_table(report.heads, report.rows), ""]
    if report.goals:
        rows = [_goal(goal, judged=report.judged) for goal in report.goals]
        lines += [*_table(("goal", "bound", "measured", "met"), rows), ""]
    return [*lines, *(f"- {note}" for note in report.notes)]


def machine() -> str:
    """What one needs to judge a number, and nothing that tells one machine from another."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{os.cpu_count()} cores of {_processor()}, {memory:.0f} GiB, {platform.system()}, Python {platform.python_version()}, "
        f"SQLite {sqlite3.sqlite_version}"
    )


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()


def write(page: Path, reports: Sequence[Report], command: str) -> None:
    """Each part in its own place on the page; parts that were not measured stay."""
    fresh = {report.title.lower(): report for report in reports}

    def anew(place: re.Match[str]) -> str:
        name = place.group(1)
        if name not in fresh:
            return place.group(0)
        told = f"Measured on {datetime.now(UTC):%Y-%m-%d} by `{command.strip()}` ({machine()})."
        return "\n".join([f"<!-- measured: {name} -->", told, "", *written(fresh[name])[2:], f"<!-- end: {name} -->"])

    page.write_text(_PLACE.sub(anew, page.read_text(encoding="utf-8")), encoding="utf-8")


def _goal(goal: Goal, *, judged: bool) -> Sequence[str]:
    bound = f"{'≥' if goal.at_least else '≤'} {goal.bound:g}"
    met = "yes" if goal.met else "**no**"
    return goal.what, bound, str(goal.ratio), met if judged else "not told"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
