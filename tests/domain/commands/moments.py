"""Records at moments that call for a command, and what people are told then."""

from bot.domain.commands.offers import help_text
from bot.domain.commands.spec import Thread
from bot.domain.model.facts import Level
from bot.domain.model.ids import Person
from bot.domain.model.merge import Merge
from bot.domain.model.policy import STRICT, MergeRule, Policy
from bot.domain.model.record import Blocked, Decision, GateName, Held, OpenedGates, Phase, Record
from tests.domain.commands.kit import AT, HEAD, PLAN_R2, a_record, able

HELD = Held(by=Person(id=1, login="ada"), since=AT)
ADA, GRACE, LIN = 1, 2, 3
COMMAND = STRICT.model_copy(update={"merge": MergeRule(trigger="command")})
BY_BUILDERS = STRICT.model_copy(update={"blocked_recovery": "builder"})


def blocked(cause: str = "question", from_: Phase = "testing", **fields: object) -> Record:
    why = Blocked.model_validate({"reason": "it waits", "from": from_, "since": AT, "cause": cause})
    return a_record("blocked", blocked=why, **fields)


def ambiguous() -> Record:
    return a_record("submit", merge=Merge(state="ambiguous", window_ends=AT))


def approval(gate: GateName, by: int, round: int = 1) -> Decision:
    head = {} if gate == "plan" else {"head": HEAD, "epoch": 0, "pull_request": 34}
    known = {"id": 1, "gate": gate, "kind": "review", "verdict": "approve", "by": {"id": by, "login": "x"}, "at": AT}
    bound = {"revision": 2, "digest": PLAN_R2.digest, "round": round, "source": "comment:1:0"}
    return Decision.model_validate(known | bound | head)


def decided(phase: Phase, gate: GateName, round: int = 1) -> Record:
    opened = OpenedGates.model_validate({gate: {"round": 1}})
    return a_record(phase, gates_opened=opened, decisions=(approval(gate, GRACE, round),))


def told(thread: Thread, level: Level, policy: Policy = STRICT) -> str:
    return help_text(thread, able(level, policy), policy)
