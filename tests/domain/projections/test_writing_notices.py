"""When notices are written: created once, edited while they stand, closed for good."""

import pytest

from bot.domain.model.effects import CreateComment, UpdateComment
from bot.domain.model.slot_name import SlotName
from bot.domain.projections.notices import hidden, notices
from bot.domain.projections.plan import GONE, OVER, REFUSED, LastWritten, plan, told
from bot.domain.projections.show import DesiredComment
from tests.kit.records import in_submit
from tests.kit.shows import show
from tests.kit.told import TURN, ready


def turn_notice() -> DesiredComment:
    (wanted,) = notices(show(ready()))
    return wanted


def last_text() -> DesiredComment:
    (wanted,) = (each for each in notices(show(in_submit(), told={TURN: True})) if each.life == "over")
    return wanted


def test_a_notice_is_created_once_and_edited_only_to_say_something_else() -> None:
    wanted = turn_notice()
    (first,) = plan([wanted], {})
    assert isinstance(first.write, CreateComment)
    assert first.write.body.endswith(first.write.marker)
    assert plan([wanted], {wanted.slot: LastWritten(5, first.digest)}) == ()
    (again,) = plan([wanted], {wanted.slot: LastWritten(5, "of another text")})
    assert isinstance(again.write, UpdateComment)


@pytest.mark.parametrize("extra", [OVER, GONE])
@pytest.mark.parametrize("wanted", [turn_notice(), last_text()], ids=["due again", "over"])
def test_a_notice_that_is_over_or_deleted_never_comes_back(wanted: DesiredComment, extra: str) -> None:
    assert plan([wanted], {wanted.slot: LastWritten(5, None, extra)}) == ()
    assert plan([wanted], {wanted.slot: LastWritten(None, None, extra)}) == ()


def test_the_last_text_is_an_edit_and_says_that_the_notice_is_over() -> None:
    wanted = last_text()
    (step,) = plan([wanted], {wanted.slot: LastWritten(5, "whatever")})
    assert (step.write, step.extra) == (UpdateComment(comment_id=5, body=wanted.body), OVER)


def test_a_notice_that_was_never_written_gets_no_last_text() -> None:
    assert plan([last_text()], {}) == ()


def test_what_github_refused_is_tried_again_only_with_another_text() -> None:
    wanted = turn_notice()
    (first,) = plan([wanted], {})
    assert plan([wanted], {wanted.slot: LastWritten(None, first.digest, REFUSED)}) == ()
    (again,) = plan([wanted], {wanted.slot: LastWritten(None, "of another text", REFUSED)})
    assert isinstance(again.write, CreateComment)


def test_what_was_told_is_read_from_the_slots() -> None:
    slots = {
        SlotName.notice("a"): None,
        SlotName.notice("b"): OVER,
        SlotName.notice("c"): GONE,
        SlotName.notice("d"): REFUSED,
        "comment:issue": None,
    }
    assert told(slots) == {"a": True, "b": False, "c": False, "d": True}


def test_a_notice_is_hidden_once() -> None:
    effect = hidden(ready(), 5)
    assert (effect.kind, effect.once) == ("minimize", "minimize:1:5")
    assert effect.write.model_dump()["comment_id"] == 5
