"""Readers that fail closed, made to take silence for an answer."""

from tests.rules.mutants.mutant import Mutant

RULES = "bot/github/facts/rules.py"
SIDES = "bot/github/facts/merges.py"
HERE = "github/test_not_said.py::test_"

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
        "what was not shown is not on the base",
        SIDES,
        "contains=False if is_last(reply, commits, PER_PAGE) else None",
        "contains=False",
        f"{HERE}a_base_of_which_only_the_newest_commits_were_shown_may_have_it_further_down",
        "a merge that is further down is proven not to have happened, and asked for again",
    ),
    Mutant(
        "a pull request of another repository brought the commit",
        SIDES,
        "p.number == number and p.base.repo is not None and p.base.repo.id == api.repo.id for p in pulls",
        "p.number == number for p in pulls",
        f"{HERE}a_pull_request_of_another_repository_with_the_same_number_is_not_ours",
        "a commit of a fork's pull request makes ours done",
    ),
    Mutant(
        "what stands on the head is its merge",
        SIDES,
        "if len(commit.parents) > 1 else set()",
        "if commit.parents else set()",
        f"{HERE}a_commit_that_is_merely_on_top_of_the_head_is_not_its_merge",
        "done names a commit that somebody pushed afterwards",
    ),
    Mutant(
        "a named merge is on every base",
        SIDES,
        'contains = reply.read(_Compared).status in ("ahead", "identical")',
        "contains = bool(reply)",
        f"{HERE}a_named_merge_that_the_base_does_not_have_is_not_on_it",
        "a commit that was rolled back, or never arrived, makes a record done",
    ),
    Mutant(
        "a request is forgotten with its repository",
        SIDES,
        'return (await api.still_there()).answer(AsyncMergeFacts(status="gone"))',
        'return Reply(404, None, api.now()).answer(AsyncMergeFacts(status="gone"))',
        f"{HERE}a_request_is_forgotten_only_where_its_repository_is_still_there",
        "a request that the App cannot see any more counts as one that GitHub gave up",
    ),
)
