"""`python -m bot serve` as a real process on a loopback port: killed, restarted, told to stop, refused."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from bot.bootstrap import serving
from bot.bootstrap.lanes import Lane
from bot.bootstrap.parts import Parts
from bot.settings import Settings
from bot.store.inline import InlineStore
from tests.cli.conftest import Run
from tests.web.kit import BODY, HOOK, SECRETS, Lines, SetClock, hook_headers

KEY = (
    rsa.generate_private_key(public_exponent=65537, key_size=2048)
    .private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    .decode()
)
#: Nothing listens there, so that GitHub never answers, and at once.
NOWHERE = "http://127.0.0.1:9"
APP = {"APP_ID": "7", "PRIVATE_KEY": KEY, "WEBHOOK_SECRET": ",".join(SECRETS), "GITHUB_API_URL": NOWHERE}
COMMAND = [sys.executable, "-m", "bot"]
ROOT = Path(__file__).parents[2]


class Served:
    """One process and the address that its first log line names."""

    def __init__(self, process: "subprocess.Popen[str]", event: str = "server_started") -> None:
        self.process = process
        self.lines: list[dict[str, Any]] = []
        assert process.stderr is not None
        self._log: IO[str] = process.stderr
        self.until(event)
        self.url = f"http://127.0.0.1:{self.lines[-1]['port']}"

    def until_ready(self) -> "Served":
        """The socket listens from the beginning, so that one patient request is all the waiting there is."""
        assert httpx.get(f"{self.url}/readyz", timeout=30).status_code == 200
        return self

    def until(self, event: str) -> "Served":
        while not self.lines or self.lines[-1]["event"] != event:
            line = self._log.readline()
            assert line, f"the server ended before it said {event}: {self.lines}"
            self.lines.append(json.loads(line))
        return self

    def deliver(self) -> httpx.Response:
        return httpx.post(f"{self.url}{HOOK}", content=BODY, headers=hook_headers(BODY), timeout=30)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self._log.close()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        rest = self._log.read()
        self.lines += [json.loads(line) for line in rest.splitlines()]
        self._log.close()
        return self.process.wait(30)


Serve = Callable[..., Served]


def environment(data: Path, more: Mapping[str, str]) -> dict[str, str]:
    return {**os.environ, "DATA_DIR": str(data), "PORT": "0", "PYTHONPATH": str(ROOT), **more}


@pytest.fixture
def serve(data: Path) -> Iterator[Serve]:
    running: list[Served] = []

    def start(**more: str) -> Served:
        process = subprocess.Popen(
            [*COMMAND, "serve"], cwd=data, env=environment(data, APP | more), stderr=subprocess.PIPE, text=True
        )
        running.append(Served(process).until_ready())
        return running[-1]

    yield start
    for served in running:
        if served.process.poll() is None:
            served.kill()


def refused(data: Path, *words: str, **more: str) -> tuple[int, str]:
    ended = subprocess.run(
        [*COMMAND, *words],
        cwd=data,
        env=environment(data, more),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return ended.returncode, ended.stderr


def test_what_was_acknowledged_survives_a_kill_and_is_known_after_a_restart(serve: Serve) -> None:
    first = serve()
    before = first.deliver()
    first.kill()

    second = serve()
    after = second.deliver()

    assert (before.status_code, before.json()["status"]) == (202, "accepted")
    assert (after.status_code, after.json()["status"]) == (202, "duplicate")
    assert second.stop() == 0


def test_it_stops_in_order_when_told_to(serve: Serve, data: Path) -> None:
    served = serve().until("github_unreached")

    assert served.stop() == 0
    assert [line["event"] for line in served.lines] == ["server_started", "github_unreached", "server_stopped"]
    assert not (data / "admin.sock").exists()
    assert not (data / "signalbox.db-wal").exists()


def test_ctrl_c_twice_ends_in_order_and_shows_no_trace(serve: Serve) -> None:
    server = serve()
    for _ in range(2):
        server.process.send_signal(signal.SIGINT)

    assert server.stop() == 0
    assert server.lines[-1]["event"] == "server_stopped"


def test_ctrl_c_at_the_start_is_one_sentence(data: Path) -> None:
    code = (
        "import signal, bot.settings as s; s.load = lambda: signal.raise_signal(2); import bot.__main__ as m; m.main()"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code, "serve"],
        cwd=data,
        env=environment(data, APP),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "Stopped before it served anything.\n")


@pytest.mark.parametrize(
    ("slow", "said"),
    [
        ("typer", "Stopped before it did anything.\n"),  # before a command is known
        ("bot.bootstrap.reading", "Stopped.\n"),  # in a command that reads
    ],
)
def test_ctrl_c_while_something_is_still_being_imported_is_one_sentence(
    run: Run, data: Path, slow: str, said: str
) -> None:
    run("migrate")
    code = f"""
import signal, sys
class Slow:
    def find_spec(self, name, path, target=None):
        if name == {slow!r}:
            signal.raise_signal(2)
sys.meta_path.insert(0, Slow())
import bot.__main__ as m
m.main()
"""
    ended = subprocess.run(
        [sys.executable, "-c", code, "lifecycles", "list"],
        cwd=data,
        env=environment(data, {}),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", said)


def test_a_misspelt_setting_is_warned_of_at_the_start(serve: Serve) -> None:
    server = serve(APPID="8")

    assert ("APPID", "APPID is no setting: did you mean APP_ID?") in [
        (line.get("setting"), line.get("msg")) for line in server.lines
    ]


def test_tokens_are_made_and_ended_through_the_running_server(serve: Serve, run: Run) -> None:
    served = serve()

    made = run("token", "create", "--name", "forge-1", "--role", "builder")
    headers = {"authorization": f"Bearer {made.stdout.strip()}"}
    while_it_works = httpx.get(f"{served.url}/api/v1/lifecycles", headers=headers, timeout=30)
    run("token", "revoke", "forge-1")
    afterwards = httpx.get(f"{served.url}/api/v1/lifecycles", headers=headers, timeout=30)
    served.stop()

    assert (made.exit_code, while_it_works.status_code, afterwards.status_code) == (0, 200, 401)
    told = [line["event"] for line in served.lines if line["event"] != "github_unreached"]
    assert told[1:3] == ["token_created", "token_revoked"]
    assert made.stdout.strip() not in str(served.lines)


def test_commands_that_read_work_beside_the_server(serve: Serve, run: Run) -> None:
    serve()

    assert run("lifecycles", "list", "--json").stdout.strip() == "[]"
    assert run("token", "list", "--json").stdout.strip() == "[]"
    assert run("migrate").exit_code == 0


def test_a_second_server_on_the_same_data_is_refused(serve: Serve, data: Path) -> None:
    serve()

    code, said = refused(data, "serve", **APP)

    assert code == 1
    assert "in use by another Signalbox" in said
    assert "Traceback" not in said


def test_a_taken_port_is_refused_before_the_database_is_touched(serve: Serve, data: Path, tmp_path: Path) -> None:
    first = serve()
    port = first.url.rpartition(":")[2]
    other = tmp_path / "other"
    other.mkdir()

    code, said = refused(other, "serve", PORT=port)

    assert code == 1
    assert f"PORT {port}: cannot listen there: another Signalbox answers there" in said
    assert "Do: stop that one first, or set PORT, and a DATA_DIR of its own." in said
    assert list(other.iterdir()) == []
    with pytest.raises(serving.NoAddress, match=rf"another Signalbox \(process {first.process.pid}\) answers there"):
        serving.listen(Settings(data_dir=data, port=int(port)))


def test_an_incomplete_app_refuses_to_start_and_lists_what_is_missing(data: Path) -> None:
    code, said = refused(data, "serve", APP_ID="7")

    assert code == 1
    assert said.splitlines()[1:] == [
        "✘ PRIVATE_KEY is missing: set it or PRIVATE_KEY_PATH to the App's private key",
        "✘ WEBHOOK_SECRET is missing: the secret on the App's settings page",
    ]


def test_in_set_up_mode_the_webhook_answers_that_it_is_not_ready(data: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "serve"], cwd=data, env=environment(data, {}), stderr=subprocess.PIPE, text=True
    )
    served = Served(process).until_ready()

    answer = served.deliver()

    assert served.stop() == 0
    assert (answer.status_code, served.lines[0]["mode"]) == (503, "set_up")
    assert served.lines[0]["database"] == str(data / "signalbox.db")
    assert "Set APP_ID, PRIVATE_KEY_PATH and WEBHOOK_SECRET" in served.lines[1]["msg"]


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_above_the_limit_gets_its_answer_over_a_real_connection(serve: Serve, chunked: bool) -> None:
    pieces = (bytes(2**20) for _ in range(30))

    answer = httpx.post(
        f"{serve().url}{HOOK}", content=pieces if chunked else b"".join(pieces), headers=hook_headers(b""), timeout=30
    )

    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")


def test_answers_name_neither_the_server_nor_its_version(serve: Serve) -> None:
    answer = httpx.get(f"{serve().url}/healthz", timeout=30)

    assert "server" not in answer.headers
    assert "uvicorn" not in str(answer.headers).lower()


def test_help_imports_nothing_heavy() -> None:
    looked_at = (
        "import sys; from bot.bootstrap.operations import LocalOperations; from bot.cli.main import app\n"
        "try: app(['--help'], obj=LocalOperations())\n"
        "except SystemExit: pass\n"
        "print({name.partition('.')[0] for name in sys.modules}, file=sys.stderr)"
    )

    ended = subprocess.run([sys.executable, "-c", looked_at], cwd=ROOT, capture_output=True, text=True, check=True)

    loaded = ended.stderr
    assert "'bot'" in loaded
    heavy = ("sqlalchemy", "sqlmodel", "alembic", "githubkit", "uvicorn", "starlette", "httpx", "rich", "cryptography")
    assert [name for name in heavy if f"'{name}'" in loaded] == []


@pytest.mark.parametrize(("options", "traced"), [([], False), (["--debug"], True)])
def test_our_own_fault_shows_its_trace_only_on_request(options: list[str], traced: bool) -> None:
    broken = (
        "import sys; from bot.bootstrap.operations import LocalOperations; from bot.cli.main import run\n"
        "class Broken(LocalOperations):\n"
        "    def serve(self): raise ZeroDivisionError('a bug')\n"
        f"sys.argv = ['signalbox', *{options}, 'serve']; run(Broken())"
    )

    ended = subprocess.run([sys.executable, "-c", broken], cwd=ROOT, capture_output=True, text=True, check=False)

    assert ended.returncode == 1
    assert "ZeroDivisionError: a bug" in ended.stderr
    assert ("Traceback" in ended.stderr) == traced


@pytest.mark.parametrize("options", [[], ["--debug"]], ids=["in one line", "with its trace"])
@pytest.mark.parametrize("port", ["3000", "none"], ids=["settings", "settings that cannot be read"])
def test_our_own_fault_shows_no_secret_that_it_held(options: list[str], port: str, data: Path) -> None:
    """threats.md, T12."""
    token, known = "ghs_" + "a1" * 18, "scrape-me-0123456789"
    broken = (
        "import sys; from bot.bootstrap.operations import LocalOperations; from bot.cli.main import run\n"
        "class Broken(LocalOperations):\n"
        "    def serve(self):\n"
        f"        raise ZeroDivisionError(f'a bug {token} ' + self.load_token())\n"
        "    def load_token(self):\n"
        "        import os; return os.environ['METRICS_TOKEN']\n"
        f"sys.argv = ['signalbox', *{options}, 'serve']; run(Broken())"
    ).replace(token, "' + 'ghs_' + 'a1' * 18 + '")
    environment = os.environ | {"METRICS_TOKEN": known, "PORT": port, "PYTHONPATH": str(ROOT)}

    ended = subprocess.run(
        [sys.executable, "-c", broken], cwd=data, env=environment, capture_output=True, text=True, check=False
    )

    assert ended.returncode == 1
    assert "ZeroDivisionError: a bug [redacted]" in ended.stderr
    assert token not in ended.stderr
    assert port != "3000" or known not in ended.stderr


def test_a_fault_while_the_server_starts_shows_no_secret_in_its_log_either(data: Path) -> None:
    """threats.md, T12."""
    known = "scrape-me-0123456789"
    broken = (
        "import os, sys; from bot.bootstrap import github; from bot.bootstrap.operations import LocalOperations\n"
        "from bot.cli.main import run\n"
        "def breaks(parts):\n"
        "    parts.log('error', 'something_broke', msg='holding ' + os.environ['METRICS_TOKEN'])\n"
        "    raise ZeroDivisionError('a bug ' + os.environ['METRICS_TOKEN'])\n"
        "github.at_work = breaks\n"
        "sys.argv = ['signalbox', '--debug', 'serve']; run(LocalOperations())"
    )
    environment = os.environ | {"METRICS_TOKEN": known, "PORT": "0", "PYTHONPATH": str(ROOT)}

    ended = subprocess.run(
        [sys.executable, "-c", broken], cwd=data, env=environment, capture_output=True, text=True, check=False
    )

    said = ended.stdout + ended.stderr
    assert "holding [redacted]" in said
    assert "ZeroDivisionError: a bug [redacted]" in said
    assert known not in said


@pytest.mark.anyio
async def test_a_lane_that_crashes_ends_the_process_with_one(data: Path) -> None:
    log, clock = Lines(), SetClock()

    async def breaks() -> None:
        await asyncio.sleep(0)
        raise ValueError("a bug")

    settings = Settings(data_dir=data, port=0)
    parts = Parts(settings, None, InlineStore(":memory:", clock), log, clock=clock)
    with serving.listen(settings) as listener:
        code = await serving.serve(parts, [Lane("publisher", breaks)], listener)

    assert code == 1
    [crash] = [line for line in log.kept if line["event"] == "lane_crashed"]
    assert (crash["lane"], str(crash["error"])) == ("publisher", "a bug")
    assert log.events()[-1] == "server_stopped"
