"""Defects of the policy file at work: rules that are not the newest, a file that is taken for deleted, news that is lost."""

from tests.rules.mutants.mutant import Mutant

BOOK = "bot/app/policy/book.py"
PUSHES = "bot/github/inbound/checks.py"
ABOUT = "github/test_pushes_about_policy.py"
REPORTS = "bot/app/policy/reports.py"
PLACES = "bot/app/policy/places.py"
AT_WORK = "scenarios/test_policy_file.py"
TOLD = "scenarios/test_policy_feedback.py"

POLICY_FILES = (
    Mutant(
        "a file that could not be used is a grey remark",
        "bot/domain/projections/policy_report.py",
        'conclusion="success" if look.judged.accepted else "failure"',
        'conclusion="success" if look.judged.accepted else "neutral"',
        "scenarios/test_policy_feedback.py::"
        "test_a_proposal_that_breaks_the_file_fails_its_check_and_says_where_below_the_pull_request",
        "a pull request that breaks the rules is merged, and nobody saw it",
    ),
    Mutant(
        "a merge is decided by the rules that are known",
        "bot/domain/lifecycle/before_merge.py",
        "if turn.need(PolicyFileNow()) != turn.facts.policy_file:",
        "if turn.facts.policy_file is None:",
        f"{AT_WORK}::test_the_merge_uses_the_newest_file_although_nobody_told_of_it",
        "a stricter file whose webhook was lost does not stop the merge that it forbids",
    ),
    Mutant(
        "rules that changed while it was decided do not matter",
        "bot/app/transact.py",
        "if self._policies.known(tx, key.repository_id) != ruled:",
        "if self._policies.known(tx, key.repository_id) is None:",
        f"{AT_WORK}::test_rules_that_come_while_a_plan_is_being_approved_are_the_ones_it_is_approved_by",
        "what another worker has read a moment before is not what a gate is decided by",
    ),
    Mutant(
        "a file that GitHub hides is taken for deleted",
        "bot/github/facts/policy_file.py",
        "    except Gone:\n        seen = await api.still_there()\n",
        "    except Gone:\n        return Answer(ABSENT, api.now())\n",
        "github/test_policy_file.py::test_the_file_of_a_repository_out_of_our_sight_is_not_absent",
        "an answer of 404 in passing drops every rule of the repository",
    ),
    Mutant(
        "a content that is not shown is taken for deleted",
        "bot/github/facts/policy_file.py",
        "        await _taken_away_by(api, commit)\n        await _nothing_at_the_tip(api)\n"
        "        return log.answer(PolicyFile(commit=commit, etag=log.etag))",
        "        return log.answer(PolicyFile(commit=commit, etag=log.etag))",
        "github/test_policy_file.py::test_a_content_that_is_not_shown_for_its_commit_is_not_absent",
        "a log that is ahead of the contents drops every rule of the repository",
    ),
    Mutant(
        "nobody is told of new rules",
        BOOK,
        "if (STRICT if before is None else before.policy) == look.policy:",
        "if look.policy:",
        f"{AT_WORK}::test_a_file_that_asks_for_less_opens_the_gate_that_waits",
        "records wait for what the rules do not ask any more, until something else happens",
    ),
    Mutant(
        "a repository whose file was never read has preset strict",
        BOOK,
        "return None if version is None else Ruled(version.number, settled(version.policy, self._settle), version.blob)",
        "return Ruled(0, STRICT, ABSENT) if version is None else Ruled(version.number, version.policy, version.blob)",
        f"{AT_WORK}::test_nothing_is_decided_in_a_repository_whose_file_nobody_could_read_yet",
        "while GitHub is silent a plan passes with one review where the file asks for two",
    ),
    Mutant(
        "a check whose answer was lost is written again",
        PLACES,
        '            report = report.model_copy(update={"remote_id": found[0].id if found else None})\n',
        "            report = report if found else report\n",
        f"{TOLD}::test_a_lost_answer_leaves_one_check_and_one_comment[True-/check-runs]",
        "two check runs about one file stand on one commit",
    ),
    Mutant(
        "a comment whose answer was lost is written again",
        REPORTS,
        'update={"remote_id": mine[0] if mine else None}',
        'update={"remote_id": None}',
        f"{TOLD}::test_a_lost_answer_leaves_one_check_and_one_comment[True-/comments]",
        "the same findings are mailed twice",
    ),
    Mutant(
        "what was said is said again",
        PLACES,
        "report.sent_at is None:\n            return\n",
        "report.sent_at:\n            return\n",
        f"{TOLD}::test_what_was_said_is_not_written_again",
        "every look at a pull request adds its annotations once more",
    ),
    Mutant(
        "a forced push takes nothing away",
        PUSHES,
        "    if push.forced or push.created or",
        "    if push.created or",
        f"{ABOUT}::test_a_push_that_does_not_list_all_its_files_is_looked_at",
        "old rules stay in force after the file with the strict ones was pushed away",
    ),
    Mutant(
        "a list that was cut short is whole",
        PUSHES,
        " or len(push.commits) >= MOST_COMMITS:",
        ":",
        f"{ABOUT}::test_a_push_that_does_not_list_all_its_files_is_looked_at",
        "the stricter file in the last of many commits is read an hour later",
    ),
    Mutant(
        "files that are not told are other files",
        PUSHES,
        "any(files is None or PATH in files for files in lists)",
        "any(PATH in (files or ()) for files in lists)",
        f"{ABOUT}::test_a_push_that_does_not_list_all_its_files_is_looked_at",
        "a push whose files nobody knows leaves the old rules in force",
    ),
    Mutant(
        "a first file is compared with nothing",
        "bot/domain/policy/force.py",
        "    if first and policy.preset == previous.preset:\n",
        "    if first:\n",
        "domain/policy/test_force.py::test_a_first_file_that_is_laxer_than_what_held_without_one_says_where",
        "the first file takes every review away and nobody is told",
    ),
)
