"""What a storm may end in. Authority is computed from what the world saw people do; the product is asked only which words it
has heard and not refused, and what it stores."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from bot.domain.gates.gate import GATES, authority_complete, counting, plan_approved
from bot.domain.lifecycle.builtin import DELIVERY
from bot.domain.lifecycle.kernel import OUT_OF_BLOCKED
from bot.domain.model.policy import STRICT
from bot.domain.model.record import GateName, Record
from bot.ports.rows import HistoryRow
from bot.store.chain import verify
from tests.kit.stage import Stage, run
from tests.simulation.ledger import FILLS, OPERATORS, REVIEWERS, Act, Ledger, Seen, makers
from tests.simulation.oracle import Oracle

#: Ways out of blocked that need no person: a merge on GitHub.
BY_GITHUB = frozenset({"merged_externally", "landed_late"})
JUDGED: tuple[GateName, ...] = ("testing", "submit")
BEFORE_TESTING = frozenset({"planning", "plan_ready", "plan_rejected", "building"})


@dataclass
class StormOracle(Oracle):
    ledger: Ledger = field(init=False)
    rounds: dict[str, tuple[int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.world, self.pull)

    def passes(self, where: str, lane: str) -> None:
        if where.startswith("after "):
            self.ledger.reads(where.removeprefix("after "), lane)
        if where in {"before merge", "before merge_async"}:
            self.asked += 1
            self.asks(lane)

    # At the moment a merge request leaves.

    def asks(self, lane: str) -> None:
        record, head = self.leaves()
        seen = self.was_read(lane, head, record.merge.base or "")
        if head != self.pull.head:
            self.goals.add("the head moved before the request arrived")
            return
        planned_at = self.plan_is_approved()
        since = max(seen.moved_at, planned_at, *self.seqs(self.sent_back()))
        for gate in JUDGED:
            self.gate_was_judged(gate, head, since)
        self.nothing_stands_in_the_way(since, head)

    def was_read(self, lane: str, head: str, base: str) -> Seen:
        """What the sender itself had read last, at the moment it read it. What moved since then GitHub's own guards must stop."""
        seen = self.ledger.pulls.get(lane)
        assert seen is not None, "I18: the pull request was not read"
        assert (seen.open, seen.draft, seen.head, seen.base) == (True, False, head, base), f"I18: it had read {seen}"
        assert self.ledger.green.get(lane), "I1: its checks were not green when they were read"
        assert self.ledger.alone.get(lane), "I28: another open pull request had the same head"
        return seen

    def plan_is_approved(self) -> int:
        """Returns since when the plan is as it is."""
        voids = [*self.done("plan", "replan", "cancel"), *self.resumed("planning")]
        since = max([0, *self.seqs(voids), *self.withdrawn()])
        author = next((act.who for act in reversed(self.done("plan"))), "ada")
        given = {act.who for act in self.standing(self.done("approve")) if act.about_plan and act.seq > since}
        assert self.able(given & REVIEWERS) - {author}, f"I10: nobody but {author} approves the plan as it is"
        return since

    def gate_was_judged(self, gate: GateName, head: str, since: int) -> None:
        opened = self.rounds.get(gate, (0, 0))[1]
        fresh = [act for act in self.standing(self.ledger.acts) if act.seq > max(since, opened) and act.fits(head)]
        words = [act for act in fresh if not act.about_plan and act.gate in {gate, None}]
        barred = makers(self.world, self.pull)
        seats = ({act.who for act in words if act.verb == "approve"} & REVIEWERS) - barred
        openers = ({act.who for act in words if act.verb == "gate"} & OPERATORS) - barred
        if gate == "submit":
            seats, openers = self.able(seats), self.able(openers)
        assert seats, f"I1, I15, I31: nobody who may approved {gate} of {head[:7]} since {since}, {opened}"
        assert openers, f"I1, I15, I31: no operator who may opened {gate} of {head[:7]} since {since}, {opened}"
        assert len(seats | openers) > 1, f"I15: one person in two seats of {gate}"

    def nothing_stands_in_the_way(self, since: int, head: str) -> None:
        assert len(self.done("hold")) <= len(self.done("unhold")), "it is held"
        left = self.seqs(self.done("resume", "retry"))
        for block in self.done("block"):
            assert [seq for seq in left if seq > block.seq], "I32: blocked, and nobody resumed"
        settled = self.seqs(act for act in self.done("settle") if act.rest[:1] == ("unmerged",))
        gates = [act for act in self.ledger.by("gate") if act.fits(head) and act.seq > max([since, *settled])]
        assert gates, "settled as unmerged, and no gate was opened since"
        assert not self.done("unlink") or self.done("link"), "unlinked"

    # Which words stand.

    def done(self, *verbs: str) -> list[Act]:
        """Commands that were heard and not refused."""
        return [act for act in self.ledger.by(*verbs) if self.heard_as(act) == "advanced"]

    def heard_as(self, act: Act) -> str | None:
        """`advanced`, or the code of the refusal; None = not heard yet, or nothing came of it."""
        known = run(self.store.read(lambda tx: tx.applied.get(self.pull.repository.id, act.key)))
        if known is None or known.outcome == "ignored":
            return None
        return "advanced" if known.refusal is None else known.refusal.code

    def sent_back(self) -> list[Act]:
        """By which what was said of the head is void."""
        return [*self.done("reject", "rework", "unlink"), *self.resumed("building")]

    def resumed(self, phase: str) -> list[Act]:
        return [act for act in self.done("resume") if act.rest == (phase,)]

    def standing(self, acts: Iterable[Act]) -> list[Act]:
        """Without what its writer took back later, or whose review was dismissed."""
        revokes = [act for act in self.ledger.by("revoke") if self.heard_as(act) in {"advanced", "merge_in_flight"}]
        dismissed = {review for _, review, guids in self.ledger.dismissals if self.finished(guids)}

        def taken_back(act: Act) -> bool:
            return any(
                one.who == act.who and one.seq > act.seq and one.on_pull is not act.about_plan for one in revokes
            )

        return [act for act in acts if not taken_back(act) and act.review not in dismissed]

    def withdrawn(self) -> list[int]:
        return [seq for seq, guids in self.ledger.withdrawals if self.finished(guids)]

    def finished(self, guids: Iterable[str]) -> bool:
        rows = [run(self.store.read(lambda tx, guid=guid: tx.deliveries.get(guid))) for guid in guids]  # type: ignore[misc]  # one per turn
        return any(row is not None and row[1].state == "applied" for row in rows)

    def able(self, people: set[str]) -> set[str]:
        """Without those whose lost permission was read after they lost it."""
        return {who for who in people if not self.loss_was_read(who)}

    def loss_was_read(self, who: str) -> bool:
        lost_at = self.ledger.lost_at.get(who)
        later = self.world.requests[lost_at:] if lost_at is not None else []
        return any(r.operation == "permission" and r.status == 200 and f"/{who}/" in r.path for r in later)

    @staticmethod
    def seqs(acts: Iterable[Act]) -> list[int]:
        return [0, *(act.seq for act in acts)]

    # After every tick, and at the end.

    def checks(self) -> None:
        super().checks()
        record = self.record()
        for gate in JUDGED:
            number = record.gates_opened.of(gate).round
            if number != self.rounds.get(gate, (0, 0))[0]:
                self.rounds[gate] = (number, next(self.ledger.seq))
        self.people_said_it(record)
        if record.phase in BEFORE_TESTING:
            assert not [d for gate in JUDGED for d in counting(record, gate)], f"I9: judged in {record.phase}"
        if record.phase in {"building", "testing", "submit"} and not record.withdrawn:
            assert plan_approved(record, STRICT), f"I10: {record.phase} without an approved plan"

    def people_said_it(self, record: Record) -> None:
        """I17: each decision that counts is a word that the world heard from this person, about what it is bound to."""
        for decision in [d for gate in GATES for d in counting(record, gate) if d.verdict == "approve"]:
            of = [
                a for a in self.ledger.acts if a.key == decision.source or (a.review and a.review == decision.review_id)
            ]
            assert of, f"I17: nobody ever said {decision.source}"
            act = of[0]
            fills = "plan" if act.about_plan else FILLS[act.verb]
            assert (act.who, fills) == (decision.by.login, decision.kind), f"I17: {act} is not {decision.kind}"
            assert decision.gate == "plan" or act.fits(decision.head or ""), f"I17: {act} is not about {decision.head}"
            assert act.who in (OPERATORS if decision.kind == "operator" else REVIEWERS), f"I16: {act.who} may not"

    def finally_checks(self, stage: Stage) -> None:
        record = self.record()
        history = stage.history(record.key)
        assert verify(history, record.model_dump(mode="json")) == [], "I30: the chain holds"
        assert [row.version for row in history] == list(range(1, record.version + 1)), "I11: no gaps"
        for row in history:
            self.is_an_edge(row)
        ours = [landing for landing in self.world.landed if landing.by.login.endswith("[bot]")]
        if self.landed and record.pull_request == self.pull.number and not record.withdrawn:
            assert record.phase == "done", f"L3: it landed, and is in {record.phase}, merge {record.merge.state}"
            assert record.merge.external == (not ours)
        self.success_is_right(record)
        failed = run(self.store.read(lambda tx: tx.deliveries.list("failed", 100, None)))
        assert not failed, f"deliveries failed: {[row.detail for row in failed]}"
        errors = [line for line in stage.log.lines if line[0] == "error"]
        assert not errors, f"errors: {errors[:2]}"
        effects = run(self.store.read(lambda tx: tx.effects.of(record.key)))
        assert {row.state for row in effects} <= {"ok", "refused", "unknown"}, "I23: an effect never ended"
        waiting = [lane.name for lane in stage.lanes if not lane.idle]  # type: ignore[attr-defined]
        assert waiting == [], "everything came to rest"

    def is_an_edge(self, row: HistoryRow) -> None:
        if row.from_ is None or row.from_ == row.to:
            return
        ends = {edge.to for edge in DELIVERY.edges.get((row.from_, row.signal), ())}
        assert row.to in ends, f"I7: {row.from_} to {row.to} by {row.signal}"
        assert row.from_ != "done", "I6: done is left"
        if row.from_ == "blocked" and row.signal not in BY_GITHUB:
            assert row.signal in OUT_OF_BLOCKED, f"I32: blocked is left by {row.signal}"
            assert row.actor.login in OPERATORS, f"I32: blocked is left by {row.actor.login}"

    def success_is_right(self, record: Record) -> None:
        for head in {one.head for one in self.pull.repository.runs if one.name == "signalbox"}:
            runs = [one for one in self.world.latest_runs(self.pull.repository, head) if one.name == "signalbox"]
            if runs and runs[-1].conclusion == "success":
                assert head in (record.head, record.merge.head), "I24: success stays on an old head"
                assert record.phase == "done" or authority_complete(record, STRICT), "I24: success stays"
