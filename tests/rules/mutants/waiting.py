"""A merge that does not wait for what came and is not worked on, and success that stands meanwhile."""

from tests.rules.mutants.mutant import Mutant

UNREAD = "domain/lifecycle/test_unread.py::"
STORED = "store/test_deliveries.py::"
WAITING_STOPS = "scenarios/test_waiting_stops.py::"
ORDER = "scenarios/test_order_of_words.py::"
SUBJECTS = "github/test_subject.py::"

WAITING = (
    Mutant(
        "a merge does not wait for what is not worked on yet",
        "bot/domain/lifecycle/merging.py",
        "    if turn.facts.news_waits:\n",
        "    if turn.facts.news_waits and turn.record.held:\n",
        f"{UNREAD}test_nothing_is_asked_while_a_delivery_is_not_worked_on_yet",
        "a stop that was delivered is overtaken by the merge",
    ),
    Mutant(
        "what comes while the merge is decided is not looked for",
        "bot/app/unheard.py",
        "    if found.since is not None or (found.waits and",
        "    if found.since is not None or (found.waits and before is None and",
        f"{WAITING_STOPS}test_a_stop_that_comes_while_the_request_is_decided_is_not_overtaken",
        "a stop that was stored before the request is overtaken by it",
    ),
    Mutant(
        "what is not understood is about nothing",
        "bot/github/inbound/subject.py",
        "            return found\n    return Subject()\n",
        "            return found\n    return NOTHING\n",
        f"{SUBJECTS}test_a_delivery_is_about_a_thread_or_a_commit_or_everything",
        "a merge does not wait for news of roles and rules",
    ),
    Mutant(
        "a merge waits for no news of its whole repository",
        "bot/store/unheard.py",
        "for about in (*_THREADS, _HEAD, _ALL_OF_IT)), _OF_ALL)",
        "for about in (*_THREADS, _HEAD)), _OF_ALL)",
        f"{STORED}test_a_delivery_waits_for_the_records_that_it_may_be_about",
        "a merge does not wait for news of roles and rules",
    ),
    Mutant(
        "nobody is told that a delivery was tried in vain",
        "bot/app/inbox.py",
        "        await self._store.run(put_off)\n        await self._store.run(lambda tx: unheard.wake(tx, delivery))\n",
        "        await self._store.run(put_off)\n",
        f"{WAITING_STOPS}test_success_goes_while_github_does_not_show_why_it_must",
        "our check says success over a stop that GitHub told of",
    ),
    Mutant(
        "what stays unreadable is asked for at one pace",
        "bot/domain/lifecycle/turn.py",
        "as_long_again(self.record.unread_since or self.now, self.now)",
        "as_long_again(self.now, self.now)",
        "scenarios/test_checks.py::test_checks_that_stay_unreadable_are_asked_for_ever_more_rarely",
        "a list that GitHub cannot show uses up the limit of the whole installation",
    ),
    Mutant(
        "a record that lacks nothing any more is looked at for ever",
        "bot/domain/lifecycle/turn.py",
        "            self.set(unread_since=None)\n",
        "            pass\n",
        "domain/lifecycle/test_waking.py"
        "::test_after_a_pause_what_cannot_be_read_is_read_ever_more_rarely_until_it_is_there",
        "each record that was unreadable once is read every ten minutes",
    ),
    Mutant(
        "words that were deleted are taken for found",
        "bot/app/sweep/over.py",
        "        and tx.applied.get(delivery.lane, said.key) is None\n",
        "        and False\n",
        "scenarios/test_unheard_stops.py::test_a_stop_that_failed_and_was_deleted_since_is_not_taken_for_found",
        "whoever may delete a comment lifts a stop that failed",
    ),
    Mutant(
        "the inbox reads the records that it wakes",
        "bot/app/unheard.py",
        "        tx.records.wake_for_merge(key)\n",
        "        if tx.records.load(key) is not None:\n            tx.records.wake_for_merge(key)\n",
        "scenarios/test_unheard_stops.py::test_a_record_that_cannot_be_read_stops_no_other_delivery",
        "one record that cannot be read ends the process with each delivery about it",
    ),
    Mutant(
        "success waits for what a look needs",
        "bot/app/timers.py",
        "            if since is not None:  # first",
        "            if since is None:  # first",
        f"{WAITING_STOPS}test_success_goes_while_github_does_not_show_why_it_must",
        "our check says success over a stop that GitHub told of",
    ),
    Mutant(
        "a reservation stands while what may be a stop cannot be worked on",
        "bot/domain/lifecycle/unheard.py",
        "    give_back(turn, no.message, no.code)\n",
        "",
        f"{UNREAD}test_success_goes_as_soon_as_what_may_be_a_stop_cannot_be_worked_on",
        "the base is kept for a merge that may not be asked for",
    ),
    Mutant(
        "success waits for the list that shows who else is at its head",
        "bot/domain/lifecycle/twins.py",
        "        if signal.pull is None or signal.pull == turn.record.pull_request:\n",
        "        if True:\n",
        f"{UNREAD}test_a_pull_request_that_came_to_the_head_takes_success_while_github_does_not_list_it",
        "an ungoverned pull request merges by our success",
    ),
    Mutant(
        "what was put off holds its whole repository up",
        "bot/store/inbox.py",
        "        return sorted([*found, *beside(self._sql, self._now)])\n",
        "        return sorted(found)\n",
        f"{WAITING_STOPS}test_one_persons_words_that_cannot_be_verified_hold_nobody_elses_up",
        "one person whom GitHub does not know stops everybody for twenty minutes",
    ),
    Mutant(
        "what may be about everything is overtaken",
        "bot/store/unheard.py",
        "    return other.is_about_all or same_thread or",
        "    return same_thread or",
        f"{STORED}test_nothing_goes_by_what_was_put_off_and_may_be_about_everything",
        "words are heard by rules that were replaced before them",
    ),
    Mutant(
        "a merge is asked for while words that were found are heard",
        "bot/app/sweep/words.py",
        "            tx.leases.take(name, holder, tx.now() + LONGEST)\n",
        "            return\n",
        f"{ORDER}test_a_no_that_was_found_with_the_gate_is_heard_before_the_merge",
        "a stop that the sweep has found already is overtaken",
        twin=Mutant(
            "nothing is read again before the merge",
            "bot/app/merge.py",
            "            return await self._rehearing.heard_all(record)\n",
            "            return True\n",
            f"{ORDER}test_a_no_that_was_found_with_the_gate_is_heard_before_the_merge",
            "what the sweep is about to say is not looked for either",
        ),
    ),
    Mutant(
        "a yes that was found does not wait for the list that cannot be read",
        "bot/app/sweep/words.py",
        "        unread = one.thread in words.unread\n",
        "        unread = False\n",
        f"{ORDER}test_a_list_that_cannot_be_read_holds_the_gate_that_was_found",
        "an older stop in that list is overtaken",
    ),
    Mutant(
        "a yes beside a stop counts though older words cannot be read",
        "bot/domain/commands/contradicting.py",
        'return Doubt("unread") if unread else None',
        "return None",
        f"{ORDER}test_a_stop_counts_though_another_list_cannot_be_read_and_a_yes_beside_it_does_not",
        "an older stop in that list is overtaken",
    ),
)
