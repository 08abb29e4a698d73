"""Defects of waiting: what is asked too early, never, or again and again."""

from tests.rules.mutants.mutant import Mutant

MERGE = "bot/app/merge.py"
SLOW = "simulation/test_slow_github.py"

PATIENCE = (
    Mutant(
        "the lease of a request begins before everything is read",
        MERGE,
        "            leased_at = self._clock.monotonic()\n",
        "",
        f"{SLOW}::test_where_reading_everything_takes_long_the_merge_is_asked_once_all_the_same",
        "where GitHub answers slowly nothing ever merges",
    ),
    Mutant(
        "what was read long ago is taken for what is",
        MERGE,
        "self._clock.monotonic() - began > STALE",
        "self._clock.monotonic() - began > STALE * 1000",
        f"{SLOW}::test_where_reading_takes_so_long_that_it_proves_nothing_any_more_nothing_is_asked",
        "somebody who lost the right a quarter of an hour ago merges",
    ),
    Mutant(
        "a merge that cannot be judged is looked at again at once",
        MERGE,
        '        if outcome.kind == "later":\n',
        '        if outcome.kind == "no_record":\n',
        f"{SLOW}::test_a_merge_that_cannot_be_judged_now_is_looked_at_every_few_seconds_and_no_oftener",
        "one merge that GitHub does not show starves all others",
    ),
)
