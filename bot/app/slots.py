"""What was last written for a record, and what GitHub shows where that is not certain."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from bot.app.outside import Outside
from bot.domain.model.facts import CommentFacts, CommentsOn, LabelsOn, OwnChecksOn
from bot.domain.model.record import Record
from bot.domain.projections.labels import PHASE_LABELS
from bot.domain.projections.plan import GONE, SETTLED, LastWritten, digest_of
from bot.domain.projections.show import Desired, DesiredCheck, DesiredComment, DesiredLabels
from bot.ports.store import Slot, Tx


@dataclass(slots=True)
class SlotState:
    """The slots by name, and the labels that were read on a thread because its slot was not certain."""

    slots: dict[str, Slot]
    labels: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def last_written(self) -> dict[str, LastWritten]:
        return {
            name: LastWritten(slot.remote_id, slot.digest if slot.state == "clean" else None, slot.extra)
            for name, slot in self.slots.items()
        }

    @property
    def extras(self) -> dict[str, str | None]:
        return {name: slot.extra for name, slot in self.slots.items()}


class Slots:
    def __init__(self, outside: Outside) -> None:
        self._outside = outside

    async def load(self, record: Record) -> SlotState:
        return SlotState(await self._outside.store.read(lambda tx: tx.slots.of(record.key)))

    async def look(self, record: Record, state: SlotState, wants: Iterable[Desired]) -> SlotState:
        """Read GitHub for every wanted slot whose last write is not certain, and adopt what is ours there. What was seen is
        kept, so that it is looked at once."""
        seen: list[Slot] = []
        for want in wants:
            slot = state.slots.get(want.slot)
            if slot is None or slot.state == "clean" or _over_for_ever(want, slot):
                continue
            match want:
                case DesiredComment():
                    found = await self._comment(record, want, slot)
                case DesiredCheck():
                    found = await self._check(record, want, slot)
                case DesiredLabels():
                    found = await self._labels(record, want, state)
            state.slots[want.slot] = found
            seen.append(found)
        if seen:
            await self._keep(record, seen)
        return state

    async def _keep(self, record: Record, seen: Iterable[Slot]) -> None:
        def keep(tx: Tx) -> None:
            for slot in seen:
                tx.slots.put(record.key, slot)

        await self._outside.store.run(keep)

    async def _comment(self, record: Record, want: DesiredComment, slot: Slot) -> Slot:
        """By stored id, else by our marker *and* our App as author: markers in foreign comments are not trusted. A notice
        that was there and is not any more was deleted by somebody, and stays deleted."""
        comments = (await self._outside.forge.read(record.repo, CommentsOn(want.number))).value
        mine = [c for c in comments if c.mine]
        found: CommentFacts | None = next((c for c in mine if c.id == slot.remote_id), None)
        found = found or next((c for c in mine if want.marker in c.body), None)
        if found is None:
            deleted = want.life != "status" and slot.remote_id is not None
            return Slot(name=slot.name, remote_id=slot.remote_id, extra=GONE) if deleted else Slot(name=slot.name)
        right = want.sense if found.body == want.body else found.body
        return Slot(name=slot.name, remote_id=found.id, digest=digest_of(right))

    async def _labels(self, record: Record, want: DesiredLabels, state: SlotState) -> Slot:
        worn = (await self._outside.forge.read(record.repo, LabelsOn(want.number))).value
        state.labels[want.number] = worn
        ours = ",".join(sorted(label for label in worn if label in PHASE_LABELS))
        return Slot(name=want.slot, digest=digest_of(ours), extra=ours)

    async def _check(self, record: Record, want: DesiredCheck, slot: Slot) -> Slot:
        """Our newest check run on that head; what it says is written anew."""
        checks = (await self._outside.forge.read(record.repo, OwnChecksOn(want.head))).value
        if not checks:
            return Slot(name=slot.name)
        return Slot(name=slot.name, remote_id=checks[0].id, extra=checks[0].conclusion or checks[0].status)


def _over_for_ever(want: Desired, slot: Slot) -> bool:
    return isinstance(want, DesiredComment) and want.life != "status" and slot.extra in {SETTLED, GONE}
