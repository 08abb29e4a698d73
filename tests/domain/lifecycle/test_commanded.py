"""`/merge` is kept with the record where a merge is asked for by a word: for this head and round, until somebody stops it or
GitHub says no."""

from datetime import timedelta

import pytest

from bot.domain.lifecycle.results import Advance
from bot.domain.model.command_signals import BlockWork, Hold, Revoke
from bot.domain.model.merge import Commanded
from bot.domain.model.policy import STRICT, MergeRule
from bot.domain.model.record import Record
from bot.domain.model.signals import Signal
from tests.kit.cases import NOW, SILENT, actor, advanced, judge, source
from tests.kit.merge_steps import ASK, NOT_SENT, TICK, answer, asked
from tests.kit.records import HEAD, NEW_HEAD, authorised, merging

BY_COMMAND = STRICT.model_copy(update={"merge": MergeRule(trigger="command")})
ROUND = authorised().gates_opened.submit.round
WORD = Commanded(round=ROUND, head=HEAD)
LATER = NOW + timedelta(minutes=3)


def looked_at(record: Record) -> tuple[str, Commanded | None]:
    """Its merge after the next look, and by whose word."""
    result = judge(record, TICK, BY_COMMAND, now=LATER)
    merge = (result.record if isinstance(result, Advance) else record).merge
    return merge.state, merge.commanded


def test_it_goes_on_by_itself_once_what_could_not_be_read_is_read() -> None:
    released = advanced(judge(merging("reserved", commanded=WORD), ASK, BY_COMMAND, workflows=SILENT))
    assert (released.merge.state, released.merge.reason_code) == ("none", "could_not_verify")
    assert looked_at(released) == ("reserved", WORD)


@pytest.mark.parametrize(
    "signal",
    [NOT_SENT, answer(429, message="secondary rate limit"), answer(401, message="Bad credentials")],
    ids=["never left", "rate limit", "token"],
)
def test_it_goes_on_by_itself_after_what_was_no_no(signal: Signal) -> None:
    record = asked(commanded=WORD, reserved_at=NOW - timedelta(minutes=3))
    refused = advanced(judge(record, signal, BY_COMMAND))
    assert refused.merge.state == "refused"
    assert looked_at(refused) == ("reserved", WORD)


def test_github_s_own_no_ends_it_and_is_still_said() -> None:
    refused = advanced(judge(asked(commanded=WORD), answer(422, message="Validation Failed"), BY_COMMAND))
    changed = refused.model_copy(update={"verification": authorised().verification})
    after = judge(changed, TICK, BY_COMMAND, now=LATER)
    merge = (after.record if isinstance(after, Advance) else changed).merge
    assert (merge.state, merge.commanded, merge.reason) == ("refused", None, "Validation Failed")


@pytest.mark.parametrize("word", [None, Commanded(round=ROUND - 1, head=HEAD), Commanded(round=ROUND, head=NEW_HEAD)])
def test_a_word_about_another_head_or_round_asks_for_nothing(word: Commanded | None) -> None:
    assert looked_at(merging("none", commanded=word)) == ("none", word)


STOPS: dict[str, Signal] = {
    "hold": Hold(key="h", actor=actor("grace"), source=source(NOW)),
    "block": BlockWork(key="b", actor=actor("grace"), source=source(NOW), question="Is it safe?"),
    "revoke": Revoke(key="r", actor=actor("omar"), source=source(NOW)),
}


@pytest.mark.parametrize("stop", STOPS)
def test_a_person_s_stop_ends_it(stop: str) -> None:
    stopped = advanced(judge(merging("reserved", commanded=WORD), STOPS[stop], BY_COMMAND))
    assert stopped.merge.commanded is None
