"""Defects of what must hold beside the decisions: checks, the pull request, the base."""

from tests.rules.mutants.mutant import Mutant

CHECKS = "bot/domain/gates/checks.py"
PREREQUISITES = "bot/domain/lifecycle/prerequisites.py"
IN_THE_WAY = (
    "domain/lifecycle/test_prerequisites.py::test_whatever_is_in_the_way_releases_the_reservation_and_nothing_is_asked"
)

VERIFIED = (
    Mutant(
        "our own check is evidence",
        CHECKS,
        "if not run.mine and run.name not in OWN_NAMES:",
        "if run.name:",
        "domain/gates/test_checks.py::test_our_own_check_is_no_evidence",
        "we verify a head by our own word",
    ),
    Mutant(
        "a run of ours under another name is evidence",
        CHECKS,
        "if not run.mine and run.name not in OWN_NAMES:",
        "if run.name not in OWN_NAMES:",
        "domain/gates/test_checks.py::test_a_run_of_ours_is_no_evidence_under_any_name",
        "we verify a head by our own word",
    ),
    Mutant(
        "our own required check deadlocks",
        CHECKS,
        "dict.fromkeys(check for check in wanted if check.name not in OWN_NAMES)",
        "dict.fromkeys(check for check in wanted)",
        "domain/gates/test_checks.py::test_requiring_our_own_check_does_not_deadlock",
        "nothing merges where our check is required",
    ),
    Mutant(
        "the newest pending run is ignored",
        CHECKS,
        "for run in sorted(facts.runs, key=lambda r: r.id):",
        'for run in sorted(facts.runs, key=lambda r: (r.status == "completed", r.id)):',
        "domain/gates/test_checks.py::test_the_newest_run_counts",
        "an old success stands for a run that has not ended",
    ),
    Mutant(
        "the oldest status counts",
        CHECKS,
        "key=lambda s: (s.updated_at, s.id))",
        "key=lambda s: (s.updated_at, s.id), reverse=True)",
        "domain/gates/test_checks.py::test_the_newest_status_counts",
        "an old success stands for a failure",
    ),
    Mutant(
        "a suite that was asked for again keeps its results",
        CHECKS,
        'suite.status in {"queued", "requested"}',
        'suite.status in {"nothing"}',
        "domain/gates/test_checks.py::test_a_suite_that_was_asked_for_again_takes_its_old_results_away",
        "a re-run is not waited for",
    ),
    Mutant(
        "a status satisfies a check bound to an app",
        CHECKS,
        "item.context == check.name and check.app is None",
        "item.context == check.name",
        "domain/gates/test_checks.py::test_a_check_bound_to_an_app_is_satisfied_by_that_app_only",
        "whoever may post a status verifies the head",
    ),
    Mutant(
        "any app satisfies a check bound to one",
        CHECKS,
        "item.name == check.name and check.app in (None, item.app)",
        "item.name == check.name",
        "domain/gates/test_checks.py::test_a_check_bound_to_an_app_is_satisfied_by_that_app_only",
        "another App of the same name verifies the head",
    ),
    Mutant(
        "neutral and skipped are success",
        "bot/domain/model/policy.py",
        'Field(min_length=1)] = ("success",)',
        'Field(min_length=1)] = ("success", "neutral", "skipped")',
        "domain/gates/test_checks.py::test_what_a_required_run_says",
        "a check that did not run verifies the head",
    ),
    Mutant(
        "an unknown conclusion is success",
        CHECKS,
        'return "failed" if run.conclusion in RED else "pending"',
        'return "failed" if run.conclusion in RED else "success"',
        "domain/gates/test_checks.py::test_what_a_required_run_says",
        "a word GitHub invents tomorrow verifies the head",
    ),
    Mutant(
        "a required check that never came is no matter",
        CHECKS,
        'return found or (CheckEvidence(name=check.name, app=check.app, source="none", state="missing"),)',
        "return found",
        "domain/gates/test_checks.py::test_a_green_check_does_not_stand_for_one_that_never_came",
        "what did not report is not waited for",
    ),
    Mutant(
        "nothing at all is green",
        CHECKS,
        'return "passed" if states == {"success"} else "pending"',
        'return "passed" if states <= {"success"} else "pending"',
        "domain/gates/test_checks.py::test_observed_checks_are_all_green_and_at_least_one",
        "a head on which nothing ran is verified",
    ),
    Mutant(
        "late comers are not waited for",
        CHECKS,
        "    if now < settles_at:\n",
        "    if settles_at is None:\n",
        "domain/gates/test_checks.py::test_observed_checks_wait_for_late_comers",
        "the first green check merges before the others begin",
    ),
    Mutant(
        "checks of another head are good enough",
        "bot/domain/gates/gate.py",
        "if verification.head is None or verification.head != record.head:",
        "if verification.head is None:",
        "domain/gates/test_gate.py::test_without_green_checks_of_this_head_no_authority_is_complete",
        "green checks of the head before merge this one",
    ),
)

BEFORE = "bot/domain/lifecycle/before_merge.py"
#: The look that books what it reads, and leaves submit by itself. Each of the two guards holds alone.
NO_LOOK = Mutant("no look before the merge", BEFORE, "    seen = look(turn)\n", "    seen = None\n", IN_THE_WAY, "")
NO_CHECKS = Mutant(
    "no look at checks before the merge", BEFORE, "        look_at_checks(turn)\n", "        pass\n", IN_THE_WAY, ""
)

TWICE = (
    Mutant(
        "auto-merge is not remembered while GitHub may be merging",
        "bot/domain/lifecycle/handling.py",
        '"auto_merge_switched": _waits(pulls.pull_changed),',
        '"auto_merge_switched": _plain(pulls.pull_changed),',
        "domain/lifecycle/test_cells.py::test_cell",
        "what happens while a merge is under way moves the record",
    ),
    Mutant(
        "auto-merge does not stand in the way",
        PREREQUISITES,
        "    if pull.auto_merge:\n",
        "    if pull.auto_merge is None:\n",
        IN_THE_WAY,
        "a base is locked for a merge that GitHub may do by itself",
        NO_LOOK,
    ),
    Mutant(
        "success stands while GitHub would merge by itself",
        "bot/domain/explain/merge_row.py",
        "        return _ARMED\n",
        "        pass\n",
        "scenarios/test_prerequisites.py::test_auto_merge_switched_on_in_the_last_moment_takes_the_success_away",
        "the required check is green, and GitHub merges around the gates",
    ),
    Mutant(
        "a draft is merged",
        PREREQUISITES,
        "    if pull.draft:\n",
        "    if pull.draft is None:\n",
        IN_THE_WAY,
        "unfinished work lands",
        NO_LOOK,
    ),
    Mutant(
        "the head is not compared at the merge",
        PREREQUISITES,
        "if pull.head_sha != record.head:",
        "if not pull.head_sha:",
        IN_THE_WAY,
        "a push that no event told of is merged over",
        NO_LOOK,
    ),
    Mutant(
        "the base is not compared at the merge",
        PREREQUISITES,
        "if pull.base_ref != record.base or pull.base_repository_id != record.repository_id:",
        "if pull.base_repository_id != record.repository_id:",
        IN_THE_WAY,
        "a retarget that no event told of merges elsewhere",
        NO_LOOK,
    ),
    Mutant(
        "checks are not read at the merge",
        PREREQUISITES,
        'if fresh.state != "passed":',
        'if fresh.state == "nothing":',
        IN_THE_WAY,
        "a check that turned red is merged over",
        NO_CHECKS,
    ),
)

REQUIRED = (
    Mutant(
        "a bypass of classic protection allowed",
        "bot/github/facts/rules.py",
        "bypass=_on_the_list(protection, api.app_id) or await _bypass(",
        "bypass=await _bypass(",
        "scenarios/test_prerequisites.py::test_a_bypass_of_classic_protection_stops_it_too_where_the_app_may_read_of_it",
        "a merge passes what the branch asks of everybody else",
    ),
    Mutant(
        "bypass allowed",
        PREREQUISITES,
        "    if rules.bypass:\n",
        "    if rules.bypass is None:\n",
        IN_THE_WAY,
        "the App merges around the rules",
    ),
    Mutant(
        "a second pull request has the same head",
        "bot/domain/lifecycle/twins.py",
        "return found - {record.pull_request}",
        "return found - found",
        IN_THE_WAY,
        "one merge lands what another pull request was judged for",
    ),
    Mutant(
        "a list that lacks our own pull request proves that it is alone",
        "bot/domain/lifecycle/twins.py",
        "return record.pull_request in found or not expected",
        "return record.pull_request in found or bool(expected)",
        IN_THE_WAY,
        "a list that lacks one may lack the other too",
    ),
    Mutant(
        "another repository's pull request is merged",
        PREREQUISITES,
        "if pull.base_ref != record.base or pull.base_repository_id != record.repository_id:",
        "if pull.base_ref != record.base:",
        IN_THE_WAY,
        "a number means another pull request after a transfer",
    ),
    Mutant(
        "a merge queue is passed by",
        PREREQUISITES,
        "    if rules.merge_queue:\n",
        "    if rules.merge_queue is None:\n",
        IN_THE_WAY,
        "the queue's own tests are skipped",
    ),
    Mutant(
        "a stack is merged from its middle",
        PREREQUISITES,
        "pull.stack[0] != pull.number and lower",
        "pull.stack[0] == pull.number and lower",
        IN_THE_WAY,
        "pull requests below it land without any authority",
    ),
    Mutant(
        "a stack whose members no list shows is no stack",
        PREREQUISITES,
        'raise Unread("which pull requests lie below it in its stack")',
        "return",
        IN_THE_WAY,
        "lists are late, and a pull request that nobody judged lands with ours",
    ),
    Mutant(
        "a lower one that no list shows is not there",
        "bot/github/facts/pulls.py",
        "lacking = set(range(1, pull.stack.position))",
        "lacking = set(range(1, 1))",
        "scenarios/test_invariants.py::test_i28_a_stack_is_never_merged",
        "lists are late, and a pull request that nobody judged lands with ours",
    ),
    Mutant(
        "a list that lacks our own pull request shows its whole stack",
        "bot/github/facts/pulls.py",
        "if (pull.stack.position, pull.number) not in members or not",
        "if not",
        "github/test_agreement.py::test_both_forges_say_the_same",
        "what a late list lacks is taken for closed",
    ),
    Mutant(
        "a head that lacks the newest base is asked for",
        PREREQUISITES,
        "and not turn.need(Contains(head, base))",
        "and turn.need(Contains(head, base)) is None",
        IN_THE_WAY,
        "checks that ran without the newest base count where the rules want them with it",
    ),
    Mutant(
        "workflow files are merged",
        PREREQUISITES,
        "if turn.need(WorkflowFilesIn(",
        "if not turn.need(WorkflowFilesIn(",
        "domain/lifecycle/test_prerequisites.py::test_when_nothing_is_in_the_way_it_is_asked",
        "a refusal of GitHub is not foreseen",
    ),
    Mutant(
        "held records are reserved",
        PREREQUISITES,
        "    if record.held:\n",
        "    if record.held is None and record.withdrawn:\n",
        "domain/lifecycle/test_prerequisites.py::test_a_record_that_is_not_ready_reserves_nothing",
        "a hold stops nothing",
    ),
)

BESIDE = (*TWICE, *VERIFIED, *REQUIRED)
