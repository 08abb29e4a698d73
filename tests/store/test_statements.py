"""The statements themselves: found through their index, and said in words that PostgreSQL understands too."""

import importlib
import pkgutil
from collections.abc import Iterator

import pytest
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.schema import CreateIndex, CreateTable
from sqlalchemy.sql.expression import Executable

import bot.store
from bot.store import inbox, lookups, operating, outbox, projections, publishing, schema, sql, unheard
from bot.store.connections import writing
from bot.store.metadata import METADATA
from tests.kit.postgresql import Server

POSTGRESQL = postgresql.dialect()  # type: ignore[no-untyped-call]  # SQLAlchemy gives it no types
FIND = [
    (inbox._FREE_OF, "deliveries_waiting deliveries_working"),
    (unheard._WAITS, "deliveries_of_head deliveries_of_thread"),
    (unheard._FAILED, "deliveries_over_here"),
    (unheard._PUT_OFF, "deliveries_working"),
    (unheard._IN_LANE, "deliveries_waiting"),
    (inbox._WAITS, "deliveries_waiting"),
    (outbox._FIRST_IN_LANE, "effects_lanes effects_order"),
    (outbox._LANES, "effects_lanes"),
    (publishing._NEXT, "records_dirty"),
    (projections._UNSHOWN_SUCCESS, "records_dirty"),
    (lookups.BY_PULL, "records_pull"),
    (lookups.BY_HEAD, "records_head"),
    (lookups.BY_BRANCH, "records_branch"),
    (lookups.BY_PRESENT_NAME, "repositories_folded"),
    (lookups.BY_RECORDED_NAME, "records_name"),
    (lookups.OPEN_OF_REPOSITORY, "records_open"),
    (lookups.NEWEST, "records_open"),
    (lookups.MERGING, "records_merge"),
    (lookups.BY_NAME, "records_name"),
    (lookups.OPEN_BY_NAME, "records_name"),
    (lookups.DUE, "records_wake"),
    (lookups.WAITING_FOR_BASE, "records_submit"),
    (lookups.page(frozenset({"phase"})), "records_phase"),
    (lookups.page(frozenset({"repository"})), "records_name"),
    (operating._COUNT_WAITING, "deliveries_waiting"),
    (operating._COUNT_WORKING, "deliveries_working"),
    (operating._WAITS_SINCE, "deliveries_waiting"),
    (operating._DELIVERIES, "deliveries_over"),
    (operating._OLD, "deliveries_over"),
    (operating._RECORDS, "records_phase"),
    (operating._MERGES, "records_merge"),
    (operating._UNSHOWN, "records_dirty"),
    (operating._EFFECTS_WAITING, "effects_waiting"),
    (operating._EFFECTS_OVER, "effects_over"),
]


@pytest.mark.parametrize(("statement", "indexes"), FIND, ids=[indexes for _, indexes in FIND])
def test_what_is_looked_for_often_is_found_through_its_index(statement: Executable, indexes: str) -> None:
    connection = writing(":memory:")
    schema.create(connection)
    text = str(statement.compile(dialect=sql.DIALECT))  # type: ignore[attr-defined]  # all statements are compiled

    plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {text}", Anything())]

    connection.close()
    for index in indexes.split():
        assert any(f"INDEX {index}" in step for step in plan), plan


def test_what_is_looked_for_often_is_found_through_an_index_on_postgresql_too(server: Server, database: str) -> None:
    """With any value: the plan that is made once and kept. Which index serves best depends on what is in the tables."""
    dialect = PGDialect_asyncpg()  # type: ignore[no-untyped-call]  # its parameters have numbers
    walked = {}
    with server.connect(database) as connection:
        for statement, indexes in FIND:
            text = str(statement.compile(dialect=dialect))
            plan = connection.execute(f"EXPLAIN (GENERIC_PLAN) {text}").fetchall()
            steps = "\n".join(line for (line,) in plan)
            if "Seq Scan" in steps and "hashed SubPlan" not in steps:  # of a small table a hash is as good
                walked[indexes] = steps

    assert walked == {}


class Anything(dict[str, int]):
    """A value for every parameter."""

    def __missing__(self, name: str) -> int:
        return 1


def statements() -> Iterator[tuple[str, Executable]]:
    for module in pkgutil.iter_modules(bot.store.__path__):
        if module.name not in ("migrations", "migrate"):
            members = vars(importlib.import_module(f"bot.store.{module.name}"))
            yield from ((f"{module.name}.{name}", one) for name, one in members.items() if isinstance(one, Executable))


@pytest.mark.parametrize(("name", "statement"), list(statements()))
def test_every_statement_is_one_for_postgresql_too(name: str, statement: Executable) -> None:
    text = str(statement.compile(dialect=POSTGRESQL))  # type: ignore[attr-defined]  # as above

    assert text.split(maxsplit=1)[0] in ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH"), name


def test_the_tables_are_tables_for_postgresql_too() -> None:
    made = "".join(str(CreateTable(table).compile(dialect=POSTGRESQL)) for table in METADATA.sorted_tables)
    indexes = [
        str(CreateIndex(one).compile(dialect=POSTGRESQL)) for table in METADATA.tables.values() for one in table.indexes
    ]

    assert made.count("BIGSERIAL") == 4
    assert sum("WHERE" in index for index in indexes) == 22
