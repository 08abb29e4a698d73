"""Several changes at once, and the same thing several times."""

import pytest
from inline_snapshot import snapshot

from bot.domain.model.policy import STRICT
from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def test_two_changes_on_one_base_merge_one_after_the_other(town: Town) -> None:
    """known-faults.md, row 106."""
    town.world.merge_async_seconds = 20
    first, second = await begun(town, "almost"), await begun(town, "almost", "Faster parser")

    await first.on_pull("omar", "/gate submit c1")
    await second.on_pull("omar", "/gate submit c2")
    assert (town.asked("merge_async"), second.waits) == snapshot(
        (1, "Nobody needs to do anything. Waiting for GitHub: another merge into main is under way.")
    )
    await town.later(minutes=2)

    assert town.merges() == ["c1 by signalbox[bot]", "c2 by signalbox[bot]"]
    assert (first.phase, second.phase, town.asked("merge_async")) == ("done", "done", 2)


async def test_a_change_of_unknown_outcome_does_not_stop_the_next_one(town: Town) -> None:
    first, second = await begun(town, "almost"), await begun(town, "almost", "Faster parser")
    town.world.loses_answer_to("merge", landed=False)
    await first.merges()
    first.notices()

    await second.merges()

    assert (first.phase, second.phase, town.merges()) == ("submit", "done", ["c2 by signalbox[bot]"])


async def test_one_commit_is_not_merged_for_two_pull_requests(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.force_pushes("ada", town.repo, "twin", sha=change.pull.head)
    twin = town.world.opens_pull("ada", town.repo, "The same commit", head="twin")

    await change.merges()
    assert (town.merges(), change.waits, change.row("Merge")) == snapshot(
        (
            [],
            "Waiting for **an operator**: `#3 has the same head, and one commit can be judged for one pull request only`.",
            "❌ Merge: `#3 has the same head, and one commit can be judged for one pull request only` · an operator: change what is named",
        )
    )
    town.world.closes("ada", twin)
    await town.later(minutes=2)

    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")


async def complete_and_unasked(town: Town) -> Change:
    """Everything is decided and the check says so; the merge itself waits for a person's command."""
    town.policy = STRICT.model_copy(update={"merge": STRICT.merge.model_copy(update={"trigger": "command"})})
    change = await begun(town, "almost")
    await change.on_pull("omar", f"/gate submit {change.head}")
    assert change.check_on("c1") == "success · submit: all gates complete for c1"
    return change


def first_check(town: Town, change: Change) -> str:
    """What the record's own check says, whoever else has written one on this commit."""
    run = next(one for one in town.repo.runs if one.head == change.pull.head and one.name == "signalbox")
    return town.shown(f"{run.conclusion or run.status} · {run.title}")


async def test_success_goes_when_a_pull_request_of_another_record_moves_onto_its_commit(town: Town) -> None:
    change = await complete_and_unasked(town)
    other = await begun(town, "testing", "Faster parser")

    town.world.force_pushes("ada", other.pull, sha=change.pull.head)
    await town.settles()

    said = "action_required · submit: another open pull request, #4, has this head"
    assert first_check(town, change) == said

    await other.pushes("ada")
    assert first_check(town, change) == "success · submit: all gates complete for c1"


async def test_success_comes_back_when_the_twin_that_another_record_judges_is_closed(town: Town) -> None:
    change = await complete_and_unasked(town)
    other = await begun(town, "testing", "Faster parser")
    town.world.force_pushes("ada", other.pull, sha=change.pull.head)
    await town.settles()

    town.world.closes("ada", other.pull)
    await town.settles()
    assert first_check(town, change) == "success · submit: all gates complete for c1"

    town.world.reopens("ada", other.pull)
    await town.settles()
    assert first_check(town, change) == "action_required · submit: another open pull request, #4, has this head"


async def test_success_comes_back_when_a_twin_nobody_judges_is_pushed_on(town: Town) -> None:
    change = await complete_and_unasked(town)
    town.world.force_pushes("ada", town.repo, "twin", sha=change.pull.head)
    twin = town.world.opens_pull("ada", town.repo, "The same commit", head="twin")
    await town.settles()
    assert change.check_on("c1") == "action_required · submit: another open pull request, #3, has this head"

    town.world.pushes("ada", twin)
    await town.settles()
    assert change.check_on("c1") == "success · submit: all gates complete for c1"


async def test_a_new_head_is_not_said_to_be_shared_because_the_old_one_was(town: Town) -> None:
    change = await complete_and_unasked(town)
    town.world.force_pushes("ada", town.repo, "twin", sha=change.pull.head)
    town.world.opens_pull("ada", town.repo, "The same commit", head="twin")
    await town.settles()

    await change.pushes("ada")

    assert change.check_on("c2") == "in_progress · testing: waiting for a reviewer and an operator"


@pytest.mark.parametrize("fresh_guids", [False, True])
async def test_twenty_copies_of_one_approval_count_once(town: Town, fresh_guids: bool) -> None:
    """threats.md, T2."""
    change = await begun(town, "testing")
    before = len((await town.api(f"{change.repo_path}/history"))["items"])
    said = await change.on_pull("grace", "/approve testing c1", heard=False)

    answers = await town.delivers_each(20, fresh_guids=fresh_guids)
    await town.settles()

    assert answers == [202] * 20
    assert len((await town.api(f"{change.repo_path}/history"))["items"]) == before + 1
    assert (change.reaction(said), change.row("Review"), len(change.notices())) == snapshot(
        ("+1", "✅ Review: 1 of 1 · `grace`, hh:mm UTC", 1)
    )


async def test_twenty_copies_of_one_refused_command_are_answered_once(town: Town) -> None:
    """known-faults.md, row 18."""
    change = await begun(town, "testing")
    said = await change.on_pull("ada", "/approve testing c1", heard=False)

    await town.delivers_each(20, fresh_guids=True)
    await town.settles()

    assert (change.reaction(said), len(town.unread(change.pull))) == ("confused", 1)
    assert change.reply(said) is not None


async def test_deliveries_in_any_order_and_twice_end_in_the_same_place(town: Town) -> None:
    town.world.reorders_webhooks()
    town.world.duplicates_webhooks(same_guid=False)
    change = await begun(town, "almost")

    await change.merges()

    assert (change.phase, town.merges()) == ("done", ["c1 by signalbox[bot]"])
    change.notices()


async def test_an_answer_does_not_wait_behind_the_reactions_to_a_strangers_comments(town: Town) -> None:
    """Anybody may write forty comments a minute."""
    change = await begun(town, "testing")
    town.world.person("mallory")
    for number in range(20):
        town.world.comments("mallory", change.issue, f"/signalbox approve {number}")
    said = await change.on_pull("ada", f"/approve testing {change.head}", heard=False)
    await town.hears()
    before = len(town.world.requests)
    while not change.reply(said) and await town.steps_once("effector"):
        pass
    reactions = [one for one in town.world.requests[before:] if "react" in one.operation]
    await town.settles()
    change.notices()
    assert len(reactions) < 3, f"ada reads why it was refused after {len(reactions)} reactions"
