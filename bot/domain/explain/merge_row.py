"""The row about the merge itself: what stands in its way in `submit`, or how far it is."""

from datetime import datetime
from typing import NamedTuple

from bot.domain.explain.offers import ROLE, name, person, spelled
from bot.domain.gates.unverified import standing_no, waits_for_a_word
from bot.domain.merging.reservation import MAX_TRIES, is_commanded
from bot.domain.merging.unmerged import tells_of_the_request, unmerged_words
from bot.domain.model.explain import Reason, ReasonState, WaitingOn
from bot.domain.model.merge import Merge
from bot.domain.model.policy import Policy
from bot.domain.model.record import Record
from bot.domain.model.text import code, plain, settled_from, until, when
from bot.domain.model.unverified import UnverifiedNo, UnverifiedStop


class Obstacle(NamedTuple):
    """Why a merge is not asked for though every gate is complete: the reason, who can change it and how."""

    why: str
    waiting_on: WaitingOn
    how: str


#: What an operator does about a stored history that is not what was written.
CHANGED_HISTORY = "find out who changed the database, and restore a backup"
#: Kinds of `merge.reason`: who can change it, and how. What is not listed needs an operator.
_WAYS: dict[str, tuple[WaitingOn, str]] = {
    "draft": ("builders", "mark it as ready for review"),
    "stacked_pull_request": ("builders", "merge or close the lower one first, or take this one off it"),
    "merge_queue": ("operators", "change the rules of the branch"),
    "bypass_configured": ("operators", "take Signalbox off the bypass list"),
    "needs_workflows_permission": ("operators", "grant the App the permission, or merge those files separately"),
    "not_allowed": ("reviewers", "approve it anew, as somebody who may"),
    "frozen": ("operators", CHANGED_HISTORY),
    "checks_missing": ("checks", ""),
    "could_not_verify": ("github", ""),
    "unread_for_long": ("operators", "find out why, with `signalbox doctor`; it goes on by itself once GitHub says it"),
    "base_taken": ("github", ""),
}
_REFUSED: tuple[WaitingOn, str] = ("operators", "change what is named; Signalbox asks again when something changes")
#: The same for a request that ended otherwise than by GitHub's no.
_AFTER: dict[str, tuple[WaitingOn, str]] = {
    "settled_unmerged": ("operators", "open the human gate anew; nothing else leads to the next request"),
    "proven_unmerged": ("operators", "look at the pull request; Signalbox asks again when something changes"),
    "not_sent": ("github", ""),
}
#: A row and a line stay readable; the page has the whole comment.
_LONGEST_WHY = 200
_DRAFT = Obstacle("the pull request is a draft", *_WAYS["draft"])
#: GitHub would merge as soon as its own rules are met, which know nothing of our gates.
AUTO_MERGE = "GitHub's auto-merge is switched on for the pull request"
#: How requested changes that nobody could verify end.
UNTIL_VERIFIED = "nothing merges until it does, or until somebody who may dismisses that review on GitHub"
_ARMED = Obstacle(AUTO_MERGE, "builders", "switch it off there; whoever may write to the repository can")


def merge_row(record: Record, policy: Policy, complete: bool, as_of: datetime | None) -> Reason:
    """`complete`: every other need of submit is met."""
    merge = record.merge
    into = f"{merge.method or policy.merge.method} into {name(record.base or 'the base')}"
    match merge.state:
        case "reserved":
            return _row("waiting", f"{into}, reserved{_again(merge)}", "github", how="Signalbox")
        case "requested":
            asked = f", asked {when(merge.requested_at, as_of)}" if merge.requested_at else ""
            return _row("waiting", f"{into}{asked}{_again(merge)}", "github", how="GitHub")
        case "confirming":
            return _row("waiting", f"{into}, being confirmed", "github", how="GitHub")
        case "ambiguous":
            return _ambiguous(record, policy, as_of)
        case _:
            return _not_asked(record, policy, complete, as_of, into)


def _again(merge: Merge) -> str:
    return f", try {merge.tries + 1} of {MAX_TRIES}" if merge.tries else ""


def held_words(record: Record, as_of: datetime | None) -> str:
    held = record.held
    assert held is not None
    why = f": {code(held.why, limit=_LONGEST_WHY, in_table=True)}" if held.why else ""
    return f"held by {person(held.by.login)} since {when(held.since, as_of)}{why}"


def held_meanwhile(record: Record, policy: Policy, as_of: datetime | None) -> str:
    """Before submit: what a hold means there."""
    words = held_words(record, as_of).removeprefix("held")
    who = f"{person(record.held.by.login)} and operators" if record.held else "operators"
    return f"Held{words}, which stops the merge only; {who} can lift it with `{spelled(policy, 'unhold')}`"


def unverified_words(no: UnverifiedNo, as_of: datetime | None = None) -> str:
    """Of requested changes that stand, since nobody knows whether their writer may."""
    since = when(no.since, as_of)
    return f"{person(no.by.login)} requested changes, and GitHub does not say since {since} whether they may"


def stopped_words(stop: UnverifiedStop) -> str:
    """Of a stop that was not counted, since nobody knows whether its writer may."""
    who, end = person(stop.by.login), until(stop.until)
    return f"{who} stopped it, and GitHub did not say whether they may; nothing merges before {end}, so that they can repeat it"


def obstacle(record: Record, as_of: datetime | None = None) -> Obstacle | None:
    """What the stored reason says stands in the way, for a merge that is not under way."""
    if (no := standing_no(record)) is not None:
        return Obstacle(f"{unverified_words(no, as_of)}; {UNTIL_VERIFIED}", "github", "")
    if record.unverified_stop is not None:
        return Obstacle(stopped_words(record.unverified_stop), "github", "")
    if record.pull is not None and record.pull.draft:
        return _DRAFT
    if record.pull is not None and record.pull.auto_merge:
        return _ARMED
    merge = record.merge
    if merge.state == "refused" and tells_of_the_request(merge):
        return Obstacle(unmerged_words(merge), *_AFTER.get(merge.reason_code or "", _REFUSED))
    if merge.reason is None:
        return None
    return Obstacle(plain(merge.reason), *_WAYS.get(merge.reason_code or "", ("operators", "change what is named")))


def _not_asked(record: Record, policy: Policy, complete: bool, as_of: datetime | None, into: str) -> Reason:
    if record.held is not None:
        unhold = spelled(policy, "unhold")
        who = f"{person(record.held.by.login)} or an operator"
        return _row(
            "failed", held_words(record, as_of), "operators", who=who, how=f"comment `{unhold}`", command=unhold
        )
    stands = obstacle(record, as_of)
    always = stands in (_DRAFT, _ARMED) or waits_for_a_word(record)
    # A reason kept from an earlier release says nothing while gates are open again.
    ended = record.merge.state == "refused" and tells_of_the_request(record.merge)
    if stands is not None and (complete or always or ended):
        awaited = complete or always
        state: ReasonState = "waiting" if stands.waiting_on in {"github", "checks"} else "failed"
        who = "" if state == "waiting" else ROLE[stands.waiting_on]
        how = stands.how or "Signalbox"
        return _row(state, stands.why, stands.waiting_on if awaited else None, who=who, how=how)
    if not complete:
        return _row("later", into, None, how="Signalbox")
    if policy.merge.trigger == "command" and not is_commanded(record):
        command = spelled(policy, "merge")
        return _row(
            "waiting",
            "waits for the command",
            "operators",
            who=ROLE["operators"],
            how=f"comment `{command}`",
            command=command,
        )
    return _row("waiting", f"{into}, waits for its turn", "github", how="Signalbox")


def _ambiguous(record: Record, policy: Policy, as_of: datetime | None) -> Reason:
    merge = record.merge
    asked = f"asked {when(merge.requested_at, as_of)}, " if merge.requested_at else ""
    window = f"from {settled_from(merge.window_ends)} on, " if merge.window_ends else ""
    settle = spelled(policy, "settle")
    return _row(
        "waiting",
        f"{asked}the outcome is not known",
        "operators",
        who=ROLE["operators"],
        how=f"{window}comment `{settle} merged` and the 40-digit merge commit, or `{settle} unmerged` and why",
        command=f"{settle} merged ",
    )


def _row(
    state: ReasonState,
    text: str,
    waiting_on: WaitingOn | None,
    *,
    who: str = "",
    how: str = "",
    command: str | None = None,
) -> Reason:
    who_could = (who,) if who else ()
    return Reason(
        what="Merge", state=state, text=text, waiting_on=waiting_on, who_could=who_could, how=how, command=command
    )
