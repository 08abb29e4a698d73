"""Defects of how merges wait for what a sweep found, and of what a sweep finds of work that is over."""

from tests.rules.mutants.mutant import Mutant

STORIES = "scenarios/test_found_and_not_heard.py::"
UNSAID = "scenarios/test_unsaid_edits.py::"
ENDINGS = "scenarios/test_lost_endings.py::"
HEARING, HOLDING = "bot/app/hearing.py", "bot/app/sweep/holding.py"
KILLED = "test_a_stop_that_a_sweep_found_is_not_overtaken_though_the_process_dies_before_it_is_heard"
BUG = "test_a_bug_of_ours_at_one_word_silences_neither_the_other_words_nor_lets_a_merge_by"
UNREAD = "test_what_a_killed_sweep_found_waits_for_the_record_whose_lists_the_next_one_cannot_read"
UNDECIDED = "test_a_stop_that_a_sweep_found_and_could_not_decide_is_not_overtaken"

_HELD = (
    Mutant(
        "what could not be decided holds nothing",
        HOLDING,
        "            hearing.of_thread(tx, self._repository, thread, self._sweep, next(self._which))\n",
        "",
        f"{STORIES}{UNDECIDED}[closes-pull]",
        "a merge is faster than the next sweep",
        twin=Mutant(
            "the issue is not looked at again before a merge",
            "bot/app/reheard.py",
            "        if not await self._is_wanted(record):\n",
            "        if False:\n",
            f"{STORIES}{UNDECIDED}[closes-pull]",
            "a merge is faster than the next sweep",
        ),
    ),
    Mutant(
        "a later sweep that could not read everything ends what a killed one left",
        HOLDING,
        "                self._leave(tx, set(unread) - self._undecided)\n",
        "                self._leave(tx, set())\n",
        f"{STORIES}{UNREAD}",
        "the stop that the killed sweep found stands in the list that nobody can read",
    ),
    Mutant(
        "nothing ends what a killed sweep left",
        HOLDING,
        "            hearing.end(tx, over)\n",
        "",
        f"{STORIES}{KILLED}",
        "nothing merges in that repository ever again",
    ),
    Mutant(
        "one word that meets a bug of ours ends the sweep",
        "bot/app/sweep/tour.py",
        """            return await look
        except ForgeFailure:
""",
        """            return await look
        except (ForgeFailure, RuntimeError):
""",
        f"{STORIES}{BUG}",
        "a stop in another thread is not heard before we are mended",
    ),
)

_UNSAID = (
    Mutant(
        "words of which nobody says whether they were edited stop no merge",
        "bot/app/reheard.py",
        "            return await self._comments.is_heard(record.repo, comment)\n",
        "            return True\n",
        f"{UNSAID}test_a_stop_in_a_review_of_which_nobody_says_whether_it_was_edited_is_not_merged_over",
        "half an answer of GitHub, and a stop is merged over",
    ),
    Mutant(
        "words of which nobody says whether they were edited are called edited",
        "bot/app/sweep/tour.py",
        "        if comment.unsaid and not await self.hands.comments.is_heard(self.repo, created):\n",
        "        comment = comment.model_copy(update={'edited': comment.edited or comment.unsaid})\n        if False:\n",
        f"{UNSAID}test_a_stop_is_heard_when_github_says_again_that_it_was_not_edited",
        "a stop that nobody edited is lost for good",
    ),
    Mutant(
        "edited words wait for deliveries about other threads",
        "bot/app/sweep/tour.py",
        "            waiting = tx.deliveries.unheard(about, None).waits and tx",
        "            waiting = tx",
        "sweep/test_lost_words.py::test_a_command_that_was_edited_waits_for_no_delivery_about_another_thread",
        "whoever edits a command is answered when every delivery of the repository is worked on",
    ),
)

_OVER = (
    Mutant(
        "a merge of withdrawn work is told by a webhook alone",
        "bot/app/sweep/pulls.py",
        "    if record is not None and record.withdrawn and not pull.open:\n",
        "    if record is not None and record.withdrawn and pull.open:\n",
        f"{ENDINGS}test_a_merge_of_withdrawn_work_by_somebody_else_is_recorded_as_done[True]",
        "what is merged stays withdrawn for ever",
    ),
    Mutant(
        "the first list of pull requests has all that matters",
        "bot/app/sweep/pulls.py",
        "    if known is None:\n",
        "    if known is None and since is not None:\n",
        f"{ENDINGS}test_a_merge_of_withdrawn_work_by_somebody_else_is_recorded_as_done",
        "what was merged before the first sweep stays withdrawn for ever",
    ),
    Mutant(
        "a merge of withdrawn work is looked at once",
        "bot/domain/lifecycle/looking.py",
        "    if record.withdrawn and record.merge.one_sided_since is not None and not record.frozen:\n",
        "    if record.withdrawn and record.frozen:\n",
        f"{ENDINGS}test_a_merge_of_withdrawn_work_that_the_base_shows_later_is_recorded_as_done",
        "a base that lags for a moment hides the merge for ever",
    ),
    Mutant(
        "nobody looks at what is done",
        "bot/app/sweep/governed.py",
        "        await _after_its_end(tour, label, issue, log, record)\n",
        "",
        f"{ENDINGS}test_whoever_begins_finished_work_anew_is_told_that_done_is_final",
        "somebody waits for work that never begins",
    ),
)

FOUND = (*_HELD, *_UNSAID, *_OVER)
