"""Defects of waiting: what is asked too early, never, or again and again."""

from tests.rules.mutants.mutant import Mutant

MERGE = "bot/app/merge.py"
TIGHTENED = "scenarios/test_tightened.py"
SLOW = "simulation/test_slow_github.py"
HANGING = "races/test_hanging_installation.py"

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
        "leased_at - began > STALE",
        "leased_at - began > STALE * 1000",
        f"{SLOW}::test_where_reading_takes_so_long_that_it_proves_nothing_any_more_nothing_is_asked",
        "somebody who lost the right a quarter of an hour ago merges",
    ),
    Mutant(
        "each team is asked about in a round of its own",
        "bot/domain/lifecycle/roles.py",
        "raise Lacking(lacking.question, questions) from None",
        "raise",
        "domain/lifecycle/test_rounds.py::test_two_deciders_of_twenty_teams_are_read_in_few_rounds",
        "where many teams judge, a merge takes as many rounds as there are teams",
    ),
    Mutant(
        "a decision that asks too often is given up",
        "bot/app/gather.py",
        "if result.questions <= answers.keys():",
        "if len(answers) > 40:",
        "app/test_gathering.py::test_a_decision_may_ask_as_much_as_it_needs",
        "where many teams judge, nothing is decided at all",
    ),
    Mutant(
        "a decision that asks the same again is asked for ever",
        "bot/app/gather.py",
        "if result.questions <= answers.keys():",
        "if result.questions < set():",
        "app/test_gathering.py::test_a_rule_that_asks_the_same_again_is_a_fault_and_ends",
        "one fault of ours asks GitHub for ever",
    ),
    Mutant(
        "rules that ask for more in testing strand what is in submit",
        "bot/domain/lifecycle/following.py",
        'if need.what in {"review", "operator"}',
        'if need.what in {"operator"}',
        f"{TIGHTENED}::test_rules_that_ask_for_more_in_testing_open_testing_again_and_the_missing_review_can_be_given",
        "nobody can give the review that is missing",
    ),
    Mutant(
        "rules that ask for more of the plan strand what is in submit",
        "bot/domain/lifecycle/following.py",
        'return turn.fire("plan_approval_revoked", "the approval of the plan is not complete any more")',
        "return False",
        f"{TIGHTENED}::test_rules_that_ask_for_more_approvals_of_the_plan_open_its_gate_again",
        "nobody can give the approval that is missing",
    ),
    Mutant(
        "whoever says so moves a record to another installation",
        "bot/domain/lifecycle/freezing.py",
        "        if not signal.listed:\n",
        "        if signal.listed is None:\n",
        "domain/lifecycle/test_moved.py::test_only_github_s_own_list_moves_a_record_to_another_installation",
        "the news of one installation touch what belongs to another",
    ),
    Mutant(
        "a record thaws before it is reached through the new installation",
        "bot/domain/lifecycle/freezing.py",
        '    turn.book("installation_moved")\n',
        "",
        "domain/lifecycle/test_moved.py::test_a_record_is_moved_by_a_version_of_its_own_and_then_thaws",
        "nobody can tell in whose name it was read and written",
    ),
    Mutant(
        "a repository that moved is not looked for",
        "bot/app/sweep/presence.py",
        "or await self._is_elsewhere(repo)",
        "or False",
        "scenarios/test_moved.py::test_a_repository_that_moved_to_another_installation_is_merged_in",
        "every write asks for a token of an installation that is gone",
    ),
    Mutant(
        "what GitHub has no more is written every few seconds for ever",
        "bot/app/publish.py",
        "if not isinstance(failure, Forbidden | Gone):",
        "if not isinstance(failure, Forbidden):",
        "app/test_publishing.py::test_what_github_has_no_more_is_tried_less_and_less_often",
        "a repository that was deleted uses up the limit of its neighbours",
    ),
    Mutant(
        "one installation has all lanes of the inbox",
        "bot/app/inbox.py",
        "tx.deliveries.next_of(taken)",
        "tx.deliveries.next_of(())",
        f"{HANGING}::test_a_start_is_heard_although_github_hangs_for_many_repositories_of_another_installation",
        "an installation with many repositories keeps everybody else waiting",
    ),
    Mutant(
        "one installation has all lanes of the publisher",
        "bot/app/publish.py",
        "tx.records.next_dirty(collecting, without)",
        "tx.records.next_dirty(collecting)",
        f"{HANGING}::test_what_is_decided_is_shown_although_github_hangs_for_many_repositories_of_another_installation",
        "an installation with many repositories keeps everybody else waiting",
    ),
    Mutant(
        "what waits keeps the number of the former installation",
        "bot/store/repositories.py",
        "            outbox.move(self._sql, repo)\n",
        "            pass\n",
        "scenarios/test_moved.py::test_an_answer_that_had_not_left_is_given_through_the_new_installation",
        "answers are sent in the name of an installation that is gone, and refused",
    ),
    Mutant(
        "late news of a former installation bring its repositories back to it",
        "bot/store/repositories.py",
        'if moved and self.installation_state(repo.installation_id) == "gone":',
        "if False:",
        "store/test_parts.py::test_what_waits_goes_through_the_installation_that_the_repository_has_now",
        "answers are sent in the name of an installation that is gone, and refused",
    ),
    Mutant(
        "what cannot be written now is refused for ever",
        "bot/store/outbox.py",
        'or_(installations.c.state == "suspended", installations.c.state == "gone")',
        'or_(installations.c.state == "suspended")',
        "scenarios/test_moved.py::test_an_answer_that_had_not_left_is_given_through_the_new_installation",
        "a command is never answered because the App was away for a moment",
    ),
)
