"""A list of GitHub is whole, or it is no answer.

GitHub counts pages by rows: what closes, or is edited, between two pages moves the others, and a row slips from the page that
is asked for next onto one that was read. So a list is whole if it came on one page with room left, or if two readings tell
the same. Their pages differ in size: what moves in the same way each time makes each of them lose another row. And only a
page with room left is the last one: the header that names the next may be lost on the way.

Where GitHub names further pages by a cursor nothing slips, so one reading is enough.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol, TypeVar

import httpx

from bot.ports.failures import Unreachable

PER_PAGE = 100
#: More pages than any thread or commit has; beyond it something is wrong, and half a list is never an answer.
MAX_PAGES = 100
#: Pages of a list that is read from its newest row back, and needs no end: what is older is not known.
MOST_BACK = 10
#: So often a list of several pages is read until two readings that follow each other agree.
READINGS = 4


class Page(Protocol):
    @property
    def following(self) -> Mapping[str, str] | None: ...


P = TypeVar("P", bound=Page)
T = TypeVar("T")
Ask = Callable[[int, int], Awaitable[P]]
#: The same for what is asked with in the place of a number; nothing at first.
AskOn = Callable[[Mapping[str, str], int], Awaitable[P]]
Rows = Callable[[P], Sequence[T]]


def next_of(answer: httpx.Response) -> dict[str, str] | None:
    """What the page behind this one is asked with, if one follows. It is never asked for where the header points."""
    return dict(httpx.URL(answer.links["next"].get("url", "")).params) if "next" in answer.links else None


def is_last(page: Page, rows: Sequence[object], size: int) -> bool:
    return page.following is None and len(rows) < size


async def whole(what: str, ask: Ask[P], rows: Rows[P, T], first: P | None = None) -> tuple[tuple[T, ...], list[P]]:
    """All rows and the pages they came on. `ask` takes the number and the size of a page; `first` is the first page where it
    was read already. Raises Unreachable."""
    found, pages = await _reading(what, ask, rows, PER_PAGE, first)
    for number in range(1, READINGS):
        if len(pages) == 1:
            break
        before = found
        found, pages = await _reading(what, ask, rows, PER_PAGE - number % 2)
        if _tell_the_same(before, found):
            break
    else:
        raise Unreachable(f"{what}: it changes while it is read, and no two readings agree")
    return found, pages


async def _reading(
    what: str, ask: Ask[P], rows: Rows[P, T], size: int, first: P | None = None
) -> tuple[tuple[T, ...], list[P]]:
    found: list[T] = []
    pages: list[P] = []
    while len(pages) < MAX_PAGES:
        page = first if first is not None and not pages else await ask(len(pages) + 1, size)
        part = rows(page)
        found += part
        pages.append(page)
        if is_last(page, part, size):
            return tuple(found), pages
    raise Unreachable(f"{what}: more than {MAX_PAGES} pages")


async def back(what: str, ask: AskOn[P], rows: Rows[P, T]) -> tuple[tuple[T, ...], P, bool]:
    """The newest rows, the last page, and whether there are no older ones. Raises Unreachable."""
    found: list[T] = []
    where: Mapping[str, str] = {}
    for _ in range(MOST_BACK):
        page, part = await _named(what, ask, rows, where)
        found += part
        if page.following is None:
            return tuple(found), page, True
        where = page.following
    return tuple(found), page, False


async def _named(what: str, ask: AskOn[P], rows: Rows[P, T], where: Mapping[str, str]) -> tuple[P, Sequence[T]]:
    """A page, and what is surely on it: a full one that names no next one is asked for in another size."""
    for size in (PER_PAGE, PER_PAGE - 1):
        page = await ask(where, size)
        part = rows(page)
        if page.following is not None or len(part) < size:
            return page, part
    raise Unreachable(f"{what}: two full pages of different size name no next one")


def _tell_the_same(one: Sequence[object], other: Sequence[object]) -> bool:
    """In any order: GitHub does not promise one for rows of the same second."""
    return sorted(map(repr, one)) == sorted(map(repr, other))
