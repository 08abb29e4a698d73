"""What ended without being done: effects that GitHub refused or of which nobody knows, and what a bug of ours stopped."""

from collections.abc import Iterator

from bot.app.aside import aside
from bot.app.doctor.finding import Finding, ok, problem, some, warning
from bot.domain.model.effects import EffectKind, EffectState
from bot.domain.model.ids import RecordKey
from bot.domain.model.text import until
from bot.ports.rows import EffectRow
from bot.ports.store import Tx

#: So many are named; the others are counted.
NAMED = 3
#: What is missing on GitHub where one of them is.
THINGS: dict[EffectKind, str] = {
    "reaction": "a reaction",
    "reply": "a reply",
    "notice": "a notice",
    "ready": "that a pull request is marked as ready for review",
    "minimize": "that a notice which is over is hidden",
    "review_request": "a request for a review",
    "delete_branch": "that the branch of a merged pull request is deleted",
    "put_back_label": "a label that somebody took off",
    "merge_group": "the check of a merge group",
}


def of_effects(tx: Tx) -> Iterator[Finding]:
    effects = tx.operating.tally().effects
    unknown, refused = effects.get("unknown", 0), effects.get("refused", 0)
    if unknown:
        what = f"{unknown} given up, because GitHub never said whether it was done: {_newest(tx, 'unknown', unknown)}"
        do = "look there; `signalbox recover` looks once more for comments."
        yield warning("effects", what, "it may be missing on GitHub; no approval depends on one.", do)
    if refused:
        what = f"{refused} refused by GitHub: {_newest(tx, 'refused', refused)}"
        do = "nothing where the thread is locked or gone; else look at the App's permissions."
        yield warning("effects", what, "it is missing on GitHub; no approval depends on one.", do)
    if not unknown and not refused:
        yield ok("effects", f"{effects.get('planned', 0) + effects.get('sent', 0)} waiting, none given up")


def _newest(tx: Tx, state: EffectState, number: int) -> str:
    """Which, with what GitHub said, as far as they can be read."""
    rows = tx.effects.ended(state, NAMED)
    words = [_said(tx, row) for row in rows]
    more = f" and {number - len(words)} more" if number > len(words) else ""
    return f"{'; '.join(words)}{more}" if words else "what was stored of it cannot be read"


def _said(tx: Tx, row: EffectRow) -> str:
    where = thread(tx, row.key) if row.key else row.repo.full_name
    note = f" ({row.note})" if row.note else ""
    return f"{THINGS[row.effect.kind]} at {where}{note}"


def of_faults(tx: Tx) -> Iterator[Finding]:
    """What a bug of ours stopped: one line for each part of the program."""
    found = aside(tx)
    parts = sorted({held.name.partition(":")[0] for held in found})
    for part in parts:
        held = [one for one in found if one.name.startswith(f"{part}:")]
        names = [_readable(tx, part, one.name.partition(":")[2]) for one in held]
        what = f"the {part} met a fault of this program at {some(names)}"
        do = "report it with the trace that stands in the log at level error."
        ends = until(min((one.until for one in held if one.until), default=tx.now()))
        why = f"that is left alone until {ends}, then it is tried again; everything else goes on."
        if part == "sweep" and all("#" in one.name for one in held):
            why = "that is tried again by every sweep, and nothing merges there before; everything else goes on."
        yield problem("faults", what, why, do)
    if not parts:
        yield ok("faults", "nothing is set aside")


def _readable(tx: Tx, part: str, name: str) -> str:
    if part == "effector":
        return f"effect {name}"
    return "what is asked of the App as a whole" if (part, name) == ("sweep", "app") else readable(tx, name)


def readable(tx: Tx, name: str) -> str:
    """A record by its name where that is the name of one."""
    repository, _, issue = name.partition("#")
    if repository.isdigit() and issue.isdigit():
        return thread(tx, RecordKey(int(repository), int(issue)))
    return name


def thread(tx: Tx, key: RecordKey) -> str:
    repo = tx.repositories.get(key.repository_id)
    return f"{repo.full_name if repo else key.repository_id}#{key.issue}"
