"""A served bot and the simulated GitHub as child processes. Each ends only what it started, by its process id."""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).parents[2]
#: Seconds after which something that should have happened has not.
PATIENCE = 60


class GitHubProcess:
    """`people.VERB` as `tells("VERB", ...)`, see `tests.kit.github_process`."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.kit.github_process"]
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        said = json.loads(self._process.stdout.readline())
        self.url, self.app_id, self.key = said["url"], said["app_id"], said["key"]
        self._client = httpx.Client(base_url=self.url, timeout=PATIENCE, trust_env=False)

    def tells(self, verb: str, **arguments: Any) -> Any:
        return self._client.post(f"/_people/{verb}", json=arguments).raise_for_status().json()

    def ends(self) -> None:
        self._client.close()
        self._process.kill()
        self._process.communicate()


class BotProcess:
    """`python -m bot serve`, ready. Its log lines are read all the time, so that it never waits for its reader."""

    def __init__(self, folder: Path, settings: dict[str, str]) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PORT": "0", "LOG_FORMAT": "json", **settings}
        command = [sys.executable, "-m", "bot", "serve"]
        self._process = subprocess.Popen(
            command, cwd=folder, env=environment | {"DATA_DIR": str(folder)}, stderr=subprocess.PIPE, text=True
        )
        self.lines: list[dict[str, Any]] = []
        self._unread: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.url = f"http://127.0.0.1:{self.until(event='server_started')['port']}"
        assert httpx.get(f"{self.url}/readyz", timeout=PATIENCE, trust_env=False).status_code == 200

    def until(self, **fields: Any) -> dict[str, Any]:
        """The next line that has these fields. Lines are read once: what came before it is passed over."""
        while True:
            line = self._unread.get(timeout=PATIENCE)
            assert line is not None, f"the bot ended: {self.lines[-20:]}"
            if fields.items() <= line.items():
                return line

    def hangs(self) -> None:
        """It does nothing any more, and is not dead."""
        self._process.send_signal(signal.SIGSTOP)

    def goes_on(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """SIGKILL: no clean-up of any kind."""
        self._process.kill()
        self._end()

    def stop(self) -> int:
        self._process.terminate()
        self._end()
        return self._process.returncode

    def _end(self) -> None:
        self._process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        assert self._process.stderr is not None
        self._process.stderr.close()

    def _read(self) -> None:
        assert self._process.stderr is not None
        for text in self._process.stderr:
            line = json.loads(text) if text.startswith("{") else {"event": "no log line", "msg": text.rstrip()}
            self.lines.append(line)
            self._unread.put(line)
        self._unread.put(None)
