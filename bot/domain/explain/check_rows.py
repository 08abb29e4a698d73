"""The row about checks: how many are green, which are not, and where each result came from."""

from datetime import datetime

from bot.domain.explain.offers import ROLE, name
from bot.domain.gates.checks import lacks_required
from bot.domain.model.explain import Reason, ReasonState, WaitingOn
from bot.domain.model.policy import Policy
from bot.domain.model.record import CheckEvidence, Record
from bot.domain.model.text import counted, link, listed, seconds_clock, when

GITHUB_ACTIONS = 15368
MAX_CHECKS = 20
_STATE: dict[str, ReasonState] = {"success": "ok", "pending": "waiting", "failed": "failed", "missing": "later"}


def checks_row(record: Record, policy: Policy, as_of: datetime | None) -> Reason:
    """One row for all checks of the present head, one child for each result that is not green and for each source."""
    verification = record.verification
    if verification.head is None or verification.head != record.head or verification.state == "none":
        return _row("later", "not read yet for this head", how="GitHub")
    evidence = verification.checks
    children = _children(evidence, as_of)
    red = [item for item in evidence if item.state == "failed"]
    if red or verification.state == "failed":
        logs = link("log", red[0].url) if red else ""
        text = f"{_names(red)} failed" if red else "failed"
        how = f"push a fix{f' ({logs})' if logs.startswith('[') else ''}"
        return _row("failed", text, how=how, children=children).model_copy(
            update={"waiting_on": "builders", "who_could": (ROLE["builders"],)}
        )
    if verification.state == "passed":
        return _passed(record, evidence, children)
    return _pending(record, policy, as_of)


def open_names(record: Record) -> tuple[str, ...]:
    """Names of checks of this head that are not green, in order."""
    if record.verification.head != record.head:
        return ()
    return tuple(dict.fromkeys(item.name for item in record.verification.checks if item.state != "success"))


def _passed(record: Record, evidence: tuple[CheckEvidence, ...], children: tuple[Reason, ...]) -> Reason:
    if not evidence:
        return _row("ok", "none is required", how="the policy allows that")
    count = f"{len(evidence)} of {len(evidence)}"
    text = (
        f"{count} reported, none is required"
        if record.verification.observed
        else f"{count} from their expected sources"
    )
    how = listed(tuple(dict.fromkeys(_source(item) for item in evidence)))
    return _row("ok", text, brief=f"{count} green", how=how, children=children)


def _pending(record: Record, policy: Policy, as_of: datetime | None) -> Reason:
    verification = record.verification
    evidence = verification.checks
    children = _children(evidence, as_of)
    if not evidence:
        if policy.checks.none == "refuse" and lacks_required(verification):
            return Reason(
                what="Checks",
                state="failed",
                text="none is required",
                waiting_on="operators",
                who_could=(ROLE["operators"],),
                how="set `checks` in the policy",
            )
        return _row("later", "none has reported yet", how="GitHub")
    green = sum(item.state == "success" for item in evidence)
    count = f"{green} of {len(evidence)} green"
    how = listed(tuple(dict.fromkeys(_source(item) for item in evidence)))
    missing = [item for item in evidence if item.state == "missing"]
    running = [item for item in evidence if item.state == "pending"]
    if verification.settles_at is not None and not missing and not running:
        return _row(
            "waiting", f"{count}, settled at {seconds_clock(verification.settles_at)}", how=how, children=children
        )
    if missing and not running:
        verb = "is required and has" if len(missing) == 1 else "are required and have"
        return _row("later", f"{_names(missing)} {verb} not reported", how=how, children=children)
    parts = [count]
    if running:
        since = min((item.since for item in running if item.since is not None), default=None)
        parts.append(f"{_names(running)} running{f' since {when(since, as_of)}' if since else ''}")
    if missing:
        parts.append(f"{_names(missing)} {'has' if len(missing) == 1 else 'have'} not reported")
    return _row("waiting", ", ".join(parts), how=how, children=children)


def _row(state: ReasonState, text: str, *, brief: str = "", how: str = "", children: tuple[Reason, ...] = ()) -> Reason:
    waiting_on: WaitingOn | None = None if state == "ok" else "checks"
    return Reason(what="Checks", state=state, text=text, brief=brief, how=how, waiting_on=waiting_on, children=children)


def _children(evidence: tuple[CheckEvidence, ...], as_of: datetime | None) -> tuple[Reason, ...]:
    """Green ones together by source, the others one by one."""
    green: dict[str, list[str]] = {}
    for item in evidence:
        if item.state == "success":
            green.setdefault(_full_source(item), []).append(name(item.name))
    rows = [_leaf("ok", f"{_enumerated(names)} from {source}") for source, names in green.items()]
    rows += [_leaf(_STATE[item.state], _open(item, as_of)) for item in evidence if item.state != "success"]
    hidden = len(rows) - MAX_CHECKS
    return (*rows[:MAX_CHECKS], _leaf("later", f"and {counted(hidden, 'check')} more")) if hidden > 0 else tuple(rows)


def _open(item: CheckEvidence, as_of: datetime | None) -> str:
    if item.state == "missing":
        return f"{name(item.name)} is required and has not reported"
    since = f" since {when(item.since, as_of)}" if item.since else ""
    if item.state == "failed":
        return f"{link(name(item.name), item.url)} from {_full_source(item)} failed{since}"
    return f"{link(name(item.name), item.url)} from {_full_source(item)} is not finished{since}"


def _leaf(state: ReasonState, text: str) -> Reason:
    return Reason(what="check", state=state, text=text)


def _names(items: list[CheckEvidence]) -> str:
    return listed(tuple(dict.fromkeys(name(item.name) for item in items)))


def _enumerated(names: list[str]) -> str:
    shown = names[:MAX_CHECKS]
    return ", ".join(shown) + (f" and {len(names) - len(shown)} more" if len(names) > len(shown) else "")


def _source(item: CheckEvidence) -> str:
    if item.app == GITHUB_ACTIONS:
        return "GitHub Actions"
    if item.app is not None:
        return f"app {item.app}"
    return "a status" if item.source == "status" else "any source"


def _full_source(item: CheckEvidence) -> str:
    return f"GitHub Actions (app {item.app})" if item.app == GITHUB_ACTIONS else _source(item)
