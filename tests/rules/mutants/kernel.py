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

KERNEL_RULES = (*STANDING, *FOLLOWING, *ENGINE)
