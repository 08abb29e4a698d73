"""The row about the merge itself: what stands in its way in `submit`, or how far it is."""

from datetime import datetime
from typing import NamedTuple

from bot.domain.merging.offers import ROLE, name, person, spelled
from bot.domain.model.explain import Reason, ReasonState, WaitingOn
from bot.domain.model.policy import Policy
from bot.domain.model.record import Record
from bot.domain.model.text import plain, seconds_clock, when


class Obstacle(NamedTuple):
    """Why a merge is not asked for though every gate is complete: the reason, who can change it and how."""

    why: str
    waiting_on: WaitingOn
    how: str


#: Reasons that are stored as a refusal code, in words.
OBSTACLES: dict[str, Obstacle] = {
    "draft": Obstacle("the pull request is a draft", "builders", "mark it as ready for review"),
    "stacked_pull_request": Obstacle(
        "the pull request stands on another open one", "builders", "merge the lower one first, or take it off the stack"
    ),
    "merge_queue": Obstacle(
        "the branch requires a merge queue, which Signalbox does not use", "operators", "change the rules of the branch"
    ),
    "bypass_configured": Obstacle(
        "a ruleset lets Signalbox bypass it", "operators", "take Signalbox off the bypass list"
    ),
    "needs_workflows_permission": Obstacle(
        "it changes workflow files, and Signalbox has no permission for them",
        "operators",
        "grant the App the permission, or merge these files separately",
    ),
    "instance_conflict": Obstacle("another installation of Signalbox writes here", "operators", "stop one of the two"),
    "could_not_verify": Obstacle("GitHub did not show what has to be read first", "github", ""),
}


def merge_row(record: Record, policy: Policy, complete: bool, as_of: datetime | None) -> Reason:
    """`complete`: every other need of submit is met."""
    merge = record.merge
    into = f"{merge.method or policy.merge.method} into {name(record.base or 'the base')}"
    match merge.state:
        case "reserved":
            return _row("waiting", f"{into}, reserved", "github", how="Signalbox")
        case "requested":
            asked = f", asked {when(merge.requested_at, as_of)}" if merge.requested_at else ""
            return _row("waiting", f"{into}{asked}", "github", how="GitHub")
        case "confirming":
            return _row("waiting", f"{into}, being confirmed", "github", how="GitHub")
        case "ambiguous":
            return _ambiguous(record, policy, as_of)
        case _:
            return _not_asked(record, policy, complete, as_of, into)


def held_words(record: Record, as_of: datetime | None) -> str:
    assert record.held is not None
    return f"held by {person(record.held.by.login)} since {when(record.held.since, as_of)}"


def obstacle(record: Record) -> Obstacle | None:
    """What the stored reason says stands in the way, for a merge that is not under way."""
    if record.pull is not None and record.pull.draft:
        return OBSTACLES["draft"]
    reason = record.merge.reason
    if record.merge.state == "refused":
        why = f"GitHub refused: {plain(reason)}" if reason else "GitHub refused"
        return Obstacle(why, "operators", "change what is named; Signalbox asks again when something changes")
    if reason is None:
        return None
    return OBSTACLES.get(reason) or Obstacle(plain(reason), "operators", "change what is named")


def _not_asked(record: Record, policy: Policy, complete: bool, as_of: datetime | None, into: str) -> Reason:
    if record.held is not None:
        unhold = spelled(policy, "unhold")
        who = f"{person(record.held.by.login)} or an operator"
        return _row(
            "failed", held_words(record, as_of), "operators", who=who, how=f"comment `{unhold}`", command=unhold
        )
    stands = obstacle(record)
    # A reason kept from an earlier release says nothing while gates are open again.
    if stands is not None and (complete or stands is OBSTACLES["draft"] or record.merge.state == "refused"):
        awaited = complete or stands is OBSTACLES["draft"]
        waiting_on = stands.waiting_on if awaited else None
        return _row("failed", stands.why, waiting_on, who=ROLE[stands.waiting_on], how=stands.how)
    if not complete:
        return _row("later", into, None, how="Signalbox")
    if policy.merge.trigger == "command":
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
    window = f" from {seconds_clock(merge.window_ends)} on" if merge.window_ends else ""
    settle = spelled(policy, "settle")
    return _row(
        "waiting",
        f"{asked}the outcome is not known",
        "operators",
        who=ROLE["operators"],
        how=f"comment `{settle} merged` and the 40-digit merge commit, or `{settle} unmerged` and why{window}",
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
