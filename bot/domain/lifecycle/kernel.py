"""The safety kernel: what no document, handler or policy may break. Checked on every version before it is written.

It knows nothing of signals or edges, only the record before and after. With the built-in machine it never objects; if it
does, the code above it is wrong, nothing is written, and the delivery fails visibly.
"""

from collections.abc import Iterator

from bot.domain.gates.gate import authority_complete, complete, counting, plan_approved, void_because
from bot.domain.gates.unverified import waits_for_a_word
from bot.domain.model.policy import Policy
from bot.domain.model.record import Decision, Record

#: Ways out of blocked: a person, or a merge on GitHub (I32).
OUT_OF_BLOCKED = frozenset(
    {
        "resume_unchanged",
        "resume_planning",
        "resume_building",
        "resume_testing",
        "retry",
        "merged_externally",
        "landed_late",
        "settled",
    }
)
WORKING = frozenset({"building", "testing", "submit"})
JUDGED = frozenset({"testing", "submit"})
HOLDING = frozenset({"reserved", "requested"})


class KernelRefused(Exception):
    """A version that must never be written. The message names each broken rule."""


def check(before: Record | None, after: Record, policy: Policy, event: str) -> None:
    """Raise KernelRefused when `after` may not follow `before`."""
    broken = [*_alone(before, after, policy), *(_following(before, after, policy, event) if before else ())]
    if broken:
        raise KernelRefused(f"{after.repository}#{after.issue} version {after.version} ({event}): " + "; ".join(broken))


def _alone(before: Record | None, after: Record, policy: Policy) -> Iterator[str]:
    """What GitHub was asked already is not undone by rules that ask for more since: its answer must be writable (I4)."""
    asked_before = before is not None and before.merge.state == after.merge.state == "requested"
    if (
        after.phase in WORKING
        and not after.withdrawn
        and not any(d.verdict == "approve" for d in counting(after, "plan"))
    ):
        yield f"{after.phase} needs a plan approval of exactly the stored revision, digest and round"
    if after.phase in JUDGED and after.head is None:
        yield f"{after.phase} needs a head"
    if after.merge.state in HOLDING and after.phase != "submit":
        yield "a reservation exists only in submit"
    if after.merge.state in HOLDING and not asked_before and not authority_complete(after, policy):
        yield "a reservation needs complete authority for the present head"
    if after.merge.state in HOLDING and after.merge.head != after.head:
        yield "a reservation is of the present head"
    if after.merge.state == "reserved" and (after.held or after.withdrawn or after.frozen):
        yield "nothing held, withdrawn or frozen is reserved"
    if after.merge.state in HOLDING and not asked_before and waits_for_a_word(after):
        yield "nothing is reserved over a word that could not be verified"
    if after.phase == "done" and (after.merge.state != "merged" or after.merge.sha is None):
        yield "done needs a confirmed merge"


def _following(before: Record, after: Record, policy: Policy, event: str) -> Iterator[str]:
    yield from _together(before, after)
    yield from _on_the_way(before, after, policy, event)


def _together(before: Record, after: Record) -> Iterator[str]:
    if after.version != before.version + 1:
        yield "versions have no gaps"
    if before.phase == "done" and (after.phase != "done" or after.merge.sha != before.merge.sha):
        yield "done never changes"
    if after.review_round < before.review_round or after.head_epoch < before.head_epoch:
        yield "rounds and epochs never decrease"
    if (
        after.head != before.head
        and after.head_epoch == before.head_epoch
        and before.head
        and _same_pull(before, after)
    ):
        yield "a moved head raises the epoch"
    if (
        _binding(after) != _binding(before)
        and before.phase in JUDGED
        and after.phase in JUDGED
        and not before.in_flight
        and not after.withdrawn
    ):
        yield "a moved binding leaves testing and submit"
    if before.in_flight and after.in_flight and (after.phase, after.head) != (before.phase, before.head):
        yield "nothing moves while GitHub may be merging"
    if after.merge.state == "requested" and before.merge.state not in {"reserved", "requested"}:
        yield "only a reservation may ask"
    if before.merge.remembered and after.merge.state == "reserved":
        yield "nothing is reserved before what was remembered is applied"
    if before.in_flight and after.merge.state == "none":
        yield "what was asked is never simply given back"
    if before.in_flight and after.merge.state == "reserved" and after.merge.id != before.merge.id:
        yield "a reservation in flight is not replaced by another"


def _on_the_way(before: Record, after: Record, policy: Policy, event: str) -> Iterator[str]:
    """What a phase asks of whoever comes into it, from wherever."""
    if _begins(before, after) and not plan_approved(after, policy):
        yield "work begins with everybody's approval of the plan that the policy asks for"
    if after.phase == "submit" != before.phase and not (complete(after, policy, "testing") or _returns(before, after)):
        yield "submit needs complete testing authority"
    if before.phase == "blocked" and after.phase != "blocked" and event not in OUT_OF_BLOCKED:
        yield "blocked is left only by a person or a merge"


def _begins(before: Record, after: Record) -> bool:
    """Whether it starts on what only an approved plan leads to: from before building or out of blocked, or to be judged. Work
    that goes on is not taken back by a policy that asks for more since."""
    return after.phase in WORKING and (
        before.phase not in WORKING or (before.phase, after.phase) == ("building", "testing")
    )


def _returns(before: Record, after: Record) -> bool:
    """Out of blocked into the submit it was blocked in, while all that led there counts still (LIFECYCLE.md 2.6)."""
    judged = [d for d in after.decisions if d.gate == "testing" and d.consumed and _is_of_present_round(after, d)]
    return (
        before.phase == "blocked"
        and before.blocked is not None
        and before.blocked.from_ == "submit"
        and after.candidate == (after.tried[-1] if after.tried else None)
        and all(void_because(after, d) is None for d in judged)
    )


def _is_of_present_round(record: Record, decision: Decision) -> bool:
    return decision.round == record.gates_opened.testing.round


def _same_pull(before: Record, after: Record) -> bool:
    return before.pull_request == after.pull_request


def _binding(record: Record) -> tuple[int | None, str | None, int, str | None]:
    return (record.pull_request, record.head, record.head_epoch, record.base)
