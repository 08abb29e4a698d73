"""Run as a process of its own, by the first test that needs PostgreSQL: keeps the server up as long as anybody uses it."""

import fcntl
import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

#: Nothing here outlives the run, so nothing has to reach a disk.
SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "shared_buffers": "32MB",
    "max_connections": "200",
    "listen_addresses": "",
    "logging_collector": "off",
    "jit": "off",
}


def account() -> dict[str, Any]:
    """PostgreSQL refuses to run as root."""
    return {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}


def main(folder: Path, binaries: Path) -> None:
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody", "nogroup")
    data, log = folder / "data", folder / "log"
    silent: dict[str, Any] = {"stdin": subprocess.DEVNULL, "cwd": folder, **account()}
    made = [
        f"{binaries}/initdb",
        "-D",
        f"{data}",
        "-U",
        "postgres",
        "-A",
        "trust",
        "-E",
        "UTF8",
        "--no-locale",
        "--no-sync",
    ]
    with log.open("w") as out:
        subprocess.run(made, check=True, stdout=out, stderr=out, **silent)
        settings = [part for name, value in SETTINGS.items() for part in ("-c", f"{name}={value}")]
        command = [f"{binaries}/postgres", "-D", f"{data}", "-k", f"{folder}", *settings]
        server = subprocess.Popen(command, stdout=out, stderr=out, **silent)
        wait = [f"{binaries}/pg_isready", "-q", "-h", f"{folder}", "-t", "30"]
        while subprocess.run(wait, check=False, **silent).returncode and server.poll() is None:
            pass
    print("ready", flush=True)
    with (folder / "changing").open("r+") as changing:
        _wait_until_nobody_is_left(folder, changing)
        server.send_signal(signal.SIGQUIT)
        server.wait()
        gone = folder.rename(folder.with_name(f"{folder.name}-{os.getpid()}"))  # at once: somebody may be coming
        shutil.rmtree(gone, ignore_errors=True)


def _wait_until_nobody_is_left(folder: Path, changing: IO[str]) -> None:
    """Afterwards nobody can come before the folder is gone."""
    while True:
        with (folder / "used").open("r+") as used:
            fcntl.flock(used, fcntl.LOCK_EX)
        fcntl.flock(changing, fcntl.LOCK_EX)
        with (folder / "used").open("r+") as used, suppress(BlockingIOError):
            fcntl.flock(used, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        fcntl.flock(changing, fcntl.LOCK_UN)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
