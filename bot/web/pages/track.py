"""The track of six stations: where a record is, how long it was anywhere, and how often."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Literal

from bot.app.dossier import Dossier
from bot.app.revisions import Written
from bot.domain.gates.gate import gate_views
from bot.domain.model.policy import Policy
from bot.domain.model.record import Phase, Record
from bot.web.pages.times import span

STATIONS: tuple[Phase, ...] = ("planning", "plan_ready", "building", "testing", "submit", "done")
_TIMES = ("", "", ", twice")
_NEEDS = {"review": "review", "operator": "gate", "checks": "checks"}


@dataclass(frozen=True, slots=True)
class Station:
    """`branch` is a phase off the track, drawn at the station that was left for it."""

    phase: Phase
    place: Literal["past", "here", "next"]
    words: str
    branch: str = ""


def track(dossier: Dossier) -> tuple[Station, ...]:
    record = dossier.record
    at = STATIONS.index(_station(record))
    spent, visits = _spent(dossier.trace.steps, dossier.now)
    return tuple(
        _drawn(record, dossier.policy, index - at, (phase, spent[phase], visits[phase]))
        for index, phase in enumerate(STATIONS)
    )


def _drawn(record: Record, policy: Policy, ahead: int, been: tuple[Phase, timedelta, int]) -> Station:
    phase, spent, visits = been
    if ahead > 0:
        return Station(phase, "next", _needed(record, policy, phase))
    if ahead == 0 and phase != "done":
        off = "withdrawn" if record.withdrawn else record.phase if record.phase not in STATIONS else ""
        return Station(phase, "here", span(spent) if off else f"{span(spent)} so far", off)
    if phase == "done":
        return Station(phase, "past", "outside Signalbox" if record.merge.external else "merged")
    if not visits:
        return Station(phase, "past", "")
    often = _TIMES[visits] if visits < len(_TIMES) else f", {visits} times"
    revision = f", r{record.plan.revision}" if phase == "plan_ready" and record.plan and visits == 1 else ""
    return Station(phase, "past", f"{span(spent)}{often}{revision}")


def _station(record: Record) -> Phase:
    """The station a record stands at, or left for a branch."""
    if record.phase == "plan_rejected":
        return "plan_ready"
    if record.phase == "blocked":
        came_from = record.blocked.from_ if record.blocked else "building"
        return came_from if came_from in STATIONS else "plan_ready"
    return record.phase


def _spent(steps: Sequence[Written], now: datetime) -> tuple[dict[str, timedelta], dict[str, int]]:
    places: tuple[str, ...] = (*STATIONS, "plan_rejected", "blocked")
    spent = dict.fromkeys(places, timedelta())
    visits = dict.fromkeys(places, 0)
    for phase, came, left in _stays(steps, now):
        spent[phase] += left - came
        visits[phase] += 1
    return spent, visits


def _stays(steps: Sequence[Written], now: datetime) -> Iterator[tuple[str, datetime, datetime]]:
    moves = [(written.step.to, written.at) for written in steps if written.step.before != written.step.to]
    for (phase, came), (_, left) in pairwise([*moves, ("", now)]):
        yield phase, came, left


def _needed(record: Record, policy: Policy, phase: Phase) -> str:
    """What a station will ask for."""
    if phase == "building":
        return "pull request"
    if phase == "plan_ready":
        return "review"
    gate = next((view for view in gate_views(record, policy) if view.name == phase), None)
    needs = [_NEEDS[need.what] for need in gate.needs if need.what in _NEEDS] if gate else []
    if phase == "submit":
        needs = [need for need in needs if need != "checks"] + ["merge"]
    return ", ".join(needs)
