"""What is found moved before a merge is reserved or asked for leaves submit at once, without a webhook or the sweep."""

from datetime import timedelta
from typing import Any

import pytest

from bot.domain.model.ids import SIGNALBOX
from bot.domain.model.merge import MergeRead
from bot.domain.model.own_signals import MergeLooked
from bot.domain.model.policy import STRICT
from bot.domain.model.questions import CommitAuthorsOf
from bot.domain.model.sightings import ChecksChanged
from tests.kit.cases import MERGE_SHA, NOW, SILENT, actor, advanced, events, evidence, judge, order_of, pull_facts, runs
from tests.kit.merge_steps import ASK
from tests.kit.records import HEAD, NEW_HEAD, PEOPLE, authorised, merging


def pull(**changes: Any) -> Any:
    return pull_facts(authorised(), **changes)


#: What was judged is gone: events of the versions written, and where the record is afterwards.
GONE: dict[str, tuple[dict[str, Any], list[str], str]] = {
    "the head moved": ({"pull": pull(head_sha=NEW_HEAD)}, ["head_moved", "candidate"], "testing"),
    "the base moved": ({"pull": pull(base_ref="next")}, ["retargeted", "candidate"], "testing"),
    "it was closed": ({"pull": pull(open=False)}, ["pull_request_closed"], "building"),
    "it is gone": ({"pull": None}, ["pull_request_closed"], "building"),
    "a check is red": ({"checks": runs(build="failure", lint="success")}, ["check_failed"], "building"),
}


def test_the_method_is_the_one_of_the_rules_by_which_it_is_asked() -> None:
    """They were changed after the reservation, and ask for nothing that is missing."""
    record = merging("reserved", locked=True)
    rules = STRICT.model_copy(update={"merge": STRICT.merge.model_copy(update={"method": "rebase"})})

    order = order_of(record, judge(record, ASK, rules))

    assert (record.merge.method, order.method if order else None) == ("squash", "rebase")


@pytest.mark.parametrize(("world", "wrote", "phase"), GONE.values(), ids=[*GONE])
def test_what_is_found_moved_before_asking_leaves_submit_in_the_same_write(
    world: dict[str, Any], wrote: list[str], phase: str
) -> None:
    result = judge(merging("reserved", locked=True), ASK, **world)
    assert (events(result), advanced(result).phase) == (wrote, phase)
    assert not [d for d in advanced(result).decisions if d.gate != "plan" and d.void is None]


@pytest.mark.parametrize(("world", "wrote", "phase"), GONE.values(), ids=[*GONE])
def test_what_is_found_moved_before_reserving_leaves_submit_too(
    world: dict[str, Any], wrote: list[str], phase: str
) -> None:
    result = judge(authorised(), ChecksChanged(key="c", actor=actor("ada"), head=HEAD, name="build"), **world)
    assert (events(result)[: len(wrote)], advanced(result).phase) == (wrote, phase)


def test_somebody_else_s_merge_that_is_found_before_asking_is_done_in_the_same_write() -> None:
    record = merging("reserved", locked=True)
    merged = pull(open=False, merged=True, merge_sha=MERGE_SHA)
    lin = evidence(record, merged_by=PEOPLE["lin"], merged_by_us=False)
    after = advanced(judge(record, ASK, pull=merged, evidence=lin))
    assert (after.phase, after.merge.external, after.merge.locked) == ("done", True, False)


def test_a_look_that_could_not_be_finished_before_asking_books_nothing_half() -> None:
    record = merging("reserved", locked=True)
    unread = {CommitAuthorsOf(34): SILENT}
    after = advanced(judge(record, ASK, pull=pull(head_sha=NEW_HEAD), also=unread))
    assert (after.phase, after.head, after.head_epoch, after.merge.state) == ("submit", HEAD, 3, "none")
    assert after.unexplained_head is None
    assert after.merge.reason_code == "could_not_verify"


def test_what_is_proven_unmerged_leaves_submit_in_the_same_write() -> None:
    ended = NOW - timedelta(hours=1)
    seen = MergeRead(at=NOW - timedelta(minutes=10), merged=False, on_base=False, head=HEAD, open=False)
    record = merging("ambiguous", window_ends=ended, reads=(seen,), live_attempts=("a-1",), look_at=NOW)
    look = MergeLooked(key="", actor=SIGNALBOX, reservation=record.merge.id or "")
    neither = evidence(record, pull_merged=False, on_base=False, pull_open=False, merge_sha=None, merged_by=None)
    result = judge(record, look, pull=pull(open=False), evidence=neither)
    assert (events(result), advanced(result).phase) == (["proven_unmerged", "pull_request_closed"], "building")
