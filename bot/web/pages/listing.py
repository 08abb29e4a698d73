"""The list of lifecycles as a page: what the address asks for, the tabs and chips that change it, and its rows."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import get_args
from urllib.parse import urlencode

from bot.app.overview import Overview, Query, Row, View
from bot.domain.explain.ended_rows import open_questions
from bot.domain.explain.offers import person
from bot.domain.gates.gate import plan_approved, seats
from bot.domain.model.explain import WaitingOn
from bot.domain.model.record import Phase
from bot.domain.model.text import code, counted
from bot.web.pages.lifecycle import title_of
from bot.web.pages.needs import WORDS, Lamp, lamps

PHASES: tuple[Phase, ...] = get_args(Phase)
AWAITED: tuple[WaitingOn, ...] = get_args(WaitingOn)
TABS: tuple[tuple[View, str], ...] = (("open", "Open"), ("blocked", "Blocked"), ("done", "Done"))
_SENTENCE_END = re.compile(r"(?<=\.) ")
_FIRST_LETTER = re.compile(r"^(\**)([a-z])")
_LONGEST_TEXT = 200
_LONGEST_QUESTION = 120


@dataclass(frozen=True, slots=True)
class Tab:
    label: str
    href: str
    current: bool
    count: int | None
    alarm: bool


@dataclass(frozen=True, slots=True)
class Chip:
    """One filter; `href` is the list without it."""

    label: str
    href: str


@dataclass(frozen=True, slots=True)
class Shown:
    """One row. `who`, `more` and `about` are Markdown."""

    title: str
    href: str
    place: str
    phase: str
    who: str
    more: str
    about: str
    lamps: tuple[tuple[str, Lamp], ...]
    since: datetime

    @property
    def lamps_in_words(self) -> str:
        return ", ".join(f"{what} {WORDS[lamp]}" for what, lamp in self.lamps)


@dataclass(frozen=True, slots=True)
class Listing:
    query: Query
    tabs: tuple[Tab, ...]
    chips: tuple[Chip, ...]
    clear: str
    rows: tuple[Shown, ...]
    older: str | None
    summary: str


def asked(given: Mapping[str, str]) -> Query:
    """Parameters that are not known are ignored: an old link still shows something. A phase picks the view it is in, where
    none is asked for: what is done is in no other."""
    phase = next((phase for phase in PHASES if phase == given.get("phase")), None)
    view = next((view for view, _ in TABS if view == given.get("view")), None)
    return Query(
        view=view or ("done" if phase == "done" else "open"),
        text=given.get("q", "").strip()[:_LONGEST_TEXT],
        repository=given.get("repository") or None,
        phase=phase,
        waiting_on=next((who for who in AWAITED if who == given.get("waiting_on")), None),
        cursor=given.get("cursor") or None,
    )


def listing(query: Query, found: Overview) -> Listing:
    first = query._replace(cursor=None)
    return Listing(
        query=query,
        tabs=tuple(_tab(first, view, label, found) for view, label in TABS),
        chips=tuple(_chips(first)),
        clear=href(Query(view=query.view)),
        rows=tuple(map(shown_row, found.rows)),
        older=href(query._replace(cursor=found.next)) if found.next else None,
        summary=_summary(query, found),
    )


def href(query: Query) -> str:
    given = {
        "view": query.view if query.view != "open" or query.phase == "done" else None,
        "q": query.text,
        "repository": query.repository,
        "phase": query.phase,
        "waiting_on": query.waiting_on,
        "cursor": query.cursor,
    }
    asked_for = urlencode({name: value for name, value in given.items() if value})
    return f"/?{asked_for}" if asked_for else "/"


def _tab(query: Query, view: View, label: str, found: Overview) -> Tab:
    count = found.counts.get(view)
    return Tab(
        label, href(query._replace(view=view)), view == query.view, count, alarm=view == "blocked" and bool(count)
    )


def _chips(query: Query) -> list[Chip]:
    given = (
        (f"“{query.text}”" if query.text else None, query._replace(text="")),
        (query.repository, query._replace(repository=None)),
        (query.phase, query._replace(phase=None)),
        (f"waits for {query.waiting_on}" if query.waiting_on else None, query._replace(waiting_on=None)),
    )
    return [Chip(label, href(without)) for label, without in given if label]


def _summary(query: Query, found: Overview) -> str:
    number = counted(found.total, {"open": "open", "blocked": "blocked", "done": "done"}[query.view], query.view)
    shown = f"{len(found.rows)} of {number}" if len(found.rows) < found.total else number
    return f"{shown}. Older lifecycles were not looked at: choose a repository" if found.more else shown


def shown_row(row: Row) -> Shown:
    record = row.record
    pull = f" · PR #{record.pull_request}" if record.pull_request else ""
    who, more = _parts(row.waits)
    return Shown(
        title=title_of(record),
        href=f"/lifecycles/{record.repository}/{record.issue}",
        place=f"{record.repository} #{record.issue}{pull}",
        phase="withdrawn" if record.withdrawn else record.phase,
        who=who,
        more=more,
        about="" if more else _about(row),
        lamps=_done_lamps(row) if record.phase == "done" else lamps(row.explanation, _plan_lamp(row)),
        since=record.phase_since,
    )


def _parts(waits: str) -> tuple[str, str]:
    """The column's head says "Waiting for" already; who that is comes first, the rest below it."""
    said = waits.removeprefix("Waiting for ")
    first, *rest = _SENTENCE_END.split(said, maxsplit=1)
    return _FIRST_LETTER.sub(lambda found: found[1] + found[2].upper(), first.removesuffix(".")), "".join(rest)


def _about(row: Row) -> str:
    """What it is about, where the words about whom it waits for leave that open."""
    record = row.record
    asked = open_questions(record) if record.phase == "blocked" else ()
    if asked:
        return f"{code(asked[0].text, limit=_LONGEST_QUESTION)}, asked by {person(asked[0].asked_by.login)}"
    if record.phase == "planning":
        return ""
    said = row.says.partition("**")[2].partition("**")[2].removeprefix(" · ")
    return f"{said[:1].upper()}{said[1:]}"


def _done_lamps(row: Row) -> tuple[tuple[str, Lamp], ...]:
    """What there was when it was merged: whatever a merge outside had not has failed."""
    record, policy = row.record, row.policy
    had = (
        ("plan", plan_approved(record, policy)),
        ("checks", record.verification.state == "passed" and record.verification.head == record.head),
        ("review", bool(seats(record, policy, "submit", "review"))),
        ("operator", bool(seats(record, policy, "submit", "operator"))),
    )
    return tuple((what, "go" if there or not record.merge.external else "stop") for what, there in had)


def _plan_lamp(row: Row) -> Lamp:
    if plan_approved(row.record, row.policy):
        return "go"
    return {"plan_ready": "wait", "plan_rejected": "stop"}.get(row.record.phase, "later")  # type: ignore[return-value]  # values are lamps
