"""Defects of the sweep: words and happenings that no webhook told, found too late, too early, or never."""

from tests.rules.mutants.mutant import Mutant

PULLS = "bot/app/sweep/pulls.py"
WORDS = "sweep/test_lost_words.py::"

_WORDS = (
    Mutant(
        "an approving review counts before its words are heard",
        PULLS,
        "if verdict is not None and review.author not in tour.unheard:",
        "if verdict is not None:",
        f"{WORDS}test_an_approving_review_counts_only_once_its_words_are_heard",
        "GitHub's approval merges over the no in its own text",
    ),
    Mutant(
        "reviews are brought as they come, a yes before a later no",
        PULLS,
        'verdict = found.verdict(pull, review) if review.state != "approved" else None',
        "verdict = found.verdict(pull, review)",
        f"{WORDS}test_changes_requested_after_an_approval_are_heard_before_it",
        "a merge goes on what its reviewer took back, because both were found at once",
    ),
)

LOST = _WORDS
