"""What was last written for a record, and what GitHub shows where that is not certain."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from bot.app.late import may_succeed_late, remember
from bot.app.outside import Outside
from bot.domain.model.facts import Answer, CommentFacts, OwnCheck
from bot.domain.model.questions import CommentsOn, LabelsOn, OwnChecksOn
from bot.domain.model.record import Record
from bot.domain.model.shown import ShownRow
from bot.domain.model.slot_name import SlotName
from bot.domain.projections.plan import GONE, OVER, LastWritten, digest_of
from bot.domain.projections.show import Desired, DesiredCheck, DesiredComment, DesiredLabels
from bot.domain.projections.shown import shown
from bot.ports.rows import Slot
from bot.ports.store import Tx


@dataclass(slots=True)
class SlotState:
    """The slots by name, and what was read because a slot was not certain: labels by thread, check runs by head, comments."""

    slots: dict[str, Slot]
    labels: dict[int, tuple[str, ...]] = field(default_factory=dict)
    checks: dict[str, Answer[tuple[OwnCheck, ...]]] = field(default_factory=dict)
    comments: list[Answer[tuple[CommentFacts, ...]]] = field(default_factory=list)

    def last_written(self) -> dict[str, LastWritten]:
        return {
            name: LastWritten(slot.remote_id, slot.digest if slot.state == "clean" else None, slot.extra)
            for name, slot in self.slots.items()
        }

    @property
    def extras(self) -> dict[str, str | None]:
        return {name: slot.extra for name, slot in self.slots.items()}


@dataclass(frozen=True, slots=True)
class _Seen:
    """A slot as GitHub has it. `shows_since` (GitHub's clock): a comment that says what is wanted; None for all else.
    `late`: a success may still come over it."""

    slot: Slot
    shows_since: datetime | None = None
    late: bool = False


class Slots:
    def __init__(self, outside: Outside) -> None:
        self._outside = outside

    async def load(self, record: Record) -> SlotState:
        return SlotState(await self._outside.store.read(lambda tx: tx.slots.of(record.key)))

    async def look(self, record: Record, state: SlotState, wants: Iterable[Desired]) -> SlotState:
        """Read GitHub for every wanted slot whose last write is not certain, and adopt what is ours there. What was seen is
        kept, so that it is looked at once."""
        seen: list[_Seen] = []
        for want in wants:
            slot = state.slots.get(want.slot)
            if slot is None or slot.state == "clean" or _over_for_ever(want, slot):
                continue
            match want:
                case DesiredComment():
                    found = await self._comment(record, want, slot, state)
                case DesiredCheck():
                    found = _Seen(await self._check(record, want, slot, state), late=may_succeed_late(slot))
                case DesiredLabels():
                    found = _Seen(await self._labels(record, want, state))
            state.slots[want.slot] = found.slot
            seen.append(found)
        if seen:
            await self._keep(record, seen)
        return state

    async def _keep(self, record: Record, seen: Iterable[_Seen]) -> None:
        def keep(tx: Tx) -> None:
            for each in seen:
                tx.slots.put(record.key, each.slot)
                if each.shows_since is not None:
                    add_shown(tx, record, each.slot.name, each.shows_since, found=True)
                if each.late:
                    remember(tx, record.key, each.slot)

        await self._outside.store.run(keep)

    async def _comment(self, record: Record, want: DesiredComment, slot: Slot, state: SlotState) -> _Seen:
        """By stored id, else by our marker *and* our App as author: markers in foreign comments are not trusted. A notice
        that was there and is not any more was deleted by somebody, and stays deleted."""
        answer = await self._outside.forge.read(record.repo, CommentsOn(want.number))
        state.comments.append(answer)
        mine = [c for c in answer.value if c.mine]
        found: CommentFacts | None = next((c for c in mine if c.id == slot.remote_id), None)
        found = found or next((c for c in mine if want.marker in c.body), None)
        if found is None:
            deleted = want.life != "status" and slot.remote_id is not None
            gone = Slot(name=slot.name, remote_id=slot.remote_id, extra=GONE)
            return _Seen(gone if deleted else Slot(name=slot.name))
        right = found.body == want.body
        adopted = Slot(name=slot.name, remote_id=found.id, digest=digest_of(want.sense if right else found.body))
        return _Seen(adopted, found.updated_at if right else None)

    async def _labels(self, record: Record, want: DesiredLabels, state: SlotState) -> Slot:
        worn = (await self._outside.forge.read(record.repo, LabelsOn(want.number))).value
        state.labels[want.number] = worn
        ours = ",".join(sorted(want.ours(worn)))
        return Slot(name=want.slot, digest=digest_of(ours), extra=ours)

    async def _check(self, record: Record, want: DesiredCheck, slot: Slot, state: SlotState) -> Slot:
        """Our newest check run on that head; what it says is written anew."""
        answer = await self._outside.forge.read(record.repo, OwnChecksOn(want.head))
        state.checks[want.head] = answer
        checks = answer.value
        if not checks:
            return Slot(name=slot.name)
        return Slot(name=slot.name, remote_id=checks[0].id, extra=checks[0].conclusion or checks[0].status)


def add_shown(tx: Tx, record: Record, slot: str, at: datetime, *, found: bool = False) -> None:
    """From `at` (GitHub's clock) on this slot shows what the record says. Only the two status comments count as shown. What
    was `found` there may be known already."""
    thread = "issue" if slot == SlotName.status() else "pull"
    if slot not in {SlotName.status(), SlotName.status(record.pull_request)}:
        return
    for showing in shown(record):
        if showing.thread == thread and not (found and _is_known(tx, record, showing.at(at))):
            tx.shown.add(record.key, showing.at(at, tx.now()))


def _is_known(tx: Tx, record: Record, row: ShownRow) -> bool:
    """Times are whole seconds, so two things may have been shown in one."""
    rows = [known for known in tx.shown.rows(record.key) if known.thread == row.thread]
    last = max(rows, key=lambda known: (known.updated_at, known.version), default=None)
    if last is None or last.updated_at < row.updated_at:
        return False
    the_same = {"version": row.version, "acknowledged_at": row.acknowledged_at}
    return last.updated_at > row.updated_at or last.model_copy(update=the_same) == row


def _over_for_ever(want: Desired, slot: Slot) -> bool:
    return isinstance(want, DesiredComment) and want.life != "status" and slot.extra in {OVER, GONE}
