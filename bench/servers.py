"""Servers under test: started on a port of loopback and one core, asked until they answer, ended by their process id."""

import hashlib
import hmac
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path

ROOT = Path(__file__).parents[1]
CACHE = ROOT / ".cache" / "bench"
SECRET = "a secret of nobody"
#: Server and load each have a core of their own where there are two.
SERVER_CORE, LOAD_CORE = "0", str(min(1, (os.cpu_count() or 1) - 1))
PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class Contender:
    """`command` finds its port in PORT. `stored` counts the deliveries that it keeps in its folder; `prepare` fills that."""

    name: str
    command: Sequence[str]
    path: str = "/api/github/webhooks"
    environment: Mapping[str, str] = field(default_factory=dict)
    stored: Callable[[Path], int] | None = None
    prepare: Callable[[Path], None] = lambda _folder: None
    core: str = SERVER_CORE


@dataclass(slots=True)
class Running:
    """`first_answer`: seconds from its start to the first 2xx for a signed delivery."""

    contender: Contender
    port: int
    process: "subprocess.Popen[bytes]"
    folder: Path
    first_answer: float

    @property
    def resident(self) -> float:
        """MiB of the process and its children."""
        pids = [self.process.pid, *_children(self.process.pid)]
        return sum(_resident(pid) for pid in pids) / 1024

    @property
    def worked(self) -> float:
        """Seconds of a processor so far, of the process and its children: what a busy machine does not change."""
        pids = [self.process.pid, *_children(self.process.pid)]
        return sum(map(_worked, pids)) / os.sysconf("SC_CLK_TCK")


@contextmanager
def running(contender: Contender, first: "Delivery | None" = None) -> Iterator[Running]:
    """Until the block ends. `first` is the delivery that it is asked with; None: it is got."""
    folder = Path(tempfile.mkdtemp(prefix="signalbox-bench-"))
    contender.prepare(folder)
    port = _free_port()
    command = ["taskset", "-c", contender.core, *contender.command]
    environment = {**os.environ, "DATA_DIR": str(folder), "PORT": str(port), "WEBHOOK_SECRET": SECRET}
    with (folder / "output").open("wb") as output:
        began = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, env={**environment, **contender.environment}, stdout=output, stderr=output
        )
        try:
            yield Running(contender, port, process, folder, _until_it_answers(process, port, contender, first, began))
        except TimeoutError:
            sys.stderr.write((folder / "output").read_text(errors="replace")[-2000:])
            raise
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class Delivery:
    event: str
    body: bytes

    @property
    def signature(self) -> str:
        return "sha256=" + hmac.new(SECRET.encode(), self.body, hashlib.sha256).hexdigest()

    def headers(self, guid: str) -> dict[str, str]:
        return {
            "Content-Type": "application/json",
            "X-GitHub-Event": self.event,
            "X-GitHub-Delivery": guid,
            "X-Hub-Signature-256": self.signature,
        }


def get(port: int, path: str) -> int:
    return _asked(port, "GET", path, None, {})


def post(port: int, path: str, delivery: Delivery, guid: str, signature: str | None = None) -> int:
    headers = delivery.headers(guid) | ({"X-Hub-Signature-256": signature} if signature else {})
    return _asked(port, "POST", path, delivery.body, headers)


def _asked(port: int, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> int:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request(method, path, body, dict(headers))
        answer = connection.getresponse()
        answer.read()
        return answer.status
    finally:
        connection.close()


def _until_it_answers(
    process: "subprocess.Popen[bytes]", port: int, contender: Contender, first: Delivery | None, began: float
) -> float:
    while time.perf_counter() - began < PATIENCE:
        if process.poll() is not None:
            raise TimeoutError(f"{contender.name} ended with {process.returncode}")
        try:
            if 200 <= (post(port, contender.path, first, "first-answer") if first else get(port, contender.path)) < 300:
                return time.perf_counter() - began
        except OSError:
            pass
        time.sleep(0.005)  # noqa: TID251 - nothing tells when a foreign server listens
    raise TimeoutError(f"{contender.name} gave no 2xx within {PATIENCE:.0f} s")


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [each for child in map(int, found) for each in (child, *_children(child))]


def _resident(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


def _worked(pid: int) -> int:
    """User and system time, in ticks."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])
