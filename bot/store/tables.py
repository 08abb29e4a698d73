"""The tables. Times are microseconds since 1970 UTC, flags are what is or is not NULL, JSON is canonical text.

Every column type is one that drivers hand over unchanged, so no result needs converting. Work that waits is found
through partial indexes, whose conditions are all of the form `column IS [NOT] NULL`: a bound parameter cannot hide
them from the planner.
"""

from typing import Any

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, MetaData, Table, Text, text
from sqlmodel import Field, SQLModel

#: SQLite gives only INTEGER keys numbers of their own.
_SERIAL = BigInteger().with_variant(Integer, "sqlite")


class Base(SQLModel):
    metadata = MetaData()


def _serial() -> Any:
    return Field(default=None, sa_column=Column("id", _SERIAL, primary_key=True))


def _big(primary_key: bool = False) -> Any:
    own = {"autoincrement": False} if primary_key else {}  # GitHub numbers these
    return Field(sa_type=BigInteger, primary_key=primary_key, sa_column_kwargs=own)


def _maybe_big() -> Any:
    return Field(default=None, sa_type=BigInteger)


def _text(primary_key: bool = False) -> Any:
    return Field(sa_type=Text, primary_key=primary_key)


def _maybe_text() -> Any:
    return Field(default=None, sa_type=Text)


def _partial(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    return Index(name, *columns, unique=unique, sqlite_where=text(where), postgresql_where=text(where))


class DeliveryTable(Base, table=True):
    """Raw webhook requests. `id` grows, so it is their order. Waiting = `finished_at` NULL, working = `until` set."""

    __tablename__ = "deliveries"
    __table_args__ = (
        _partial("deliveries_waiting", "lane", "id", where="finished_at IS NULL"),
        _partial("deliveries_working", "lane", "until", where="until IS NOT NULL"),
        Index("deliveries_received", "received_at"),
    )
    id: int = _serial()
    guid: str = Field(sa_type=Text, unique=True)
    event: str = _text()
    action: str | None = _maybe_text()
    lane: int = _big()
    installation_id: int | None = _maybe_big()
    repository: str | None = _maybe_text()
    received_at: int = _big()
    state: str = _text()
    attempts: int
    worker: str | None = _maybe_text()
    until: int | None = _maybe_big()
    finished_at: int | None = _maybe_big()
    detail: str | None = _maybe_text()
    sha256: str = _text()
    body: bytes = Field(sa_type=LargeBinary)


class AppliedTable(Base, table=True):
    """Content keys of signals and what they led to. Kept for ever."""

    __tablename__ = "applied"
    repository_id: int = _big(primary_key=True)
    key: str = _text(primary_key=True)
    document: str = _text()


class RecordTable(Base, table=True):
    """Records: the document, and beside it copies of what is searched for and the state of publishing.

    Dirty = `dirty_since` set. `touched` = marked dirty without a new version since the publisher's lease was taken.
    """

    __tablename__ = "records"
    __table_args__ = (
        _partial("records_pull", "repository_id", "pull", where="pull IS NOT NULL"),
        _partial("records_head", "repository_id", "head", "issue", where="head IS NOT NULL"),
        _partial("records_branch", "repository_id", "branch", "issue", where="branch IS NOT NULL"),
        Index("records_name", "name", "issue"),
        Index("records_merge", "merge_state"),
        _partial("records_submit", "repository_id", "base", "phase_since", where="waits_for_base IS NOT NULL"),
        _partial("records_open", "repository_id", "issue", where="open IS NOT NULL"),
        Index("records_phase", "phase", "repository_id", "issue"),
        _partial("records_dirty", "dirty_since", "repository_id", "issue", where="dirty_since IS NOT NULL"),
        _partial("records_wake", "wake_at", "repository_id", "issue", where="wake_at IS NOT NULL"),
    )
    repository_id: int = _big(primary_key=True)
    issue: int = _big(primary_key=True)
    version: int = _big()
    document: str = _text()
    updated_at: int = _big()
    last_refusal: str | None = _maybe_text()
    dirty_since: int | None = _maybe_big()
    touched: int | None = Field(default=None)
    publish_not_before: int | None = _maybe_big()
    wake_at: int | None = _maybe_big()
    name: str = _text()
    phase: str = _text()
    phase_since: int = _big()
    open: int | None = Field(default=None)
    waits_for_base: int | None = Field(default=None)
    pull: int | None = _maybe_big()
    head: str | None = _maybe_text()
    branch: str | None = _maybe_text()
    base: str | None = _maybe_text()
    merge_state: str = _text()


class HistoryTable(Base, table=True):
    """One row per version: its canonical JSON without the digest, and the digest over exactly that text."""

    __tablename__ = "history"
    repository_id: int = _big(primary_key=True)
    issue: int = _big(primary_key=True)
    version: int = _big(primary_key=True)
    document: str = _text()
    digest: str = _text()


class ShownTable(Base, table=True):
    """What a status comment showed, and when."""

    __tablename__ = "shown"
    __table_args__ = (Index("shown_record", "repository_id", "issue", "id"),)
    id: int = _serial()
    repository_id: int = _big()
    issue: int = _big()
    document: str = _text()


class SlotTable(Base, table=True):
    """Projections as last written, one row per place on GitHub."""

    __tablename__ = "slots"
    __table_args__ = (Index("slots_name", "repository_id", "name"),)
    repository_id: int = _big(primary_key=True)
    issue: int = _big(primary_key=True)
    name: str = _text(primary_key=True)
    remote_id: int | None = _maybe_big()
    digest: str | None = _maybe_text()
    state: str = _text()
    extra: str | None = _maybe_text()


class EffectTable(Base, table=True):
    """One-shot effects. Waiting = `finished_at` NULL; `id` is the order within (repository, kind, target)."""

    __tablename__ = "effects"
    __table_args__ = (
        _partial("effects_waiting", "id", where="finished_at IS NULL"),
        _partial("effects_order", "repository_id", "kind", "target", "id", where="finished_at IS NULL"),
        Index("effects_record", "repository_id", "issue", "id"),
    )
    id: int = _serial()
    once: str = Field(sa_type=Text, unique=True)
    repository_id: int = _big()
    issue: int | None = _maybe_big()
    installation_id: int = _big()
    kind: str = _text()
    target: str = _text()
    repo: str = _text()
    effect: str = _text()
    state: str = _text()
    attempts: int
    not_before: int | None = _maybe_big()
    finished_at: int | None = _maybe_big()
    note: str | None = _maybe_text()


class AttemptTable(Base, table=True):
    """Merge requests, each with its owner's lease and every answer that ever came."""

    __tablename__ = "attempts"
    __table_args__ = (Index("attempts_record", "repository_id", "issue", "created_at"),)
    id: str = _text(primary_key=True)
    repository_id: int = _big()
    issue: int = _big()
    created_at: int = _big()
    document: str = _text()


class LeaseTable(Base, table=True):
    """Named holds. `until` NULL = until dropped."""

    __tablename__ = "leases"
    name: str = _text(primary_key=True)
    holder: str = _text()
    until: int | None = _maybe_big()


class TokenTable(Base, table=True):
    """API tokens by the SHA-256 of their secret."""

    __tablename__ = "tokens"
    __table_args__ = (_partial("tokens_name", "name", unique=True, where="revoked_at IS NULL"),)
    id: str = _text(primary_key=True)
    digest: str = Field(sa_type=Text, unique=True)
    name: str = _text()
    created_at: int = _big()
    revoked_at: int | None = _maybe_big()
    document: str = _text()


class RepositoryTable(Base, table=True):
    """Repositories by id. `folded` is the lower-case full name, NULL once another repository bears it."""

    __tablename__ = "repositories"
    __table_args__ = (_partial("repositories_folded", "folded", where="folded IS NOT NULL"),)
    id: int = _big(primary_key=True)
    installation_id: int = Field(sa_type=BigInteger, index=True)
    owner: str = _text()
    name: str = _text()
    folded: str | None = _maybe_text()


class InstallationTable(Base, table=True):
    """Installations; `not_before` is the durable pause of their requests."""

    __tablename__ = "installations"
    id: int = _big(primary_key=True)
    state: str | None = _maybe_text()
    not_before: int | None = _maybe_big()


class SweepTable(Base, table=True):
    """Where the sweep of a repository stands. Being swept = `claimed_until` in the future; `due_at` is the next time."""

    __tablename__ = "sweeps"
    __table_args__ = (Index("sweeps_due", "due_at"),)
    id: int = _big(primary_key=True)
    due_at: int = _big()
    claimed_until: int | None = _maybe_big()
    document: str = _text()


class AllowanceTable(Base, table=True):
    """What sweeping may cost an installation, and its rest after trouble. `id` 0 is the App itself."""

    __tablename__ = "allowances"
    id: int = _big(primary_key=True)
    rests_until: int | None = _maybe_big()
    document: str = _text()


class LookTable(Base, table=True):
    """When what moves a record was last read again, and when what we show of it was last compared."""

    __tablename__ = "looks"
    repository_id: int = _big(primary_key=True)
    issue: int = _big(primary_key=True)
    read_at: int | None = _maybe_big()
    compared_at: int | None = _maybe_big()


class RedeliveryTable(Base, table=True):
    """Deliveries that GitHub was asked to send again."""

    __tablename__ = "redeliveries"
    guid: str = _text(primary_key=True)
    times: int
    asked_at: int = _big()


class MetaTable(Base, table=True):
    """Facts about this database: `instance` names it for ever, `operation` is the id of the last committed group."""

    __tablename__ = "meta"
    name: str = _text(primary_key=True)
    value: str = _text()


METADATA = Base.metadata
deliveries: Table = METADATA.tables["deliveries"]
applied: Table = METADATA.tables["applied"]
records: Table = METADATA.tables["records"]
history: Table = METADATA.tables["history"]
shown: Table = METADATA.tables["shown"]
slots: Table = METADATA.tables["slots"]
effects: Table = METADATA.tables["effects"]
attempts: Table = METADATA.tables["attempts"]
leases: Table = METADATA.tables["leases"]
tokens: Table = METADATA.tables["tokens"]
repositories: Table = METADATA.tables["repositories"]
installations: Table = METADATA.tables["installations"]
sweeps: Table = METADATA.tables["sweeps"]
allowances: Table = METADATA.tables["allowances"]
looks: Table = METADATA.tables["looks"]
redeliveries: Table = METADATA.tables["redeliveries"]
meta: Table = METADATA.tables["meta"]
