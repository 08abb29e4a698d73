"""A gate that nobody is left to open says so in red, in the status comment and everywhere else, instead of waiting for ever."""

import pytest
from inline_snapshot import snapshot

from tests.kit.change import begun
from tests.kit.in_force import in_force, named_only
from tests.kit.policy_files import lays_down
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def test_the_only_reviewer_wrote_the_plan(town: Town) -> None:
    await lays_down(town, "version: 1\nroles:\n  reviewers: {users: [ada]}\n")

    change = await begun(town, "plan_ready")

    assert (change.issue_says, change.row("Plan r1")) == snapshot(
        (
            "**plan_ready** · plan r1 by `ada`",
            "❌ Plan r1: 0 of 1 approved, and nobody is left who may · an operator: name somebody else under `roles.reviewers` in `.github/signalbox.yml`",
        )
    )
    assert await explained(town, change.repo_path) == snapshot(
        ["Plan r1: failed, 0 of 1 approved, and nobody is left who may, operators"]
    )


async def test_the_only_operator_pushed_the_change(town: Town) -> None:
    town.policy = named_only(town.world, operators="{users: [ada]}")

    change = await begun(town, "testing")
    await change.on_pull("grace", "/approve testing c1")

    assert (change.waits, change.row("Human gate")) == snapshot(
        (
            "Waiting for **an operator**. Checks are green.",
            "❌ Human gate: 0 of 1, and nobody is left who may · an operator: name somebody else under `roles.operators` in `.github/signalbox.yml`",
        )
    )
    assert change.notices() == []


async def test_one_person_for_both_seats_of_a_gate_is_not_enough(town: Town) -> None:
    town.policy = named_only(town.world, reviewers="{users: [grace]}", operators="{users: [Grace]}")

    change = await begun(town, "testing")

    assert (change.row("Review"), change.row("Human gate")) == snapshot(
        (
            "⏳ Review: 0 of 1 · a reviewer other than `ada`: comment `/approve testing c1`",
            "❌ Human gate: 0 of 1, and nobody is left who may · an operator: name more people under `roles` in `.github/signalbox.yml`: nobody fills two seats of one gate",
        )
    )


@pytest.mark.parametrize(
    "rules",
    [
        "reviewers: {users: [ada, grace]}",
        "reviewers: {permission: write, users: [ada]}",
        "reviewers: {teams: [core], users: [ada]}",
        "reviewers: {custom_roles: [crew], users: [ada]}",
    ],
)
async def test_where_somebody_else_may_nobody_is_alarmed(town: Town, rules: str) -> None:
    town.policy = in_force(town.world, f"roles:\n  {rules}\n")

    change = await begun(town, "plan_ready")

    assert change.row("Plan r1").startswith("⏳")


async def test_a_file_that_names_somebody_else_ends_it(town: Town) -> None:
    town.policy = named_only(town.world, reviewers="{users: [ada]}")
    change = await begun(town, "plan_ready")
    assert change.row("Plan r1").startswith("❌")

    town.policy = named_only(town.world, reviewers="{users: [ada, grace]}")
    await change.on_issue("grace", "/approve r1")

    assert change.phase == "building"


async def explained(town: Town, path: str) -> list[str]:
    tree = await town.api(f"{path}/explain")
    rows = [row for reason in tree["reasons"] for row in (reason, *reason["children"])]
    return [f"{row['what']}: {row['state']}, {row['text']}, {row['waiting_on']}" for row in rows if row["waiting_on"]]
