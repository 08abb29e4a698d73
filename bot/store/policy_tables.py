"""The tables of the policy files: which rules are in force, what is watched, what was said on which commit."""

from sqlalchemy import Index, Table

from bot.store.column_types import Base, maybe_number, maybe_words, number, partial, serial, words
from bot.store.tables import METADATA


class PolicyTable(Base, table=True):
    """Every version of a file that was looked at; the newest of a repository holds. Its records are still to be told while
    `tell_at` is set."""

    __tablename__ = "policies"
    __table_args__ = (
        Index("policies_newest", "repository_id", "id"),
        partial("policies_untold", "tell_at", "id", where="tell_at IS NOT NULL"),
    )
    id: int = serial()
    repository_id: int = number()
    commit_sha: str | None = maybe_words()
    blob_sha: str = words()
    since: int = number()
    tell_at: int | None = maybe_number()
    document: str = words()


class PolicyWatchTable(Base, table=True):
    """How the file of a repository is watched. A look is wanted while `due_at` is set."""

    __tablename__ = "policy_watches"
    __table_args__ = (partial("policy_watches_due", "due_at", where="due_at IS NOT NULL"),)
    id: int = number(primary_key=True)
    due_at: int | None = maybe_number()
    document: str = words()


class PolicyReportTable(Base, table=True):
    """What is said of a policy file in one place, and is still to be said while `due_at` is set."""

    __tablename__ = "policy_reports"
    __table_args__ = (partial("policy_reports_due", "due_at", where="due_at IS NOT NULL"),)
    repository_id: int = number(primary_key=True)
    place: str = words(primary_key=True)
    due_at: int | None = maybe_number()
    document: str = words()


policies: Table = METADATA.tables["policies"]
policy_watches: Table = METADATA.tables["policy_watches"]
policy_reports: Table = METADATA.tables["policy_reports"]
