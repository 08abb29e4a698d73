"""What one text says beside a stop that was not counted gives no authority, however the stop was missed."""

import pytest

from bot.domain.commands.contradicting import doubt_after, doubt_at_first, may_stop, stopped_by_itself
from bot.domain.commands.reading import Thread, interpret
from bot.domain.model.policy import STRICT
from bot.domain.model.refusals import Refusal, RefusalCode
from tests.domain.commands.kit import a_comment, issue, pull

GATE = "/gate submit 3f2a91c84e07"


def refused_beside(text: str, thread: Thread | None = None) -> list[str]:
    """The commands of this text that do not count for what stands beside them, before any of it is brought."""
    thread = thread or pull()
    said = a_comment(text, thread)
    heard = interpret(said, thread, STRICT)
    items, doubt = heard.items, doubt_at_first(said, None, heard)
    return [item.source.text for place, item in enumerate(items) if stopped_by_itself(items, place, doubt) is not None]


@pytest.mark.parametrize(
    "stop",
    ["/reject", "/rework", "/block", "/replan", "/cancel", "/rejct it loses data", "/signalbox rewrk it loses data"],
)
@pytest.mark.parametrize("text", ["{gate}\n{stop}", "{stop}\n{gate}"], ids=["below", "above"])
def test_a_gate_does_not_count_beside_a_stop_that_cannot_be_read(stop: str, text: str) -> None:
    assert refused_beside(text.format(gate=GATE, stop=stop)) == [GATE]


@pytest.mark.parametrize("stop", ["/hold not today", "/hodl not today", "/reject", "/signalbox cancel"])
def test_an_approval_above_a_refused_plan_does_not_count_where_a_stop_stands_below_it(stop: str) -> None:
    assert refused_beside(f"/approve r1\n/plan\nRetry twice.\n{stop}", issue()) == ["/approve r1"]
    assert refused_beside(f"{GATE}\n/plan\nRetry twice.\n{stop}") == [GATE]


def test_an_approval_counts_above_a_refused_plan_that_stops_nothing() -> None:
    assert refused_beside("/approve r1\n/plan\nRetry twice.\n/status", issue()) == []


def test_a_stop_in_a_plan_that_is_submitted_is_text_of_the_plan() -> None:
    said = a_comment("/plan\nRetry twice, until\n/hold is said", issue())
    assert doubt_at_first(said, None, interpret(said, issue(), STRICT)) is None


@pytest.mark.parametrize("beside", ["/priority", "/aprove", "/status", "/answer"])
def test_a_gate_counts_beside_what_is_no_stop(beside: str) -> None:
    assert refused_beside(f"{GATE}\n{beside}") == []


@pytest.mark.parametrize(
    ("code", "doubt"),
    [
        ("not_allowed", "refused"),
        ("wrong_phase", "refused"),
        ("head_moved", "refused"),
        ("could_not_verify", "unverified"),
        ("held", None),
        ("already_recorded", None),
    ],
)
def test_a_stop_that_was_refused_casts_doubt_unless_it_stands_already(code: RefusalCode, doubt: str | None) -> None:
    (hold,) = interpret(a_comment("/hold until noon", pull()), pull(), STRICT).items
    found = doubt_after(hold, Refusal(code=code, message="No."))
    assert (found.why if found else None) == doubt


@pytest.mark.parametrize(
    ("text", "read_again"),
    [
        *(
            (text, True)
            for text in ("/hold", "/reject slow", "/rework slow", "/block why?", "/replan slow", "/cancel no")
        ),
        *((text, True) for text in ("/revoke", "/link #12", "/unlink", "/hodl", f"{GATE}\n/hold")),
        *((text, False) for text in (GATE, "/approve", "/unhold", "/merge", "I see")),
    ],
)
def test_whatever_may_stop_is_read_again_before_the_merge(text: str, read_again: bool) -> None:
    assert may_stop(interpret(a_comment(text, pull()), pull(), STRICT).items) is read_again
