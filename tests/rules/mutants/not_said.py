"""Readers that fail closed, made to take silence for an answer."""

from tests.rules.mutants.mutant import Mutant

RULES = "bot/github/facts/rules.py"
SIDES = "bot/github/facts/merges.py"
BASE = "bot/github/facts/base_side.py"
HERE = "github/test_not_said.py::test_"
ON_BASE = "github/test_base_side.py::test_"

NOT_SAID = (
    Mutant(
        "a ruleset that says nothing is never bypassed",
        RULES,
        "return None if told is None else told",
        "return told is not None and told",
        f"{HERE}a_ruleset_that_does_not_say_that_we_never_bypass_it_may_be_bypassed",
        "the App merges past a rule that it may bypass",
    ),
    Mutant(
        "a rule without a ruleset is never bypassed",
        RULES,
        "    if ruleset is None:\n        return None\n",
        "    if ruleset is None:\n        return False\n",
        f"{HERE}a_rule_that_names_no_ruleset_may_be_bypassed",
        "the App merges past a rule of which nobody knows whether it binds it",
    ),
    Mutant(
        "what was not looked through is not on the base",
        BASE,
        "    too_long = total > len(commits)\n",
        "    too_long = total < len(commits)\n",
        f"{ON_BASE}more_than_is_looked_through_may_have_it_further_on",
        "a merge that is further on is proven not to have happened, and asked for again",
    ),
    Mutant(
        "what no look has asked for is not on the base",
        BASE,
        "            return None, False\n",
        "            return None, True\n",
        f"{ON_BASE}a_look_goes_on_behind_what_the_looks_before_it_asked_twice",
        "a squash of which nobody asked whose it is is proven not to be the merge",
    ),
    Mutant(
        "one answer is enough to know whose a commit is not",
        "bot/github/unrelated.py",
        "if now - self._first.setdefault(pair, now) >= LASTS:",
        "if now - self._first.setdefault(pair, now) >= 0:",
        f"{ON_BASE}a_commit_of_which_github_names_the_pull_request_a_moment_later_is_asked_again",
        "a merge that GitHub names a moment later is never seen on the base",
    ),
    Mutant(
        "half of what came since is all of it",
        BASE,
        "        if len(found) == before:\n",
        "        if len(found) < before:\n",
        f"{ON_BASE}fewer_commits_than_github_counts_are_no_answer",
        "a list that GitHub cut short proves that there is no merge",
    ),
    Mutant(
        "a pull request that is not merged brought the commit",
        BASE,
        "        and one.merged_at is not None\n",
        "",
        f"{ON_BASE}an_open_pull_request_that_github_lists_for_a_commit_did_not_bring_it",
        "a part of a pull request that somebody pushed to another base makes it done",
    ),
    Mutant(
        "whatever is named of a merged pull request is its merge",
        BASE,
        "dict.fromkeys((of_pull, question.sha))",
        "dict.fromkeys((question.sha, of_pull))",
        f"{ON_BASE}a_part_of_what_was_merged_is_not_its_merge_commit",
        "done names a commit that was merged with others, because an operator named it",
    ),
    Mutant(
        "a pull request of another repository brought the commit",
        BASE,
        "        and one.base.repo.id == api.repo.id\n",
        "",
        f"{ON_BASE}a_pull_request_of_another_repository_with_the_same_number_is_not_ours",
        "a commit of a fork's pull request makes ours done",
    ),
    Mutant(
        "what stands on the head is its merge",
        BASE,
        "if len(commit.parents) > 1 else set()",
        "if commit.parents else set()",
        f"{ON_BASE}a_commit_that_is_merely_on_top_of_the_head_is_not_its_merge",
        "done names a commit that somebody pushed afterwards",
    ),
    Mutant(
        "a named merge is on every base",
        BASE,
        'if compared.status not in ("ahead", "identical"):',
        "if not compared.status:",
        f"{ON_BASE}a_named_merge_that_the_base_does_not_have_is_not_on_it",
        "a commit that was rolled back, or never arrived, makes a record done",
    ),
    Mutant(
        "a base that is gone lacks what is open or merged",
        BASE,
        'if pull is None or pull.merged or pull.state == "open":',
        "if pull is None:",
        f"{ON_BASE}a_base_that_is_gone_has_nothing_of_what_was_closed_for_it",
        "a merge whose base was deleted is called unmerged",
    ),
    Mutant(
        "a base that is missing once is gone",
        BASE,
        'await surely(api, lambda: api.get(f"/branches/{segment(base)}"))',
        'await api.get(f"/branches/{segment(base)}")',
        f"{ON_BASE}a_base_that_is_missing_once_is_not_gone",
        "one wrong 404 proves that there is no merge",
    ),
    Mutant(
        "a request is forgotten with its repository",
        SIDES,
        'return (await api.still_there()).answer(AsyncMergeFacts(status="gone"))',
        'return Answer(AsyncMergeFacts(status="gone"), api.now())',
        f"{HERE}a_request_is_forgotten_only_where_its_repository_is_still_there",
        "a request that the App cannot see any more counts as one that GitHub gave up",
    ),
)
