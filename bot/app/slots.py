"""What was last written for a record, and what GitHub shows where that is not certain."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from bot.app.outside import Outside
from bot.domain.model.facts import CommentFacts, CommentsOn, LabelsOn, OwnChecksOn
from bot.domain.model.record import Record
from bot.domain.projections.plan import LastWritten, digest_of
from bot.domain.projections.show import Desired, DesiredCheck, DesiredComment, DesiredLabels
from bot.ports.store import Slot


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


class Slots:
    def __init__(self, outside: Outside) -> None:
        self._outside = outside

    async def load(self, record: Record) -> SlotState:
        return SlotState(await self._outside.store.read(lambda tx: tx.slots.of(record.key)))

    async def look(self, record: Record, state: SlotState, wants: Iterable[Desired]) -> SlotState:
        """Read GitHub for every wanted slot whose last write is not certain, and adopt what is ours there."""
        for want in wants:
            slot = state.slots.get(want.slot)
            if slot is None or slot.state == "clean":
                continue
            match want:
                case DesiredComment():
                    state.slots[want.slot] = await self._comment(record, want, slot)
                case DesiredCheck():
                    state.slots[want.slot] = await self._check(record, want, slot)
                case DesiredLabels():
                    answer = await self._outside.forge.read(record.repo, LabelsOn(want.number))
                    state.labels[want.number] = answer.value
        return state

    async def _comment(self, record: Record, want: DesiredComment, slot: Slot) -> Slot:
        """By stored id, else by our marker *and* our App as author: markers in foreign comments are not trusted."""
        comments = (await self._outside.forge.read(record.repo, CommentsOn(want.number))).value
        mine = [c for c in comments if c.mine]
        found: CommentFacts | None = next((c for c in mine if c.id == slot.remote_id), None)
        found = found or next((c for c in mine if want.marker in c.body), None)
        if found is None:
            return Slot(name=slot.name)
        return Slot(name=slot.name, remote_id=found.id, digest=digest_of(found.body), extra=slot.extra)

    async def _check(self, record: Record, want: DesiredCheck, slot: Slot) -> Slot:
        """Our newest check run on that head; what it says is written anew."""
        checks = (await self._outside.forge.read(record.repo, OwnChecksOn(want.head))).value
        if not checks:
            return Slot(name=slot.name)
        return Slot(name=slot.name, remote_id=checks[0].id, extra=checks[0].conclusion or checks[0].status)
