"""Defects of candidates and linking: which head is judged by itself, and which only by a person's word."""

from tests.rules.mutants.mutant import Mutant

PULLS = "bot/domain/lifecycle/pulls.py"

CANDIDACY = (
    Mutant(
        "late news of a push frees a rejected head",
        PULLS,
        "        _book_pusher(turn, pushed.actor)\n    if pushed is not None and _explained",
        "        _book_pusher(turn, pushed.actor)\n        turn.set(rejected_heads=())\n    if pushed is not None and _explained",
        "scenarios/test_ways_on.py::test_late_news_of_a_push_does_not_bring_a_rejected_head_back",
        "a head that a reviewer rejected is judged again although nobody pushed",
    ),
    Mutant(
        "linking forgets what was rejected",
        PULLS,
        "        former_pulls=former_pulls(record),\n",
        "        former_pulls=former_pulls(record),\n        rejected_heads=(),\n",
        "scenarios/test_ways_on.py::test_linking_a_rejected_head_anew_does_not_bring_it_back",
        "a builder washes a rejection away by linking the pull request anew",
    ),
)
