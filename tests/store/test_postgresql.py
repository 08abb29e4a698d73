"""What only PostgreSQL can get wrong: commits that nobody answers, servers that are gone, full, read-only or newer."""

import asyncio
import subprocess
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from functools import partial

import pytest

from bot.ports.store import CommitUnknown, StoreUnavailable, Tx, VersionConflict
from bot.store.failures import StoreDown, StoreRefused
from bot.store.postgresql import opening
from bot.store.postgresql.address import conninfo, place
from bot.store.postgresql.session import BESIDE, Session
from bot.store.postgresql.store import PostgresqlStore
from bot.store.verify import findings
from tests.kit.postgresql import Server, binaries, opened
from tests.store.faulty_postgresql import CUT, KILLED, UNANSWERED, Faults
from tests.store.kit import KEY, HandClock, Kept, delivery, received, row, saved
from tests.store.test_opening import killed, outlives

SLOW_COMMIT = """
CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.3); RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON deliveries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slow();
"""

#: As the server says it when its disk is full.
NO_ROOM = """
CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE SQLSTATE '53100'; END $$;
CREATE TRIGGER no_room BEFORE INSERT ON history FOR EACH ROW EXECUTE FUNCTION no_room();
"""


@pytest.fixture
def faults(server: Server, database: str) -> Faults:
    return Faults(server, database)


@asynccontextmanager
async def store(faults: Faults, clock: HandClock) -> AsyncIterator[PostgresqlStore]:
    made = PostgresqlStore(faults.connect, "here", clock.monotonic, clock)
    try:
        yield made
    finally:
        await made.close()


def statement(server: Server, name: str, text: str) -> None:
    with server.connect(name) as connection:
        connection.execute(text)


@pytest.mark.parametrize(("fault", "stored"), [(KILLED, False), (UNANSWERED, True), (CUT, True)])
def test_i12_a_commit_that_nobody_answered_is_looked_up_and_never_guessed(
    faults: Faults, clock: HandClock, fault: str, stored: bool
) -> None:
    """Also one that the server is still at when it is looked up."""
    statement(faults.server, faults.name, SLOW_COMMIT)

    async def story() -> None:
        async with store(faults, clock) as one:
            await one.run(lambda tx: tx.now())
            faults.next = fault
            if stored:
                assert await one.run(received(delivery("g1"))) == "accepted"
            else:
                with pytest.raises(StoreUnavailable, match="terminat"):
                    await one.run(received(delivery("g1")))
            assert await one.read(lambda tx: tx.deliveries.backlog()) == stored
            assert await one.run(received(delivery("g1"))) == ("duplicate" if stored else "accepted")
            assert one.healthy

    asyncio.run(story())


def test_a_commit_that_no_standby_is_known_to_have_is_told_as_unknown(faults: Faults, clock: HandClock) -> None:
    """The wait for a synchronous standby was given up: the server says COMMIT, and warns."""
    statement(
        faults.server, faults.name, SLOW_COMMIT.replace("PERFORM pg_sleep(0.3)", "RAISE WARNING 'canceling wait'")
    )

    async def story() -> None:
        async with store(faults, clock) as one:
            with pytest.raises(CommitUnknown, match="canceling wait"):
                await one.run(received(delivery("g1")))

            assert await one.run(received(delivery("g1"))) == "duplicate"

    asyncio.run(story())


def test_a_commit_that_cannot_be_looked_up_is_told_as_unknown(
    faults: Faults, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.postgresql.session.LOOKS", (0.0, 0.0))

    async def story() -> None:
        async with store(faults, clock) as one:
            faults.next, faults.then_down = UNANSWERED, 2
            with pytest.raises(CommitUnknown, match="cannot be looked up"):
                await one.run(received(delivery("g1")))

            assert not one.healthy
            assert await one.run(received(delivery("g1"))) == "duplicate"
            assert one.healthy

    asyncio.run(story())


def test_a_server_that_ended_all_connections_is_asked_on_new_ones_and_nobody_notices(
    faults: Faults, clock: HandClock
) -> None:
    async def story() -> None:
        async with store(faults, clock) as one:
            assert await one.run(received(delivery("g1"))) == "accepted"
            await one.read(lambda tx: tx.now())
            faults.server.kill_backends(faults.name, "pid <> pg_backend_pid()")

            assert await one.run(received(delivery("g2"))) == "accepted"
            assert await one.read(lambda tx: tx.deliveries.backlog()) == 2
            assert one.healthy

    asyncio.run(story())


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        ("ALTER DATABASE {name} SET default_transaction_read_only = on", "read-only"),
        ("ALTER DATABASE {name} ALLOW_CONNECTIONS false", "not currently accepting connections"),
    ],
)
def test_a_database_that_takes_nothing_stores_nothing_and_says_why(
    faults: Faults, clock: HandClock, trouble: str, said: str
) -> None:
    async def story() -> None:
        statement(faults.server, "postgres", trouble.format(name=faults.name))
        async with store(faults, clock) as one:
            with pytest.raises(StoreUnavailable, match=said):
                await one.run(received(delivery("g1")))

            assert one.trouble is not None
            assert said in one.trouble

    asyncio.run(story())


def test_a_full_database_stores_nothing_of_a_transaction_and_goes_on_when_there_is_room(
    faults: Faults, clock: HandClock
) -> None:
    statement(faults.server, faults.name, NO_ROOM)

    async def story() -> None:
        async with store(faults, clock) as one:
            with pytest.raises(StoreUnavailable):
                await one.run(saved())
            assert await one.read(lambda tx: tx.records.load(KEY)) is None
            statement(faults.server, faults.name, "DROP TRIGGER no_room ON history")

            await one.run(saved())
            assert await one.read(lambda tx: tx.records.load(KEY)) is not None

    asyncio.run(story())


def test_who_always_loses_the_race_runs_alone_in_the_end(server: Server, database: str, clock: HandClock) -> None:
    """Whoever changes the record first, again and again, waits while it does."""
    other = Session(lambda: server.connect(database), "other", clock)
    mine = Session(lambda: server.connect(database), "mine", clock)
    other.run(saved())
    versions: list[int] = []
    late: list[threading.Thread] = []

    def change(version: int) -> None:
        with suppress(VersionConflict):
            other.run(lambda tx: tx.records.replace(KEY, version, [row(version + 1)]))

    def work(tx: Tx) -> None:
        loaded = tx.records.load(KEY)
        assert loaded is not None
        versions.append(loaded.record.version)
        late.append(threading.Thread(target=change, args=(versions[-1],)))
        late[-1].start()
        late[-1].join(None if len(versions) <= BESIDE else 0.2)
        tx.records.replace(KEY, versions[-1], [row(versions[-1] + 1)])

    with suppress(StoreUnavailable):  # it would say so itself, and not how
        mine.run(work)

    late[-1].join()
    assert versions == list(range(1, BESIDE + 2))
    assert mine.read(lambda tx: [one.version for one in tx.records.history(KEY)]) == [*versions, BESIDE + 2]
    mine.close()
    other.close()


def test_time_is_the_databases_whatever_this_machine_says(server: Server, database: str) -> None:
    kept = Kept(opening.open(server.url(database), lambda: 10.0**6), HandClock())
    assert isinstance(kept.store, PostgresqlStore)
    with server.connect(database) as connection:
        (before,) = connection.execute("SELECT clock_timestamp()").fetchone() or (None,)

    now = kept.read(lambda tx: tx.now())

    assert timedelta(0) <= now - before < timedelta(seconds=60)
    assert kept.store.wall() == pytest.approx(now.timestamp(), abs=0.001)
    kept.close()


def test_processes_that_start_together_on_an_empty_database_make_one_schema(server: Server, clock: HandClock) -> None:
    name = server.clone("template0")

    async def story() -> None:
        stores = await asyncio.gather(*(asyncio.to_thread(opened, server, name, clock) for _ in range(4)))
        assert len({one.instance_id for one in stores}) == 1
        for one in stores:
            await one.close()

    asyncio.run(story())
    server.drop(name)


def refused(server: Server, name: str, clock: HandClock) -> str:
    with pytest.raises(StoreRefused) as no:
        opened(server, name, clock)
    return no.value.message


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("UPDATE alembic_version SET version_num = '9999'", "was written by a newer Signalbox (schema 9999;"),
        ("DROP TABLE alembic_version", "is not a Signalbox database"),
    ],
)
def test_a_database_of_a_newer_version_or_of_somebody_else_is_refused(
    server: Server, database: str, clock: HandClock, before: str, said: str
) -> None:
    statement(server, database, before)

    assert said in refused(server, database, clock)


def test_a_database_that_does_not_keep_every_text_is_refused(server: Server, clock: HandClock) -> None:
    statement(server, "postgres", "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")

    assert "keeps texts as LATIN1" in refused(server, "latin", clock)
    server.drop("latin")


def test_where_nobody_answers_it_may_be_asked_again(server: Server, clock: HandClock) -> None:
    with pytest.raises(StoreDown, match="does not answer"):
        opened(Server(server.folder / "elsewhere"), "a", clock)


@pytest.mark.parametrize(
    ("url", "plain"),
    [
        ("postgresql://ada@db:5432/signalbox", "postgresql://ada@db:5432/signalbox"),
        ("postgresql+psycopg://ada:secret@db/signalbox", "postgresql://ada:secret@db/signalbox"),
        ("postgres://ada@db/signalbox?sslmode=require", "postgresql://ada@db/signalbox?sslmode=require"),
    ],
)
def test_the_forms_of_a_url_that_are_taken(url: str, plain: str) -> None:
    assert conninfo(url) == plain
    assert place(conninfo(url)) == "signalbox on db"


@pytest.mark.parametrize("url", ["postgresql+asyncpg://ada:secret@db/a", "postgresql://ada:secret@db/a?nothing=x"])
def test_a_url_that_is_not_taken_is_not_repeated(url: str) -> None:
    with pytest.raises(StoreRefused) as no:
        conninfo(url)

    assert "secret" not in no.value.message


def test_notes_of_old_transactions_are_forgotten_at_a_start(server: Server, database: str, clock: HandClock) -> None:
    old = "INSERT INTO meta VALUES ('operation:gone/work-1', 'abc ' || ((extract(epoch FROM now()) - 90000) * 1000000)::bigint)"
    statement(server, database, old)
    young = old.replace("gone", "here").replace("90000", "80000")
    statement(server, database, young)

    Kept(opened(server, database, clock), clock).close()

    with server.connect(database) as connection:
        names = connection.execute("SELECT name FROM meta WHERE name LIKE 'operation:%/work-1'").fetchall()
    assert names == [("operation:here/work-1",)]


def test_that_a_standby_took_over_is_noticed_by_whoever_goes_on(faults: Faults, clock: HandClock) -> None:
    """A promoted standby begins a timeline of its own; the server's name for that is what is asked."""
    took_over = "CREATE FUNCTION public.pg_walfile_name(pg_lsn) RETURNS text LANGUAGE sql AS $$ SELECT '00000002' $$"

    async def story() -> None:
        async with store(faults, clock) as one:
            for _ in range(3):
                await one.run(lambda tx: tx.now())
            assert one.exchanges == 0
            statement(faults.server, faults.name, took_over)
            statement(faults.server, "postgres", f"ALTER DATABASE {faults.name} SET search_path = public, pg_catalog")
            faults.server.kill_backends(faults.name)
            for _ in range(3):
                await one.run(lambda tx: tx.now())

            assert one.exchanges == 1

    asyncio.run(story())


def test_i12_what_was_acknowledged_outlives_kill_9(server: Server, database: str, clock: HandClock) -> None:
    acknowledged = killed(server.url(database), 300)

    outlives(Kept(opened(server, database, clock), clock), acknowledged)


def test_what_is_acknowledged_is_durable_though_the_database_was_set_otherwise(server: Server, database: str) -> None:
    statement(server, "postgres", f"ALTER DATABASE {database} SET synchronous_commit = off")

    with server.connect(database) as connection:
        assert connection.execute("SHOW synchronous_commit").fetchone() == ("on",)


def test_a_dump_is_restored_into_an_empty_database(server: Server, database: str, clock: HandClock) -> None:
    before = Kept(opened(server, database, clock), clock)
    before(saved())
    instance = before.store.instance_id
    before.close()
    name = server.clone("template0")
    tool = partial(subprocess.run, check=True, capture_output=True)

    dump = tool([binaries() / "pg_dump", "--format=custom", server.url(database)]).stdout
    tool([binaries() / "pg_restore", "--dbname", server.url(name)], input=dump)

    after = Kept(opened(server, name, clock), clock)
    assert after.store.instance_id == instance
    assert after.read(lambda tx: findings(tx, KEY)) == []
    assert after(lambda tx: tx.records.replace(KEY, 1, [row(2)])) is None
    after.close()
    server.drop(name)
