"""Whoever may do nothing here does not make us speak (LIFECYCLE.md 4.2, INTERFACE.md 6: denials once an hour)."""

from bot.simulator.model.threads import Thread
from tests.kit.stage import Stage
from tests.simulation.golden import Golden

WORDS = (
    "/gate submit",
    "/approve nonsense",
    "/resume building",
    "/reject",
    "/signalbox dance",
    "/help",
    "/merge",
    "/help",
)


def replies(golden: Golden, thread: Thread) -> int:
    app = golden.stage.world.app
    return sum(one.app is app and "signalbox:reply:" in one.body for one in thread.comments)


def test_a_stranger_is_answered_once_an_hour_whatever_they_write_and_a_reviewer_each_time() -> None:
    """One no, and the one help that is anybody's."""
    golden = Golden(Stage())
    for act in golden.acts[:5]:
        act()
        golden.rest()

    for text in WORDS:
        golden.says("zoe", golden.pull, text)
        golden.stage.settles()
    assert replies(golden, golden.pull) == 2

    for text in ("/resume building", "/reject"):
        golden.says("grace", golden.pull, text)
        golden.stage.settles()
    assert replies(golden, golden.pull) == 4


def test_an_hour_is_sixty_minutes_wherever_it_begins() -> None:
    golden = Golden(Stage())
    clock = golden.stage.world.clock
    clock.advance(60 * (59 - clock.now().minute))
    told = []

    for minutes in (0, 2, 57, 2, 58):
        clock.advance(60 * minutes)
        golden.says("zoe", golden.issue, "/signalbox approve")
        golden.stage.settles()
        told.append(replies(golden, golden.issue))

    assert told == [1, 1, 1, 2, 2]


def test_where_no_record_is_a_stranger_is_answered_once_an_hour_in_each_thread() -> None:
    golden = Golden(Stage())
    other = golden.stage.world.opens_issue("zoe", golden.repo, "Another")

    for thread in (golden.issue, golden.issue, other, other):
        golden.says("zoe", thread, "/signalbox approve")
        golden.stage.settles()

    assert (replies(golden, golden.issue), replies(golden, other)) == (1, 1)
