"""Defects of what an operator settles: each thing that must fit, taken away alone."""

from tests.rules.mutants.mutant import Mutant

SETTLEMENT = "bot/domain/lifecycle/settlement.py"
HERE = "domain/lifecycle/test_settling.py::test_"
UNMERGED = f"{HERE}it_is_settled_as_unmerged_only_while_both_sides_show_no_merge"
MERGED = f"{HERE}it_is_settled_as_merged_only_by_the_commit_that_github_shows"
GATED = f"{HERE}what_was_settled_as_unmerged_is_asked_again_only_after_a_human_gate_where_nobody_needs_to_gate"
PREREQUISITES = "bot/domain/lifecycle/prerequisites.py"
OF_OPERATORS = 'd.gate == "submit" and d.kind == "operator" and d.void is None and d.at > after'
NOT_SHOWN = "evidence.merge_sha != signal.sha or not (_is_on_the_base(evidence) or _is_its_own(evidence, signal))"
LASTING = f"{HERE}of_a_base_too_long_to_read_the_pull_request_s_word_counts_once_it_has_lasted"
PROOF = "bot/domain/merging/proof.py"

SETTLING = (
    Mutant(
        "words about an earlier request settle this one",
        SETTLEMENT,
        '    return written_before(signal, "GitHub was asked", None if asked is None else by_github(turn, asked))\n',
        "    return None if asked else None\n",
        f"{HERE}words_about_an_earlier_request_do_not_settle_this_one",
        "what an operator saw of one request ends another that may still land",
    ),
    Mutant(
        "settled as unmerged although the pull request shows it merged",
        SETTLEMENT,
        "    if evidence.pull_merged or evidence.on_base:\n",
        "    if evidence.on_base:\n",
        UNMERGED,
        "a merge that GitHub shows is called unmerged, and asked for once more",
    ),
    Mutant(
        "settled as unmerged although the base shows it merged",
        SETTLEMENT,
        "    if evidence.pull_merged or evidence.on_base:\n",
        "    if evidence.pull_merged:\n",
        UNMERGED,
        "a commit that is on the base is called unmerged, and asked for once more",
    ),
    Mutant(
        "settled as unmerged while the pull request is unread",
        SETTLEMENT,
        "or evidence.pull_merged is None or _base_is_unread(turn, evidence):",
        "or _base_is_unread(turn, evidence):",
        UNMERGED,
        "what could not be read counts as a no",
    ),
    Mutant(
        "settled as unmerged while the base is unread",
        SETTLEMENT,
        "or evidence.pull_merged is None or _base_is_unread(turn, evidence):",
        "or evidence.pull_merged is None:",
        UNMERGED,
        "what could not be read counts as a no",
    ),
    Mutant(
        "settled as merged by any commit",
        SETTLEMENT,
        NOT_SHOWN,
        "not (_is_on_the_base(evidence) or _is_its_own(evidence, signal))",
        MERGED,
        "done names a commit that GitHub does not show as the merge",
    ),
    Mutant(
        "settled as merged by a commit that is nowhere",
        SETTLEMENT,
        NOT_SHOWN,
        "evidence.merge_sha != signal.sha",
        MERGED,
        "a record is done whose commit is not on the base",
    ),
    Mutant(
        "settled as merged by a part of it",
        SETTLEMENT,
        "    return evidence.on_base is True and (evidence.pull_merged is True or evidence.whole)\n",
        "    return evidence.on_base is True\n",
        MERGED,
        "a commit of a pull request that somebody pushed to the base makes it done, and nothing was merged",
    ),
    Mutant(
        "a base that nobody could read is too long to read",
        SETTLEMENT,
        "    return not (evidence.too_long and lasts)\n",
        "    return not lasts\n",
        LASTING,
        "while the base cannot be read, what may be on it is called unmerged",
    ),
    Mutant(
        "the pull request's word of a moment counts",
        PROOF,
        "    return bool(lasting) and now - lasting[-1].at >= distance(settle_window)\n",
        "    return bool(lasting)\n",
        LASTING,
        "one answer that lags is enough to call a merge unmerged",
    ),
    Mutant(
        "the pull request's word counts while the request may land",
        PROOF,
        "lambda read: read.at > ends and read.merged is False and not read.on_base",
        "lambda read: read.merged is False and not read.on_base",
        LASTING,
        "what was read before the request ran counts against it",
    ),
    Mutant(
        "what one look showed on the base is forgotten",
        PROOF,
        "lambda read: read.at > ends and read.merged is False and not read.on_base",
        "lambda read: read.at > ends and read.merged is False",
        LASTING,
        "a merge that the base showed is called unmerged",
    ),
    Mutant(
        "a later attempt forgets where the first one began",
        "bot/domain/lifecycle/merging.py",
        'base_tip=merge.base_tip or turn.need(RulesOf(turn.record.base or "")).tip or None,',
        'base_tip=turn.need(RulesOf(turn.record.base or "")).tip or None,',
        "domain/lifecycle/test_merging.py::test_what_the_base_was_before_the_first_request_is_stored_with_it",
        "a merge of the first attempt lies before what is looked through, and is called unmerged",
    ),
    Mutant(
        "nobody says where a merge can begin",
        "bot/domain/lifecycle/ending.py",
        'merge.base or "", merge.sha, merge.base_tip)',
        'merge.base or "", merge.sha)',
        "domain/lifecycle/test_merging.py::test_what_the_base_was_before_the_first_request_is_stored_with_it",
        "a busy base is read from where the pull request began, at every look",
    ),
    Mutant(
        "settled as merged while the base is unread",
        SETTLEMENT,
        "(evidence.on_base is None and not _is_its_own(evidence, signal))",
        "(evidence.on_base is None and evidence.head is None)",
        MERGED,
        "the operator is told that GitHub shows no merge, which nobody has read",
    ),
    Mutant(
        "an open pull request is settled as merged",
        SETTLEMENT,
        "if evidence.pull_open is not False and evidence.pull_merged is not True:",
        "if evidence.pull_open is not False and evidence.pull_merged is not True and evidence.head is None:",
        MERGED,
        "a record is done while its pull request can still be pushed to",
    ),
    Mutant(
        "a settlement believes the words alone",
        SETTLEMENT,
        NOT_SHOWN,
        "evidence.head is None",
        "breaking/test_settle.py::test_the_head_itself_is_not_the_merge",
        "whatever commit an operator names is done",
    ),
    Mutant(
        "any decision is the gate after a settlement",
        PREREQUISITES,
        OF_OPERATORS,
        'd.gate == "submit" and d.void is None and d.at > after',
        GATED,
        "a review alone leads to the next request of what a person called unmerged",
    ),
    Mutant(
        "a gate that was taken back is the gate after a settlement",
        PREREQUISITES,
        OF_OPERATORS,
        'd.gate == "submit" and d.kind == "operator" and d.at > after',
        GATED,
        "an operator takes the gate back and the next request leaves",
    ),
    Mutant(
        "a gate from before is the gate after a settlement",
        PREREQUISITES,
        OF_OPERATORS,
        'd.gate == "submit" and d.kind == "operator" and d.void is None and d.at >= after',
        GATED,
        "what was said before the settlement leads to the next request",
    ),
)
