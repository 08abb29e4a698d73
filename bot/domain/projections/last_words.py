"""The last text of a notice: one sentence that says how its cause ended, and by whom. It is written once and stays, so it
says nothing that only holds for now."""

import re
from collections.abc import Iterator

from bot.domain.explain.offers import name, person
from bot.domain.model.ids import SIGNALBOX, Actor
from bot.domain.model.text import moment, plain
from bot.domain.projections.causes import Cause, block_of, turn_of
from bot.domain.projections.show import Happened, Show
from bot.domain.projections.wording import commit, why_and_history

_RESUMED = re.compile(r"resumed in (\w+)(?:, not in (\w+))?(?:: (.+?))?(?:; ([\w, ]+) left open)?", re.DOTALL)


def last_words(show: Show, cause: Cause) -> str:
    match cause.kind:
        case "ambiguous":
            how = _merge(show, cause)
        case "turn":
            how = _turn(show, cause)
        case "frozen":
            how = _thawed(cause)
        case "permission":
            merged = show.record.phase == "done"
            how = _merged(show) if merged else "the merge does not wait for this permission any more."
        case "unread":
            merged = show.record.phase == "done"
            how = _merged(show) if merged else "the merge does not wait for GitHub to say more any longer."
        case _:
            how = _unblocked(show, cause)
    return f"**Settled**: {how}\n{why_and_history(show)}"


def _unblocked(show: Show, cause: Cause) -> str:
    since, asked = block_of(cause)
    for row in _after(show, since):
        if f"/questions/{asked}" in row.sets:
            return f"{_who(row.by)} asked another question, and a newer notice lists all that are open."
        if row.sets.get("/withdrawn") is True:
            return f"{_who(row.by)} withdrew it."
        if row.from_ == "blocked" and row.to != "blocked":
            return _let_go(show, row)
    return "it is not blocked any more."


def _let_go(show: Show, row: Happened) -> str:
    who = _who(row.by)
    if row.event == "retry":
        return f"{who} allowed more tries, and it goes on in **{row.to}**."
    if row.event == "settled":
        return f"{who} settled it as merged."
    if row.to == "done":
        return _merged(show)
    if resumed := _RESUMED.fullmatch(row.detail or ""):
        _, instead_of, why, left = resumed.groups()
        other = f", not **{instead_of}**" if instead_of else ""
        because, still = f": {plain(why)}" if why else "", f"; {left} still open then" if left else ""
        return f"{who} resumed it in **{row.to}**{other}{because}{still}."
    return f"{who} let it go on in **{row.to}**."


def _merge(show: Show, cause: Cause) -> str:
    asked = next((row.version for row in show.history if row.sets.get("/merge/attempt") == cause.about), 0)
    end = next(
        (row for row in _after(show, asked) if row.sets.get("/merge/state") in {"merged", "refused", "none"}), None
    )
    if show.record.merge.state == "merged" and (end is None or end.sets["/merge/state"] == "merged"):
        return _merged(show)
    if end is None:
        return "the outcome is known."
    why = (end.detail or "").removeprefix("GitHub refused: ")
    if why.startswith("settled as unmerged"):
        because = why.partition(": ")[2]
        words = f"{_who(end.by)} settled it as unmerged{f': {plain(because)}' if because else ''}"
        return f"{words}. Only a new human gate leads to the next request."
    if why.startswith("proven unmerged"):
        return "it was not merged: later reads of both sides prove that the request is dead."
    return f"GitHub did not merge it{f': {plain(why)}' if why else ''}."


def _merged(show: Show) -> str:
    merge = show.record.merge
    sha = f" as {commit(show, merge.sha)}" if merge.sha else ""
    if merge.external:
        return f"{person(merge.merged_by.login) if merge.merged_by else 'somebody'} merged it outside Signalbox{sha}."
    base = name(merge.base or show.record.base or "the base")
    return f"GitHub merged it{sha}; the pull request and {base} show it."


def _turn(show: Show, cause: Cause) -> str:
    gate, head, epoch = turn_of(cause)
    opened = [
        d
        for d in show.record.decisions
        if (d.gate, d.kind, d.verdict, d.head, d.epoch) == (gate, "operator", "approve", head, epoch)
    ]
    if opened:
        return f"{person(opened[-1].by.login)} opened the human gate, {moment(opened[-1].at)}."
    for row in reversed(show.history):
        if row.sets.get("/withdrawn") is True:
            return f"{_who(row.by)} withdrew it."
        if row.from_ == gate and row.to not in {gate, "blocked"}:
            why = f": {plain(row.detail)}" if row.detail else ""
            by = "" if row.by == SIGNALBOX else f", by {_who(row.by)}"
            return f"it went from **{gate}** to **{row.to}**{why}{by}."
    return "the human gate of this head does not wait any more."


def _thawed(cause: Cause) -> str:
    if cause.about.startswith("instance_conflict"):
        return "no other installation of Signalbox writes here any more."
    return "the versions that are lost are known to be, and it begins anew in **planning**."


def _after(show: Show, version: int) -> Iterator[Happened]:
    return (row for row in show.history if row.version > version)


def _who(actor: Actor) -> str:
    return "Signalbox" if actor == SIGNALBOX else person(actor.login)
