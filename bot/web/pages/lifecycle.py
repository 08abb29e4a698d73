"""One lifecycle as a page: everything that its template shows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.app.dossier import Dossier
from bot.domain.explain.ended_rows import open_questions, way_out
from bot.domain.explain.offers import spelled
from bot.domain.gates.gate import void_because
from bot.domain.model.merge import MergeRead
from bot.domain.model.record import Decision, Record
from bot.domain.model.slot_name import SlotName
from bot.domain.model.text import sha7, visible
from bot.web.pages.needs import LAMPS, WORDS, needs
from bot.web.pages.plans import differences, newest
from bot.web.pages.story import story
from bot.web.pages.track import track

_SAID = {
    ("plan", "approve"): "approved the plan",
    ("plan", "reject"): "rejected the plan",
    ("review", "approve"): "approved in {gate}",
    ("review", "reject"): "rejected in {gate}",
    ("operator", "approve"): "opened the gate in {gate}",
    ("operator", "reject"): "rejected in {gate}",
}
_HEADINGS = {"done": "How it was merged", "blocked": "Why it is blocked"}
_SLOTS = {"comment": "Status comment", "check": "Check run", "labels": "Label", "notice": "Notice"}
#: Looks at GitHub about one merge that a page shows.
MOST_READS = 5
_STATES = {"clean": "up to date", "sending": "being written", "unsure": "not known"}


@dataclass(frozen=True, slots=True)
class Said:
    """A decision as a row. `void` None = it counts."""

    decision: Decision
    words: str
    about: str
    void: str | None


@dataclass(frozen=True, slots=True)
class Written:
    """What of ours stands on GitHub, and whether it is known to be right."""

    what: str
    state: str


def shown(dossier: Dossier, web_url: str, given: Mapping[str, str]) -> dict[str, Any]:
    """The template's values. `given`: query parameters, of which unknown ones are ignored."""
    record = dossier.record
    blocked = record.phase == "blocked" and dossier.changed is None
    before = given.get("before", "")
    return {
        "record": record,
        "dossier": dossier,
        "now": dossier.now,
        "title": title_of(record),
        "github": f"{web_url}/{record.repository}",
        "here": f"/lifecycles/{record.repository}/{record.issue}",
        "flags": _flags(record),
        "stations": track(dossier),
        "heading": "Why nothing is awaited"
        if record.withdrawn
        else _HEADINGS.get(record.phase, "Why it is not merging"),
        "needs": needs(dossier.explanation),
        "words": WORDS,
        "lamps": LAMPS,
        "questions": open_questions(record) if blocked else (),
        "answer": spelled(dossier.policy, "answer"),
        "way_out": way_out(record, dossier.policy) if blocked and record.blocked else None,
        "story": story(dossier.trace.steps, dossier.refusal, dossier.now, int(before) if _is_version(before) else None),
        "everything": given.get("show") == "all",
        "plans": newest(dossier.trace.plans),
        "older_plans": max(0, len(dossier.trace.plans) - len(newest(dossier.trace.plans))),
        "differences": differences(dossier.trace.plans),
        "decisions": [_said(record, decision) for decision in reversed(record.decisions)],
        "reads": reads(record),
        "older_reads": max(0, len(record.merge.reads) - MOST_READS),
        "budgets": (
            ("Review cycles", record.budgets.review_cycles),
            ("Check retries", record.budgets.check_retries),
            ("Dispatches", record.budgets.dispatches),
        ),
        "written": [_written(slot.name, slot.state) for slot in dossier.slots],
    }


def title_of(record: Record) -> str:
    return visible(record.title).strip() or f"Issue #{record.issue}"


def reads(record: Record) -> list[tuple[MergeRead, str, str]]:
    """The newest looks at GitHub about a merge: what each said of the pull request, and whether the base contains it."""
    return [(read, _looked(read), _contains(read)) for read in reversed(record.merge.reads[-MOST_READS:])]


def _is_version(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _flags(record: Record) -> list[str]:
    found = ["withdrawn"] if record.withdrawn else []
    found += [f"frozen: {record.frozen.replace('_', ' ')}"] if record.frozen else []
    found += [f"held by {visible(record.held.by.login)}"] if record.held else []
    return found + (["outcome not known"] if record.merge.state == "ambiguous" else [])


def _said(record: Record, decision: Decision) -> Said:
    words = _SAID[("plan" if decision.gate == "plan" else decision.kind, decision.verdict)].format(gate=decision.gate)
    if decision.gate == "plan" or decision.head is None:
        about = f"r{decision.revision}, round {decision.round}"
    else:
        about = f"{sha7(decision.head)}, epoch {decision.epoch}, round {decision.round}"
    return Said(decision, words, about, void_because(record, decision))


def _looked(read: MergeRead) -> str:
    if read.merged is None:
        return f"read failed, {visible(read.why)}" if read.why else "read failed"
    return "merged" if read.merged else "closed" if read.open is False else "open"


def _contains(read: MergeRead) -> str:
    return {True: "yes", False: "no", None: "unknown"}[read.on_base]


def _written(slot: str, state: str) -> Written:
    name = SlotName(slot)
    if name.head is not None:
        about = sha7(name.head)
    elif name.cause is not None:
        about = name.cause.partition(":")[0]
    else:
        about = "issue" if name == SlotName.status() else f"#{name.thread}"
    return Written(f"{_SLOTS.get(name.kind, name.kind)} {about}", _STATES.get(state, state))
