"""What a history's patches say of former versions: plans, heads and decisions. Pure.

Only these fields are followed. Replaying whole documents would be slower, and would have to read shapes of old releases.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from pydantic import ValidationError

from bot.domain.model.record import Decision, Plan
from bot.domain.projections.told import Step
from bot.ports.rows import HistoryRow


@dataclass(frozen=True, slots=True)
class Written:
    """A version and when it was written."""

    version: int
    at: datetime
    delivery: str | None
    step: Step


@dataclass(frozen=True, slots=True)
class Traced:
    """`steps` oldest first. `plans` by revision, as they were submitted."""

    steps: tuple[Written, ...]
    plans: dict[int, Plan]


def trace(rows: Iterable[HistoryRow]) -> Traced:
    document: dict[str, Any] = {}
    steps: list[Written] = []
    plans: dict[int, Plan] = {}
    for row in rows:
        before = _bound(document)
        decisions = _follow(document, row.patch)
        touched = any(operation["path"].split("/")[1:2] == ["plan"] for operation in row.patch)
        plan = _read(Plan, document.get("plan")) if touched else None
        submitted = plan if plan is not None and plan != plans.get(plan.revision) else None
        if submitted is not None:
            plans[submitted.revision] = submitted
        after = _bound(document)
        step = Step(
            event=row.signal,
            actor=row.actor,
            before=row.from_,
            to=row.to,
            detail=row.detail,
            decision=decisions[-1] if decisions else None,
            plan=submitted,
            head=document.get("head"),
            epoch=document.get("head_epoch") or 0,
            round=document.get("review_round") or 0,
            pushed=after.head is not None and after[:2] != before[:2],
            checks=after.checks if (after.checks, after.head) != (before.checks, before.head) else None,
            merge=after.merge if after.merge != before.merge else None,
        )
        steps.append(Written(row.version, row.at, row.delivery, step))
    return Traced(tuple(steps), plans)


def _follow(document: dict[str, Any], patch: Iterable[dict[str, Any]]) -> list[Decision]:
    """Update the followed fields; the decisions that the patch adds."""
    decisions: list[Decision] = []
    for operation in patch:
        field, *rest = operation["path"].split("/")[1:]
        value = operation.get("value")
        if field == "decisions":
            added = _added(operation, rest, value)
            decisions += [found for each in added if (found := _read(Decision, each)) is not None]
        elif not rest:
            document[field] = value
        elif field in {"plan", "verification", "merge"}:
            inner = dict(document.get(field) or {})
            inner[rest[0]] = value if len(rest) == 1 else {**(inner.get(rest[0]) or {}), rest[1]: value}
            document[field] = inner
    return decisions


def _added(operation: dict[str, Any], rest: list[str], value: Any) -> list[Any]:
    """New elements: of a list that was there, or of one that is set as a whole."""
    if operation["op"] != "add":
        return []
    return [value] if len(rest) == 1 else list(value or ()) if not rest else []


class _Bound(NamedTuple):
    head: str | None
    epoch: int | None
    checks: str | None
    merge: str | None


def _bound(document: dict[str, Any]) -> _Bound:
    checks, merge = ((document.get(name) or {}).get("state") for name in ("verification", "merge"))
    return _Bound(document.get("head"), document.get("head_epoch"), checks, merge)


def _read(model: type[Any], value: Any) -> Any:
    """None for what is not there, and for what an older release wrote in another shape."""
    try:
        return None if value is None else model.model_validate(value)
    except ValidationError:
        return None
