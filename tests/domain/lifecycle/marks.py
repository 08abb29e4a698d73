"""What a result did, in the words of the table."""

from collections.abc import Iterable

from bot.domain.gates.gate import GATES, counting
from bot.domain.lifecycle.results import Advance, Ignore, Refuse, Result
from bot.domain.model.effects import Effect
from bot.domain.model.merge import IN_FLIGHT
from bot.domain.model.record import Decision, Record
from tests.domain.lifecycle.scene import Scene

#: Fields that move with every version.
_ALWAYS = {"version", "policy_sha"}


def after(scene: Scene, result: Result) -> Record:
    return result.record if isinstance(result, Advance) else scene.record


def phases(scene: Scene, result: Result) -> tuple[str, ...]:
    """Phases passed through, in order: the history rows that changed it."""
    passed: list[str] = []
    if isinstance(result, Advance):
        for step in result.steps:
            if step.record.phase != (step.from_ or scene.record.phase):
                passed.append(step.record.phase)
    return tuple(passed)


def refusal(result: Result) -> str | None:
    if isinstance(result, Refuse):
        return result.refusal.code
    return result.refusal.code if isinstance(result, Advance) and result.refusal else None


def effects(result: Result) -> tuple[Effect, ...]:
    return result.effects if isinstance(result, Advance | Ignore) else ()


def changed(scene: Scene, result: Result) -> bool:
    same = after(scene, result).model_dump(exclude=_ALWAYS) == scene.record.model_dump(exclude=_ALWAYS)
    repolicied = after(scene, result).policy_sha != scene.record.policy_sha and scene.signal.kind == "policy_changed"
    return not same or repolicied


def seen(scene: Scene, result: Result) -> frozenset[str]:
    """Which of decision, void, remember, release, flag happened. What only lost its binding is not void: nobody judged it."""
    old, new = scene.record, after(scene, result)
    found = {
        "decision": len(new.decisions) > len(old.decisions),
        "void": any(d.void is not None and d.id in _current(old) for d in new.decisions),
        "remember": len(new.merge.remembered) > len(old.merge.remembered),
        "release": _released(old, new),
        "flag": (old.held, old.withdrawn, old.frozen) != (new.held, new.withdrawn, new.frozen),
    }
    return frozenset(name for name, happened in found.items() if happened)


def _current(record: Record) -> set[int]:
    return {d.id for gate in GATES for d in counting(record, gate)}


def given(scene: Scene, result: Result) -> Iterable[Decision]:
    """Decisions that were stored by it."""
    return after(scene, result).decisions[len(scene.record.decisions) :]


def _released(old: Record, new: Record) -> bool:
    if old.merge.state == "reserved":
        return new.merge.state not in {"reserved", *IN_FLIGHT}
    return old.in_flight and new.merge.state in {"none", "refused"}
