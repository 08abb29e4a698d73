"""Withdrawn and revived, planned anew, sent back, taken back, overdue and tried again."""

import pytest
from inline_snapshot import snapshot

from bot.domain.model.policy import STRICT, Policy
from tests.kit.change import begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("how", ["label", "reopened"])
async def test_a_withdrawn_change_is_revived_in_planning_and_keeps_its_pull_request(town: Town, how: str) -> None:
    change = await begun(town, "testing")
    if how == "label":
        await change.on_pull("ada", "/cancel Not needed.")
        town.world.unlabels("ada", change.issue, "signalbox")
        town.world.labels("ada", change.issue, "signalbox")
    else:
        town.world.closes("ada", change.issue)
        await town.settles()
        town.world.reopens("ada", change.issue)
    await town.settles()

    record = await change.record()
    assert (record["withdrawn"], change.phase, record["pull_request"]) == (False, "planning", change.pull.number)


async def test_only_a_builder_revives_a_withdrawn_change(town: Town) -> None:
    change = await begun(town, "testing")
    await change.on_pull("ada", "/cancel Not needed.")
    town.world.unlabels("ada", change.issue, "signalbox")
    await town.settles()

    town.world.labels("lin", change.issue, "signalbox")
    await town.settles()

    assert (await change.record())["withdrawn"]
    change.notices()


async def test_a_withdrawn_change_hears_no_decision(town: Town) -> None:
    change = await begun(town, "testing")
    await change.on_pull("ada", "/cancel Not needed.")

    said = await change.on_pull("grace", "/approve testing c1")

    assert change.reply(said) == snapshot("""\
Not counted: `/approve testing c1`.
The record is withdrawn by `ada` since 30 Nov 2024, hh:mm UTC, so nothing is judged.
A builder starts it again by reopening the issue, or by adding the label again (taking it off first where it is still on).\
""")


async def test_planning_anew_gives_up_plan_and_evidence(town: Town) -> None:
    change = await begun(town, "almost")

    await change.on_pull("ada", "/replan Another way.")

    record = await change.record()
    counting = [decision for decision in record["decisions"] if decision["counts"]]
    assert (change.phase, change.issue_says, change.check, counting) == snapshot(
        ("planning", "**planning** · plan r1 was given up", "in_progress · planning: waiting for a builder", [])
    )


async def test_sent_back_for_rework_the_head_needs_a_push(town: Town) -> None:
    change = await begun(town, "submit")

    await change.on_pull("omar", "/rework Tests are missing.")
    await change.check_ends("success")
    assert (change.phase, change.says, change.waits) == snapshot(
        (
            "building",
            "**building** · plan r1 · last head `c1` was rejected by `omar` (reason)",
            "Waiting for **a builder** to push a new commit.",
        )
    )
    await change.on_pull("ada", "/candidate c1")

    assert change.phase == "testing"


async def test_a_revoked_plan_approval_takes_the_work_back_to_the_plan(town: Town) -> None:
    change = await begun(town, "testing")

    await change.on_issue("grace", "/revoke")

    assert (change.phase, change.issue_says, change.check) == snapshot(
        ("plan_ready", "**plan_ready** · plan r1 by `ada`", "in_progress · plan_ready: waiting for a reviewer")
    )


async def test_a_revoked_testing_decision_takes_submit_back_to_testing(town: Town) -> None:
    change = await begun(town, "submit")

    await change.on_pull("omar", "/revoke")

    assert (change.phase, change.says, change.row("Review")) == snapshot(
        (
            "testing",
            "**testing** · head `c1` · plan r1 · round 4",
            "⏳ Review: 0 of 1 · a reviewer other than `ada`: comment `/approve testing c1`",
        )
    )


async def test_a_dismissed_review_is_a_revocation(town: Town) -> None:
    change = await begun(town, "testing")
    await change.review("grace", "APPROVED")
    assert change.row("Review").startswith("✅")
    change.notices()

    town.world.dismisses_review("omar", change.pull.reviews[0])
    await town.settles()

    assert change.row("Review").startswith("⏳ Review: 0 of 1")


async def test_there_is_nothing_to_revoke_for_whoever_decided_nothing(town: Town) -> None:
    change = await begun(town, "testing")

    said = await change.on_pull("sam", "/revoke")

    assert change.reply(said) == snapshot("""\
Not counted: `/revoke`.
`sam` has no current decision about this head.
That it was said is kept: an approval written before it does not count, should it be heard only now.\
""")


async def test_an_unlinked_pull_request_is_judged_no_more(town: Town) -> None:
    change = await begun(town, "almost")

    await change.on_pull("ada", "/unlink")

    record = await change.record()
    (run,) = [one for one in town.repo.runs if one.name == "signalbox"]
    assert (record["phase"], record["pull_request"], run.conclusion) == snapshot(("building", None, "cancelled"))


async def test_a_check_that_is_overdue_blocks_and_says_since_when(town: Town) -> None:
    change = await begun(town, "building")
    town.world.requires(town.repo, "lint")
    await change.opens_pull()

    await town.later(minutes=70, stride=600)

    (told,) = change.notices()
    assert (change.phase, told) == snapshot(
        (
            "blocked",
            """\
**An operator is needed: check `lint` did not report on `c1` since 30 Nov 2024, hh:mm UTC.**
It was testing `c1` (evidence: lint did not report).
Nothing is merged on a check that did not report.
An operator sees to the check, then lets it go on with `/resume testing` or an earlier phase.\
""",
        )
    )


async def test_retry_is_for_used_up_budgets_only(town: Town) -> None:
    """known-faults.md, row 20."""
    change = await begun(town, "testing")
    await change.on_pull("grace", "/block Which key store?")
    change.notices()

    said = await change.on_issue("omar", "/retry")

    assert (change.reply(said), change.phase) == snapshot(
        (
            """\
Not counted: `/retry`.
The record is **blocked** by `grace` since 30 Nov 2024, hh:mm UTC: question q1 needs an answer.
Nothing changed.
To let it go on, an operator can comment `/resume testing`.\
""",
            "blocked",
        )
    )


async def test_green_and_red_by_turns_uses_up_the_retries_and_only_retry_goes_on(town: Town) -> None:
    town.policy = with_retries(2)
    change = await begun(town, "testing")
    for _ in range(3):
        await change.check_ends("failure")
        await change.check_ends("success")
    assert (change.phase, change.notices()) == snapshot(
        (
            "blocked",
            [
                """\
**An operator is needed: the checks used up their tries for this work (2 of 2).**
No agent will continue by itself (evidence: build is green).
An operator allows two more with `/retry`, or withdraws it with `/cancel` and why.
A retry approves nothing.\
"""
            ],
        )
    )
    resumed = await change.on_issue("omar", "/resume testing")
    assert change.reply(resumed) == snapshot("""\
Not counted: `/resume testing`.
A budget is used up, so going on as before is not enough.
Nothing changed.
An operator grants a fresh one with `/retry`.\
""")

    await change.on_issue("omar", "/retry")

    assert (change.phase, (await change.record())["budgets"]["check_retries"]) == snapshot(("testing", [1, 2]))
    change.notices()


async def test_an_issue_that_is_deleted_blocks_for_good(town: Town) -> None:
    town.world.sets_permission("sam", town.repo, "admin")
    change = await begun(town, "testing")
    town.world.deletes_issue("sam", change.issue)
    await town.later(minutes=1)

    said = await change.on_pull("omar", "/resume testing")

    assert ((await change.record())["phase"], change.reply(said), change.check) == snapshot(
        (
            "blocked",
            """\
Not counted: `/resume testing`.
The issue is gone from here, so its record cannot go on.
A builder starts anew where the issue is now.\
""",
            "action_required · blocked: the issue is gone",
        )
    )
    change.notices()


async def test_the_budget_is_that_of_the_rules_in_force_not_of_those_it_began_under(town: Town) -> None:
    town.policy = with_retries(1)
    change = await begun(town, "testing")
    await change.check_ends("failure")
    await change.check_ends("success")

    town.policy = with_retries(2)
    await change.check_ends("failure")
    await change.check_ends("success")
    more = change.phase, (await change.record())["budgets"]["check_retries"]
    await change.check_ends("failure")
    await change.check_ends("success")
    spent = change.phase, (await change.record())["budgets"]["check_retries"]
    town.policy = with_retries(5)
    await change.on_issue("omar", "/retry")
    change.notices()

    granted = change.phase, (await change.record())["budgets"]["check_retries"]
    assert (more, spent, granted) == (("testing", [2, 2]), ("blocked", [2, 2]), ("testing", [1, 5]))


def with_retries(number: int) -> Policy:
    return STRICT.model_copy(update={"budgets": STRICT.budgets.model_copy(update={"check_retries": number})})
