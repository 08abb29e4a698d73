"""Decisions and what they are bound to, candidates and links, sentence by sentence (LIFECYCLE.md 2.3 to 2.6)."""

import pytest
from inline_snapshot import snapshot

from bot.simulator.webhooks import headers
from tests.kit.change import begun
from tests.kit.town import SECRET, Town

pytestmark = pytest.mark.anyio


async def test_where_nothing_could_be_shown_the_explicit_form_is_asked_for(town: Town) -> None:
    town.expected_errors.add("effect_refused")
    change = await begun(town, "building")
    await change.opens_pull(heard=False)
    town.world.locks("omar", change.pull)
    await town.settles()

    said = await change.on_pull("grace", "/approve")

    told = [line for line in change.check_text.splitlines() if line.startswith("Last refused")]
    assert (change.reaction(said), told, (await change.record())["decisions"][1:]) == snapshot(
        (
            "confused",
            [
                "Last refused: `/approve` by `grace`, hh:mm UTC. No status comment had shown the gate *testing* when this was written, so it is not clear what was judged. Nothing was stored. Name it: `/approve testing c1`."
            ],
            [],
        )
    )


@pytest.mark.parametrize(("right", "wrong"), [("/approve c1", "/approve c2"), ("/approve testing", "/approve submit")])
async def test_a_lone_word_or_a_lone_sha_is_the_short_form_and_a_check_of_that_part(
    town: Town, right: str, wrong: str
) -> None:
    change = await begun(town, "building")
    town.heads.append(town.world.pushes("ada", town.repo, "other"))
    await change.opens_pull()
    town.heads.reverse()

    refused = await change.on_pull("grace", wrong)
    assert (change.reply(refused) or "").startswith(f"Not counted: `{wrong}`.")
    await change.on_pull("grace", right)

    assert (change.row("Review"), len(change.notices())) == ("✅ Review: 1 of 1 · `grace`, hh:mm UTC", 1)


async def test_a_reject_of_a_head_that_is_gone_is_answered_as_void_already(town: Town) -> None:
    change = await begun(town, "testing")
    stop = await change.on_pull("grace", "/reject It leaks.", heard=False)
    (late,) = town.world.hooks.take()
    await change.pushes("ada")

    await town.post(late.body, headers(town.world, late, SECRET))
    await town.settles()

    assert (change.phase, change.reply(stop)) == snapshot(
        (
            "testing",
            """\
Not counted: `/reject`.
It was written for `c1`; the head is now `c2`, so every decision about the old head is void already.
Repeat it if it is about the new head.\
""",
        )
    )


async def test_a_verdict_and_the_same_verdict_in_its_body_count_once(town: Town) -> None:
    change = await begun(town, "testing")

    await change.review("grace", "APPROVED", town.spelled("/approve testing c1"))

    decisions = [one for one in (await change.record())["decisions"] if one["gate"] == "testing"]
    assert (len(decisions), change.row("Review")) == (1, "✅ Review: 1 of 1 · `grace`, hh:mm UTC")
    assert len(change.notices()) == 1


async def test_a_native_verdict_while_building_is_not_answered_and_fills_no_seat(town: Town) -> None:
    change = await begun(town, "building")
    await change.opens_pull(draft=True)

    await change.review("grace", "APPROVED")
    town.world.marks_ready("ada", change.pull)
    await town.settles()

    assert (change.phase, change.notices()) == ("testing", [])
    assert change.row("Review").startswith("⏳ Review: 0 of 1")


async def test_the_human_gate_is_never_an_approval_on_github(town: Town) -> None:
    change = await begun(town, "testing")

    await change.review("omar", "APPROVED")
    await change.review("sam", "APPROVED")
    change.notices()

    assert (change.phase, change.row("Human gate")) == snapshot(
        (
            "testing",
            "⏳ Human gate: 0 of 1 · an operator other than `ada`, `omar` and `sam`: comment `/gate testing c1`",
        )
    )


async def test_a_push_event_alone_is_only_a_reason_to_read(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.drops_webhooks(event="pull_request", logged=False)

    await change.pushes("ada")
    town.world.heals()
    await town.later(minutes=6, stride=60)

    assert (change.phase, change.says, town.merges()) == snapshot(
        ("testing", "**testing** · head `c2` · plan r1 · round 4", [])
    )


async def test_editing_the_description_links_nothing_anew(town: Town) -> None:
    change = await begun(town, "testing")
    other = await begun(town, "building", "Faster parser")

    town.world.edits("ada", change.pull, body=f"Closes #{other.issue.number}")
    await town.settles()

    assert ((await change.record())["pull_request"], (await other.record())["pull_request"]) == (
        change.pull.number,
        None,
    )
    assert (change.phase, other.phase, town.unread(change.pull)) == ("testing", "building", [])


async def test_linking_another_pull_request_replaces_the_first_and_judges_it_anew(town: Town) -> None:
    change = await begun(town, "almost")
    first = change.pull
    town.heads.append(town.world.pushes("ada", town.repo, "second-try"))
    second = town.world.opens_pull("ada", town.repo, "Retry, better", head="second-try")
    town.world.check_run("actions", second, "build")
    await town.settles()

    change.linked = second
    await change.on_pull("ada", f"/link #{change.issue.number}")

    assert (change.phase, change.row("Review"), change.check_on("c1")) == snapshot(
        (
            "testing",
            "⏳ Review: 0 of 1 · a reviewer other than `ada`: comment `/approve testing c2`",
            "cancelled · replaced by c2",
        )
    )
    assert (await change.record())["pull_request"] == second.number != first.number
    change.notices()


async def test_resumed_after_the_plan_was_taken_back_it_is_planned_anew_and_says_why(town: Town) -> None:
    change = await begun(town, "testing")
    await change.on_pull("ada", "/block Which store?")
    (called,) = town.unread(change.issue)
    await change.on_issue("grace", "/revoke")
    assert change.phase == "blocked"

    await change.on_issue("omar", "/resume testing")

    assert (change.phase, town.reads(called)) == snapshot(
        (
            "planning",
            """\
**Settled**: `omar` resumed it in **planning**, not **testing**: the plan is no longer approved.
Why and history\
""",
        )
    )


async def test_resumed_with_a_moved_head_the_answer_says_why(town: Town) -> None:
    change = await begun(town, "almost")
    await change.on_pull("ada", "/block Which store?")
    (called,) = town.unread(change.issue)
    await change.pushes("ada")

    await change.on_issue("omar", "/resume submit")

    assert (change.phase, town.reads(called)) == snapshot(
        (
            "testing",
            """\
**Settled**: `omar` resumed it in **building**, not **submit**: the head moved from `c1` to `c2` while it was blocked.
Why and history\
""",
        )
    )


async def test_the_evidence_stays_in_the_record_when_github_forgets_its_runs(town: Town) -> None:
    change = await begun(town, "almost")
    await change.merges()
    town.repo.runs.clear()
    await town.later(minutes=7 * 60, stride=7200)

    (evidence,) = (await change.record())["verification"]["checks"]
    assert (change.phase, evidence["name"], evidence["state"]) == ("done", "build", "success")


async def test_a_comment_of_somebody_else_with_our_mark_is_not_taken_for_ours(town: Town) -> None:
    """threats.md, T20."""
    issue = town.world.opens_issue("ada", town.repo, "Retry uploads")
    town.world.comments(
        "grace", issue, f"All approved.\n\n<!-- signalbox:status:{town.repo.id}:{issue.number}:issue -->"
    )
    town.world.labels("ada", issue, "signalbox")

    await town.settles()

    theirs = [one.body for one in issue.comments if one.app is None]
    assert theirs[0].startswith("All approved.")
    assert town.status_of(issue).startswith("**planning**")


async def test_a_renamed_repository_is_merged_under_its_number(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.sets_permission("sam", town.repo, "admin")
    town.world.renames_repository("sam", town.repo, "application")

    await change.merges(seconds=60)

    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")
