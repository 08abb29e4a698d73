"""`/resume PHASE`: an operator lets blocked work go on. Without a phase the possible ones are listed."""

from bot.domain.commands.arguments import odd_words
from bot.domain.commands.spec import CommandSpec, Offer, Said, Thread
from bot.domain.model.command_signals import Resume, ResumePhase
from bot.domain.model.policy import Policy, Role
from bot.domain.model.refusals import Refusal
from bot.domain.model.resuming import furthest, given_up

_PHASES: dict[str, ResumePhase] = {
    "planning": "planning",
    "building": "building",
    "testing": "testing",
    "submit": "submit",
}
#: Blockers with a way out of their own, or none.
_NOT_BY_RESUME = frozenset({"budget", "issue_gone", "external_merge"})


def parse(said: Said) -> Resume | Refusal:
    phase = _PHASES.get(said.words[0].lower()) if len(said.words) == 1 else None
    if said.words and phase is None:
        who = "An operator or a builder" if "builder" in who_by_policy(said.policy) else "An operator"
        return said.refusal(
            "bad_argument",
            f"Only planning, building, testing or submit may follow here, and {odd_words(said)} is none of them, so "
            f"nothing was resumed. {who} comments {said.typed(_words(said.thread))}; "
            f"{said.typed('resume')} alone lists the phases that are possible now.",
        )
    return said.signal(Resume, phase=phase)


def _furthest(thread: Thread) -> ResumePhase | None:
    record = thread.active
    if record is None or record.phase != "blocked" or record.blocked is None or record.blocked.cause in _NOT_BY_RESUME:
        return None
    return furthest(record.blocked.from_)


def _words(thread: Thread) -> str:
    return f"resume {_furthest(thread) or 'building'}"


def offer(thread: Thread) -> Offer | None:
    if thread.record is None or _furthest(thread) is None:
        return None
    costs = given_up(thread.record)
    return Offer(_words(thread), f" ({costs})" if costs else "")


def who_by_policy(policy: Policy) -> tuple[Role, ...]:
    return ("operator", "builder") if policy.blocked_recovery == "builder" else ("operator",)


RESUME = CommandSpec(
    name="resume",
    arguments="[planning, building, testing or submit]",
    where="both",
    who=("operator",),
    summary="lets blocked work go on in that phase",
    examples=(
        ("issue", "/resume"),
        ("issue", "/resume planning"),
        ("issue", "/resume building"),
        ("pull", "/resume testing"),
        ("pull", "/resume submit"),
    ),
    parse=parse,
    offer=offer,
    who_by_policy=who_by_policy,
)
