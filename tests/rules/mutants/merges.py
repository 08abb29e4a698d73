"""Defects of the one dangerous act: how it is asked for, and how the answer is judged."""

from tests.rules.mutants.mutant import Mutant

MERGING = "bot/domain/lifecycle/merging.py"
FOLLOWING = "bot/domain/lifecycle/following.py"
OUTCOME = "bot/domain/merging/outcome.py"
RESERVATION = "bot/domain/merging/reservation.py"
ADAPTER = "bot/github/merging.py"
SIMULATED = "bot/simulator/merge_sender.py"
TRAILERS = "domain/merging/test_texts.py::"

ASKED = (
    Mutant(
        "a refused merge waits for news of what the sweep has found",
        "bot/domain/lifecycle/asking_again.py",
        "return turn.signal.kind in TELLS or _facts(turn.record) != _facts(turn.began)",
        "return turn.signal.kind in TELLS",
        "scenarios/test_lost_checks.py::test_a_refused_merge_is_asked_again_when_the_sweep_finds_what_changed",
        "one lost webhook, and a complete change is never merged",
    ),
    Mutant(
        "no sha in the merge request",
        ADAPTER,
        'body = {"sha": order.head, "merge_method": order.method,',
        'body = {"merge_method": order.method,',
        "github/test_merging.py::test_empty_texts_are_left_out_and_nothing_else_is_sent",
        "GitHub merges whatever the head is by then",
    ),
    Mutant(
        "no sha in the simulated merge request",
        SIMULATED,
        "call = MergeCall(order.head, order.method",
        "call = MergeCall(None, order.method",
        "github/test_merging.py::test_both_forges_answer_the_same[head_moves-async]",
        "the simulation no longer proves that the head is guarded",
    ),
    Mutant(
        "the request leaves although its lease is over",
        ADAPTER,
        "        if not self._may_send():\n            raise _Withheld\n",
        "        self._may_send()\n",
        "github/test_merging.py::test_a_no_at_the_last_moment_sends_nothing",
        "a request leaves after others have settled that it never would",
    ),
    Mutant(
        "the merge request follows redirects",
        ADAPTER,
        "follow_redirects=False",
        "follow_redirects=True",
        "github/test_merging.py::test_a_merge_is_never_redirected",
        "another repository under the old name is merged",
    ),
    Mutant(
        "a permit is spent twice",
        "bot/domain/model/permit.py",
        "        self._spent = True\n",
        "",
        "domain/merging/test_reservation.py::test_a_permit_is_spent_once",
        "one stored request leads to two merge requests",
    ),
    Mutant(
        "a permit without a stored request",
        RESERVATION,
        'if merge.state != "requested" or not complete',
        "if not complete",
        "domain/merging/test_reservation.py::test_nothing_else_is_an_order",
        "a merge is asked for that no other process can know of",
    ),
    Mutant(
        "an attempt is stored over another one",
        "bot/store/attempts.py",
        "_ADD = insert(table)\n",
        '_ADD = insert(table).prefix_with("OR REPLACE")\n',
        "app/test_attempts.py::test_for_a_row_that_is_there_already_nobody_may_ask",
        "one stored request hands out two permits",
    ),
    Mutant(
        "what was stored before asks again",
        RESERVATION,
        "(before is None or before.merge.attempt != merge.attempt)",
        "(before is None or merge.attempt is not None)",
        "domain/merging/test_reservation.py::test_a_request_that_was_stored_before_asks_nothing_again",
        "one stored request hands out two permits",
    ),
    Mutant(
        "a reservation that is over still asks",
        MERGING,
        'if merge.state != "reserved" or merge.id != signal.reservation:\n'
        '        return Ignore("this reservation is over")\n    if signal.attempt',
        "if signal.attempt",
        "domain/lifecycle/test_merging.py::test_only_a_reservation_asks",
        "a second request leaves while the first can still land",
    ),
    Mutant(
        "an older attempt of the reservation asks",
        MERGING,
        "if signal.attempts != merge.attempts:",
        "if signal.attempts is None:",
        "domain/lifecycle/test_merging.py::test_only_the_next_attempt_of_this_reservation_asks",
        "two processes send for one reservation",
    ),
    Mutant(
        "prerequisites are not read again before asking",
        MERGING,
        'standing = prerequisites.blockers(turn) if turn.record.merge.state == "reserved" else ()',
        "standing = ()",
        "domain/lifecycle/test_prerequisites.py::test_whatever_is_in_the_way_releases_the_reservation_and_nothing_is_asked",
        "what changed since the reservation is merged over",
    ),
    Mutant(
        "what is found moved before asking is not booked",
        MERGING,
        "            seen = look_before_merge(turn)\n",
        "            seen = None\n",
        "domain/lifecycle/test_before_merging.py::test_what_is_found_moved_before_asking_leaves_submit_in_the_same_write",
        "approvals of a head that is gone stand until a webhook or the sweep comes by",
    ),
    Mutant(
        "what is found moved before reserving is not booked",
        FOLLOWING,
        "            look_before_merge(turn)\n            standing",
        "            standing",
        "domain/lifecycle/test_before_merging.py::test_what_is_found_moved_before_reserving_leaves_submit_too",
        "approvals of a head that is gone stand until a webhook or the sweep comes by",
    ),
    Mutant(
        "half a look is kept",
        "bot/domain/lifecycle/turn.py",
        "(before, detail) if self._closed is closed else (self._closed, None)",
        "(self.record, detail)",
        "domain/lifecycle/test_before_merging.py::test_a_look_that_could_not_be_finished_before_asking_books_nothing_half",
        "a head counts as moved whose pusher nobody asked for",
    ),
    Mutant(
        "a head that moved under the request is not looked for",
        MERGING,
        "            seen = look_after_no_merge(turn)\n",
        "            seen = None\n",
        "scenarios/test_last_moment.py::"
        "test_a_head_that_moved_while_the_request_was_on_its_way_is_judged_without_any_webhook",
        "the new head waits for a webhook that may be lost",
    ),
)

WAKING = "bot/domain/lifecycle/waking.py"
WOKEN = "domain/lifecycle/test_waking.py::"
WOKEN_AGAIN = (
    Mutant(
        "a pause that is over is over again each second",
        FOLLOWING,
        "        turn.set_merge(look_at=None)\n",
        "        turn.set_merge(look_at=merge.look_at)\n",
        f"{WOKEN}test_after_a_pause_it_is_looked_at_once_and_then_by_news",
        "one record takes the requests of all the others",
    ),
    Mutant(
        "a refused merge that waits for the base waits for ever",
        "bot/domain/lifecycle/asking_again.py",
        "    if merge.reason_code in WAITS_BY_ITSELF:\n",
        "    if merge.reason_code is WAITS_BY_ITSELF:\n",
        f"{WOKEN}test_a_base_that_is_given_free_leads_on_where_the_merge_was_refused_before",
        "complete authority never ends in a merge",
    ),
    Mutant(
        "what could not be read after a refusal is not read again",
        WAKING,
        'return merge.state in {"none", "refused"} and',
        'return merge.state in {"none"} and',
        f"{WOKEN}test_after_a_pause_what_cannot_be_read_is_read_ever_more_rarely_until_it_is_there",
        "complete authority never ends in a merge",
    ),
    Mutant(
        "checks of a head that is gone are looked at each second",
        WAKING,
        "and record.verification.head == record.head",
        "and record.verification.head is not None",
        f"{WOKEN}test_checks_of_a_head_that_is_gone_are_not_waited_for",
        "one record takes the requests of all the others",
    ),
)

JUDGED = (
    Mutant(
        "an unknown 4xx is a no",
        OUTCOME,
        "        case _:\n            # ",
        '        case status if status and 400 <= status < 500 and "already in progress" not in text.lower():\n'
        '            return Classified("refused_policy", text)\n        case _:\n            # ',
        "domain/merging/test_outcome.py::test_any_other_answer_to_a_synchronous_merge_may_have_landed",
        "a request that may land is forgotten",
    ),
    Mutant(
        "merge already in progress is a no",
        OUTCOME,
        "case 405 if says(RULES_REFUSE, text):",
        'case 405 if "already in progress" in text.lower() or says(RULES_REFUSE, text):',
        "domain/merging/test_outcome.py::test_a_known_answer_to_a_synchronous_merge",
        "our own earlier request lands after it was given up",
    ),
    Mutant(
        "a known sentence within another text is a no",
        "bot/domain/merging/phrases.py",
        "return phrase.fullmatch(text.strip().lower()) is not None",
        "return phrase.search(text.strip().lower()) is not None",
        "domain/merging/test_outcome.py::test_a_sentence_that_only_resembles_a_known_one_may_have_landed",
        "a request that may land is forgotten, since its answer has a word of a refusal",
    ),
    Mutant(
        "an unreadable 200 has landed",
        OUTCOME,
        "case 200 if reply.merged is True:",
        "case 200 if reply.merged is not False:",
        "domain/merging/test_outcome.py::test_a_success_is_one_only_where_it_says_so",
        "a merge is believed that nobody reported",
    ),
    Mutant(
        "an enqueued merge has landed",
        OUTCOME,
        'case 200, "merged":',
        'case 200, "merged" | "enqueued":',
        "domain/merging/test_outcome.py::test_an_answer_to_an_asynchronous_merge",
        "a queue is taken for a merge",
    ),
    Mutant(
        "a server error is a no",
        OUTCOME,
        '        return Classified("ambiguous", f"HTTP {reply.status}")\n',
        '        return Classified("refused_policy", f"HTTP {reply.status}")\n',
        "domain/merging/test_outcome.py::test_a_known_answer_to_a_synchronous_merge",
        "a 502 after the landing releases the reservation",
    ),
    Mutant(
        "a lost answer is a no",
        OUTCOME,
        '        return Classified("ambiguous", "no answer")',
        '        return Classified("not_sent", "no answer")',
        "domain/merging/test_outcome.py::test_without_an_answer_it_matters_whether_the_request_left",
        "a time-out sends a second request while the first runs",
    ),
    Mutant(
        "a foreign request is adopted",
        OUTCOME,
        'case 409, "pending" if reply.uuid and ours:',
        'case 409, "pending" if reply.uuid:',
        "domain/merging/test_outcome.py::test_a_request_for_something_else_is_not_adopted",
        "somebody else's merge of another head settles ours",
    ),
    Mutant(
        "a foreign request of our head is adopted",
        OUTCOME,
        "return reply.direct and (reply.expected_head, reply.merge_method) == (head, method)",
        "return reply.expected_head == head",
        "domain/merging/test_outcome.py::test_a_request_for_something_else_is_not_adopted",
        "somebody else's merge by another method settles ours",
    ),
    Mutant(
        "a no ends the reservation while another attempt lives",
        MERGING,
        "    others = tuple(a for a in merge.live_attempts if a != attempt)\n",
        "    others = ()\n",
        "domain/lifecycle/test_merging.py::test_a_refusal_does_not_release_while_another_attempt_can_still_land",
        "an attempt lands that nobody waits for",
    ),
    Mutant(
        "a late answer counts",
        MERGING,
        "    late = signal.attempt not in merge.live_attempts or",
        "    late =",
        "domain/lifecycle/test_merging.py::test_an_answer_to_an_attempt_that_is_over_changes_nothing",
        "the no to an old attempt releases the one that runs",
    ),
)

TEXTS = (
    Mutant(
        "a title joins the template into a keyword",
        "bot/domain/merging/texts.py",
        "if any(foreign[match.start() : match.end()])",
        "if False",
        "domain/merging/test_texts.py::test_a_title_joins_the_template_into_nothing_that_means_more",
        "a pull request's title closes somebody's issue from the merge commit",
    ),
    Mutant(
        "the number of a pull request is cut in half",
        "bot/domain/merging/texts.py",
        'values | {"title": title[:room]}',
        'values | {"title": title}',
        "domain/merging/test_texts.py::test_a_long_title_gives_way_to_the_number[195]",
        "the merge commit names another pull request",
    ),
    Mutant(
        "who else pushed is lost in a squash",
        "bot/domain/merging/texts.py",
        'if (record.merge.method or policy.merge.method) == "squash" else ""',
        'if False else ""',
        "domain/merging/test_texts.py::test_who_else_pushed_is_a_co_author_of_the_squashed_commit",
        "whoever made half of a change is not in the history",
    ),
    Mutant(
        "whom commits credit is lost in a squash",
        "bot/domain/lifecycle/before_merge.py",
        'if pull is not None and method == "squash" and pull.co_authors_of != head:',
        "if False:",
        "scenarios/test_first_merge.py::test_whom_the_commits_credit_is_a_co_author_of_the_squashed_commit",
        "whoever wrote half of a change is not in the history",
    ),
    Mutant(
        "any name becomes a line of the commit",
        "bot/domain/merging/texts.py",
        " and _LOGIN.fullmatch(others[number].login)",
        "",
        "domain/merging/test_texts.py::test_no_login_puts_anything_else_among_the_co_authors",
        "a name that is no login closes issues and calls people from a commit",
    ),
    Mutant(
        "who is credited by an address is lost",
        "bot/domain/merging/texts.py",
        '*_by_address(pull, "Co-authored-by")',
        "",
        TRAILERS + "test_who_is_credited_by_an_address_stays_credited_and_signed_off_stays_so",
        "most co-authors are not in the history",
    ),
    Mutant(
        "who has no account made nothing",
        "bot/github/facts/pulls.py",
        "if commit is None or commit.author is None or one.author is not None:",
        "if True:",
        "github/test_not_said.py::test_who_made_a_commit_and_has_no_account_is_credited_by_name_and_address",
        "whoever made half of a change is not in the history",
    ),
    Mutant(
        "a commit of nobody cannot be read",
        "bot/github/facts/pulls.py",
        "BeforeValidator(lambda user: user or None)",
        "BeforeValidator(lambda user: user)",
        "github/test_not_said.py::test_who_made_a_commit_and_has_no_account_is_credited_by_name_and_address",
        "one commit with an address of no account, and its pull request is never merged",
    ),
    Mutant(
        "a name in a trailer is repeated as it is",
        "bot/domain/merging/texts.py",
        "((inert(one.name), one.address)",
        "((one.name, one.address)",
        TRAILERS + "test_the_name_in_a_trailer_means_no_more_than_it_says"
        "[octo/app#3 resolves octo/app#4 0123456789abcdef0123456789abcdef01234567]",
        "a commit message closes issues and calls people through the merge",
    ),
    Mutant(
        "any address is repeated",
        "bot/domain/model/credits.py",
        "elif _ADDRESS.fullmatch(address):",
        "else:",
        TRAILERS + "test_no_other_line_of_a_commit_is_repeated[Co-authored-by: lin <@octo/core>]",
        "an address calls a team from the merge commit",
    ),
    Mutant(
        "what an older head said is repeated",
        "bot/domain/merging/texts.py",
        "    if pull.co_authors_of != record.head:\n",
        "    if False:\n",
        TRAILERS + "test_whom_the_commits_of_this_head_credit_is_a_co_author_too",
        "who was credited by a commit that was dropped stands in the history",
    ),
)

MERGES = (*ASKED, *WOKEN_AGAIN, *JUDGED, *TEXTS)
