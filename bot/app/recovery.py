"""Recovery on demand: everything that a restart recovers, and what nobody knows looked for once more.

It lists first and acts on what was listed. It never adds authority (I13): a lost request to merge becomes ambiguous, claims
are free, comments are looked for. Nothing is sent to GitHub.
"""

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import Any, Literal, NamedTuple

from bot.app.effects import Effector
from bot.app.expiry import Expiry
from bot.app.requests import Args, read, refused
from bot.app.restart import take_over
from bot.domain.merging.reservation import abandoned
from bot.domain.model.effects import CreateComment
from bot.domain.model.ids import RecordKey, Value
from bot.domain.model.record import Record
from bot.domain.model.text import moment
from bot.domain.model.text import until as ends
from bot.ports.failures import ForgeFailure
from bot.ports.leftovers import Claimed
from bot.ports.rows import EffectRow
from bot.ports.runtime import Nudge
from bot.ports.store import Store, Tx

What = Literal["delivery", "sweep", "hold", "merge", "effect", "record"]
#: Deliveries that failed are listed at most so many at a time.
MOST_FAILED = 1000
UNREADABLE = "What to recover cannot be read."
NO_APP = "No GitHub App is configured here (APP_ID, PRIVATE_KEY, WEBHOOK_SECRET), so this is left to the server."


class Item(Value):
    """One thing that was left. `name` is what people call it, `id` what `recover.do` takes. `acts`: recovering does it;
    else it happens by itself, or by a command that `does` names."""

    what: What
    id: str
    name: str
    found: str
    does: str
    acts: bool = False


class _This(Value):
    what: What
    id: str


class Hands(NamedTuple):
    """What it takes beside the database; there is none where no App is configured. None of them can merge."""

    expiry: Expiry
    effector: Effector


class Recovery:
    """`serving`: a server works beside it, and what is claimed and not over belongs to that one."""

    def __init__(self, store: Store, nudge: Nudge, hands: Callable[[], Hands | None], *, serving: bool) -> None:
        self._store = store
        self._nudge = nudge
        self._hands = hands
        self._serving = serving
        self._freed: AbstractSet[tuple[What, str]] = frozenset()

    async def find(self, _args: Args, _actor: str) -> dict[str, Any]:
        found = await self._store.read(lambda tx: list(_items(tx, alone=not self._serving)))
        return {"result": {"items": [item.model_dump(mode="json") for item in found], "serving": self._serving}}

    async def do(self, args: Args, _actor: str) -> dict[str, Any]:
        """One of what was found; `became` says what is true now. Safe to repeat."""
        this = read(_This, args, UNREADABLE)
        match this.what:
            case "merge" | "effect":
                hands = self._hands()
                if hands is None:
                    return refused("could_not_verify", NO_APP)
                became = await (self._merge if this.what == "merge" else self._effect)(hands, this.id)
            case _:
                became = await self._store.run(lambda tx: self._claim(tx, this))
        self._nudge()
        return {"result": {"became": became}}

    def _claim(self, tx: Tx, this: _This) -> str:
        """What was freed, all at once: nobody else works here. A server frees them by itself."""
        claimed = _claims(tx)
        if not self._serving and (this.what, this.id) in claimed:
            take_over(tx)
            self._freed = claimed.keys() - _claims(tx).keys()
        if (this.what, this.id) in self._freed:
            return "free"
        until = claimed.get((this.what, this.id))
        return "not claimed any more" if until is None else f"left to the server: claimed until {ends(until)}"

    async def _merge(self, hands: Hands, name: str) -> str:
        repository, _, issue = name.partition("#")
        key = RecordKey(int(repository), int(issue))
        lost = await self._store.read(lambda tx: next((one for one in _lost(tx) if one.key == key), None))
        if lost is None:
            return "known meanwhile"
        if not await hands.expiry.take_over(key):
            return "carried on by another process now"
        after = await self._store.read(lambda tx: tx.records.load(key))
        return str(after.record.merge.state) if after else "gone"

    async def _effect(self, hands: Hands, number: str) -> str:
        row = await self._store.read(lambda tx: next((e for e in tx.leftovers.effects() if str(e.id) == number), None))
        if row is None or row.state != "unknown":
            return "known meanwhile"
        try:
            found = await hands.effector.find(row)
        except ForgeFailure as failure:
            return f"unknown still: {failure.for_operator()}"
        return "found on GitHub" if found else "not on GitHub"


def _items(tx: Tx, *, alone: bool) -> Iterator[Item]:
    now = tx.now()
    yield from _claimed(tx, now, alone=alone)
    for row in tx.deliveries.list("failed", MOST_FAILED, None):
        command = f"signalbox replay {row.guid}"
        found = f"failed: {row.detail}"
        yield Item(what="delivery", id=row.guid, name=row.guid, found=found, does=command)
    for record in _lost(tx):
        yield _lost_item(record)
    for effect in tx.leftovers.effects():
        yield _effect_item(effect)
    shown = "shown by the server" if not alone else "shown when a server starts"
    for key, since in tx.leftovers.unshown():
        found = f"not shown on GitHub since {moment(since)}"
        yield Item(what="record", id=str(key), name=_name(tx, key), found=found, does=shown)


#: Whatever somebody works on, if they live, and what becomes of it.
BECOMES: dict[What, str] = {"delivery": "worked on again", "sweep": "swept at once", "hold": "free"}


def _claimed(tx: Tx, now: datetime, *, alone: bool) -> Iterator[Item]:
    """Alone, whoever claimed it is gone; a hold that is over holds nothing any more. Beside a server only what is over is
    nobody's, and its holds are its own."""
    for (what, name), until in _claims(tx).items():
        over = until <= now
        if (alone and not over) if what == "hold" else (alone or over):
            found = f"claimed until {ends(until)} by a process that is gone"
            yield Item(what=what, id=name, name=name, found=found, does=BECOMES[what], acts=alone)


def _claims(tx: Tx) -> dict[tuple[What, str], datetime]:
    left = tx.leftovers
    named: tuple[tuple[What, Sequence[Claimed]], ...] = (
        ("delivery", left.deliveries()),
        ("sweep", left.sweeps()),
        ("hold", left.holds()),
    )
    return {(what, name): until for what, claims in named for name, until in claims}


def _lost(tx: Tx) -> list[Record]:
    """Requests to merge whose sender is gone, and of which GitHub keeps no number."""
    now = tx.now()
    loaded = [tx.records.load(key) for key in tx.records.merging(("requested",))]
    return [one.record for one in loaded if one is not None and abandoned(one.record.merge, now)]


def _lost_item(record: Record) -> Item:
    asked = f" at {moment(record.merge.requested_at)}" if record.merge.requested_at else ""
    return Item(
        what="merge",
        id=str(record.key),
        name=f"{record.repository}#{record.issue}",
        found=f"GitHub was asked{asked} to merge it, and whoever asked is gone",
        does="ambiguous: GitHub is read until it is known, and never asked a second time",
        acts=True,
    )


def _effect_item(effect: EffectRow) -> Item:
    name = f"{effect.effect.kind} {effect.repo.full_name} {effect.effect.target}"
    if effect.state == "sent":
        found, does, acts = "sent and not answered", "looked for by the server, and sent again where it is not", False
    elif isinstance(effect.effect.write, CreateComment):
        found, does, acts = f"unknown: {effect.note}", "looked for once more; nothing is sent", True
    else:
        found, does, acts = f"unknown: {effect.note}", "nothing: look at GitHub", False
    return Item(what="effect", id=str(effect.id), name=name, found=found, does=does, acts=acts)


def _name(tx: Tx, key: RecordKey) -> str:
    repo = tx.repositories.get(key.repository_id)
    return f"{repo.full_name}#{key.issue}" if repo else str(key)
