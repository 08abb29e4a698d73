"""An operator settles what nobody knows: `/settle`, checked against GitHub; `/merge`; and what GitHub itself forgets."""

import pytest
from inline_snapshot import snapshot

from bot.domain.model.policy import STRICT, MergeRule
from bot.simulator.verbs.merging import MergeCall
from tests.kit.change import begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio

SYNC = pytest.mark.parametrize("merge_api", ["sync"])
BY_COMMAND = STRICT.model_copy(update={"merge": MergeRule(trigger="command")})


@SYNC
async def test_nothing_is_settled_before_the_window_ends(town: Town) -> None:
    change = await begun(town, "almost")
    await change.unknown()

    said = await change.on_pull("omar", "/settle unmerged I looked.")

    assert (change.reply(said), await change.merge_state()) == snapshot(
        (
            """\
Not counted: `/settle unmerged I looked.`.
GitHub is still read until 30 Nov 2024, hh:mm UTC: a request that was sent may land late.
Nothing changed.
After that an operator can settle it.\
""",
            "ambiguous",
        )
    )


@SYNC
async def test_whoever_says_too_early_that_it_was_merged_hears_that_this_is_found_by_itself(town: Town) -> None:
    change = await begun(town, "almost")
    await change.unknown()

    said = await change.on_pull("omar", f"/settle merged {town.repo.branches['main']}")

    assert (change.reply(said) or "").splitlines()[1:] == snapshot(
        [
            "GitHub is still read until 30 Nov 2024, hh:mm UTC: if it was merged, that is found by itself.",
            "Nothing changed.",
            "After that an operator can settle it.",
        ]
    )


async def test_while_github_is_still_merging_it_is_said_from_when_it_can_be_settled(town: Town) -> None:
    town.world.merge_async_seconds = 60
    change = await begun(town, "almost")
    await change.merges()

    said = await change.on_pull("omar", "/settle unmerged I looked.")

    assert (await change.merge_state(), change.reply(said)) == snapshot(
        (
            "requested",
            """\
Not counted: `/settle unmerged I looked.`.
GitHub is still read until 30 Nov 2024, hh:mm UTC: a request that was sent may land late.
Nothing changed.
After that an operator can settle it.\
""",
        )
    )


@SYNC
async def test_settled_as_unmerged_asks_for_a_new_gate_and_then_once_more(town: Town) -> None:
    change = await begun(town, "almost")
    await change.unknown()
    await town.later(minutes=17, stride=340)

    said = await change.on_pull("omar", "/settle unmerged I looked.")
    await town.later(minutes=1)
    assert (change.reaction(said), change.phase, change.waits, change.row("Human gate")) == snapshot(
        (
            "+1",
            "submit",
            "Waiting for **an operator**. Signalbox merges when every row is done.",
            "⏳ Human gate: 0 of 1 · an operator other than `ada` and `grace`: comment `/gate submit c1`",
        )
    )
    assert (town.asked("merge"), await change.merge_state(), change.check) == snapshot(
        (1, "refused", "action_required · submit: an operator must open the gate, the merge was settled as unmerged")
    )
    assert change.row("Merge") == snapshot(
        "❌ Merge: settled as unmerged by `omar`: `I looked.` · an operator: open the human gate anew; nothing else leads to the next request"
    )
    row = (await town.api(f"{change.repo_path}/history"))["items"][-1]
    assert (row["signal"], row["actor"]["login"], row["detail"]) == snapshot(
        ("settled_unmerged", "omar", "settled as unmerged by `omar`: `I looked.`")
    )
    change.notices()
    await change.merges()

    assert (town.merges(), town.asked("merge"), change.phase) == (["c1 by signalbox[bot]"], 2, "done")


@SYNC
async def test_a_settled_merge_that_nobody_gates_is_put_before_a_person_and_github_is_not_blamed(town: Town) -> None:
    change = await begun(town, "almost")
    await change.unknown()
    await town.later(minutes=17, stride=340)
    await change.on_pull("omar", "/settle unmerged I looked.")
    await town.later(minutes=25 * 60, stride=3600)

    assert (change.phase, change.waits, change.check) == snapshot(
        (
            "blocked",
            "Waiting for **an operator** to decide about a merge that was settled as unmerged.",
            "action_required · blocked: an operator must decide about a merge that was settled as unmerged",
        )
    )
    assert change.notices() == snapshot(
        [
            """\
**An operator is needed: the merge has not happened since 30 Nov 2024, hh:mm UTC: settled as unmerged by `omar`: `I looked.`.**
It was about to merge `c1` (evidence).
A merge by hand would count as outside.
An operator looks at the pull request, then lets it go on with `/resume submit` or an earlier phase.\
"""
        ]
    )


@SYNC
async def test_after_a_settlement_no_other_word_leads_to_the_next_request(town: Town) -> None:
    change = await begun(town, "almost")
    await change.unknown()
    await town.later(minutes=17, stride=340)
    await change.on_pull("omar", "/settle unmerged I looked.")

    await change.check_ends("success")
    said = await change.on_pull("sam", "/merge")
    await town.later(minutes=5, stride=60)

    assert (change.reply(said), town.asked("merge")) == snapshot(
        (
            """\
Not counted: `/merge`.
Not merged: it was settled as unmerged, so a human gate must be opened anew; a human gate is missing.
Nothing was asked of GitHub.\
""",
            1,
        )
    )
    change.notices()


@SYNC
async def test_settled_as_merged_needs_the_merge_commit_that_github_shows(town: Town) -> None:
    change = await begun(town, "almost")
    await change.unknown()
    await town.later(minutes=17, stride=340)

    wrong = await change.on_pull("omar", f"/settle merged {town.repo.branches['main']}")
    short = await change.on_pull("omar", "/settle merged 1234567")
    bare = await change.on_pull("omar", "/settle")

    assert [change.reply(one) for one in (wrong, short, bare)] == snapshot(
        [
            """\
Not counted: `/settle merged bc048b0ca00b83bbdab9c8f50b72b038771d93bd`.
GitHub shows the pull request open, so nothing of it is merged yet.
Nothing changed.
It is read again by itself; a request that was sent may still land.\
""",
            """\
Not counted: `/settle merged 1234567`.
The merge commit on the base is needed, with all 40 hex digits and nothing behind it, and `1234567` has 7, so nothing was settled.
If it was merged, an operator comments `/settle merged` and the 40-digit merge commit; if not, `/settle unmerged` and why.\
""",
            """\
Not counted: `/settle`.
Either merged or unmerged follows here, and neither was said, so nothing was settled.
If it was merged, an operator comments `/settle merged` and the 40-digit merge commit; if not, `/settle unmerged` and why.\
""",
        ]
    )
    assert await change.merge_state() == "ambiguous"


@SYNC
async def test_settled_as_unmerged_is_refused_while_a_read_shows_it_merged(town: Town) -> None:
    change = await begun(town, "almost")
    await change.unknown()
    await town.later(minutes=17, stride=340)
    town.world.merge(town.world.bot, change.pull, MergeCall(change.pull.head, "squash"))

    town.world.hooks.take()
    said = await change.on_pull("omar", "/settle unmerged I looked.")
    assert change.reply(said) == snapshot("""\
Not counted: `/settle unmerged I looked.`.
A read shows it merged, so it cannot be settled as unmerged.
Nothing changed.
An operator settles it with `/settle merged` and the merge commit on `main`.\
""")
    await town.later(minutes=2)

    assert (change.phase, town.merges()) == ("done", ["c1 by signalbox[bot]"])


@SYNC
async def test_settled_as_merged_ends_what_reads_could_not(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.loses_answer_to("merge")
    town.world.fails("merge_evidence", 500, times=None)
    town.just_before("/merge", lambda: town.world.fails("compare", 500, times=None))
    await change.merges()
    await town.later(minutes=20, stride=120)
    assert (change.phase, await change.merge_state()) == ("submit", "ambiguous")
    town.world.heals()

    said = await change.on_pull("omar", f"/settle merged {town.world.landed[0].sha}")
    await town.later(seconds=10)

    assert (change.reaction(said), change.phase, change.says, town.asked("merge")) == snapshot(
        ("+1", "done", "**done** · merged as `m1` into `main`, 30 Nov 2024, hh:mm UTC", 1)
    )
    assert change.notices()[0].splitlines()[:1] == snapshot(
        ["**Settled**: GitHub merged it as `m1`; the pull request and `main` show it."]
    )


@SYNC
async def test_only_an_operator_settles(town: Town) -> None:
    change = await begun(town, "almost")
    await change.unknown()
    await town.later(minutes=17, stride=340)

    said = await change.on_pull("grace", "/settle unmerged I looked.")

    assert (change.reply(said), await change.merge_state()) == snapshot(
        (
            """\
Not counted: `/settle unmerged I looked.`.
It needs an operator (`maintain` on this repository), and `grace` has `write`.
Waiting for an operator.
Nothing changed.\
""",
            "ambiguous",
        )
    )


async def test_where_nothing_is_unknown_there_is_nothing_to_settle(town: Town) -> None:
    change = await begun(town, "submit")

    said = await change.on_pull("omar", "/settle unmerged I looked.")

    assert change.reply(said) == snapshot("""\
Not counted: `/settle unmerged I looked.`.
The record is in **submit**, and no merge of it is unknown, so there is nothing to settle.
It goes on when all is there that the status comment of pull request #2 lists, with who can give it.\
""")


@SYNC
async def test_a_merge_that_lands_after_it_was_settled_as_unmerged_is_ours_and_done(town: Town) -> None:
    change = await begun(town, "almost")
    await change.unknown()
    await town.later(minutes=17, stride=340)
    await change.on_pull("omar", "/settle unmerged I looked.")

    town.world.merge(town.world.bot, change.pull, MergeCall(change.pull.head, "squash"))
    await town.later(seconds=20)

    record = await change.record()
    assert (change.phase, change.says, record["merge"]["external"], record["merge"]["missing"]) == snapshot(
        ("done", "**done** · merged as `m1` into `main`, 30 Nov 2024, hh:mm UTC", False, ["human gate (submit)"])
    )
    change.notices()


async def test_merge_by_command_waits_for_the_command_and_then_merges(town: Town) -> None:
    town.policy = BY_COMMAND
    change = await begun(town, "almost")
    await change.merges()
    assert (town.asked("merge_async"), change.waits, change.row("Merge")) == snapshot(
        (
            0,
            "Waiting for **an operator** to comment `/merge`.",
            "⏳ Merge: waits for the command · an operator: comment `/merge`",
        )
    )

    said = await change.on_pull("omar", "/merge")
    await town.later(seconds=10)

    assert (change.reaction(said), change.phase, town.merges()) == ("+1", "done", ["c1 by signalbox[bot]"])


MISSING = {
    "a review": "Not merged: a review is missing.",
    "a gate": "Not merged: a human gate is missing.",
    "a check": "Not merged: `build` not green.",
    "draft": "Not merged: the pull request is a draft; a builder marks it ready for review.",
    "hold": "Not merged: held by `grace`.",
}


@pytest.mark.parametrize("missing", MISSING)
async def test_merge_by_command_says_what_is_missing(town: Town, missing: str) -> None:
    town.policy = BY_COMMAND
    change = await begun(town, "submit" if missing == "a review" else "almost")
    if missing != "a gate":
        await change.on_pull("omar", "/gate submit c1")
    if missing == "a check":
        town.world.check_run("actions", change.pull, "build", status="in_progress")
    if missing == "draft":
        town.world.converts_to_draft("ada", change.pull)
    if missing == "hold":
        await change.on_pull("grace", "/hold")

    said = await change.on_pull("omar", "/merge")
    await town.later(seconds=10)

    assert town.asked("merge_async") == 0
    assert (change.reply(said) or "").splitlines()[1] == MISSING[missing]


async def test_merge_is_an_operator_s_word_in_submit_only(town: Town) -> None:
    town.policy = BY_COMMAND
    change = await begun(town, "testing")
    early = await change.on_pull("omar", "/merge")
    await change.passes("testing")
    await change.approved_by("grace")
    await change.on_pull("omar", "/gate submit c1")

    other = await change.on_pull("grace", "/merge")

    assert (change.reply(early), change.reply(other), town.asked("merge_async")) == snapshot(
        (
            """\
Not counted: `/merge`.
The record is in **testing**, so there is nothing to merge yet.
It goes on when all is there that the status comment of pull request #2 lists, with who can give it.\
""",
            """\
Not counted: `/merge`.
It needs an operator (`maintain` on this repository), and `grace` has `write`.
Waiting for an operator.
Nothing changed.\
""",
            0,
        )
    )
