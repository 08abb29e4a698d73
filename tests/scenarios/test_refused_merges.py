"""GitHub says no to the merge: what it said is shown, and it is asked again only where that can help."""

import pytest
from inline_snapshot import snapshot

from bot.domain.model.policy import STRICT, MergeRule
from bot.simulator.verbs.merging import MergeCall
from tests.kit.change import begun
from tests.kit.places import BY_COMMAND
from tests.kit.town import Town

pytestmark = pytest.mark.anyio

SYNC = pytest.mark.parametrize("merge_api", ["sync"])
POLICY_TEXTS = [
    'Required status check "lint" is expected.',
    "At least 2 approving reviews are required by reviewers with write access.",
    "Changes must be made through the merge queue",
    "Squash merges are not allowed on this repository.",
    "Pull Request is still a draft",
    "Repository rule violations found",
]


@SYNC
async def test_a_head_that_moved_at_the_last_moment_is_not_merged(town: Town) -> None:
    """known-faults.md, rows 26 and 106."""
    change = await begun(town, "almost")
    town.just_before("/merge", lambda: town.heads.append(town.world.pushes("ada", change.pull)))

    await change.merges()

    assert (town.merges(), town.asked("merge")) == ([], 1)
    assert (change.phase, change.says, change.waits) == snapshot(
        (
            "testing",
            "**testing** · head `c2` · plan r1 · round 4",
            "Waiting for **a reviewer**, **an operator** and **check `build`**.",
        )
    )
    assert change.check_on("c1") == snapshot("cancelled · replaced by c2")


async def test_a_push_while_github_merges_in_the_background_stops_the_merge(town: Town) -> None:
    town.world.merge_async_seconds = 20
    change = await begun(town, "almost")
    await change.on_pull("omar", "/gate submit c1")

    await change.pushes("ada")
    assert change.says.startswith("**submit** · merging `c1`")
    await town.later(minutes=1)

    assert (town.merges(), change.phase, change.says) == snapshot(
        ([], "testing", "**testing** · head `c2` · plan r1 · round 4")
    )


@SYNC
async def test_a_base_that_moved_is_tried_again(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.fails("merge", 405, times=2)

    await change.merges(seconds=60)

    assert (change.phase, town.merges(), town.asked("merge")) == ("done", ["c1 by signalbox[bot]"], 3)


@SYNC
async def test_a_base_that_moves_for_ever_is_tried_five_times(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.fails("merge", 405, times=None)

    await change.merges(seconds=600)

    assert (town.merges(), town.asked("merge")) == ([], 5)
    assert (change.phase, change.waits, change.row("Merge"), change.check) == snapshot(
        (
            "submit",
            "Waiting for **an operator**: GitHub refused: Base branch was modified. Review and try the merge again.",
            "❌ Merge: GitHub refused: Base branch was modified. Review and try the merge again. · an operator: change what is named; Signalbox asks again when something changes",
            "action_required · submit: an operator must act, GitHub refused the merge",
        )
    )


@SYNC
@pytest.mark.parametrize("text", POLICY_TEXTS)
async def test_a_rule_that_refuses_the_merge_is_shown_in_its_own_words(town: Town, text: str) -> None:
    """known-faults.md, row 58."""
    change = await begun(town, "almost")
    town.world.fails("merge", 405, message=text, times=None)

    await change.merges(seconds=300)

    assert (town.merges(), town.asked("merge"), change.phase, town.asked("delete_branch")) == ([], 1, "submit", 0)
    assert text.replace('"', "") in change.row("Merge").replace('"', "")
    assert change.check.startswith("action_required")


@SYNC
async def test_a_refused_merge_is_asked_again_when_something_changed(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.fails("merge", 405, message="Repository rule violations found")
    await change.merges()
    assert town.merges() == []

    await change.check_ends("success")
    await town.later(seconds=10)

    assert (change.phase, town.merges()) == ("done", ["c1 by signalbox[bot]"])


async def test_a_refused_merge_whose_pause_is_over_is_not_read_without_end(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.fails("merge_async", 403, headers={"retry-after": "20"})
    await change.merges(seconds=5)
    town.world.converts_to_draft("ada", change.pull)
    await town.later(minutes=3, stride=10)  # news of it, and of what we write about it, leads to a look each
    before = town.asked("pull")

    await town.later(minutes=2, stride=5)

    assert (town.asked("pull") - before, town.asked("merge_async")) == (1, 1), "the sweep's"
    assert "draft" in change.row("Merge")


async def test_a_merge_that_was_asked_for_by_a_word_goes_on_by_itself_after_a_hiccup(town: Town) -> None:
    town.policy = BY_COMMAND
    change = await begun(town, "almost")
    await change.on_pull("omar", "/gate submit c1")
    await change.on_pull("omar", "/merge", heard=False)
    await town.hears()
    for operation in ("pull_files", "together"):
        town.world.fails(operation, 500, times=None)
    await town.later(seconds=20)
    assert (town.merges(), change.phase) == ([], "submit")
    town.world.heals()

    await town.later(minutes=2, stride=10)

    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")


async def test_a_review_that_github_itself_asks_for_lets_the_refused_merge_go_on(town: Town) -> None:
    """known-faults.md, row 130."""
    town.world.ruleset(town.repo, reviews=1)
    change = await begun(town, "almost")
    await change.merges()
    assert (town.merges(), change.waits) == snapshot(
        (
            [],
            "Waiting for **an operator**: GitHub refused: At least 1 approving review is required by reviewers with write access.",
        )
    )

    await change.review("grace", "APPROVED")
    await town.later(seconds=10)

    assert (change.phase, town.merges()) == ("done", ["c1 by signalbox[bot]"])


@SYNC
async def test_an_operator_has_a_refused_merge_asked_for_again(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.fails("merge", 405, message="Repository rule violations found")
    await change.merges()
    assert (town.merges(), town.asked("merge")) == ([], 1)

    said = await change.on_pull("omar", "/merge")
    await town.later(seconds=10)

    assert (change.reaction(said), change.reply(said)) == ("+1", None)
    assert (change.phase, town.merges()) == ("done", ["c1 by signalbox[bot]"])


@SYNC
async def test_a_rate_limited_merge_waits_as_long_as_github_says(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.fails("merge", 403, headers={"retry-after": "120"})

    await change.merges(seconds=60)
    assert (town.merges(), town.asked("merge")) == ([], 1)
    await town.later(minutes=3)

    assert (change.phase, town.merges()) == ("done", ["c1 by signalbox[bot]"])


async def test_a_background_merge_that_failed_is_shown_and_not_repeated(town: Town) -> None:
    town.world.merge_async_seconds = 20
    change = await begun(town, "almost")
    await change.on_pull("omar", "/gate submit c1")
    town.world.requires(town.repo, "lint")

    await town.later(minutes=2)

    assert (town.merges(), town.asked("merge_async"), change.phase) == ([], 1, "submit")
    assert (change.waits, change.row("Merge"), change.check) == snapshot(
        (
            'Waiting for **an operator**: GitHub refused: `Required status check "lint" is expected.`.',
            '❌ Merge: GitHub refused: `Required status check "lint" is expected.` · an operator: change what is named; Signalbox asks again when something changes',
            "action_required · submit: an operator must act, GitHub refused the merge",
        )
    )


async def test_a_merge_somebody_else_asked_for_is_not_adopted_as_ours(town: Town) -> None:
    change = await begun(town, "almost")
    theirs = MergeCall(change.pull.head, "squash")
    town.just_before("/merge-async", lambda: town.world.merge_async("sam", change.pull, theirs))

    await change.merges(seconds=30)

    assert town.merges() == ["c1 by sam"]
    assert (change.phase, change.says, change.notices()) == snapshot(
        (
            "done",
            "**done** · merged outside Signalbox by `sam` as `m1`",
            [
                """\
**`sam` merged this pull request outside Signalbox**, as `m1` at hh:mm UTC.
Nothing was missing.
The record is done and marked as merged outside.
Nothing has to be done here.
If it was a mistake, revert it on GitHub.\
"""
            ],
        )
    )


async def test_a_merge_of_another_head_that_runs_already_is_watched(town: Town) -> None:
    change = await begun(town, "almost")
    theirs = MergeCall("f" * 40, "squash")
    town.just_before("/merge-async", lambda: town.world.merge_async("sam", change.pull, theirs))

    await change.merges(seconds=60)

    assert (town.merges(), town.asked("merge_async")) == ([], 1)
    assert (change.waits, len(change.notices())) == snapshot(
        ("Waiting for **an operator**: it is not known whether GitHub merged this (evidence).", 1)
    )


async def test_a_github_without_background_merges_is_asked_the_old_way(town: Town) -> None:
    town.repo.merge_async = False
    change = await begun(town, "almost")

    await change.merges()

    assert (change.phase, town.merges()) == ("done", ["c1 by signalbox[bot]"])
    assert (town.asked("merge_async"), town.asked("merge")) == (1, 1)


@SYNC
async def test_a_method_that_the_base_does_not_allow_is_not_even_asked_for(town: Town) -> None:
    town.policy = STRICT.model_copy(update={"merge": MergeRule(method="rebase")})
    town.world.ruleset(town.repo, methods=("squash",))
    change = await begun(town, "almost")

    await change.merges()

    assert (town.asked("merge"), change.waits, change.row("Merge")) == snapshot(
        (
            0,
            "Waiting for **an operator**: the base does not allow the method rebase.",
            "❌ Merge: the base does not allow the method rebase · an operator: change what is named",
        )
    )


async def test_a_base_with_a_merge_queue_is_not_even_asked(town: Town) -> None:
    """known-faults.md, row 100."""
    town.world.ruleset(town.repo, merge_queue=True)
    change = await begun(town, "almost")

    await change.merges()

    assert (town.asked("merge", "merge_async"), change.waits, change.row("Merge")) == snapshot(
        (
            0,
            "Waiting for **an operator**: the base requires a merge queue, which Signalbox does not use.",
            "❌ Merge: the base requires a merge queue, which Signalbox does not use · an operator: change the rules of the branch",
        )
    )
