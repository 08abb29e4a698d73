"""Defects of budgets: what is allowed, and what a retry grants."""

from tests.rules.mutants.mutant import Mutant

RULES_OF_NOW = "scenarios/test_sent_back.py::test_the_budget_is_that_of_the_rules_in_force_not_of_those_it_began_under"

BUDGETS = (
    Mutant(
        "a record keeps the budget that it began with",
        "bot/domain/lifecycle/checking.py",
        "    used, allowed = record.budgets.check_retries[0], turn.policy.budgets.check_retries\n",
        "    used, allowed = record.budgets.check_retries\n",
        RULES_OF_NOW,
        "a file that allows more, or less, changes nothing for what is under way",
    ),
    Mutant(
        "a used-up budget goes on",
        "bot/domain/lifecycle/checking.py",
        "    if used >= allowed:\n",
        "    if used > allowed:\n",
        RULES_OF_NOW,
        "one re-run more than the policy allows",
    ),
    Mutant(
        "a retry grants nothing fresh",
        "bot/domain/lifecycle/blocking.py",
        "    turn.set(budgets=fresh_budgets(turn.policy))\n",
        "",
        RULES_OF_NOW,
        "the next re-run blocks it again, whatever the operator said",
    ),
)
