"""The tables. Times are microseconds since 1970 UTC, flags are what is or is not NULL, JSON is canonical text.

Every column type is one that drivers hand over unchanged, so no result needs converting. Work that waits is found
through partial indexes, whose conditions are all of the form `column IS [NOT] NULL`: a bound parameter cannot hide
them from the planner.
"""

from sqlalchemy import BigInteger, Index, LargeBinary, Table, Text
from sqlmodel import Field

from bot.store.column_types import Base, maybe_number, maybe_words, number, partial, serial, words


class DeliveryTable(Base, table=True):
    """Raw webhook requests. `id` grows, so it is their order. Waiting = `finished_at` NULL, working = `worker`
    set; `until` without a worker = tried in vain, to be tried again then."""

    __tablename__ = "deliveries"
    __table_args__ = (
        partial("deliveries_waiting", "lane", "id", where="finished_at IS NULL"),
        partial("deliveries_working", "lane", "until", where="until IS NOT NULL"),
        partial("deliveries_over", "state", "received_at", where="finished_at IS NOT NULL"),
        partial("deliveries_over_here", "lane", "state", where="finished_at IS NOT NULL"),
        partial("deliveries_of_thread", "lane", "thread", where="finished_at IS NULL"),
        partial("deliveries_of_head", "lane", "head", where="finished_at IS NULL"),
        Index("deliveries_received", "received_at"),
    )
    id: int = serial()
    guid: str = Field(sa_type=Text, unique=True)
    event: str = words()
    action: str | None = maybe_words()
    lane: int = number()
    installation_id: int | None = maybe_number()
    repository: str | None = maybe_words()
    received_at: int = number()
    state: str = words()
    attempts: int
    worker: str | None = maybe_words()
    until: int | None = maybe_number()
    finished_at: int | None = maybe_number()
    detail: str | None = maybe_words()
    sha256: str = words()
    body: bytes = Field(sa_type=LargeBinary)
    thread: int | None = maybe_number()
    head: str | None = maybe_words()


class AppliedTable(Base, table=True):
    """Content keys of signals and what they led to. Kept for ever."""

    __tablename__ = "applied"
    repository_id: int = number(primary_key=True)
    key: str = words(primary_key=True)
    document: str = words()


class RecordTable(Base, table=True):
    """Records: the document, and beside it copies of what is searched for and the state of publishing.

    Dirty = `dirty_since` set. `touched` = marked dirty without a new version since the publisher's lease was taken.
    """

    __tablename__ = "records"
    __table_args__ = (
        partial("records_pull", "repository_id", "pull", where="pull IS NOT NULL"),
        partial("records_head", "repository_id", "head", "issue", where="head IS NOT NULL"),
        partial("records_branch", "repository_id", "branch", "issue", where="branch IS NOT NULL"),
        Index("records_name", "name", "issue"),
        Index("records_merge", "merge_state"),
        partial("records_submit", "repository_id", "base", "phase_since", where="waits_for_base IS NOT NULL"),
        partial("records_open", "repository_id", "issue", where="open IS NOT NULL"),
        Index("records_phase", "phase", "repository_id", "issue"),
        partial("records_dirty", "dirty_since", "repository_id", "issue", where="dirty_since IS NOT NULL"),
        partial("records_wake", "wake_at", "repository_id", "issue", where="wake_at IS NOT NULL"),
    )
    repository_id: int = number(primary_key=True)
    issue: int = number(primary_key=True)
    version: int = number()
    document: str = words()
    updated_at: int = number()
    last_refusal: str | None = maybe_words()
    dirty_since: int | None = maybe_number()
    touched: int | None = Field(default=None)
    publish_not_before: int | None = maybe_number()
    wake_at: int | None = maybe_number()
    name: str = words()
    phase: str = words()
    phase_since: int = number()
    open: int | None = Field(default=None)
    waits_for_base: int | None = Field(default=None)
    pull: int | None = maybe_number()
    head: str | None = maybe_words()
    branch: str | None = maybe_words()
    base: str | None = maybe_words()
    merge_state: str = words()


class HistoryTable(Base, table=True):
    """One row per version: its canonical JSON without the digest, and the digest over exactly that text."""

    __tablename__ = "history"
    repository_id: int = number(primary_key=True)
    issue: int = number(primary_key=True)
    version: int = number(primary_key=True)
    document: str = words()
    digest: str = words()


class ShownTable(Base, table=True):
    """What a status comment showed, and when."""

    __tablename__ = "shown"
    __table_args__ = (Index("shown_record", "repository_id", "issue", "id"),)
    id: int = serial()
    repository_id: int = number()
    issue: int = number()
    document: str = words()


class SlotTable(Base, table=True):
    """Projections as last written, one row per place on GitHub."""

    __tablename__ = "slots"
    __table_args__ = (Index("slots_name", "repository_id", "name"),)
    repository_id: int = number(primary_key=True)
    issue: int = number(primary_key=True)
    name: str = words(primary_key=True)
    remote_id: int | None = maybe_number()
    digest: str | None = maybe_words()
    state: str = words()
    extra: str | None = maybe_words()


class EffectTable(Base, table=True):
    """One-shot effects. Waiting = `finished_at` NULL; `id` is the order within (repository, kind, target)."""

    __tablename__ = "effects"
    __table_args__ = (
        partial("effects_waiting", "id", where="finished_at IS NULL"),
        partial("effects_lanes", "installation_id", "kind", "id", where="finished_at IS NULL"),
        partial("effects_order", "repository_id", "kind", "target", "id", where="finished_at IS NULL"),
        partial("effects_over", "state", where="finished_at IS NOT NULL"),
        Index("effects_record", "repository_id", "issue", "id"),
    )
    id: int = serial()
    once: str = Field(sa_type=Text, unique=True)
    repository_id: int = number()
    issue: int | None = maybe_number()
    installation_id: int = number()
    kind: str = words()
    target: str = words()
    repo: str = words()
    effect: str = words()
    state: str = words()
    attempts: int
    not_before: int | None = maybe_number()
    finished_at: int | None = maybe_number()
    note: str | None = maybe_words()


class AttemptTable(Base, table=True):
    """Merge requests, each with its owner's lease and every answer that ever came."""

    __tablename__ = "attempts"
    __table_args__ = (Index("attempts_record", "repository_id", "issue", "created_at"),)
    id: str = words(primary_key=True)
    repository_id: int = number()
    issue: int = number()
    created_at: int = number()
    document: str = words()


class LeaseTable(Base, table=True):
    """Named holds. `until` NULL = until dropped."""

    __tablename__ = "leases"
    name: str = words(primary_key=True)
    holder: str = words()
    until: int | None = maybe_number()


class TokenTable(Base, table=True):
    """API tokens by the SHA-256 of their secret."""

    __tablename__ = "tokens"
    __table_args__ = (partial("tokens_name", "name", unique=True, where="revoked_at IS NULL"),)
    id: str = words(primary_key=True)
    digest: str = Field(sa_type=Text, unique=True)
    name: str = words()
    created_at: int = number()
    revoked_at: int | None = maybe_number()
    document: str = words()


class RepositoryTable(Base, table=True):
    """Repositories by id. `folded` is the lower-case full name, NULL once another repository bears it."""

    __tablename__ = "repositories"
    __table_args__ = (partial("repositories_folded", "folded", where="folded IS NOT NULL"),)
    id: int = number(primary_key=True)
    installation_id: int = Field(sa_type=BigInteger, index=True)
    owner: str = words()
    name: str = words()
    folded: str | None = maybe_words()


class InstallationTable(Base, table=True):
    """Installations; `not_before` is the durable pause of their requests."""

    __tablename__ = "installations"
    id: int = number(primary_key=True)
    state: str | None = maybe_words()
    not_before: int | None = maybe_number()


class MetaTable(Base, table=True):
    """Facts about this database: `instance` names it for ever, `operation` is the id of the last committed group."""

    __tablename__ = "meta"
    name: str = words(primary_key=True)
    value: str = words()


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
meta: Table = METADATA.tables["meta"]
