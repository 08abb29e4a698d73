"""Defects of what is said on pull requests without a record."""

from tests.rules.mutants.mutant import Mutant

UNGOVERNED = "bot/app/policy/ungoverned.py"
STORY = "scenarios/test_ungoverned.py::"

BY_NOBODY = (
    Mutant(
        "a commit that a record judges is told neutral",
        UNGOVERNED,
        "    return (*there, *(() if linked is None else (linked,)))\n",
        "    return () if linked is None else (linked,)\n",
        STORY + "test_two_pull_requests_with_one_head_are_not_let_through_by_the_one_without_a_record",
        "a second pull request with the same commit satisfies the rule that asks for a judgement",
    ),
    Mutant(
        "a record that comes meanwhile is written over",
        UNGOVERNED,
        "                raise Governed\n",
        "                pass\n",
        STORY + "test_a_record_that_comes_while_the_answer_is_missing_is_not_written_over",
        "a neutral check stands over a judgement that waits",
    ),
    Mutant(
        "nobody looks at what was written over",
        UNGOVERNED,
        "        tx.slots.distrust(key)\n",
        "        pass\n",
        STORY + "test_what_lands_over_a_judgement_is_written_over_at_once",
        "a neutral check that landed late lets through what nobody judged",
    ),
    Mutant(
        "what older rules let through stays let through",
        UNGOVERNED,
        "        if wanted is None and report.remote_id is None and report.sent_at is None:\n",
        "        if wanted is None:\n",
        STORY + "test_a_change_of_the_rule_is_told_on_every_open_pull_request",
        "heads that were told neutral pass although the policy no longer says so",
    ),
)
