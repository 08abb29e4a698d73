"""Defects of reading many things by one request: what is not plain must be left."""

from tests.rules.mutants.mutant import Mutant

PLAIN = "bot/github/facts/plain.py"
TOGETHER = "bot/github/facts/together.py"
CONFIRMS = "bot/github/facts/confirmation.py"
LEFT = "github/test_together.py::test_what_is_not_plain_is_left_and_nothing_else"
CONFIRMED = "github/test_confirmation.py::"

BATCHED = (
    Mutant(
        "a stack is not looked at",
        PLAIN,
        " or read.stack is not None",
        "",
        f"{LEFT}[stacked]",
        "a merge takes the pull requests below it with it",
    ),
    Mutant(
        "one page of open pull requests is taken for all",
        PLAIN,
        "    if _is_cut(found):\n",
        "    if False:\n",
        f"{LEFT}[many pull requests]",
        "a twin on the second page is merged unjudged",
    ),
    Mutant(
        "a full page is the last one",
        PLAIN,
        " or len(found.nodes) >= MOST",
        "",
        f"{LEFT}[a full page of pull requests]",
        "what stands behind a hundred rows is not seen where GitHub forgets to say that there is more",
    ),
    Mutant(
        "one page of files is taken for all",
        PLAIN,
        "_is_cut(files) or ",
        "",
        f"{LEFT}[many files]",
        "a workflow on the second page is merged without the permission",
    ),
    Mutant(
        "a renamed file has no former name",
        PLAIN,
        " or any(one.change in MOVED for one in files.nodes)",
        "",
        f"{LEFT}[renamed]",
        "a workflow that is renamed away is merged without the permission",
    ),
    Mutant(
        "a link is a policy file",
        PLAIN,
        " or (entry is not None and entry.mode not in REGULAR)",
        "",
        f"{LEFT}[a link]",
        "a file is taken for the policy that no look has judged",
    ),
    Mutant(
        "what the newest commit does not have was never there",
        PLAIN,
        "(entry is None and read.default.target.history.nodes)",
        "False",
        f"{LEFT}[taken away]",
        "a file that cannot be seen just now counts as no rules",
    ),
    Mutant(
        "a base has whatever is asked of it",
        PLAIN,
        "    if said.read(_TheTip).tip.target.oid != question.commit:\n",
        "    if not said.read(_TheTip).tip.target.oid:\n",
        f"{LEFT}[another tip]",
        "a base that was set back is not seen, and whoever pushed there judges it",
    ),
    Mutant(
        "whoever has the name answers for the repository",
        TOGETHER,
        "here is not None and said.read(_Here).databaseId == api.repo.id",
        "here is not None",
        "github/test_together.py::test_another_repository_under_this_name_answers_nothing",
        "another repository's pull request is judged",
    ),
    Mutant(
        "what could not be told is no matter",
        TOGETHER,
        'and not body.get("errors") else None',
        "else None",
        "github/test_together.py::test_where_anything_could_not_be_told_nothing_is_believed",
        "half an answer counts as a whole one",
    ),
    Mutant(
        "a merge that the base does not show is confirmed",
        CONFIRMS,
        " or pull.tip.target.oid != pull.merge.oid",
        "",
        f"{CONFIRMED}test_what_does_not_show_the_merge_confirms_nothing[the base went on]",
        "done is said of what the base may have lost",
    ),
    Mutant(
        "any merge commit at the tip is this merge",
        CONFIRMS,
        " or not _is_of(pull, here.id)",
        "",
        f"{CONFIRMED}test_what_does_not_show_the_merge_confirms_nothing[another pull request brought it]",
        "done is said of somebody else's commit",
    ),
    Mutant(
        "any bot that merged is our App",
        CONFIRMS,
        " and here.pull.by.id == await api.own_account()",
        "",
        f"{CONFIRMED}test_another_bot_that_merged_is_not_us",
        "a merge around the gate counts as ours",
    ),
)
