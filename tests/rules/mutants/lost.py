"""Defects of the sweep: words and happenings that no webhook told, found too late, too early, or never."""

from tests.rules.mutants.mutant import Mutant

PULLS = "bot/app/sweep/pulls.py"
FOUND = "bot/app/sweep/found.py"
TOUR = "bot/app/sweep/tour.py"
GOVERNED = "bot/app/sweep/governed.py"
BACK = "sweep/test_came_back.py::"
LANDING = "bot/domain/lifecycle/landing.py"
ROLLED = "scenarios/test_rolled_back.py::"
WORDS = "sweep/test_lost_words.py::"
LINKED = "scenarios/test_lost_stops.py::test_a_hold_on_a_line_of_what_a_lost_word_linked"

LINES_UNASKED = Mutant(
    "lines of what words linked are not looked at",
    "bot/app/sweep/words.py",
    "    await _find_lines(tour, words, since, set(_linked(tour)) - before_words)\n",
    "",
    f"{LINKED}_is_heard",
    "a stop that no webhook told is never found",
)

_WORDS = (
    Mutant(
        "reviews are brought as they come, a yes before a later no",
        "bot/app/sweep/words.py",
        '{"dismissed": 0, "approved": 2}.get(',
        '{"dismissed": 0, "approved": 0}.get(',
        f"{WORDS}test_changes_requested_after_an_approval_are_heard_before_it",
        "a merge goes on what its reviewer took back, because both were found at once",
    ),
)

_LATER = (
    Mutant(
        "the edited form of a comment is heard while its delivery waits",
        TOUR,
        "return stands_here or (",
        "return (",
        f"{WORDS}test_a_stop_that_stands_in_our_inbox_is_heard_as_it_was_written",
        "a stop that was delivered is thrown away because somebody mended a word in it",
    ),
    Mutant(
        "a delivery that failed is no reason to wait",
        "bot/app/sweep/tour.py",
        "return False, waiting or failed_to_bring(",
        "return False, waiting or heard and failed_to_bring(",
        f"{WORDS}test_a_stop_behind_a_delivery_that_failed_is_heard_as_it_was_written_when_that_is_replayed",
        "a stop that was delivered is thrown away before an operator replays it",
    ),
    Mutant(
        "a command on a line that could not be decided is not looked for again",
        "bot/app/sweep/sweeper.py",
        "    if tour.owes_lines:\n",
        "    if tour.owes_lines and tour.full:\n",
        f"{WORDS}test_a_command_on_a_line_that_could_not_be_decided_at_once_is_heard_later",
        "a stop on a line of the diff is lost for ever because GitHub was slow once",
    ),
    Mutant(
        "what was lost before the first sweep is not looked for",
        "bot/app/sweep/comments.py",
        "first = known if known is not None else min(governed, default=None)",
        "first = known",
        f"{WORDS}test_words_that_were_lost_before_the_first_sweep_are_found",
        "a stop that no webhook told is never found",
    ),
    Mutant(
        "at first only open pull requests are looked at for words on lines",
        "bot/app/sweep/words.py",
        "at_first = set(_linked(tour)) if tour.before.pulls_since is None",
        "at_first = set(_linked(tour)) if tour.before.pulls_since is not None",
        f"{WORDS}test_a_word_on_a_line_of_what_was_closed_before_the_first_sweep_is_found",
        "a stop that no webhook told is never found",
    ),
    LINES_UNASKED,
    Mutant(
        "lines are read again since the last sweep looked for comments",
        "bot/app/reheard.py",
        "governed = (linked_at or record.started_at) - OVERLAP",
        "governed = since",
        f"{LINKED}_is_not_merged_over",
        "a stop on a line that no sweep looked at is merged over",
        twin=LINES_UNASKED,
    ),
)

_CAME_BACK = (
    Mutant(
        "the log of a pull request is not looked at",
        FOUND,
        "since is not None and event.at > since",
        "since is not None and event.at < since",
        f"{BACK}test_what_was_decided_before_a_pull_request_went_away_and_came_back_is_void",
        "approvals stand on what was closed or aimed at another branch meanwhile",
    ),
    Mutant(
        "the log of GitHub is compared with our clock",
        FOUND,
        "return record.epoch_at or (",
        "return (",
        f"{BACK}test_what_was_decided_before_a_pull_request_went_away_and_came_back_is_void[closed_and_reopened-3600]",
        "where our clock is ahead, what came back is taken for what was judged",
    ),
    Mutant(
        "a retarget that every read shows undone is none",
        "bot/domain/lifecycle/epochs.py",
        "    return hint.at is None or record.epoch_at is None or hint.at > record.epoch_at\n",
        "    return False\n",
        f"{BACK}test_a_retarget_there_and_back_that_is_heard_late_is_seen_all_the_same",
        "approvals stand on what was aimed at another branch meanwhile",
    ),
    Mutant(
        "an issue that is open is not asked what happened to it",
        GOVERNED,
        "    if not record.withdrawn:\n",
        "    if record.withdrawn:\n",
        f"{BACK}test_what_was_decided_before_an_issue_went_away_and_came_back_is_void",
        "approvals stand on work that was withdrawn meanwhile",
    ),
    Mutant(
        "what revives is asked of our clock",
        GOVERNED,
        "if row.signal in BY_THE_LOG and withdrew:",
        "if not row.signal and withdrew:",
        f"{BACK}test_a_closing_that_is_heard_after_the_reopening_leaves_nothing_withdrawn",
        "work stays withdrawn although its issue was reopened",
    ),
    Mutant(
        "what revives counts only if it was not heard before",
        GOVERNED,
        'for key in (signal.key, f"{signal.key}:{version}"):',
        "for key in (signal.key,):",
        f"{BACK}test_a_closing_that_is_heard_after_the_reopening_leaves_nothing_withdrawn",
        "work stays withdrawn although its issue was reopened",
    ),
)

_GONE = (
    Mutant(
        "what was called gone is not looked for when somebody wants to go on",
        "bot/domain/lifecycle/blocking.py",
        "    if issue is None or issue.id != record.issue_id:\n",
        "    if issue is None or issue.id == record.issue_id:\n",
        "scenarios/test_wrongly_gone.py::test_what_was_called_gone_and_is_there_goes_on_when_an_operator_says_so",
        "work is blocked for ever although its issue is there",
    ),
)

_ONE_SIDE = (
    Mutant(
        "a merge that was rolled back is waited for for ever",
        LANDING,
        "if isinstance(evidence, Unknown) or waited < timedelta(seconds=turn.facts.settle_window):",
        "if isinstance(evidence, Unknown) or waited >= AGAIN * 0:",
        f"{ROLLED}test_a_merge_by_hand_that_was_rolled_back_is_an_operators_to_settle",
        "nobody is called, and nothing leads on",
    ),
    Mutant(
        "a merge that was rolled back is asked about all the time",
        LANDING,
        "look_at=turn.now + min(max(waited, AGAIN), LONGEST_PAUSE)",
        "look_at=turn.now + AGAIN",
        f"{ROLLED}test_a_merge_by_hand_that_was_rolled_back_is_told_and_looked_at_with_growing_pauses",
        "an installation's requests are used up by one pull request",
    ),
    Mutant(
        "what only the pull request shows is done by itself",
        LANDING,
        " or not (settled or evidence.on_base):",
        ":",
        f"{ROLLED}test_a_merge_by_hand_that_was_rolled_back_is_an_operators_to_settle",
        "a record is done though its change is nowhere",
    ),
    Mutant(
        "a merge whose base lacks it cannot be settled",
        "bot/domain/lifecycle/settlement.py",
        "    return evidence.pull_merged is True and evidence.merge_sha == signal.sha\n",
        "    return False\n",
        f"{ROLLED}test_an_operator_settles_a_merge_whose_base_was_rolled_back",
        "no word of anybody leads on",
    ),
    Mutant(
        "the branch of a merge that the base lacks is deleted",
        LANDING,
        "    elif evidence.on_base is not True:",
        "    elif evidence.on_base is not True and not record.in_flight:",
        f"{ROLLED}test_an_operator_settles_a_merge_whose_base_was_rolled_back",
        "the only branch that still has the change is gone",
    ),
)

LOST = (*_WORDS, *_LATER, *_CAME_BACK, *_GONE, *_ONE_SIDE)
