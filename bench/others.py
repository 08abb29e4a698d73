"""What else the machine did while something was measured: of a busy one no number says much, whoever is ahead."""

import os
import resource
import time
from pathlib import Path

#: Of all cores, so much may be others' before it is told.
QUIET = 0.05


class Others:
    """Counts from when it is made. Children count as ours once they are waited for, as every server of the bench is."""

    def __init__(self) -> None:
        self._began, self._busy, self._ours = time.perf_counter(), _busy(), _ours()

    @property
    def share(self) -> float:
        """Of all cores, 0 to 1."""
        all_of_it = (time.perf_counter() - self._began) * (os.cpu_count() or 1)
        others = (_busy() - self._busy) - (_ours() - self._ours)
        return min(1.0, max(0.0, others / all_of_it))  # both are counted in ticks


def told(share: float) -> list[str]:
    return (
        []
        if share <= QUIET
        else [f"**Other work had {share:.0%} of the cores meanwhile: measure again when it is quiet.**"]
    )


def _busy() -> float:
    """Seconds of all cores that were not idle, since the machine started."""
    user, nice, system, _idle, _waiting, interrupts, soft, stolen = map(
        int, Path("/proc/stat").read_text(encoding="utf-8").split("\n", 1)[0].split()[1:9]
    )
    return (user + nice + system + interrupts + soft + stolen) / os.sysconf("SC_CLK_TCK")


def _ours() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)
