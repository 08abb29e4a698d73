"""`NOTIFY_URL`: operators are called outside of GitHub too, once for each thing that needs them, and nothing waits for it."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from inline_snapshot import snapshot

from bot.domain.model.ids import RecordKey
from tests.kit.change import Change, begun
from tests.kit.town import HOOK, Town

pytestmark = pytest.mark.anyio


class Hook(httpx.MockTransport):
    """What stands behind the address: `heard` is every document that arrived, `answer` what it says to the next."""

    def __init__(self, answer: Callable[[], httpx.Response] = lambda: httpx.Response(200)) -> None:
        super().__init__(self._take)
        self.heard: list[Any] = []
        self.answer = answer

    def _take(self, request: httpx.Request) -> httpx.Response:
        assert (request.method, str(request.url)) == ("POST", HOOK)
        self.heard.append(json.loads(request.content))
        return self.answer()

    @property
    def said(self) -> list[str]:
        return [one["text"] for one in self.heard]


async def test_a_blocked_record_calls_operators_and_says_where(town: Town) -> None:
    hook = Hook()
    town.calls_operators(hook)
    change = await begun(town, "testing")
    assert hook.heard == []

    await change.on_pull("grace", "/block Is the token <b>hunter2</b>?")
    change.notices()

    (document,) = hook.heard
    assert document | {"at": "now"} == snapshot(
        {
            "event": "operator_needed",
            "id": "call:1004#1:question:5:q1",
            "repository": "octo/app",
            "repository_id": 1004,
            "issue": 1,
            "cause": "question",
            "phase": "blocked",
            "version": 5,
            "pull_request": 2,
            "at": "now",
            "url": "https://signalbox.example/lifecycles/octo/app/1",
            "text": "octo/app#1 needs an operator: a question waits for an answer. https://signalbox.example/lifecycles/octo/app/1",
        }
    )
    assert "hunter2" not in repr(document)


async def test_each_further_question_calls_again_and_an_answer_does_not(town: Town) -> None:
    hook = Hook()
    town.calls_operators(hook)
    change = await begun(town, "building")
    await change.on_issue("grace", "/block Which store?")
    await change.on_issue("ada", "/block And whose key?")

    await change.on_issue("omar", "/answer q1 The old one.")
    await change.on_issue("omar", "/answer q2 Ours.")
    await change.on_issue("omar", "/resume building")
    await town.later(minutes=20)
    change.notices()

    assert hook.said == snapshot(
        [
            "octo/app#1 needs an operator: a question waits for an answer. https://signalbox.example/lifecycles/octo/app/1",
            "octo/app#1 needs an operator: a question waits for an answer. https://signalbox.example/lifecycles/octo/app/1",
        ]
    )


async def test_an_address_that_does_not_answer_holds_up_nothing_and_is_called_again(town: Town) -> None:
    hook = Hook(lambda: httpx.Response(503))
    town.calls_operators(hook)
    change = await begun(town, "building")
    await change.on_issue("grace", "/block Which store?")

    said = await change.on_issue("lin", "/approve r1")
    replied = change.reply(said) is not None
    await town.later(minutes=2, stride=30)
    hook.answer = _times_out
    await town.later(minutes=5, stride=30)
    hook.answer = lambda: httpx.Response(204)
    await town.later(minutes=60, stride=60)
    change.notices()

    assert replied
    assert len(hook.heard) > 3
    assert len({one["id"] for one in hook.heard}) == 1
    calls = len(hook.heard)
    await town.later(minutes=90, stride=60)
    assert len(hook.heard) == calls
    await _tells_no_address(town, change)


def _times_out() -> httpx.Response:
    raise httpx.ReadTimeout(f"no answer from {HOOK}")


@pytest.mark.parametrize("status", [302, 401, 404, 410])
async def test_an_address_that_refuses_is_not_called_again(town: Town, status: int) -> None:
    """threats.md, T19."""
    hook = Hook(lambda: httpx.Response(status, headers={"location": "http://169.254.169.254/"}))
    town.calls_operators(hook)
    town.expected_errors.add("call_failed")
    change = await begun(town, "building")

    await change.on_issue("grace", "/block Which store?")
    await town.later(minutes=30, stride=60)
    change.notices()

    assert len(hook.heard) == 1
    assert [line[:2] for line in town.log.lines if line[1] == "call_failed"] == [("error", "call_failed")]
    await _tells_no_address(town, change)


async def _tells_no_address(town: Town, change: Change) -> None:
    """The address may hold a secret: no log and no row names it."""
    key = RecordKey(town.repo.id, change.issue.number)
    rows = [row for row in await town.store.read(lambda tx: tx.effects.of(key)) if row.effect.kind == "call"]
    assert len(rows) == 1
    assert "not-to-be-told" not in repr(town.log.lines) + repr(rows)


async def test_a_merge_that_nobody_knows_of_calls_once_its_window_is_over(town: Town) -> None:
    hook = Hook()
    town.calls_operators(hook)
    change = await begun(town, "almost")
    await change.unknown()
    assert hook.heard == []

    town.world.fails("pull", 502, times=None)
    await town.later(minutes=40, stride=120)
    change.notices()

    assert hook.said == snapshot(
        [
            "octo/app#1 needs an operator: it is not known whether it was merged. https://signalbox.example/lifecycles/octo/app/1"
        ]
    )


async def test_a_suspended_installation_calls_once_for_all_its_records(town: Town) -> None:
    hook = Hook()
    town.calls_operators(hook)
    await begun(town, "planning")
    await begun(town, "planning", "Another one")

    town.world.suspends()
    await town.settles()

    assert hook.said == snapshot(
        [
            "octo/app#1 needs an operator: the App has no access to the repository, or it is archived. https://signalbox.example/lifecycles/octo/app/1"
        ]
    )


async def test_what_github_does_not_say_for_an_hour_calls_an_operator_and_goes_on_by_itself(town: Town) -> None:
    """threats.md, T26: somebody has to know, since it may be that it never will."""
    hook = Hook()
    town.calls_operators(hook)
    change = await begun(town, "almost")
    await change.on_pull("omar", "/gate submit c1", heard=False)
    await town.hears()
    town.world.fails("permission", 500, times=None)
    await town.later(minutes=45, stride=900)
    before = change.waits, list(hook.said)
    await town.later(minutes=60, stride=600)

    assert before == ("Nobody needs to do anything. Waiting for GitHub: GitHub did not show all that is needed.", [])
    told = town.unread(change.pull)
    assert [town.reads(one) for one in told] == snapshot(
        [
            """\
**An operator is needed: GitHub has not said for an hour what the merge of `c1` needs.**
GitHub did not show all that is needed; this is so since 30 Nov 2024, hh:mm UTC (Why and history).
Nothing was merged, and nothing that was approved is lost.
It goes on by itself once GitHub says it.
Does the App lack a permission to read it? An operator finds that out with `signalbox doctor`.
Or an operator sends it back with `/rework` and why, or withdraws it with `/cancel` and why.\
"""
        ]
    )
    assert (change.waits, change.row("Merge"), hook.said) == snapshot(
        (
            "Waiting for **an operator**: GitHub did not show all that is needed; this is so since 30 Nov 2024, hh:mm UTC.",
            "❌ Merge: GitHub did not show all that is needed; this is so since 30 Nov 2024, hh:mm UTC · an operator: find out why, with `signalbox doctor`; it goes on by itself once GitHub says it",
            [
                "octo/app#1 needs an operator: GitHub has not said for an hour what its merge needs. https://signalbox.example/lifecycles/octo/app/1"
            ],
        )
    )
    assert town.merges() == []
    town.world.heals()
    await town.later(minutes=11, stride=330)
    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")
    assert town.reads(told[0]).startswith("**Settled**: GitHub merged it as `m1`")
