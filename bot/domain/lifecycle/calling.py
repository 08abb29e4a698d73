"""Calling operators outside of GitHub: when a record is blocked or frozen, when the App lacks a permission, when GitHub does
not say for an hour what a merge needs, and when nobody knows for too long how one ended (INTERFACE.md section 2, `NOTIFY_URL`).
Once for each cause; nothing waits for it.
"""

from datetime import datetime
from typing import NamedTuple

from bot.domain.merging.permission import lacking, spelled
from bot.domain.model.effects import CallOperators, Effect
from bot.domain.model.record import Record

_BLOCKED = {
    "question": "a question waits for an answer",
    "budget": "a budget is used up",
    "checks": "a check did not report in time",
    "issue_gone": "its issue is gone",
    "external_merge": "it was merged outside Signalbox",
    "merge_refused": "GitHub has refused the merge for a day",
}
_FROZEN = {
    "suspended": "the App has no access to the repository, or it is archived",
    "database_behind": "the database is behind what was published on GitHub",
    "instance_conflict": "another instance of Signalbox writes here",
}


class _Need(NamedTuple):
    """`about` tells it from others of its kind; where it is empty, the version in which it begins does."""

    cause: str
    about: str
    words: str


def calls(before: Record, after: Record, now: datetime) -> tuple[Effect, ...]:
    """The call that this change makes due. Those that were made already are planned once only."""
    need = _need(after, now)
    if need is None or (need == _need(before, now) and need.cause != "ambiguous"):
        return ()
    write = CallOperators(
        cause=need.cause,
        phase=after.phase,
        version=after.version,
        pull_request=after.pull_request,
        at=now,
        text=f"{after.repository}#{after.issue} needs an operator: {need.words}.",
    )
    return (Effect(kind="call", target=f"record:{after.issue}", once=_once(after, need, now), write=write),)


def _once(record: Record, need: _Need, now: datetime) -> str:
    """A suspension freezes every record of an installation, and is told of one of them."""
    if need.cause == "suspended":
        return f"call:installation:{record.installation_id}:{now:%Y-%m-%dT%H}"
    return f"call:{record.key}:{need.cause}:{need.about or record.version}"


def _need(record: Record, now: datetime) -> _Need | None:
    merge = record.merge
    if record.phase == "done" or record.withdrawn:
        return None
    if record.frozen is not None:
        return _Need(record.frozen, "", _FROZEN[record.frozen])
    if record.blocked is not None:
        about = f"{record.blocked.version or 0}:q{len(record.questions)}"
        return _Need(record.blocked.cause, about, _BLOCKED[record.blocked.cause])
    if merge.state == "ambiguous" and merge.window_ends is not None and now >= merge.window_ends:
        return _Need("ambiguous", merge.attempt or "", "it is not known whether it was merged")
    if merge.reason_code == "unread_for_long":
        about = f"{record.unread_since or now:%Y-%m-%dT%H:%M}"
        return _Need("unread", about, "GitHub has not said for an hour what its merge needs")
    if lack := lacking(record):
        about = f"{lack.permission}:{record.head}:{record.head_epoch}"
        return _Need("permission", about, f'the App lacks the permission "{spelled(lack)}"')
    return None
