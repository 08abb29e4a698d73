"""Heads, bases, drafts, closing and linking: events are hints, the read decides, epochs are never under-counted."""

from typing import Any

import pytest

from bot.domain.lifecycle.results import Ignore
from bot.domain.model.linked import TriedCandidate, UnexplainedHead
from bot.domain.model.record import Record
from bot.domain.model.sightings import DraftChanged, PullClosed, PullReopened, PullRetargeted
from tests.kit.cases import (
    SILENT,
    actor,
    advanced,
    declares,
    events,
    judge,
    pull_facts,
    refusal,
    runs,
    waits,
)
from tests.kit.pushes import TICK, at_head, pushed
from tests.kit.records import (
    HEAD,
    NEW_HEAD,
    OLD_HEAD,
    PEOPLE,
    a_pull,
    approved,
    authorised,
    in_testing,
    linked,
    merging,
)

# Heads and epochs.


@pytest.mark.parametrize(
    "record", [in_testing(), authorised(), merging("reserved", locked=True)], ids=["testing", "submit", "reserved"]
)
def test_a_push_voids_what_was_decided_and_releases_what_was_reserved(record: Record) -> None:
    result = judge(record, pushed(), **at_head(record, NEW_HEAD))
    assert events(result)[0] == "head_moved"
    after = advanced(result)
    assert (after.phase, after.head, after.head_epoch, after.merge.state) == ("testing", NEW_HEAD, 4, "none")
    assert not [d for d in after.decisions if d.gate != "plan" and d.void is None]
    assert after.gates_opened.testing.round > record.gates_opened.testing.round


@pytest.mark.parametrize(
    ("booked", "open_question", "signal", "read", "epochs"),
    [
        (HEAD, None, pushed(), NEW_HEAD, 1),
        (HEAD, None, pushed(NEW_HEAD, HEAD), HEAD, 1),
        (HEAD, None, pushed(HEAD, OLD_HEAD), NEW_HEAD, 1),
        (NEW_HEAD, (HEAD, NEW_HEAD), pushed(), NEW_HEAD, 0),
        (NEW_HEAD, (OLD_HEAD, NEW_HEAD), pushed(), NEW_HEAD, 1),
        (HEAD, None, TICK, NEW_HEAD, 1),
        (HEAD, None, TICK, HEAD, 0),
        (HEAD, None, PullReopened(key="r", actor=actor("ada"), pull=34), HEAD, 1),
    ],
    ids=[
        "push",
        "there and back",
        "another push behind it",
        "explained",
        "not this one",
        "a look",
        "no news",
        "reopened",
    ],
)
def test_the_epoch_counts_every_move_and_the_push_that_explains_one_counts_nothing(
    booked: str, open_question: tuple[str, str] | None, signal: Any, read: str, epochs: int
) -> None:
    unexplained = UnexplainedHead(before=open_question[0], after=open_question[1]) if open_question else None
    record = linked(head=booked, unexplained_head=unexplained, pull=a_pull(draft=True))
    result = judge(record, signal, **at_head(record, read, draft=True))
    after = record if isinstance(result, Ignore) else advanced(result)
    assert (after.head, after.head_epoch - record.head_epoch) == (read, epochs)


def test_a_head_that_nothing_explains_waits_for_the_push_that_does() -> None:
    record = linked(pull=a_pull(draft=True))
    looked = advanced(judge(record, TICK, **at_head(record, NEW_HEAD, draft=True)))
    assert looked.unexplained_head == UnexplainedHead(before=HEAD, after=NEW_HEAD)
    after = advanced(judge(looked, pushed(by="lin"), **at_head(looked, NEW_HEAD, draft=True)))
    assert after.unexplained_head is None
    assert PEOPLE["lin"] in (after.pull.pushers if after.pull else ())


def test_who_pushed_is_remembered_as_somebody_who_fills_no_seat() -> None:
    after = advanced(judge(in_testing(), pushed(by="lin"), **at_head(in_testing(), NEW_HEAD)))
    assert after.pull is not None
    assert after.pull.pushers == (PEOPLE["ada"], PEOPLE["lin"])


def test_a_pull_request_that_cannot_be_read_is_looked_at_again_and_nothing_is_assumed() -> None:
    assert waits(judge(in_testing(), pushed(), pull=SILENT))


# Bases, closing, drafts.


@pytest.mark.parametrize(
    ("signal", "read", "event"),
    [
        (
            PullRetargeted(key="r", actor=actor("ada"), pull=34, before="main", after="next"),
            {"base_ref": "next"},
            "retargeted",
        ),
        (PullClosed(key="c", actor=actor("ada"), pull=34), {"open": False}, "pull_request_closed"),
        (TICK, {"base_ref": "next"}, "retargeted"),
        (TICK, {"open": False}, "pull_request_closed"),
    ],
    ids=["retargeted", "closed", "found retargeted", "found closed"],
)
@pytest.mark.parametrize(
    "record", [in_testing(), authorised(), merging("reserved", locked=True)], ids=["testing", "submit", "reserved"]
)
def test_another_base_or_a_closed_pull_request_sends_the_head_back(
    record: Record, signal: Any, read: dict[str, Any], event: str
) -> None:
    result = judge(record, signal, pull=pull_facts(record, **read))
    assert events(result)[0] == event
    after = advanced(result)
    assert after.merge.state == "none"
    assert not [d for d in after.decisions if d.gate != "plan" and d.void is None]


def test_a_pull_request_that_is_gone_counts_as_closed() -> None:
    assert events(judge(in_testing(), PullClosed(key="c", actor=actor("ada"), pull=34), pull=None)) == [
        "pull_request_closed"
    ]


def test_a_draft_is_never_merged() -> None:
    drafted = DraftChanged(key="d", actor=actor("ada"), pull=34, draft=True)
    record = merging("reserved", locked=True)
    after = advanced(judge(record, drafted, pull=pull_facts(record, draft=True)))
    assert (after.phase, after.merge.state) == ("submit", "none")


# Candidates.


@pytest.mark.parametrize(
    ("change", "read", "phase"),
    [
        ({}, {}, "testing"),
        ({}, {"draft": True}, "building"),
        ({"tried": (TriedCandidate(head=HEAD, epoch=3, base="main"),)}, {}, "building"),
        ({"tried": (TriedCandidate(head=HEAD, epoch=2, base="main"),)}, {}, "testing"),
        ({"rejected_heads": (HEAD,)}, {}, "building"),
        ({"withdrawn": True}, {}, "building"),
        ({"frozen": "suspended"}, {}, "building"),
    ],
    ids=["offered", "draft", "tried", "tried in another epoch", "rejected", "withdrawn", "frozen"],
)
def test_which_head_becomes_a_candidate_by_itself(change: dict[str, Any], read: dict[str, Any], phase: str) -> None:
    record = linked(**change, pull=a_pull(draft=not read.get("draft", False)))
    ready = DraftChanged(key="d", actor=actor("ada"), pull=34, draft=False)
    result = judge(record, ready, pull=pull_facts(record, **{"draft": False} | read))
    after = record if isinstance(result, Ignore) else advanced(result)
    assert after.phase == phase


def test_a_head_with_a_red_check_is_no_candidate() -> None:
    red = runs(build="failure", lint="success", unit="success", types="success")
    record = linked(pull=a_pull(draft=True))
    ready = DraftChanged(key="d", actor=actor("ada"), pull=34, draft=False)
    after = advanced(judge(record, ready, pull=pull_facts(record, draft=False), checks=red))
    assert (after.phase, after.red_head) == ("building", HEAD)
    assert refusal(judge(record, declares("ada"), checks=red)) == "checks_missing"


def test_a_builder_declares_a_draft_and_a_rejected_head() -> None:
    record = linked(pull=a_pull(draft=True), rejected_heads=(HEAD,))
    assert advanced(judge(record, declares("ada", HEAD[:12]))).phase == "testing"
    assert refusal(judge(record, declares("ada", OLD_HEAD[:12]))) == "head_moved"
    assert refusal(judge(record, declares("forge-1"))) == "not_allowed"
    assert refusal(judge(record, declares("ada"), level={"ada": SILENT})) == "could_not_verify"
    assert refusal(judge(approved(), declares("ada"))) == "not_linked"
