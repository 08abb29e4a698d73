"""Records as the API, the pages and the command line show them (INTERFACE.md section 6). Pure.

The stored document comes as it is, so that replaying the history's patches gives the same fields; what is derived
from it (`gates`, `counts`, `void_because`, `waiting_on`) and what stands beside it are added.
"""

import base64
import binascii
import re
from collections.abc import Iterable
from typing import Any

from bot.domain.explain.damaged import damaged
from bot.domain.explain.offers import ways_back
from bot.domain.explain.tree import explain, waiting_on
from bot.domain.gates.gate import gate_views, void_because
from bot.domain.model.explain import Explanation, GateView, Need, Reason
from bot.domain.model.policy import Policy
from bot.domain.model.record import Record
from bot.ports.rows import HistoryRow, Loaded

_IN_LISTS = (
    "repository",
    "repository_id",
    "issue",
    "title",
    "version",
    "phase",
    "withdrawn",
    "frozen",
    "held",
    "priority",
    "requester",
    "pull_request",
    "head",
    "base",
    "phase_since",
)


def record_view(loaded: Loaded, policy: Policy) -> dict[str, Any]:
    record = loaded.record
    view = record.model_dump(mode="json")
    view["gates"] = [_gate(gate) for gate in gate_views(record, policy)]
    for shown, decision in zip(view["decisions"], record.decisions, strict=True):
        void = void_because(record, decision)
        shown |= {"counts": void is None, "void_because": void}
    return view | {"last_refusal": loaded.last_refusal, "updated_at": _updated_at(loaded)}


def summary_view(loaded: Loaded, policy: Policy) -> dict[str, Any]:
    """One row of a list: the same names as in `record_view`, and whom the record waits for."""
    record = loaded.record
    view = record.model_dump(mode="json", include=set(_IN_LISTS))
    ordered = {name: view[name] for name in _IN_LISTS}
    ordered["merge"] = {"state": record.merge.state}
    return ordered | {"waiting_on": list(waiting_on(record, policy)), "updated_at": _updated_at(loaded)}


def explain_view(record: Record, policy: Policy) -> dict[str, Any]:
    """The tree as API and command line show it; `brief` is only for narrow cells of comments."""
    return _explained(explain(record, policy), ways_back(record, policy))


def damaged_view(record: Record) -> dict[str, Any]:
    """The same of a record whose stored history is not what was written."""
    return _explained(damaged(record), ())


def _explained(explanation: Explanation, ways: Iterable[str]) -> dict[str, Any]:
    shown = explanation.model_dump(mode="json", include={"verdict", "phase", "version"})
    return shown | {"reasons": [_reason(reason) for reason in explanation.reasons], "ways": list(ways)}


def history_view(row: HistoryRow) -> dict[str, Any]:
    """With `digest` taken out, this is what the digest covers."""
    fields = row.model_dump(mode="json")
    names = ("version", "from_", "to", "signal", "actor", "at", "detail", "delivery", "patch")
    ordered = {name.rstrip("_"): fields.pop(name) for name in names}
    return ordered | fields


#: What every database keeps.
_PART = re.compile(r"-?[0-9]{1,18}")


def cursor_text(parts: tuple[int, ...]) -> str:
    return base64.urlsafe_b64encode(".".join(map(str, parts)).encode()).decode().rstrip("=")


def cursor_parts(text: str, count: int) -> tuple[int, ...]:
    """Raises ValueError for anything that `cursor_text` did not make."""
    try:
        decoded = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode("ascii")
    except (binascii.Error, UnicodeError):
        raise ValueError("not a cursor") from None
    parts = decoded.split(".")
    if len(parts) != count or not all(map(_PART.fullmatch, parts)):
        raise ValueError("not a cursor")
    return tuple(map(int, parts))


def _reason(reason: Reason) -> dict[str, Any]:
    shown = reason.model_dump(mode="json", exclude={"brief", "children"})
    return shown | {"children": [_reason(child) for child in reason.children]}


def _gate(gate: GateView) -> dict[str, Any]:
    return {"name": gate.name, "open": gate.open, "needs": [_need(need) for need in gate.needs]}


def _need(need: Need) -> dict[str, Any]:
    shown = need.model_dump(mode="json", exclude_none=True)
    if need.need is not None:
        del shown["missing"]
    return shown


def _updated_at(loaded: Loaded) -> Any:
    return loaded.model_dump(mode="json", include={"updated_at"})["updated_at"]
