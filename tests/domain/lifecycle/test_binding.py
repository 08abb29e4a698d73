"""What a comment speaks about: the head and gate it names, or what was shown strictly before it was written."""

from datetime import datetime
from typing import Any

import pytest

from bot.domain.gates.gate import void_because
from tests.kit.cases import (
    advanced,
    approves,
    judge,
    opens_gate,
    pull_facts,
    refusal,
    showed,
    verdict,
)
from tests.kit.records import (
    HEAD,
    NEW_HEAD,
    OLD_HEAD,
    at,
    decided,
    in_testing,
)
from tests.kit.verdicts import OPENED, SECOND, TESTING, pushed


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (TESTING, None),
        ({"gate": "submit", "sha": HEAD[:12]}, "stale_comment"),
        ({"gate": "testing", "sha": OLD_HEAD[:12]}, "head_moved"),
        ({"gate": "testing", "sha": HEAD[:12].upper()}, None),
        ({"sha": HEAD[:12]}, "stale_comment"),
        ({"gate": "testing"}, "stale_comment"),
        ({}, "stale_comment"),
    ],
)
def test_before_anything_was_shown_only_the_explicit_form_counts(said: dict[str, Any], code: str | None) -> None:
    result = judge(in_testing(), approves("grace", **said))
    assert verdict(result) == code


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ({}, None),
        ({"gate": "submit"}, "stale_comment"),
        ({"round": 4}, "stale_comment"),
        ({"head": OLD_HEAD}, "stale_comment"),
        ({"epoch": 2}, "stale_comment"),
        ({"gate": None}, "stale_comment"),
        ({"thread": "issue"}, "stale_comment"),
        ({"updated_at": at("14:00:59")}, None),
        ({"updated_at": at("14:01")}, "stale_comment"),
        ({"updated_at": at("14:05")}, "stale_comment"),
    ],
    ids=str,
)
@pytest.mark.parametrize("said", [{}, {"gate": "testing"}, {"sha": HEAD[:12]}], ids=["bare", "gate", "sha"])
def test_the_short_form_is_about_what_was_shown_strictly_before_it(
    row: dict[str, Any], code: str | None, said: dict[str, Any]
) -> None:
    record = in_testing()
    seen = showed(record, "testing", at("13:00")).model_copy(update=row)
    result = judge(record, approves("grace", at("14:01"), **said), shown=(seen,))
    assert verdict(result) == code


def test_the_newest_row_before_the_comment_is_what_it_is_about() -> None:
    record = in_testing()
    now, then = showed(record, "testing", at("13:30")), showed(record, "testing", at("13:00"), head=OLD_HEAD)
    assert verdict(judge(record, approves("grace", at("14:00")), shown=(now, then))) is None
    assert refusal(judge(record, approves("grace", at("13:20")), shown=(now, then))) == "stale_comment"


@pytest.mark.parametrize(
    ("written", "code"), [(OPENED - SECOND, "stale_comment"), (OPENED, "stale_comment"), (OPENED + SECOND, None)]
)
@pytest.mark.parametrize("who", ["grace", "omar"])
def test_no_decision_counts_for_a_gate_that_opened_after_it_was_written(
    written: datetime, code: str | None, who: str
) -> None:
    signal = approves("grace", written, **TESTING) if who == "grace" else opens_gate("omar", written, **TESTING)
    assert verdict(judge(in_testing(), signal)) == code


def test_a_push_between_writing_and_handling_is_booked_and_the_approval_is_not() -> None:
    result = judge(in_testing(), approves("grace", **TESTING), pull=pull_facts(in_testing(), head_sha=NEW_HEAD))
    assert refusal(result) in {"head_moved", "wrong_phase", "stale_comment"}
    record = result.record  # type: ignore[union-attr]  # an Advance with a refusal
    assert (record.head, record.head_epoch) == (NEW_HEAD, 4)
    assert not [d for d in record.decisions if d.gate == "testing" and d.void is None]


def test_what_was_approved_does_not_count_again_when_the_head_comes_back() -> None:
    record = decided(in_testing(), ("testing", "review", "grace", at("13:00")))
    away = advanced(judge(record, pushed(HEAD, NEW_HEAD), pull=pull_facts(record, head_sha=NEW_HEAD)))
    back = advanced(judge(away, pushed(NEW_HEAD, HEAD), pull=pull_facts(record, head_sha=HEAD)))
    assert (back.phase, back.head, back.head_epoch) == ("testing", HEAD, 5)
    assert not [d for d in back.decisions if d.gate == "testing" and void_because(back, d) is None]


def test_digits_that_begin_more_than_one_known_head_name_none() -> None:
    twin = HEAD[:9] + "0" * 31
    record = in_testing(rejected_heads=(twin,))
    short = approves("grace", gate="testing", sha=HEAD[:8])
    assert refusal(judge(record, short)) == "ambiguous_sha"
    assert verdict(judge(record, approves("grace", gate="testing", sha=HEAD[:12]))) is None
    assert verdict(judge(in_testing(), short)) is None
