"""Defects that somebody who tries to break it lives from (tests/breaking)."""

from tests.rules.mutants.mutant import Mutant

STRANGERS = "breaking/test_strangers.py::"
CONNECTIONS = "breaking/test_connections.py::"
OLD_WORDS = "scenarios/test_old_words.py::"
LINKING = "domain/lifecycle/test_linking.py::"

BREAKING = (
    Mutant(
        "who pushed is not asked anew for another base",
        "bot/domain/lifecycle/pulls.py",
        'turn.set(pull=with_pushers(turn, doubted, turn.record.head or "", pull.base_ref))',
        "pass",
        "domain/lifecycle/test_pushers.py::"
        "test_a_pull_request_that_was_stacked_is_judged_on_its_new_base_by_whoever_pushed_none_of_both",
        "what was brought to the old base has no name on the new one, so nobody may judge it",
    ),
    Mutant(
        "any installation may speak of a repository",
        "bot/app/inbox.py",
        "if translation.repo is not None and await self._is_anothers(translation.repo):",
        "if False:",
        "breaking/test_installations.py::"
        "test_a_signed_body_that_names_an_installation_which_has_not_the_repository_counts_for_nothing",
        "what is said through one installation decides in the repository of another",
    ),
    Mutant(
        "strangers are answered each time",
        "bot/app/comments.py",
        "is_denial(outcomes) or await self._is_stranger(repo, comment)",
        "is_denial(outcomes)",
        STRANGERS + "test_a_stranger_is_answered_once_an_hour_whatever_they_write_and_a_reviewer_each_time",
        "anybody makes us post as many comments as they do",
    ),
    Mutant(
        "a stranger is answered in one thread only",
        "bot/app/denials.py",
        'key or f"{repo.id}:{comment.number}"',
        "key",
        STRANGERS + "test_where_no_record_is_a_stranger_is_answered_once_an_hour_in_each_thread",
        "who was denied elsewhere is not told how to begin",
    ),
    Mutant(
        "what is no body has no bound",
        "bot/bootstrap/protocol.py",
        "if self._beside > MOST_BESIDE:",
        "if self._beside > MOST_BESIDE * 1000:",
        CONNECTIONS + "test_a_request_that_never_comes_to_its_body_is_cut_off",
        "one header without an end takes the whole process",
    ),
    Mutant(
        "a request may take for ever to arrive",
        "bot/bootstrap/protocol.py",
        "self._deadline = self.loop.call_later(self.seconds, self.transport.abort)",
        "self._deadline = self.loop.call_later(self.seconds * 10_000, self.transport.abort)",
        CONNECTIONS + "test_a_request_that_stops_arriving_gives_its_place_up",
        "silent connections take every place",
    ),
    Mutant(
        "bodies count as what is beside them",
        "bot/bootstrap/protocol.py",
        "        self._beside -= len(body)\n",
        "",
        CONNECTIONS + "test_a_large_body_and_several_requests_on_one_connection_arrive",
        "large deliveries are cut off",
    ),
    Mutant(
        "the name of a base is taken as it is",
        "bot/domain/lifecycle/settlement.py",
        'return code(record.merge.base or record.base or "")',
        'return f"`{record.merge.base}`"',
        "breaking/test_settle.py::test_the_name_of_a_base_calls_nobody",
        "a branch that is named after a team calls it",
    ),
    Mutant(
        "an old word lifts a newer hold",
        "bot/domain/lifecycle/stopping.py",
        'if refusal := written_before(signal, "this hold", held.since):',
        'if refusal := written_before(signal, "this hold", None):',
        OLD_WORDS + "test_a_lost_unhold_of_the_first_hold_does_not_lift_the_second",
        "a hold is lifted by somebody who never saw it, and the head is merged",
    ),
    Mutant(
        "an old link undoes a newer unlink",
        "bot/domain/lifecycle/pulls.py",
        'written_before(signal, "what is linked here was last said", links_said_at(record))',
        'written_before(signal, "what is linked here was last said", None)',
        OLD_WORDS + "test_an_older_link_that_is_heard_after_a_newer_unlink_does_not_link_again",
        "what a builder took away is judged and merged all the same",
    ),
    Mutant(
        "when it was unlinked is not kept",
        "bot/domain/lifecycle/stopping.py",
        '{"unlinked_at": at}',
        '{"unlinked_at": None}',
        OLD_WORDS + "test_an_older_link_that_is_heard_after_a_newer_unlink_does_not_link_again",
        "what a builder took away is judged and merged all the same",
    ),
    Mutant(
        "an old word leaves a newer block",
        "bot/domain/lifecycle/blocking.py",
        'written_before(signal, "it was blocked", record.blocked.since)',
        'written_before(signal, "it was blocked", None)',
        OLD_WORDS + "test_a_lost_resume_of_the_first_question_does_not_leave_the_second",
        "a question is left that the operator never read",
    ),
    Mutant(
        "words from before the link are heard",
        "bot/app/comments.py",
        "comment.created_at < _governed_since(record, comment)",
        "False",
        OLD_WORDS + "test_a_word_that_nobody_heard_in_a_thread_without_a_record_is_not_heard_after_the_link",
        "what was ignored when it was written is done hours later",
    ),
    Mutant(
        "the kernel refuses the answer to what was asked under older rules",
        "bot/domain/lifecycle/kernel.py",
        'before.merge.state == after.merge.state == "requested"',
        "False",
        "domain/lifecycle/test_kernel.py::test_what_was_asked_under_older_rules_is_answered_under_those_that_ask_for_more",
        "its answer is lost, and the base may stay locked",
    ),
    Mutant(
        "a reservation has the name of one in another repository",
        "bot/domain/lifecycle/following.py",
        'f"r-{record.repository_id}-{record.issue}-{record.version + 1}"',
        'f"r-{record.issue}-{record.version + 1}"',
        "scenarios/test_alike.py::test_two_repositories_whose_records_are_alike_both_merge",
        "the second repository's merge fails every minute and its base stays locked",
    ),
    Mutant(
        "what may be merging gives its pull request up",
        "bot/domain/lifecycle/stopping.py",
        'record.phase != "done" and not record.in_flight and',
        'record.phase != "done" and',
        LINKING + "test_what_is_under_way_done_or_may_be_merging_keeps_its_pull_request",
        "a merge that GitHub was asked for lands for no record, or for another one",
    ),
    Mutant(
        "a request that only a person ended gives its pull request up",
        "bot/domain/lifecycle/stopping.py",
        "    if only_said_to_be_over(record):\n        return False\n",
        "",
        LINKING + "test_what_is_under_way_done_or_may_be_merging_keeps_its_pull_request",
        "our own merge that lands late is somebody else's in another record",
    ),
    Mutant(
        "work under way gives its pull request up",
        "bot/domain/lifecycle/stopping.py",
        "return record.withdrawn and record.phase",
        "return record.phase",
        LINKING + "test_what_is_under_way_done_or_may_be_merging_keeps_its_pull_request",
        "what was revived meanwhile loses what is judged for it",
    ),
    Mutant(
        "two records keep one pull request",
        "bot/app/transact.py",
        "            self._take_from(tx, holder)\n",
        "            pass\n",
        "scenarios/test_linking.py::"
        "test_the_pull_request_of_an_issue_that_was_withdrawn_and_deleted_is_merged_for_another_one",
        "one merge is counted for two issues",
    ),
    Mutant(
        "a pull request is taken over by itself",
        "bot/domain/lifecycle/pulls.py",
        "if pull is None or turn.facts.linked_elsewhere is not None:",
        "if pull is None or (turn.facts.linked_elsewhere is not None and not turn.facts.may_be_taken):",
        LINKING + "test_by_itself_nothing_is_taken_over",
        "a closing keyword takes from a record what somebody linked to it",
    ),
)
