"""A newcomer's clone, and terminals in it."""

import os
import signal
import subprocess
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest

END = "the block is over with"


def surroundings() -> dict[str, str]:
    """What a shell knows in which nothing is set."""
    return {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}


class Terminal:
    """One shell in the newcomer's clone, in which blocks are typed one after the other."""

    def __init__(self, folder: Path) -> None:
        self._shell = subprocess.Popen(
            ["bash", "--norc"],
            cwd=folder,
            env=surroundings(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def types(self, block: str) -> tuple[int, str]:
        """The exit code of its last command, and everything printed."""
        assert self._shell.stdin is not None
        assert self._shell.stdout is not None
        self._shell.stdin.write(f"{block}\necho '{END}' $?\n")
        self._shell.stdin.flush()
        lines = list(takewhile(lambda line: not line.startswith(END), self._until_the_end()))
        return self._code, "".join(lines)

    def _until_the_end(self) -> Iterator[str]:
        assert self._shell.stdout is not None
        for line in self._shell.stdout:
            if line.startswith(END):
                self._code = int(line.removeprefix(END))
            yield line

    def leaves(self) -> None:
        self._shell.communicate(timeout=30)


class Server:
    """What runs in another terminal until Ctrl-C. `ready`: how the line begins after which it waits."""

    def __init__(self, folder: Path, command: str, ready: str, **more: str) -> None:
        self._process = subprocess.Popen(
            ["bash", "--norc", "-c", command],
            cwd=folder,
            env=surroundings() | more,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        self.printed = ""
        for line in self._process.stdout:
            self.printed += line
            if line.startswith(ready):
                return
        pytest.fail(f"it ended: {self.printed}")

    def ctrl_c(self) -> None:
        """To everything in the terminal, as a terminal does it. `make` ends by the signal too."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGINT)
            self._process.communicate(timeout=30)
