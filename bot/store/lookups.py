"""Finding records: statements that answer with keys or pages, all along an index."""

from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, func, select, tuple_

from bot.store.tables import history, repositories
from bot.store.tables import records as table

_KEY = (table.c.repository_id, table.c.issue)
_IN_REPOSITORY = table.c.repository_id == bindparam("repository_id")
LOADED = (table.c.document, table.c.last_refusal, table.c.updated_at, table.c.dirty_since)


def _keys(*where: ColumnElement[bool]) -> Select[Any]:
    return select(*_KEY).where(*where)


#: What any of the two tables holds something of.
EVERY = _keys().union(select(history.c.repository_id, history.c.issue)).order_by("repository_id", "issue")
#: An open record first, then the newest: at most one open record should have it.
BY_PULL = (
    _keys(_IN_REPOSITORY, table.c.pull == bindparam("pull"))
    .order_by(table.c.open.is_(None), table.c.issue.desc())
    .limit(1)
)
BY_HEAD = _keys(_IN_REPOSITORY, table.c.head == bindparam("head")).order_by(table.c.issue)
BY_BRANCH = _keys(_IN_REPOSITORY, table.c.branch == bindparam("branch")).order_by(table.c.issue)
BY_PRESENT_NAME = _keys(
    table.c.repository_id
    == select(repositories.c.id).where(repositories.c.folded == bindparam("name")).limit(1).scalar_subquery(),
    table.c.issue == bindparam("issue"),
)
#: By the name in the record itself, for repositories that were never seen under this name.
BY_RECORDED_NAME = (
    _keys(table.c.name == bindparam("name"), table.c.issue == bindparam("issue"))
    .order_by(table.c.updated_at.desc())
    .limit(1)
)
OF_REPOSITORY = _keys(_IN_REPOSITORY).order_by(table.c.issue)
BY_NAME = select(table.c.name, func.count()).group_by(table.c.name)
OPEN_BY_NAME = BY_NAME.where(table.c.open.is_not(None))
OPEN_OF_REPOSITORY = _keys(_IN_REPOSITORY, table.c.open.is_not(None)).order_by(table.c.issue)
NEWEST = _keys(table.c.open.is_not(None)).order_by(table.c.updated_at.desc(), *_KEY).limit(bindparam("limit"))
MERGING = _keys(table.c.merge_state == bindparam("state")).order_by(*_KEY)
DUE = _keys(table.c.wake_at <= bindparam("now")).order_by(table.c.wake_at, *_KEY).limit(bindparam("limit"))
WAITING_FOR_BASE = _keys(
    _IN_REPOSITORY, table.c.base == bindparam("base"), table.c.waits_for_base.is_not(None)
).order_by(table.c.phase_since, table.c.issue)


@cache
def page(asked: frozenset[str]) -> Select[Any]:
    """Whole records, newest repository and issue first, narrowed by the named parts of a RecordFilter. A key never
    changes, so a page after a cursor repeats and skips nothing however much happens in between."""
    parts: dict[str, ColumnElement[bool]] = {
        "repository": table.c.name == bindparam("repository"),
        "phase": table.c.phase == bindparam("phase"),
        "open_only": table.c.open.is_not(None),
        "cursor": tuple_(*_KEY) < tuple_(bindparam("repository_id"), bindparam("issue")),
    }
    wanted = [part for name, part in parts.items() if name in asked]
    newest_first = (table.c.repository_id.desc(), table.c.issue.desc())
    return select(*LOADED).where(*wanted).order_by(*newest_first).limit(bindparam("limit"))
