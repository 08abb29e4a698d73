"""Defects of candidates and linking: which head is judged by itself, and which only by a person's word."""

from tests.rules.mutants.mutant import Mutant

PUSHERS = "bot/domain/lifecycle/pushers.py"
PULLS = "bot/domain/lifecycle/pulls.py"

CANDIDACY = (
    Mutant(
        "late news of a push frees a rejected head",
        PULLS,
        "        book_pusher(turn, pushed.actor)\n    if pushed is not None and _explained",
        "        book_pusher(turn, pushed.actor)\n        turn.set(rejected_heads=())\n    if pushed is not None and _explained",
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
    Mutant(
        "an old push of a builder links a head of somebody else",
        PULLS,
        "if signal.pushed == pull.head_sha:",
        "if signal.pushed is not None:",
        "domain/lifecycle/test_linking.py::test_a_push_of_a_builder_links_somebody_elses_pull_request",
        "an outsider's commits become the governed change because a builder once pushed below them",
    ),
    Mutant(
        "what is back in its place was left behind",
        "bot/domain/lifecycle/stranded.py",
        "    if tip != evidence.head:\n",
        "    if tip:\n",
        "scenarios/test_linking.py::test_a_branch_that_is_back_at_the_merged_head_has_left_nothing_behind",
        "people are called to commits that do not exist",
    ),
    Mutant(
        "a broken line of pushes names everybody",
        PUSHERS,
        "        if push.after != at:\n            return tuple(people), False\n",
        "        if push.after != at:\n            return tuple(people), True\n",
        "domain/lifecycle/test_pushers.py::test_a_broken_line_leaves_it_unknown_and_whoever_is_named_in_commits_out",
        "somebody whose push GitHub did not show approves it",
    ),
    Mutant(
        "who pushed before the link may judge it",
        PUSHERS,
        "(*earlier, *reversed(tuple(dict.fromkeys(found))))",
        "earlier",
        "scenarios/test_pushers.py::test_who_pushed_before_the_pull_request_was_opened_fills_no_seat",
        "somebody else opens the pull request, and its writer approves it",
    ),
    Mutant(
        "a restored branch forgets who pushed to it",
        PUSHERS,
        "return bool(older) and older[0].after == NOWHERE",
        "return False and older[0].after == NOWHERE",
        "domain/lifecycle/test_pushers.py::test_an_unbroken_line_names_everybody_who_pushed",
        "a branch is deleted and restored, and its writer approves it",
    ),
    Mutant(
        "what is not known about pushes bars nobody",
        "bot/domain/model/record.py",
        "return self.pull is not None and (self.pull.pusher_unknown or unexplained)",
        "return False",
        "domain/lifecycle/test_judging.py::test_an_unknown_pusher_may_be_refused",
        "a policy that refuses to guess guesses",
    ),
    Mutant(
        "a push without news passes for the next one",
        PULLS,
        "if moved and pushed is not None and pushed.before != record.head:",
        "if False:",
        "domain/lifecycle/test_pushers.py"
        "::test_a_push_of_which_there_was_no_news_is_not_taken_for_that_of_the_next_one",
        "whoever pushed while an event was lost approves it",
    ),
    Mutant(
        "an answer that was refused is shown nowhere",
        "bot/domain/projections/unwritten.py",
        'elif state == "refused":',
        'elif state == "never":',
        "scenarios/test_locked.py::test_an_answer_that_a_locked_thread_refuses_stands_in_the_check_run",
        "in a locked thread nobody learns why a command did not count",
    ),
    Mutant(
        "a refused answer stands for ever",
        "bot/domain/projections/unwritten.py",
        'if state == "ok":',
        'if state == "never":',
        "scenarios/test_locked.py::test_an_answer_that_is_taken_again_ends_it",
        "an old refusal is read as if it were true now",
    ),
    Mutant(
        "what a stop rests on is not kept",
        "bot/domain/lifecycle/stops.py",
        '"proofs": proofs,',
        '"proofs": (),',
        "scenarios/test_evidence.py::test_checks_that_used_up_their_tries_are_evidence_with_their_logs",
        "an operator is called and finds nothing to look at",
    ),
)
