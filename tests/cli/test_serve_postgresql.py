"""`serve` on PostgreSQL: several processes share one database, and none of them needs it to be up."""

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from bot.store.postgresql import migrate
from bot.store.schema import VERSIONS
from tests.cli.conftest import Run
from tests.cli.test_serve import APP, COMMAND, Served, environment, refused
from tests.kit import postgresql
from tests.web.kit import BODY, HOOK, hook_headers

Start = Callable[..., Served]


class Database:
    """It can be away: nobody is let in, and whoever was is thrown out."""

    def __init__(self) -> None:
        self.server = postgresql.server()
        self.name = self.server.clone()
        self.url = self.server.url(self.name)

    def lets_in(self, yes: bool) -> None:
        with self.server.connect("postgres") as connection:
            connection.execute(f"ALTER DATABASE {self.name} ALLOW_CONNECTIONS {yes}")
        if not yes:
            self.server.kill_backends(self.name)


@pytest.fixture
def database(data: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    made = Database()
    monkeypatch.setenv("DATABASE_URL", made.url)
    yield made
    made.lets_in(True)
    made.server.drop(made.name)


@pytest.fixture
def start(data: Path, database: Database) -> Iterator[Start]:
    """Each has a directory of its own."""
    running: list[Served] = []

    def begin(event: str = "server_started") -> Served:
        folder = data / f"replica-{len(running)}"
        folder.mkdir()
        process = subprocess.Popen(
            [*COMMAND, "serve"],
            cwd=folder,
            env=environment(folder, APP | {"DATABASE_URL": database.url}),
            stderr=subprocess.PIPE,
            text=True,
        )
        running.append(Served(process, event))
        return running[-1]

    yield begin
    for served in running:
        if served.process.poll() is None:
            served.kill()


def deliver(served: Served, guid: str) -> tuple[int, str]:
    answer = httpx.post(f"{served.url}{HOOK}", content=BODY, headers=hook_headers(BODY, guid), timeout=30)
    return answer.status_code, answer.json().get("status") or answer.json()["error"]["code"]


def ready(served: Served) -> int:
    return httpx.get(f"{served.url}/readyz", timeout=30).status_code


def test_a_server_that_starts_before_its_database_waits_for_it_and_takes_nothing_meanwhile(
    start: Start, database: Database, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    database.lets_in(False)
    served = start("database_awaited")
    port = served.url.rpartition(":")[2]
    monkeypatch.setenv("PORT", port)
    network = [line for line in json.loads(run("doctor", "--json").stdout) if line["area"] == "network"]

    # doctor took it for a program that has to be ended.
    said = ("ok", f"a Signalbox listens on 127.0.0.1, port {port}, and waits for its database")
    assert [(line["mark"], line["what"]) for line in network] == [said]

    assert "does not answer" in served.lines[-1]["msg"]
    assert httpx.get(f"{served.url}/healthz", timeout=30).status_code == 200
    assert (ready(served), deliver(served, "g1")) == (503, (503, "store_unavailable"))

    database.lets_in(True)
    served.until("server_started").until_ready()
    assert deliver(served, "g1") == (202, "accepted")

    database.lets_in(False)
    assert (ready(served), deliver(served, "g2")) == (503, (503, "not_stored"))
    database.lets_in(True)
    served.until_ready()
    assert deliver(served, "g2") == (202, "accepted")
    assert served.stop() == 0


def test_a_server_that_waits_for_its_database_ends_when_it_is_told_to(start: Start, database: Database) -> None:
    database.lets_in(False)

    assert start("database_awaited").stop() == 0


def test_two_servers_share_a_database_and_one_that_is_killed_leaves_everything_to_the_other(
    data: Path, start: Start, database: Database, run: Run
) -> None:
    one, other = start().until_ready(), start().until_ready()

    assert deliver(one, "g1") == (202, "accepted")
    assert deliver(other, "g1") == (202, "duplicate")
    one.kill()
    assert deliver(other, "g2") == (202, "accepted")

    listed = run("deliveries list --json")
    assert listed.exit_code == 0
    assert listed.output.count('"guid"') == 2
    assert run("verify-history").output == "No records yet: there is nothing to verify.\n"
    assert run("migrate").output == "The database is up to date.\n"
    assert "claimed" not in run("recover --dry-run").output  # beside a server it is that one's
    assert run("token create --name night --role admin").exit_code == 0
    assert "night" in run("token list").output
    folder = data / "replica-1"
    assert refused(folder, "serve", DATABASE_URL=database.url, **APP) == (
        1,
        f"DATA_DIR {folder} is another server's. Set one for each process: its socket is there.\n",
    )
    assert other.stop() == 0


def test_migrate_brings_an_older_database_forward_and_commands_that_look_ask_for_it(
    data: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = postgresql.server()
    name = server.clone("template0")
    monkeypatch.setenv("DATABASE_URL", server.url(name))
    where = f"{name} on {server.folder}"
    assert run("deliveries list").output.startswith(
        f"There is no database at {where} yet. signalbox serve makes it when it "
    )
    migrate.run(server.url(name), VERSIONS[0])

    said = run("deliveries list").output
    assert said == f"{where} has the schema of an older Signalbox. Bring it up to date: signalbox migrate\n"
    assert run("migrate").output == f"The database has schema {VERSIONS[-1]} now; it had {VERSIONS[0]}.\n"
    assert run("deliveries list").exit_code == 0
    server.drop(name)


def test_doctor_says_what_the_database_is_and_what_of_it_is_not_safe(database: Database, run: Run) -> None:
    said = run("doctor").output

    assert f"PostgreSQL 18.6, {database.name} on " in said
    assert "fsync, full_page_writes is off" in said


def test_doctor_says_that_nobody_answers_and_what_that_means(database: Database, run: Run) -> None:
    database.lets_in(False)

    said = run("doctor").output

    assert f"The database {database.name} on " in said
    assert "does not answer" in said
    assert "servers wait for it; GitHub gets 503 meanwhile." in said


def test_doctor_says_that_a_database_is_read_only(database: Database, run: Run) -> None:
    with database.server.connect("postgres") as connection:
        connection.execute(f"ALTER DATABASE {database.name} SET default_transaction_read_only = on")

    assert f"{database.name} on {database.server.folder} is read-only" in " ".join(run("doctor").output.split())
