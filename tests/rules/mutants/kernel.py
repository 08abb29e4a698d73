"""Each rule of the safety kernel taken away, and the engine and record rules right above it."""

from tests.rules.mutants.mutant import Mutant

KERNEL = "bot/domain/lifecycle/kernel.py"
ALONE = "domain/lifecycle/test_kernel.py::test_no_version_stands_that_breaks_a_rule_by_itself"
TOGETHER = "domain/lifecycle/test_kernel.py::test_no_version_follows_that_breaks_a_rule_with_the_one_before"


def _without(rule: str, killer: str) -> Mutant:
    """The rule is still there and no longer objects."""
    prefix = "f" if "{" in rule else ""
    why = "a wrong edge, handler or policy writes such a version"
    return Mutant(f"kernel lets pass: {_short(rule)}", KERNEL, f'yield {prefix}"{rule}"', "pass", killer, why)


def _short(rule: str) -> str:
    return rule.replace("{after.phase}", "a phase").split(" of exactly")[0]


STANDING = tuple(
    _without(rule, ALONE)
    for rule in (
        "{after.phase} needs a plan approval of exactly the stored revision, digest and round",
        "{after.phase} needs a head",
        "a reservation exists only in submit",
        "a reservation needs complete authority for the present head",
        "a reservation is of the present head",
        "nothing held, withdrawn or frozen is reserved",
        "done needs a confirmed merge",
    )
)
FOLLOWING = tuple(
    _without(rule, TOGETHER)
    for rule in (
        "versions have no gaps",
        "done never changes",
        "rounds and epochs never decrease",
        "a moved head raises the epoch",
        "a moved binding leaves testing and submit",
        "nothing moves while GitHub may be merging",
        "submit needs complete testing authority",
        "work begins with everybody's approval of the plan that the policy asks for",
        "blocked is left only by a person or a merge",
        "only a reservation may ask",
        "what was asked is never simply given back",
        "a reservation in flight is not replaced by another",
    )
)

ENGINE = (
    Mutant(
        "a guard that fails does not stop its edge",
        "bot/domain/machine/engine.py",
        "if all(self.guards[name](context) for name in edge.guard):",
        "if any(self.guards[name](context) for name in edge.guard) or not edge.guard:",
        "domain/machine/test_engine.py::test_the_first_edge_whose_guards_all_pass_wins",
        "one guard of two is enough",
    ),
    Mutant(
        "a blocked edge does not fall through",
        "bot/domain/machine/engine.py",
        "                return edge\n",
        "                return edge\n            break\n",
        "domain/machine/test_engine.py::test_the_first_edge_whose_guards_all_pass_wins",
        "the edge behind a guarded one is never taken",
    ),
    Mutant(
        "an unknown guard is not refused at load",
        "bot/domain/machine/engine.py",
        "        if unknown:\n",
        "        if unknown and not edges:\n            continue\n        if not unknown and unknown:\n",
        "domain/machine/test_engine.py::test_an_unknown_name_is_refused_at_load",
        "a misspelled guard fails while a record waits",
    ),
)

I27 = "domain/lifecycle/test_any_document.py::test_i27_"
JUDGED = f"{I27}a_lawful_document_still_moves_and_submit_is_only_for_what_was_judged"
EVERY_PAIR = (
    Mutant(
        "submit is judged on the way from testing only",
        KERNEL,
        'after.phase == "submit" != before.phase and not (',
        'after.phase == "submit" and before.phase == "testing" and not (',
        f"{I27}the_kernel_holds_under_a_document_that_allows_everything",
        "a wrong edge leads from building or out of blocked into submit without one testing decision",
    ),
    Mutant(
        "whatever was blocked may go on in submit",
        KERNEL,
        'and before.blocked.from_ == "submit"',
        "and before.blocked.from_ is not None",
        JUDGED,
        "a head that is being judged comes into submit by being blocked and resumed",
    ),
    Mutant(
        "a submit that moved while it was blocked goes on",
        KERNEL,
        "after.candidate == (after.tried[-1] if after.tried else None)",
        "after.candidate is not None",
        f"{I27}a_head_that_moved_while_it_was_blocked_does_not_come_back_into_submit",
        "a head that nobody judged stands in submit",
    ),
    Mutant(
        "a submit whose testing was revoked goes on",
        KERNEL,
        "all(void_because(after, d) is None for d in judged)",
        "all(void_because(after, d) != after.title for d in judged)",
        JUDGED,
        "a person takes a decision back and the record goes on as if it stood",
    ),
    Mutant(
        "one approval of a plan is enough to begin",
        KERNEL,
        "if _begins(before, after) and not plan_approved(after, policy):",
        "if before.phase == after.title:",
        f"{I27}where_two_must_approve_a_plan_nothing_begins_with_one",
        "a wrong edge begins the work with half of the approvals that the policy asks for",
    ),
    Mutant(
        "a plan that lost an approval is judged on",
        KERNEL,
        'before.phase not in WORKING or (before.phase, after.phase) == ("building", "testing")',
        "before.phase not in WORKING",
        f"{I27}where_two_must_approve_a_plan_nothing_begins_with_one",
        "a wrong edge lets a head be judged for a plan that half of the people approved",
    ),
)

KERNEL_RULES = (*STANDING, *FOLLOWING, *ENGINE, *EVERY_PAIR)
