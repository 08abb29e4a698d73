"""What may be merged, computed from the world's own events, without the product's records or rules.

Seats are read from the comments people wrote, bindings from when heads moved. The oracle is deliberately lenient where a
command names no gate, and never where a head moved, a person has no right, or a request may still land.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from bot.domain.gates.gate import authority_complete
from bot.domain.model.delivery import Delivery, DeliveryRow
from bot.domain.model.policy import STRICT
from bot.domain.model.record import Record
from bot.ports.store import Tx
from bot.simulator.model.threads import Comment, Pull, Review
from bot.simulator.world import World
from bot.store.chain import verify
from bot.store.inline import InlineStore
from tests.kit.stage import Stage, run
from tests.simulation.ledger import OPERATORS, REVIEWERS, makers


def _delivery(guid: str) -> Callable[[Tx], tuple[Delivery, DeliveryRow] | None]:
    return lambda tx: tx.deliveries.get(guid)


@dataclass
class Word:
    """One approval or gate somebody wrote. `sha` None = named no head; `gate` None = named no gate."""

    seq: int
    who: str
    kind: str
    gate: str | None
    sha: str | None
    head: str


@dataclass
class Oracle:
    world: World
    pull: Pull
    store: InlineStore
    words: list[Word] = field(default_factory=list)
    seq: "count[int]" = field(default_factory=lambda: count(1))
    moved_at: int = 0
    moved_before: dict[str, int] = field(default_factory=dict)
    stops: list[tuple[int, int]] = field(default_factory=list)
    red_at: int | None = None
    checks_read_at: int = 0
    landed: int = 0
    asked: int = 0
    goals: set[str] = field(default_factory=set)
    broken: list[str] = field(default_factory=list)

    def heard(self, who: str, text: str, comment: Comment) -> None:
        verb, *rest = text.lstrip("/").split()
        number = next(self.seq)
        if verb == "reject" and who in REVIEWERS:
            self.stops.append((number, comment.id))
        if verb in {"approve", "gate"}:
            gate, sha = (rest[0], rest[1]) if len(rest) == 2 else (None, None)
            self.words.append(Word(number, who, verb, gate, sha, self.pull.head))

    def reviewed(self, who: str, state: str, review: Review) -> None:
        number = next(self.seq)
        if state == "APPROVED":
            self.words.append(Word(number, who, "approve", None, review.commit[:12], self.pull.head))

    def head_moved(self) -> None:
        self.moved_at = next(self.seq)

    def check_reported(self, conclusion: str) -> None:
        number = next(self.seq)
        self.red_at = number if conclusion != "success" else None

    def passes(self, where: str, lane: str) -> None:
        """Called before and after every request of every replica, with the lane that makes it."""
        if where == "after pull":
            self.moved_before[lane] = self.moved_at
        if where == "after check_runs":
            self.checks_read_at = next(self.seq)
        if where in {"before merge", "before merge_async"}:
            self.asked += 1
            self.may_ask(lane)

    def leaves(self) -> tuple[Record, str]:
        """The record and the head a request is about: it is stored, and nothing else can still land."""
        pending = [request for request in self.pull.requests.values() if request.status == "pending"]
        assert self.pull.in_flight == 0, "I3: an earlier request can still land"
        assert not pending, "I3: an earlier asynchronous request is still pending"
        record = self.record()
        head = record.merge.head or ""
        assert record.merge.state == "requested", "I4: the request is stored before it leaves"
        assert len(head) == 40, "I2: the request carries the reserved head"
        return record, head

    def may_ask(self, lane: str) -> None:
        """At the moment a merge request leaves: complete authority for exactly this head, and nothing else can still land."""
        _, head = self.leaves()
        if head != self.pull.head:
            self.goals.add("the head moved before the request arrived")
            return
        since = max([self.moved_before[lane], *self.processed_stops()])
        fresh = [word for word in self.words if word.seq > since and (word.sha is None or head.startswith(word.sha))]
        for gate in ("testing", "submit"):
            seats = {word.who for word in fresh if word.kind == "approve" and word.gate in {gate, None}} & REVIEWERS
            openers = {word.who for word in fresh if word.kind == "gate" and word.gate in {gate, None}} & OPERATORS
            assert seats, f"I1: nobody approved {gate} of {head[:7]} since it was pushed"
            assert openers, f"I1: no operator opened {gate} of {head[:7]} since it was pushed"
            barred = makers(self.world, self.pull)
            assert seats - barred, f"I15: only its makers approved {gate} of {head[:7]}"
            assert openers - barred, f"I15: only its makers opened {gate} of {head[:7]}"
        assert self.red_at is None or self.red_at > self.checks_read_at, "I1: a red check was read"

    def processed_stops(self) -> list[int]:
        """Rejections whose delivery the bot has finished before now."""
        done = {"applied", "no_op"}

        def finished(comment_id: int) -> bool:
            guids = [hook.guid for hook in self.world.hooks.log if f'"id":{comment_id},'.encode() in hook.body]
            rows = [run(self.store.read(_delivery(guid))) for guid in guids]
            return any(row is not None and row[1].state in done for row in rows)

        return [number for number, comment_id in self.stops if finished(comment_id)]

    def record(self) -> Record:
        """The product's record, only to know what was asked."""

        def find(tx: Tx) -> Record:
            key = tx.records.by_name("octo/app", 1)
            loaded = tx.records.load(key) if key else None
            assert loaded is not None
            return loaded.record

        return run(self.store.read(find))

    def checks(self) -> None:
        """After every tick."""
        assert not self.broken, "; ".join(self.broken)
        for landing in self.world.landed[self.landed :]:
            self.landed += 1
            if landing.by.login.endswith("[bot]"):
                assert landing.head == landing.expected, "I2: merged head = reserved head"
                self.goals.add("merged by us")
        assert self.landed <= 1, "a pull request was merged twice"
        record = self.record()
        assert record.phase != "done" or self.landed == 1, "I5: done means merged"
        self.goals.add(record.merge.state)

    def finally_checks(self, stage: Stage) -> None:
        record = self.record()
        history = stage.history(record.key)
        assert verify(history, record.model_dump(mode="json")) == [], "I30: the chain holds"
        assert [row.version for row in history] == list(range(1, record.version + 1)), "I11: no gaps"
        ours = [landing for landing in self.world.landed if landing.by.login.endswith("[bot]")]
        if self.landed:
            assert record.phase == "done", (
                f"L3: it landed, and the record is in {record.phase}, merge {record.merge.state}"
            )
            assert record.merge.external == (not ours)
        runs = [r for r in self.world.latest_runs(self.pull.repository, self.pull.head) if r.name == "signalbox"]
        if runs and runs[-1].conclusion == "success":
            assert record.phase == "done" or authority_complete(record, STRICT), "I24: success without authority"
        waiting = [lane.name for lane in stage.lanes if not lane.idle]  # type: ignore[attr-defined]
        assert waiting == [], "everything came to rest"
