"""The last text of a notice: how its cause ended, and by whom."""

import pytest

from bot.domain.model.ids import SIGNALBOX, Actor
from bot.domain.model.policy import Policy
from bot.domain.model.record import Held, Record
from bot.domain.projections.notices import notices
from bot.domain.projections.show import Happened
from tests.kit.records import OLD_HEAD, PEOPLE, POLICY, at, in_submit, in_testing, linked, merging
from tests.kit.shows import show
from tests.kit.told import AMBIGUOUS, OMAR, RELEASE, TURN, change, left, outside, ready, stopped


def end(record: Record, cause: str, *history: Happened, policy: Policy = POLICY) -> str:
    """What is left of a notice, without the link below it."""
    wanted = [
        each
        for each in notices(show(record, policy=policy, told={cause: True}, history=history))
        if each.life == "over"
    ]
    ((line, link),) = [each.text.splitlines() for each in wanted]
    assert link == "[Why and history](https://signalbox.example/lifecycles/octo/app/12)"
    return line


BLOCKED = "blocked:12:7:q1"
MOVED = "the head moved from `51d0c7e` to `9be04d1` while it was blocked"
ENDS_OF_A_BLOCK = {
    "resumed": (left("building", "resume_unchanged", "resumed in building"), "`omar` resumed it in **building**."),
    "resumed elsewhere": (
        left("building", "resume_building", f"resumed in building, not in testing: {MOVED}"),
        f"`omar` resumed it in **building**, not **testing**: {MOVED}.",
    ),
    "retry": (
        left("building", "retry", "budgets are fresh"),
        "`omar` allowed more tries, and it goes on in **building**.",
    ),
    "withdrawn": (
        change(9, "/withdrawn", True, from_="blocked", to="blocked"),
        "`omar` withdrew it.",
    ),
    "another question": (
        change(9, "/questions/1", {"id": "q2"}, from_="blocked", to="blocked"),
        "`omar` asked another question, and a newer notice lists all that are open.",
    ),
    "not known any more": (change(9, "/priority", 1), "it is not blocked any more."),
}


@pytest.mark.parametrize(("row", "said"), ENDS_OF_A_BLOCK.values(), ids=ENDS_OF_A_BLOCK.keys())
def test_a_block_that_is_over_says_how_and_by_whom(row: Happened, said: str) -> None:
    assert end(in_testing(), BLOCKED, change(7, "/blocked", {}), row) == f"**Settled**: {said}"


def test_a_block_ended_by_a_merge_names_the_merge() -> None:
    row = left("done", "merged_externally", "merged outside Signalbox by `lin`", SIGNALBOX)
    assert (
        end(outside(), BLOCKED, row)
        == "**Settled**: `lin` merged it outside Signalbox as [`c0ffee1`](https://github.com/octo/app/commit/c0ffee1)."
    )


def test_a_merge_outside_is_settled_by_whoever_settled_it() -> None:
    row = left("done", "settled", "settled as merged by omar")
    assert end(outside(), "outside:12:7:q0", row) == "**Settled**: `omar` settled it as merged."


ASKED = change(17, "/merge/attempt", "r-39.1", SIGNALBOX)


def refused(detail: str, by: Actor = SIGNALBOX) -> Happened:
    return change(19, "/merge/state", "refused", by, event="merge_refused", detail=detail)


ENDS_OF_DOUBT = {
    "by a person": (
        refused("GitHub refused: settled as unmerged by omar", OMAR),
        "`omar` settled it as unmerged. Only a new human gate leads to the next request.",
    ),
    "by a person who says why": (
        refused("settled as unmerged by `omar`: `I looked`", OMAR),
        "`omar` settled it as unmerged: `I looked`. Only a new human gate leads to the next request.",
    ),
    "by proof": (
        refused("proven unmerged by two reads until 14:20 UTC"),
        "it was not merged: later reads of both sides prove that the request is dead.",
    ),
    "by proof, as it was written before": (
        refused("GitHub refused: proven unmerged by two reads until 14:20 UTC"),
        "it was not merged: later reads of both sides prove that the request is dead.",
    ),
    "by GitHub": (
        refused("GitHub refused: @org/team fixes #1"),
        "GitHub did not merge it: `@org/team fixes #1`.",
    ),
}


@pytest.mark.parametrize(("row", "said"), ENDS_OF_DOUBT.values(), ids=ENDS_OF_DOUBT.keys())
def test_an_unknown_merge_that_is_known_now_says_how(row: Happened, said: str) -> None:
    before = change(3, "/merge/state", "refused", detail="GitHub refused: earlier")
    assert end(in_testing(), AMBIGUOUS, before, ASKED, row) == f"**Settled**: {said}"


def test_an_unknown_merge_that_landed_names_the_commit() -> None:
    landed = change(19, "/merge/state", "merged", SIGNALBOX, from_="submit", to="done", event="merge_confirmed")
    record = merging("confirming", attempt="r-39.1", sha="b81d0e2" + "0" * 33)
    merge = record.merge.model_copy(update={"state": "merged"})
    done = record.model_copy(update={"phase": "done", "merge": merge})
    assert (
        end(done, AMBIGUOUS, ASKED, landed)
        == "**Settled**: GitHub merged it as [`b81d0e2`](https://github.com/octo/app/commit/b81d0e2); "
        "the pull request and `main` show it."
    )


def test_a_turn_ends_with_who_opened_the_gate() -> None:
    assert end(in_submit(), TURN) == "**Settled**: `omar` opened the human gate, 30 Nov 2026, 13:50 UTC."


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (
            left("building", "head_moved", "the head moved from 3f2a91c to 9be04d1", SIGNALBOX, "testing"),
            "it went from **testing** to **building**: `the head moved from 3f2a91c to 9be04d1`.",
        ),
        (
            left("building", "rework", "sent back", OMAR, "testing"),
            "it went from **testing** to **building**: sent back, by `omar`.",
        ),
        (change(9, "/withdrawn", True), "`omar` withdrew it."),
        (change(9, "/priority", 1), "the human gate of this head does not wait any more."),
    ],
)
def test_a_turn_that_was_not_taken_says_why(row: Happened, said: str) -> None:
    assert end(linked(head=OLD_HEAD), TURN, row) == f"**Settled**: {said}"


@pytest.mark.parametrize(
    "detour",
    [
        ready().model_copy(update={"held": Held(by=PEOPLE["grace"], since=at("13:45"))}),
        stopped(ready(), "question", "question q1 needs an answer", "Really?"),
        in_testing(),
    ],
    ids=["held", "blocked", "a review was revoked"],
)
def test_a_detour_does_not_end_a_turn(detour: Record) -> None:
    assert [each for each in notices(show(detour, told={TURN: True})) if each.life == "over"] == []


def test_a_merge_that_is_being_confirmed_does_not_end_the_doubt() -> None:
    record = merging("confirming", attempt="r-39.1")
    assert notices(show(record, told={AMBIGUOUS: True})) == ()


def test_a_doubt_about_ourselves_that_is_over_says_so() -> None:
    said = end(in_testing(), "frozen:12:instance_conflict:12")
    assert said == "**Settled**: no other installation of Signalbox writes here any more."
    said = end(in_testing(), "frozen:12:database_behind:12")
    assert said == "**Settled**: the versions that are lost are known to be, and it begins anew in **planning**."


def test_nobody_is_called_by_the_last_text_of_a_notice() -> None:
    assert "@" not in end(in_submit(), TURN, policy=RELEASE)
