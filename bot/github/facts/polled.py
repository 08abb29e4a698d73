"""Lists in the order in which their rows were changed: what changes while they are read is at the end that is still to come,
or newer than all that was looked at."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator

from bot.domain.model.sweeping import CommentsSince
from bot.github.api import Api
from bot.github.facts.pulls import ListedPull
from bot.github.lists import MAX_PAGES, PER_PAGE, is_last
from bot.github.reply import Reply
from bot.github.shapes import App, Id, Moment, Part, Text, User
from bot.ports.failures import Unreachable

#: So many pages of comments at a time.
PIECE = 20


def _numbered(address: str) -> str:
    if not address.rpartition("/")[2].isdigit():
        raise ValueError("names no thread")
    return address


ThreadAddress = Annotated[Text, AfterValidator(_numbered)]


class ListedComment(Part):
    id: Id
    node_id: Text = ""
    body: Text | None = None
    user: User | None = None
    html_url: Text = ""
    issue_url: ThreadAddress | None = None
    performed_via_github_app: App | None = None
    original_commit_id: Text | None = None
    created_at: Moment
    updated_at: Moment


class ChangedPull(ListedPull):
    updated_at: Moment


async def comments_from(api: Api, question: CommentsSince) -> tuple[dict[int, ListedComment], list[Reply], bool]:
    """By number, those that were changed last at the end, and whether that is all. After a full page it is asked for what was
    changed since the last of it, not for the next page: whatever is edited meanwhile moves to the end, and skips nothing."""
    found: dict[int, ListedComment] = {}
    pages: list[Reply] = []
    since, etag = text(question.since), question.etag
    while len(pages) < PIECE:
        asked = {"since": since, "sort": "updated", "direction": "asc"}
        pages.append(await api.get("/issues/comments", etag if not pages else None, per_page=PER_PAGE, page=1, **asked))
        if pages[-1].unchanged:
            break
        rows: tuple[ListedComment, ...] = pages[-1].read(tuple[ListedComment, ...])
        last = is_last(pages[-1], rows, PER_PAGE)
        if not last and (not rows or text(rows[-1].updated_at) == since):  # so many of one second
            rows, others = await api.listed("/issues/comments", ListedComment, None, **asked)
            pages, last = [*pages, *others], True
        for one in rows:
            found.pop(one.id, None)
            found[one.id] = one
        if last:
            break
        since = text(rows[-1].updated_at)
    else:
        return found, pages, False
    return found, pages, True


async def pulls_from(
    api: Api, since: datetime, etag: str | None, order: dict[str, str]
) -> tuple[tuple[ChangedPull, ...], list[Reply]]:
    found: list[ChangedPull] = []
    pages: list[Reply] = []
    while len(pages) < MAX_PAGES:
        number = len(pages) + 1
        asked = etag if number == 1 else None
        reply = await api.get("/pulls", asked, state="all", per_page=PER_PAGE, page=number, **order)
        pages.append(reply)
        if reply.unchanged:
            return (), pages
        rows: tuple[ChangedPull, ...] = reply.read(tuple[ChangedPull, ...])
        found += [one for one in rows if one.updated_at >= since]
        if is_last(reply, rows, PER_PAGE) or (rows and rows[-1].updated_at < since):
            return tuple(found), pages
    raise Unreachable(f"GET /pulls: more than {MAX_PAGES} pages")


def text(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
