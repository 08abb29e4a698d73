"""`signalbox demo` as a real process: what people see of it, and how it ends."""

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from bot.bootstrap.demo.github import SimulatedGitHub
from bot.bootstrap.demo.watch import Disappointed, Watch
from bot.store.inline import InlineStore

ROOT = Path(__file__).parents[2]
#: Settings of another bot on the same machine: the demo must not touch what they name.
FOREIGN = {"DATABASE_URL": "postgresql://db.example/bot", "PUBLIC_URL": "https://bot.example", "WEBHOOK_PATH": "/hooks"}


@contextmanager
def demo(folder: Path, *options: str, **more: str) -> Iterator["subprocess.Popen[str]"]:
    """A running demo whose temporary files go to `folder`; whatever is left of it at the end is killed."""
    environment: Mapping[str, str] = {**os.environ, "TMPDIR": str(folder), "PYTHONPATH": str(ROOT), **more}
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "demo", *options],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("once")


@pytest.fixture(scope="module")
def once(folder: Path) -> "subprocess.CompletedProcess[str]":
    with demo(folder, "--once", DATA_DIR=str(folder / "data"), **FOREIGN) as process:
        out, err = process.communicate(timeout=100)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def test_it_ends_by_itself_with_a_confirmed_merge(once: "subprocess.CompletedProcess[str]") -> None:
    assert (once.returncode, once.stderr) == (0, "")
    assert re.search(r"Confirmed: [0-9a-f]{7} is merged into main as [0-9a-f]{7}, once\.", once.stdout)
    assert re.search(r"status +done · merged as", once.stdout)


def test_it_shows_a_stale_approval_refused(once: "subprocess.CompletedProcess[str]") -> None:
    assert "The head moved before it arrived." in once.stdout
    assert "The approval was for a head that is gone: refused, nothing was stored." in once.stdout


def test_it_shows_a_merge_that_nobody_knows_of_and_that_settles_itself(
    once: "subprocess.CompletedProcess[str]",
) -> None:
    history = once.stdout.partition("The merge, as the history has it:")[2]

    assert re.search(r"merge_answered +it is not known whether GitHub merged it", history)
    assert re.search(r"merge_confirmed +merged and confirmed from both sides", history)


def test_without_a_terminal_nothing_is_coloured_or_wrapped(once: "subprocess.CompletedProcess[str]") -> None:
    assert "\x1b" not in once.stdout
    assert max(len(line) for line in once.stdout.splitlines()) > 100


def test_it_leaves_nothing_behind(once: "subprocess.CompletedProcess[str]", folder: Path) -> None:
    assert once.returncode == 0
    assert list(folder.iterdir()) == []


def test_it_stays_up_with_a_curl_line_that_works_until_ctrl_c(tmp_path: Path) -> None:
    with demo(tmp_path) as process:
        assert process.stdout is not None
        lines: list[str] = []
        while not lines or "curl" not in lines[-1]:
            lines.append(process.stdout.readline())
            assert lines[-1], f"it ended: {lines[-5:]}"
        _, _, header, url = shlex.split(lines[-1])
        name, _, value = header.partition(": ")

        record = httpx.get(url, headers={name: value}, timeout=30)
        ready = httpx.get(f"{url.partition('/api')[0]}/readyz", timeout=30)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)

    assert (record.json()["phase"], record.json()["merge"]["state"], ready.status_code) == ("done", "merged", 200)
    assert (process.returncode, err) == (0, "")
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_in_the_middle_says_that_nothing_was_confirmed(tmp_path: Path) -> None:
    with demo(tmp_path) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)

    assert (process.returncode, err) == (1, "")
    assert out.splitlines()[-1] == "Stopped before the merge was confirmed."
    assert list(tmp_path.iterdir()) == []


@pytest.mark.anyio
async def test_a_worker_that_crashes_ends_the_story() -> None:
    github = SimulatedGitHub("secret")
    watch = Watch(github, InlineStore(":memory:", github.world.clock), ["publisher-0 crashed: a bug"])

    with pytest.raises(Disappointed, match="publisher-0 crashed: a bug"):
        await watch.until("anything", lambda _record: True)
