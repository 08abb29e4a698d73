"""Separation of duties: whose judgement of a change does not count, and why (LIFECYCLE.md 2.5, I15).

By numeric ids alone. What a commit says of its authors is free text of whoever pushed it: it only ever bars people.
"""

from typing import NamedTuple

from bot.domain.model.ids import Person
from bot.domain.model.linked import LinkedPull
from bot.domain.model.policy import Policy
from bot.domain.model.record import GateName, Record


class Bar(NamedTuple):
    """`because` finishes "`ada` …", in the past tense."""

    who: Person
    because: tuple[str, ...]


def excluded(record: Record, policy: Policy, gate: GateName, kind: str) -> dict[int, str]:
    """Who may not fill a seat of this kind at this gate, by numeric id, and the login to show."""
    return {number: bar.who.login for number, bar in barred(record, policy, gate, kind).items()}


def barred(record: Record, policy: Policy, gate: GateName, kind: str) -> dict[int, Bar]:
    """The same with the reasons. At the plan gate there is no head that somebody could have pushed."""
    found: dict[int, Bar] = {}
    separation, pull = policy.separation, record.pull if gate != "plan" else None

    def bar(who: Person, because: str) -> None:
        known = found.get(who.id, Bar(who, ()))
        found[who.id] = Bar(known.who, (*known.because, because))

    if not (separation.author_may_gate if kind == "operator" else separation.author_may_review):
        if record.plan is not None:
            bar(record.plan.author, "wrote the plan")
        if pull is not None:
            bar(pull.author, "opened the pull request")
    if pull is not None and not (separation.pusher_may_gate if kind == "operator" else separation.author_may_review):
        for pusher in pull.pushers:
            bar(pusher, "pushed commits")
        for perhaps in _perhaps_pushers(record, pull):
            if perhaps.id not in found:
                bar(perhaps, "may have pushed commits")
    if kind == "operator" and _requester_is_barred(record, policy):
        bar(record.requester, "asked for the change")
    return found


def nobody_may_guess(record: Record, policy: Policy) -> bool:
    """Whether it is not known who pushed, and no seat can be filled until it is: the policy says so, or the base was set
    back and it is not known who had brought it there, or there are more commits than GitHub names the authors of. What the
    base had, no commit of the pull request told before."""
    pull = record.pull
    if pull is None or not record.pusher_is_unknown:
        return False
    unnamed = pull.base_mover_unknown or pull.commit_authors_unknown
    return unnamed or policy.separation.unknown_pusher == "refuse"


def _perhaps_pushers(record: Record, pull: LinkedPull) -> tuple[Person, ...]:
    """While it is not known who pushed: its author, and whoever GitHub maps the commits to."""
    return (pull.author, *pull.commit_authors) if record.pusher_is_unknown else ()


def _requester_is_barred(record: Record, policy: Policy) -> bool:
    match policy.separation.requester_may_gate:
        case True:
            return False
        case False:
            return True
        case "people":
            return record.pull is not None and record.pull.author_is_bot
