"""The list of lifecycles as people read it: who needs somebody first, then the longest wait; with text search.

The order is over everything that matches, so a request looks at all of it, up to a bound, and hands out one page.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from bot.app.beside import beside
from bot.app.browse import MaySee, PolicyFor, Snapshot
from bot.app.views import cursor_parts, cursor_text
from bot.domain.explain.tree import awaited, explain
from bot.domain.model.explain import Explanation, WaitingOn
from bot.domain.model.policy import Policy
from bot.domain.model.record import Phase, Record
from bot.domain.projections.headline import first_line, second_line
from bot.domain.projections.show import WebAddress
from bot.ports.rows import Loaded, RecordFilter
from bot.ports.store import Tx

View = Literal["open", "blocked", "done"]
PAGE = 50
CHUNK = 200
#: Records looked at for one request; the newest ones.
MOST = 2000
#: Fewer digits name too many commits.
SHORTEST_SHA = 4
_PEOPLE = frozenset({"builders", "reviewers", "operators"})
Place = tuple[int, int, int, int]


class Query(NamedTuple):
    """What a list shall hold. `text` is part of a title, `#12`, a login or the beginning of a SHA."""

    view: View = "open"
    text: str = ""
    repository: str | None = None
    phase: Phase | None = None
    waiting_on: WaitingOn | None = None
    cursor: str | None = None

    @property
    def narrowed(self) -> bool:
        return bool(self.text or self.repository or self.phase or self.waiting_on)


@dataclass(frozen=True, slots=True)
class Row:
    """`says` and `waits` are lines 1 and 2 of the status comment."""

    record: Record
    policy: Policy
    explanation: Explanation
    says: str
    waits: str


@dataclass(frozen=True, slots=True)
class Overview:
    """`total` rows match, `rows` is a page of them and `next` the cursor to the following one. `counts` is of all
    records whatever the filters. `more`: older records were not looked at."""

    rows: tuple[Row, ...]
    total: int
    next: str | None
    counts: dict[View, int]
    any: bool
    repositories: tuple[str, ...]
    more: bool
    now: datetime


class Overviews:
    def __init__(self, read: Snapshot, policy_for: PolicyFor, web: WebAddress) -> None:
        self._read = read
        self._policy_for = policy_for
        self._web = web

    async def page(self, query: Query, may_see: MaySee) -> Overview:
        """A cursor that is none of ours gives the first page."""
        return await self._read(lambda tx: self._collect(tx, query, may_see))

    def _collect(self, tx: Tx, query: Query, may_see: MaySee) -> Overview:
        opened, cut = _look(tx, may_see, open_only=True)
        whole, whole_cut = _look(tx, may_see, open_only=False) if query.view == "done" else (opened, cut)
        matching = [loaded for loaded in whole if _fits(loaded.record, query)]
        placed = sorted(self._placed(tx, matching, query), key=lambda pair: pair[0])
        after = _cursor(query.cursor)
        rest = [pair for pair in placed if after is None or pair[0] > after]
        page = rest[:PAGE]
        return Overview(
            rows=tuple(self._row(tx, loaded) for _, loaded in page),
            total=len(placed),
            next=cursor_text(page[-1][0]) if len(rest) > PAGE else None,
            counts={
                "open": len(opened),
                "blocked": sum(_in_view(each.record, "blocked") for each in opened),
                "done": sum(number for name, number in tx.records.over().items() if may_see(name)),
            },
            any=bool(whole or _look(tx, may_see, open_only=False, most=CHUNK)[0]),
            repositories=tuple(sorted({each.record.repository for each in (*opened, *whole)}, key=str.casefold)),
            more=whole_cut,
            now=tx.now(),
        )

    def _placed(self, tx: Tx, matching: Sequence[Loaded], query: Query) -> Iterator[tuple[Place, Loaded]]:
        for loaded in matching:
            if query.view == "done" and query.waiting_on is None:
                yield _place(loaded.record, 0, newest=True), loaded
                continue
            who = awaited(explain(loaded.record, self._policy_for(tx, loaded.record), loaded.updated_at))
            if query.waiting_on in {None, *who}:
                yield _place(loaded.record, _urgency(loaded.record, who), newest=query.view == "done"), loaded

    def _row(self, tx: Tx, loaded: Loaded) -> Row:
        record = loaded.record
        policy = self._policy_for(tx, record)
        explanation = explain(record, policy, loaded.updated_at)
        show = beside(loaded, policy, self._web)
        return Row(record, policy, explanation, first_line(show), second_line(show, explanation))


def _look(tx: Tx, may_see: MaySee, *, open_only: bool, most: int = MOST) -> tuple[list[Loaded], bool]:
    """What may be seen of the newest `most` records, and whether there are older ones."""
    seen: list[Loaded] = []
    cursor: tuple[int, int] | None = None
    for _ in range(0, most, CHUNK):
        found = tx.records.find(RecordFilter(open_only=open_only, cursor=cursor, limit=CHUNK))
        seen += [loaded for loaded in found if may_see(loaded.record.repository)]
        if len(found) < CHUNK:
            return seen, False
        key = found[-1].record.key
        cursor = (key.repository_id, key.issue)
    return seen, True


def _fits(record: Record, query: Query) -> bool:
    if not _in_view(record, query.view):
        return False
    if query.repository is not None and record.repository.casefold() != query.repository.casefold():
        return False
    return query.phase in {None, record.phase} and _mentions(record, query.text.strip().casefold())


def _in_view(record: Record, view: View) -> bool:
    match view:
        case "blocked":
            return record.phase == "blocked" and not record.withdrawn
        case "done":
            return record.phase == "done" or record.withdrawn
        case "open":
            return True


def _mentions(record: Record, text: str) -> bool:
    if not text:
        return True
    if text.startswith("#") and text[1:].isdecimal():
        return text[1:] in {str(record.issue), str(record.pull_request)}
    people = [record.requester, *(decision.by for decision in record.decisions)]
    people += [record.plan.author] if record.plan else []
    people += [record.pull.author] if record.pull else []
    commits = (record.head, record.merge.sha, record.merge.head)
    return (
        text in record.title.casefold()
        or text in {person.login.casefold() for person in people}
        or (len(text) >= SHORTEST_SHA and any(sha is not None and sha.startswith(text) for sha in commits))
    )


def _urgency(record: Record, who: tuple[WaitingOn, ...]) -> int:
    """What only a person can end comes first, and among that what has stopped."""
    if record.phase == "blocked" or record.frozen is not None or record.merge.state == "ambiguous":
        return 0
    return 1 if _PEOPLE.intersection(who) else 2


def _place(record: Record, urgency: int, *, newest: bool) -> Place:
    since = int(record.phase_since.timestamp() * 1_000_000)
    return (urgency, -since if newest else since, record.repository_id, record.issue)


def _cursor(text: str | None) -> Place | None:
    if text is None:
        return None
    try:
        urgency, since, repository, issue = cursor_parts(text, 4)
    except ValueError:
        return None
    return urgency, since, repository, issue
