"""What a delivery is about, before it is translated: a merge waits for what may concern its record, and for nothing else.

What is not understood is about everything. What changes no record, whoever sends it, is about nothing: words that were
edited or deleted, labels of pull requests, and what we did ourselves.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from bot.domain.model.delivery import NO_THREAD
from bot.domain.model.policy import is_our_label

_SHA = 40


class Subject(NamedTuple):
    """`thread`: the number of an issue or pull request. `head`: a commit. Neither = anything of its repository."""

    thread: int | None = None
    head: str | None = None


NOTHING = Subject(thread=NO_THREAD)


def subject(body: Mapping[str, Any], action: str | None, app_id: int) -> Subject:
    for about in (_check, _words, _pull, _issue, _commits):
        found = about(body, action, app_id)
        if found is not None:
            return found
    return Subject()


def _check(body: Mapping[str, Any], _action: str | None, app_id: int) -> Subject | None:
    one = part(body, "check_run") or part(body, "check_suite")
    if one is None:
        return _about(None, body.get("sha")) if "context" in body else None
    return NOTHING if _number(part(one, "app"), "id") == app_id else _about(None, one.get("head_sha"))


def _words(body: Mapping[str, Any], action: str | None, app_id: int) -> Subject | None:
    comment = part(body, "comment")
    if comment is None:
        return None
    if action in {"edited", "deleted"} or _number(part(comment, "performed_via_github_app"), "id") == app_id:
        return NOTHING
    return _about(_number(part(body, "issue") or part(body, "pull_request"), "number"), None)


def _pull(body: Mapping[str, Any], action: str | None, _app_id: int) -> Subject | None:
    pull = part(body, "pull_request")
    if pull is None:
        return None
    if action in {"labeled", "unlabeled"}:
        return NOTHING
    head = None if "review" in body else (part(pull, "head") or {}).get("sha")
    return _about(_number(pull, "number"), head)


def _issue(body: Mapping[str, Any], _action: str | None, _app_id: int) -> Subject | None:
    issue = part(body, "issue")
    if issue is None:
        return None
    label = (part(body, "label") or {}).get("name")
    ours = isinstance(label, str) and is_our_label(label)
    return NOTHING if ours else _about(_number(issue, "number"), None)


def _commits(body: Mapping[str, Any], _action: str | None, _app_id: int) -> Subject | None:
    """A push, by what it replaces."""
    return _about(None, body.get("before")) if "commits" in body else None


def _about(thread: int | None, head: object) -> Subject:
    return Subject(thread, head if isinstance(head, str) and len(head) == _SHA else None)


def part(body: Mapping[str, Any], name: str) -> Mapping[str, Any] | None:
    found = body.get(name)
    return found if isinstance(found, dict) else None


def _number(part: Mapping[str, Any] | None, name: str) -> int | None:
    number = part.get(name) if part is not None else None
    return number if isinstance(number, int) and 0 < number < 1 << 63 else None
