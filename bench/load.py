"""Load by wrk: every request has its own delivery id, and every answer is counted."""

import json
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from bench.servers import LOAD_CORE, Delivery, Running

_runs = count(1)
_SCRIPT = """
local deliveries = {
%s
}
local n = 0
request = function()
  n = n + 1
  local one = deliveries[n %% #deliveries + 1]
  one.headers["X-GitHub-Delivery"] = string.format("bench-%s-%%d", n)
  return wrk.format("POST", "%s", one.headers, one.body)
end
done = function(summary, latency, requests)
  local e = summary.errors
  io.write(string.format('\\n{"requests":%%d,"microseconds":%%d,"p50":%%d,"p99":%%d,"failed":%%d}\\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout))
end
"""


@dataclass(frozen=True, slots=True)
class Load:
    """`answered` 2xx, and per second; milliseconds."""

    answered: int
    rate: float
    p50: float
    p99: float


def drive(server: Running, deliveries: Sequence[Delivery], connections: int, seconds: float) -> Load:
    """Raises RuntimeError when any answer was no 2xx."""
    with tempfile.TemporaryDirectory() as place:
        script = Path(place) / "script.lua"
        script.write_text(
            _SCRIPT % (",\n".join(map(_lua, deliveries)), next(_runs), server.contender.path), encoding="utf-8"
        )
        command = ["taskset", "-c", LOAD_CORE, "wrk", "-t1", f"-c{connections}", f"-d{seconds:g}s", "--timeout", "20s"]
        address = f"http://127.0.0.1:{server.port}{server.contender.path}"
        done = subprocess.run(
            [*command, "-s", str(script), address], capture_output=True, text=True, check=True, timeout=seconds + 60
        )
    said = json.loads(next(line for line in done.stdout.splitlines() if line.startswith("{")))
    if said["failed"]:
        raise RuntimeError(f"{server.contender.name}: {said['failed']} of {said['requests']} were not answered by 2xx")
    rate = said["requests"] / (said["microseconds"] / 1e6)
    return Load(said["requests"], rate, said["p50"] / 1e3, said["p99"] / 1e3)


def _lua(delivery: Delivery) -> str:
    headers = ", ".join(f'["{name}"] = "{value}"' for name, value in delivery.headers("").items())
    return f"  {{ headers = {{ {headers} }}, body = [=====[{delivery.body.decode()}]=====] }}"
