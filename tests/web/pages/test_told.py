"""Rows of the history as sentences: who, what, which artefact, and whether it is a decision or machinery."""

from typing import Any

import pytest

from bot.app.revisions import trace
from bot.domain.model.ids import Actor, Person
from bot.domain.model.record import Decision
from bot.domain.projections.told import Step, told
from bot.ports.rows import HistoryRow
from tests.kit.records import HEAD, NEW_HEAD, a_plan, approval, at, in_testing, planned

ADA = Actor(kind="person", id=11, login="ada")
US = Actor(kind="bot", id=0, login="signalbox")


def step(**changes: Any) -> Step:
    fields: dict[str, Any] = {"event": "noted", "actor": ADA, "before": "testing", "to": "testing", "head": HEAD}
    return Step(**(fields | changes))


def given(**changes: Any) -> Decision:
    return approval(in_testing(), "testing", "grace", at("13:00"), **changes)


@pytest.mark.parametrize(
    ("row", "text", "mark", "matters"),
    [
        (step(decision=given()), "`grace` approved `3f2a91c`", "go", True),
        (
            step(decision=given(kind="operator"), to="submit"),
            "`grace` opened the gate for `3f2a91c`: **submit**",
            "go",
            True,
        ),
        (
            step(decision=given(verdict="reject"), to="building"),
            "`grace` rejected `3f2a91c`: back to **building**",
            "stop",
            True,
        ),
        (step(event="head_pushed", pushed=True, epoch=3), "`ada` pushed `3f2a91c`, epoch 3", "none", True),
        (
            step(event="candidate", pushed=True, epoch=3, before="building"),
            "The head is `3f2a91c`, epoch 3: **testing**",
            "none",
            True,
        ),
        # It said "ada pushed" of somebody who had only reopened the pull request, or linked it again.
        (
            step(event="candidate", pushed=True, before="building", detail="the pull request was reopened"),
            "`ada`: the pull request was reopened: **testing**",
            "none",
            True,
        ),
        # Whoever wrote the word at which a new head was found did not push it.
        (
            step(event="head_moved", pushed=True, to="building", detail="the head moved from `1111111` to `3f2a91c`"),
            "`ada`: the head moved from `1111111` to `3f2a91c`: back to **building**",
            "none",
            True,
        ),
        # It said "ada: candidate" of somebody who had only pushed.
        (step(event="candidate", before="building"), "`3f2a91c` is judged: **testing**", "none", True),
        (step(actor=US, checks="passed"), "Checks passed for `3f2a91c`", "go", True),
        (
            step(actor=US, checks="failed", to="building"),
            "Checks failed for `3f2a91c`: back to **building**",
            "stop",
            True,
        ),
        (step(actor=US, checks="pending", event="checks_changed"), "Checks changed", "none", False),
        (step(actor=US, event="time_came"), "Time came", "none", False),
        (step(actor=US, merge="ambiguous", detail="it is not known"), "It is not known", "stop", True),
        (step(actor=US, merge="merged", to="done", detail="merged"), "Merged: **done**", "go", True),
        (
            step(event="reserved", detail="the right to merge is reserved"),
            "The right to merge is reserved",
            "none",
            False,
        ),
        (step(detail="priority 3"), "`ada`: priority 3", "none", True),
        (step(event="head_pushed"), "`ada`: head pushed", "none", False),
        (
            step(event="started", before=None, to="planning", detail="label added"),
            "`ada` started it: **planning**",
            "none",
            True,
        ),
        (
            step(to="blocked", detail="question q1 needs an answer"),
            "`ada`: question q1 needs an answer: **blocked**",
            "stop",
            True,
        ),
        (
            step(plan=a_plan(), before="planning", to="plan_ready"),
            "`ada` submitted plan r2: **plan_ready**",
            "none",
            True,
        ),
    ],
)
def test_a_version_is_told_in_one_sentence(row: Step, text: str, mark: str, matters: bool) -> None:
    said = told(row)

    assert (said.text, said.mark, said.matters) == (text, mark, matters)


def test_a_note_says_what_a_decision_is_bound_to_and_why_it_was_made() -> None:
    rejected = told(step(decision=given(verdict="reject", reason="No `bound` @org/team", url="https://github.com/x#1")))
    planned_ = told(step(decision=approval(planned(), "plan", "grace", at("18:40"))))

    assert (
        rejected.note
        == "“``No `bound` @org/team``” · At testing, bound to epoch 3 and round 5 · [comment](https://github.com/x#1)"
    )
    assert planned_.note == "Bound to r2, digest `8c1f20b7`"
    assert told(step(plan=a_plan())).note == "[What changed since r1](#plan-r1..r2)"
    assert told(step(plan=a_plan(revision=1))).note == "[The plan](#plan-r1)"


def test_words_of_others_stay_inert() -> None:
    hostile = Actor(kind="person", id=1, login="`x` **y** <b>")

    assert told(step(actor=hostile, detail="**bold** @org/team [x](y)")).text == (
        "`` `x` **y** <b> ``: `**bold** @org/team [x](y)`"
    )


def row(version: int, patch: list[dict[str, Any]]) -> HistoryRow:
    return HistoryRow(
        version=version,
        from_="planning",
        to="planning",
        signal="noted",
        actor=ADA,
        at=at("12:00"),
        detail=None,
        delivery=None,
        patch=patch,
        policy_sha="builtin",
        machine_hash="0",
        digest="1",
        previous_digest="0",
    )


def test_former_plans_and_heads_are_found_in_the_patches() -> None:
    first, second = a_plan(revision=1), a_plan()
    changed = [
        {"op": "replace", "path": f"/plan/{name}", "value": value}
        for name, value in second.model_dump(mode="json").items()
        if name != "author"
    ]
    history = [
        row(1, [{"op": "add", "path": "/plan", "value": None}, {"op": "add", "path": "/head", "value": None}]),
        row(2, [{"op": "replace", "path": "/plan", "value": first.model_dump(mode="json")}]),
        row(3, [*changed, {"op": "replace", "path": "/plan/author/login", "value": "lin"}]),
        row(
            4, [{"op": "replace", "path": "/head", "value": HEAD}, {"op": "replace", "path": "/head_epoch", "value": 1}]
        ),
        row(
            5,
            [
                {"op": "replace", "path": "/head", "value": NEW_HEAD},
                {"op": "replace", "path": "/decisions/0/void", "value": "x"},
            ],
        ),
        row(6, [{"op": "replace", "path": "/plan/revision", "value": "of another shape"}]),
    ]

    traced = trace(history)

    assert traced.plans == {1: first, 2: second.model_copy(update={"author": Person(id=11, login="lin")})}
    assert [written.step.plan and written.step.plan.revision for written in traced.steps] == [
        None,
        1,
        2,
        None,
        None,
        None,
    ]
    assert [(written.step.pushed, written.step.head) for written in traced.steps][3:] == [
        (True, HEAD),
        (True, NEW_HEAD),
        (False, NEW_HEAD),
    ]
    assert all(written.step.decision is None for written in traced.steps)
