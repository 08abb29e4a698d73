"""Defects that tests by the name of what they break must see."""

from tests.rules.mutants.mutant import Mutant

CORE = "domain/lifecycle/test_invariants.py::test_"

NAMED = (
    Mutant(
        "a later answer overtakes an earlier one",
        "bot/store/outbox.py",
        '== bindparam("lane"), *_may_run())',
        '== bindparam("lane"), *_may_run()[:3], _may_run()[4])',
        "scenarios/test_invariants.py::test_i23_every_effect_ends_ok_refused_or_unknown_and_in_order",
        "people read our answers in another order than they asked in",
    ),
    Mutant(
        "an approval of an earlier plan round counts",
        "bot/domain/gates/gate.py",
        "if decision.round != record.gates_opened.of(decision.gate).round:",
        'if decision.gate != "plan" and decision.round != record.gates_opened.of(decision.gate).round:',
        f"{CORE}i10_nothing_is_built_on_an_approval_of_another_revision_digest_or_round",
        "a plan that was rejected and put again unchanged is built on the approval before",
    ),
    Mutant(
        "nobody knows when what was shown was known here",
        "bot/app/slots.py",
        "showing.at(at, tx.now())",
        "showing.at(at)",
        "scenarios/test_heads.py::test_what_was_shown_is_kept_with_github_s_time_and_when_its_answer_was_stored",
        "after a dispute nobody can say whether a comment was shown before somebody answered it",
    ),
    Mutant(
        "the name of our own request that runs is not kept",
        "bot/domain/merging/outcome.py",
        'return Classified("ambiguous", text, uuid=reply.uuid)',
        'return Classified("ambiguous", text)',
        "scenarios/test_answers.py::test_our_own_request_that_runs_already_is_watched_and_not_repeated",
        "GitHub would say what became of it, and nobody asks",
    ),
)
