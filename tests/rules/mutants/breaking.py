"""Defects that somebody who tries to break it lives from (tests/breaking)."""

from tests.rules.mutants.mutant import Mutant

STRANGERS = "breaking/test_strangers.py::"
CONNECTIONS = "breaking/test_connections.py::"

BREAKING = (
    Mutant(
        "who pushed is not asked anew for another base",
        "bot/domain/lifecycle/pulls.py",
        'turn.set(pull=with_pushers(turn, doubted, turn.record.head or ""))',
        "pass",
        "breaking/test_separation.py::"
        "test_who_pushed_what_another_base_had_does_not_approve_it_where_the_base_has_it_not",
        "what a pull request was stacked on is approved by whoever wrote it",
    ),
    Mutant(
        "strangers are answered each time",
        "bot/app/comments.py",
        "_is_denial(outcomes) or await self._is_stranger(repo, comment)",
        "_is_denial(outcomes)",
        STRANGERS + "test_a_stranger_is_answered_once_an_hour_whatever_they_write_and_a_reviewer_each_time",
        "anybody makes us post as many comments as they do",
    ),
    Mutant(
        "a stranger is answered in one thread only",
        "bot/app/comments.py",
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
)
