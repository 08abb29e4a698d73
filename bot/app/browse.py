"""Reading records for people, agents and the command line: whole pages from one snapshot, already as plain JSON."""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, TypeVar

from bot.app.naming import no_record, unknown_repository
from bot.app.policy.standing import Standing, standing, whole
from bot.app.views import cursor_parts, cursor_text, damaged_view, explain_view, history_view, record_view, summary_view
from bot.domain.explain.damaged import changed
from bot.domain.model.policy import Policy
from bot.domain.model.record import Phase, Record
from bot.ports.rows import Loaded, RecordFilter
from bot.ports.store import Tx

T = TypeVar("T")

PAGE = 50
HISTORY_PAGE = 200
#: A list with a narrow filter looks at this many pages of records, then hands out a cursor to go on.
MOST_PAGES = 20

Page = dict[str, Any]
MaySee = Callable[[str], bool]
#: The rules in force for a record, by the same snapshot.
PolicyFor = Callable[[Tx, Record], Policy]


class Snapshot(Protocol):
    """`Store.read`, or the same on a database that nobody here writes to."""

    async def __call__(self, work: Callable[[Tx], T], /) -> T: ...


class Name(NamedTuple):
    """A record as people name it: `owner/name` and the issue's number."""

    repository: str
    issue: int


class Wanted(NamedTuple):
    """What a list shall hold. `cursor` comes from an earlier page."""

    repository: str | None = None
    phase: Phase | None = None
    waiting_on: str | None = None
    cursor: str | None = None


class Changed(Exception):
    """The stored history of this record is not what was written, so it is not shown. Says so, and how to look."""

    def __init__(self, record: Record) -> None:
        super().__init__(changed(record))


class Browser:
    """`policy_for` gives the rules in force for a record. `may_see(repository)` False reads as "there is none"."""

    def __init__(self, read: Snapshot, policy_for: PolicyFor) -> None:
        self._read = read
        self._policy_for = policy_for

    async def record(self, name: Name, may_see: MaySee) -> dict[str, Any] | None:
        def work(tx: Tx) -> dict[str, Any] | None:
            loaded = _visible(tx, name, may_see)
            return record_view(loaded, self._policy_for(tx, loaded.record)) if loaded else None

        return await self._read(work)

    async def rules(self, name: Name, may_see: MaySee) -> Standing | None:
        """How the policy file of its repository stands."""

        def work(tx: Tx) -> Standing | None:
            loaded = _visible(tx, name, may_see)
            return standing(tx, loaded.record.repository_id) if loaded else None

        return await self._read(work)

    async def why_no_record(self, name: Name) -> str:
        """For whoever may see everything."""
        return await self._read(lambda tx: no_record(tx, *name))

    async def unknown_repository(self, repository: str) -> str | None:
        """The same: a sentence where nothing was ever heard of it."""
        return await self._read(lambda tx: unknown_repository(tx, repository))

    async def policy(self, name: Name, may_see: MaySee) -> dict[str, Any] | None:
        """The whole of the rules in force in its repository."""

        def work(tx: Tx) -> dict[str, Any] | None:
            loaded = _visible(tx, name, may_see)
            return whole(tx, loaded.record.repository, loaded.record.repository_id) if loaded else None

        return await self._read(work)

    async def explanation(self, name: Name, may_see: MaySee) -> dict[str, Any] | None:
        def work(tx: Tx) -> dict[str, Any] | None:
            loaded = _visible(tx, name, may_see)
            if loaded is None:
                return None
            if not tx.records.is_sound(loaded.record.key):
                return damaged_view(loaded.record)
            return explain_view(loaded.record, self._policy_for(tx, loaded.record))

        return await self._read(work)

    async def damage(self, name: Name, may_see: MaySee) -> str | None:
        """A sentence where the stored history is not what was written."""

        def work(tx: Tx) -> str | None:
            loaded = _visible(tx, name, may_see)
            return changed(loaded.record) if loaded and not tx.records.is_sound(loaded.record.key) else None

        return await self._read(work)

    async def history(self, name: Name, may_see: MaySee, cursor: str | None = None) -> Page | None:
        """Raises ValueError for a cursor that is none of ours, and Changed."""
        after = cursor_parts(cursor, 1)[0] if cursor else 0

        def work(tx: Tx) -> Page | None:
            loaded = _visible(tx, name, may_see)
            if loaded is None:
                return None
            if not tx.records.is_sound(loaded.record.key):
                raise Changed(loaded.record)
            rows = tx.records.history(loaded.record.key, after=after, limit=HISTORY_PAGE)
            more = len(rows) == HISTORY_PAGE and rows[-1].version < loaded.record.version
            return _page([history_view(row) for row in rows], (rows[-1].version,) if more else None)

        return await self._read(work)

    async def list(self, wanted: Wanted, may_see: MaySee) -> Page:
        """Raises ValueError for a cursor that is none of ours."""
        start = _pair(cursor_parts(wanted.cursor, 2)) if wanted.cursor else None
        return await self._read(lambda tx: self._collect(tx, wanted, may_see, start))

    def _collect(self, tx: Tx, wanted: Wanted, may_see: MaySee, start: tuple[int, int] | None) -> Page:
        items: list[dict[str, Any]] = []
        cursor = start
        for _ in range(MOST_PAGES):
            query = RecordFilter(repository=wanted.repository, phase=wanted.phase, cursor=cursor, limit=PAGE)
            found = tx.records.find(query)
            for loaded in found:
                cursor = (loaded.record.repository_id, loaded.record.issue)
                row = self._row(tx, loaded, wanted, may_see)
                if row is not None:
                    items.append(row)
                if len(items) == PAGE:
                    return _page(items, cursor)
            if len(found) < PAGE:
                return _page(items, None)
        return _page(items, cursor)

    def _row(self, tx: Tx, loaded: Loaded, wanted: Wanted, may_see: MaySee) -> dict[str, Any] | None:
        if not may_see(loaded.record.repository):
            return None
        row = summary_view(loaded, self._policy_for(tx, loaded.record))
        return row if wanted.waiting_on in {None, *row["waiting_on"]} else None


def _visible(tx: Tx, name: Name, may_see: MaySee) -> Loaded | None:
    key = tx.records.by_name(*name)
    loaded = tx.records.load(key) if key else None
    return loaded if loaded and may_see(loaded.record.repository) else None


def _pair(parts: tuple[int, ...]) -> tuple[int, int]:
    first, second = parts
    return first, second


def _page(items: list[dict[str, Any]], cursor: tuple[int, ...] | None) -> Page:
    return {"items": items, "next": cursor_text(cursor) if cursor else None}
