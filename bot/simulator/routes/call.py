"""One request as a handler sees it, and the helpers every resource needs."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar
from urllib.parse import urlencode

from bot.simulator.edge import Reply
from bot.simulator.model.people import User
from bot.simulator.model.repositories import Repository
from bot.simulator.model.threads import Comment, Pull, Thread
from bot.simulator.refusal import HttpError, invalid, not_found
from bot.simulator.routes.tokens import Tokens
from bot.simulator.world import World

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call:
    """`base` is the address of this API; `path` what was asked, for `Link`."""

    world: World
    tokens: Tokens
    base: str
    path: str
    parts: Mapping[str, Any]
    query: Mapping[str, str]
    body: Any
    authorization: str
    version: str
    found: Repository | None = None

    @property
    def repository(self) -> Repository:
        assert self.found is not None, "only for paths that name a repository"
        return self.found

    @property
    def old(self) -> bool:
        """REST version 2022-11-28, the one without a header, still has `merge_commit_sha`."""
        return self.version == "2022-11-28"

    @property
    def bot(self) -> User:
        return self.world.bot

    def field(self, name: str, kind: type[T]) -> T:
        """A required field of the JSON body."""
        value = self.body.get(name) if isinstance(self.body, dict) else None
        if not isinstance(value, kind):
            raise invalid("Request", name, "missing_field")
        return value

    def optional(self, name: str) -> Any:
        """A field that may be left out; GitHub refuses an explicit null in merge texts, so null is no default."""
        return self.body.get(name) if isinstance(self.body, dict) else None

    def thread(self) -> Thread:
        """The issue or pull request named in the path; a transferred one redirects, a deleted one is 410."""
        repo, number = self.repository, self.parts["number"]
        if number in repo.threads:
            return repo.threads[number]
        if number in repo.gone:
            moved = repo.gone[number]
            if moved is None:
                raise HttpError(410, "This issue was deleted")
            where = f"{self.base}/repositories/{moved.repository.id}/issues/{moved.number}"
            raise HttpError(301, "Moved Permanently", headers={"Location": where}, extra={"url": where})
        raise not_found()

    def pull(self) -> Pull:
        thread = self.thread()
        if not isinstance(thread, Pull):
            raise not_found()
        return thread

    def comment(self, *, on_line: bool = False) -> Comment:
        found = self.world.comments_by_id.get(self.parts["id"])
        if found is None or found.thread.repository is not self.repository or (found.path is not None) != on_line:
            raise not_found()
        return found

    def since(self) -> datetime | None:
        text = self.query.get("since")
        return datetime.fromisoformat(text).astimezone(UTC) if text else None

    def page(self, items: Sequence[T], render: Callable[[T], Any], envelope: str | None = None) -> Reply:
        """One page of a list, with `Link`; `envelope` wraps it as {total_count, envelope: [...]}."""
        size = min(max(_number(self.query.get("per_page"), 30), 1), 100)
        page = max(_number(self.query.get("page"), 1), 1)
        shown: Any = [render(one) for one in items[(page - 1) * size : page * size]]
        if envelope is not None:
            shown = {"total_count": len(items), envelope: shown}
        links = self._links(page, max(-(-len(items) // size), 1))
        return Reply(200, shown, {"Link": links} if links else {})

    def _links(self, page: int, last: int) -> str:
        wanted = {"prev": page - 1, "next": page + 1, "last": last, "first": 1}
        forward = {rel for rel in ("next", "last") if page < last}
        backward = {rel for rel in ("prev", "first") if page > 1}
        rels = [rel for rel in wanted if rel in forward | backward]
        return ", ".join(f'<{self._address(wanted[rel])}>; rel="{rel}"' for rel in rels)

    def _address(self, page: int) -> str:
        return f"{self.base}{self.path}?{urlencode({**self.query, 'page': page})}"


def _number(text: str | None, default: int) -> int:
    return int(text) if text is not None and re.fullmatch(r"\d+", text) else default


Handler = Callable[[Call], Reply]
