"""How columns are declared: only types that drivers hand over unchanged, and indexes over what still waits."""

from typing import Any

from sqlalchemy import BigInteger, Column, Index, Integer, MetaData, Text, text
from sqlmodel import Field, SQLModel

#: SQLite gives only INTEGER keys numbers of their own.
_SERIAL = BigInteger().with_variant(Integer, "sqlite")


class Base(SQLModel):
    metadata = MetaData()


def serial() -> Any:
    return Field(default=None, sa_column=Column("id", _SERIAL, primary_key=True))


def number(primary_key: bool = False) -> Any:
    own = {"autoincrement": False} if primary_key else {}  # GitHub numbers these
    return Field(sa_type=BigInteger, primary_key=primary_key, sa_column_kwargs=own)


def maybe_number() -> Any:
    return Field(default=None, sa_type=BigInteger)


def words(primary_key: bool = False) -> Any:
    return Field(sa_type=Text, primary_key=primary_key)


def maybe_words() -> Any:
    return Field(default=None, sa_type=Text)


def partial(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    return Index(name, *columns, unique=unique, sqlite_where=text(where), postgresql_where=text(where))
