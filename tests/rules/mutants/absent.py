"""Defects of what an answer that something is not there proves."""

from tests.rules.mutants.mutant import Mutant

LOOKING = "domain/lifecycle/test_looking.py"
UNSEEN = f"{LOOKING}::test_a_request_that_github_cannot_have_forgotten_is_not_dead_for_want_of_being_shown"

ABSENT = (
    Mutant(
        "a request that is not shown is dead at any age",
        "bot/domain/lifecycle/watching.py",
        'if found.status == "gone" and may_be_forgotten(merge, turn.now - turn.facts.clock_ahead):',
        'if found.status == "gone":',
        UNSEEN,
        "a second request, while the first one is pending at GitHub",
    ),
    Mutant(
        "a clock that jumps ends the day for which GitHub keeps a request",
        "bot/domain/lifecycle/watching.py",
        "may_be_forgotten(merge, turn.now - turn.facts.clock_ahead)",
        "may_be_forgotten(merge, turn.now)",
        UNSEEN,
        "a second request, while the first one is pending at GitHub",
    ),
    Mutant(
        "a request that is not shown may be settled as unmerged at any age",
        "bot/domain/lifecycle/settlement.py",
        "return None if forgotten else _not_forgotten_yet(turn)",
        "return None",
        UNSEEN,
        "an operator lets a second request out, while the first one is pending at GitHub",
    ),
    Mutant(
        "GitHub never forgets a request",
        "bot/domain/merging/proof.py",
        "return merge.requested_at is None or now >= merge.requested_at + KEPT_BY_GITHUB",
        "return False",
        f"{LOOKING}::test_a_pending_request_is_never_dead",
        "an unknown merge never ends",
    ),
)
