"""Defects of what follows a merge, or would go around it: whose it was, what was missing, the branch that is left, queues."""

from tests.rules.mutants.mutant import Mutant

LANDING = "bot/domain/lifecycle/landing.py"
BRANCHES = "bot/github/branches.py"
NEEDED = "scenarios/test_branch_deletion.py::test_a_branch_that_somebody_needs_stays"

AFTERWARDS = (
    Mutant(
        "what was judged of one head is told of another",
        LANDING,
        "if merged is None or merged == record.head:",
        "if merged is None or merged != record.head:",
        "scenarios/test_external.py::test_a_head_that_nobody_saw_before_it_was_merged_is_covered_by_no_approval_of_another",
        "a head that nobody judged is shown as authorised",
    ),
    Mutant(
        "a branch that moved on is deleted",
        BRANCHES,
        "if branch.commit.sha != write.expected_head:",
        "if branch.commit.sha == '':",
        NEEDED,
        "a commit that was pushed after the merge is lost",
    ),
    Mutant(
        "a protected branch is deleted",
        BRANCHES,
        "if branch.protected:",
        "if branch.protected is None:",
        f"{NEEDED}[it is protected]",
        "a branch that people protect is attacked",
    ),
    Mutant(
        "a branch that a pull request is based on is deleted",
        BRANCHES,
        "one.base.ref == ref or ",
        "",
        f"{NEEDED}[an open pull request is based on it]",
        "GitHub closes the pull request above it",
    ),
    Mutant(
        "a branch that another pull request comes from is deleted",
        BRANCHES,
        " or _comes_from(one, api.repo.id, ref)",
        "",
        "scenarios/test_branch_deletion.py::test_a_branch_from_which_another_pull_request_comes_stays",
        "GitHub closes the backport",
    ),
    Mutant(
        "one page of open pull requests is all that may need a branch",
        BRANCHES,
        "if not needed and not is_last(page, listed, PER_PAGE):",
        "if False:",
        "github/test_branches.py::test_a_branch_that_is_needed_by_a_pull_request_beyond_the_first_page_is_kept",
        "GitHub closes the pull request above it, in a repository with many",
    ),
    Mutant(
        "beyond the first page only bases are looked for",
        BRANCHES,
        "needed = bool(based or coming)",
        "needed = bool(based)",
        "github/test_branches.py::test_a_branch_that_is_needed_by_a_pull_request_beyond_the_first_page_is_kept[head]",
        "GitHub closes the backport, in a repository with many",
    ),
    Mutant(
        "beyond the first page only heads are looked for",
        BRANCHES,
        "needed = bool(based or coming)",
        "needed = bool(coming)",
        "github/test_branches.py::test_a_branch_that_is_needed_by_a_pull_request_beyond_the_first_page_is_kept[base]",
        "GitHub closes the pull request above it, in a repository with many",
    ),
    Mutant(
        "a merge group is let through",
        "bot/domain/lifecycle/merge_groups.py",
        'conclusion="failure"',
        'conclusion="success"',
        "scenarios/test_merge_groups.py::test_our_check_fails_on_the_head_of_a_merge_group_and_says_why",
        "a queue merges a commit that nobody judged",
    ),
    Mutant(
        "a branch is deleted after somebody else's merge",
        LANDING,
        "        _by_somebody_else(turn, evidence, settled=settled)\n",
        "        _by_somebody_else(turn, evidence, settled=settled)\n        _delete_branch(turn)\n",
        "scenarios/test_branch_deletion.py::test_a_merge_by_somebody_else_deletes_no_branch",
        "we tidy up after people who did not ask for it",
    ),
)
