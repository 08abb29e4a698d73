"""An operator at the machine of Signalbox says what operators say on GitHub: the same rules, the same refusals, and the
record says who it was."""

from typing import Any

import pytest
from inline_snapshot import snapshot

from bot.app.operator import Means, Orders
from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio

SYNC = pytest.mark.parametrize("merge_api", ["sync"])


def _order(change: Change, verb: str, *words: str, **more: Any) -> dict[str, Any]:
    return {"repository": "octo/app", "issue": change.issue.number, "verb": verb, "words": words, **more}


def _orders(town: Town) -> Orders:
    means = Means(town.work.transactor, town.work.rules)
    return Orders(town.store, town.world.clock, town.log, lambda: means)


async def looks(change: Change, verb: str, *words: str) -> Any:
    """What it would do; nothing is stored."""
    version = (await change.record())["version"]
    answer = await _orders(change.town).look(_order(change, verb, *words), "bastion:sam")
    assert (await change.record())["version"] == version
    return answer.get("result") or answer


async def gives(change: Change, verb: str, *words: str, **more: Any) -> Any:
    answer = await _orders(change.town).give(_order(change, verb, *words, **more), "bastion:sam")
    await change.town.settles()
    return answer


async def newest(change: Change) -> Any:
    """The last row of the history that somebody at the machine caused."""
    items = (await change.town.api(f"{change.repo_path}/history"))["items"]
    return [item for item in items if item["actor"]["kind"] == "cli"][-1]


@SYNC
async def test_an_unknown_merge_is_settled_as_unmerged_from_the_terminal(town: Town) -> None:
    change = await begun(town, "almost")
    await change.unknown()
    await town.later(minutes=17, stride=340)

    seen = await looks(change, "settle", "unmerged", "I", "looked.")
    done = await gives(change, "settle", "unmerged", "I", "looked.", version=seen["version"])
    await town.later(minutes=5, stride=60)

    assert [town.shown(line) for line in seen["evidence"]] == snapshot(
        [
            "GitHub was asked at 30 Nov 2024, hh:mm UTC to merge c1, and the merge is ambiguous",
            "its answer: no answer",
            "GitHub is read until 30 Nov 2024, hh:mm UTC before anybody may settle it",
            "GitHub shows the pull request as not merged, open",
            "main does not contain it",
        ]
    )
    assert [(step["from"], step["to"], step["detail"]) for step in seen["steps"]] == snapshot(
        [("submit", "submit", "settled as unmerged by `bastion:sam`: `I looked.`")]
    )
    row = await newest(change)
    assert (row["actor"], row["detail"]) == snapshot(
        ({"kind": "cli", "id": 0, "login": "bastion:sam"}, "settled as unmerged by `bastion:sam`: `I looked.`")
    )
    assert (done["result"]["phase"], await change.merge_state(), town.asked("merge")) == ("submit", "refused", 1)
    change.notices()
    await change.merges()
    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")


@SYNC
async def test_a_merge_that_github_does_not_show_is_not_settled_from_the_terminal_either(town: Town) -> None:
    change = await begun(town, "almost")
    await change.unknown()
    early = await looks(change, "settle", "unmerged", "I", "looked.")
    await town.later(minutes=17, stride=340)

    wrong = await looks(change, "settle", "merged", "d" * 40)
    given = await gives(change, "settle", "merged", "d" * 40, version=wrong["version"])

    assert [town.shown(found["refusal"]["message"]) for found in (early, wrong)] == snapshot(
        [
            """\
GitHub is still read until 30 Nov 2024, hh:mm UTC: a request that was sent may land late. Nothing changed.
After that an operator can settle it.\
""",
            """\
GitHub shows the pull request open, so nothing of it is merged yet. Nothing changed.
It is read again by itself; a request that was sent may still land.\
""",
        ]
    )
    assert (given["error"]["code"], await change.merge_state()) == ("settle_mismatch", "ambiguous")
    assert (await change.record())["last_refusal"] is None
    change.notices()


async def test_blocked_work_is_resumed_from_the_terminal(town: Town) -> None:
    change = await begun(town, "testing")
    await change.on_pull("grace", "/block Which key store holds the old key?")
    change.notices()

    possible = await looks(change, "resume")
    seen = await looks(change, "resume", "testing")
    done = await gives(change, "resume", "testing", version=seen["version"])

    assert possible["refusal"]["message"] == snapshot(
        "Name the phase to go on in. Possible now: `/resume planning`, `/resume building`, `/resume testing`. Nothing changed."
    )
    assert [town.shown(line) for line in seen["evidence"]] == snapshot(
        [
            "blocked in testing since 30 Nov 2024, hh:mm UTC: question q1 needs an answer",
            "question q1 is open: Which key store holds the old key?",
            "GitHub shows pull request #2 open, head c1",
        ]
    )
    assert (done["result"]["phase"], change.phase, (await newest(change))["actor"]["login"]) == (
        "testing",
        "testing",
        "bastion:sam",
    )
    assert change.notices() == snapshot([])


async def test_what_changed_since_it_was_looked_at_is_not_done(town: Town) -> None:
    change = await begun(town, "testing")
    await change.on_pull("grace", "/block Which key store holds the old key?")
    seen = await looks(change, "resume", "testing")
    await change.on_issue("omar", "/answer The new one.")

    refused = await gives(change, "resume", "testing", version=seen["version"])

    assert refused["error"]["code"] == "version_conflict"
    assert refused["error"]["message"] == snapshot("""\
The record has changed: it was at version 5 and is at version 6 now. Nothing was done.
Look at it again; if it is still right, repeat it.\
""")
    assert change.phase == "blocked"
    change.notices()


async def test_retry_is_refused_where_no_budget_is_used_up(town: Town) -> None:
    change = await begun(town, "testing")

    seen = await looks(change, "retry")

    assert (seen["refusal"], seen["steps"]) == snapshot(
        (
            {
                "code": "wrong_phase",
                "message": """\
The record is in **testing**, and no budget is used up.
It goes on when all is there that the status comment of pull request #2 lists, with who can give it.\
""",
            },
            [],
        )
    )


@pytest.mark.parametrize(
    ("verb", "words"), [("approve", ("testing",)), ("gate", ("submit",)), ("merge", ()), ("link", ("#1",))]
)
async def test_nothing_is_judged_or_opened_at_the_machine(town: Town, verb: str, words: tuple[str, ...]) -> None:
    """threats.md, T24."""
    change = await begun(town, "testing")

    with pytest.raises(Exception, match="cannot be read"):
        await gives(change, verb, *words)

    assert (await change.record())["decisions"][1:] == []


async def test_a_thread_without_a_record_is_said(town: Town) -> None:
    answer = await _orders(town).look({"repository": "octo/app", "issue": 99, "verb": "retry"}, "bastion:sam")

    assert answer["error"] == {"code": "no_record", "message": "There is no record of octo/app#99."}


async def test_without_an_app_github_cannot_be_read(town: Town) -> None:
    change = await begun(town)
    orders = Orders(town.store, town.world.clock, town.log, lambda: None)

    answer = await orders.look(_order(change, "retry"), "bastion:sam")

    assert answer["error"]["code"] == "could_not_verify"
