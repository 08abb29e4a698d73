"""The App lacks a permission that a merge needs: an operator is called with what to do, and it goes on once it is granted."""

import pytest
from inline_snapshot import snapshot

from bot.domain.model.policy import STRICT
from tests.kit.change import Change, begun
from tests.kit.town import Town
from tests.scenarios.test_operators_called import Hook

pytestmark = pytest.mark.anyio


async def with_workflow_files(town: Town) -> Change:
    """Only the human gate of submit is missing, for a head that changes a workflow; the App may not merge those."""
    town.policy = STRICT.model_copy(update={"notify": ("octo/release",)})
    town.world.app.permissions.pop("workflows", None)
    change = await begun(town, "testing")
    town.heads.append(town.world.pushes("ada", change.pull, files={".github/workflows/ci.yml": "on: push\n"}))
    change.check_run()
    await town.settles()
    await change.passes("testing")
    await change.approved_by("grace")
    return change


async def test_an_operator_is_called_where_the_app_may_not_merge_workflow_files(town: Town) -> None:
    change = await with_workflow_files(town)

    await change.merges()
    await town.later(minutes=20, stride=60)

    assert (change.phase, town.asked("merge", "merge_async"), change.notices()) == snapshot(
        (
            "submit",
            0,
            [
                """\
**An operator is needed: the App lacks the permission `Workflows: write`, so it may not merge `c2`.**
It changes workflow files (Why and history).
Nothing was merged, and nothing that was approved is lost.
Shall the App have it? An owner of the installation accepts the new permission in its settings on GitHub, then it goes on by itself, or at once when an operator comments `/merge`.
If not, an operator sends it back with `/rework` and why, or withdraws it with `/cancel` and why.
For @octo/release\
"""
            ],
        )
    )


async def test_it_goes_on_by_itself_when_the_permission_is_accepted(town: Town) -> None:
    change = await with_workflow_files(town)
    await change.merges()
    (notice,) = town.unread(change.pull)

    town.world.accepts_permissions(workflows="write")
    await town.later(seconds=20)

    assert (change.phase, town.merges()) == ("done", ["c2 by signalbox[bot]"])
    assert town.reads(notice) == snapshot("""\
**Settled**: GitHub merged it as `m1`; the pull request and `main` show it.
Why and history\
""")


async def test_what_github_refuses_for_want_of_a_permission_is_said_with_the_permission(town: Town) -> None:
    hook = Hook()
    town.calls_operators(hook)
    change = await begun(town, "almost")
    town.world.app.permissions["contents"] = "read"
    town.steps = town._steps(town.private_key)  # no token of before is left

    await change.merges()
    assert (change.waits, change.notices(), hook.said) == snapshot(
        (
            "Waiting for **an operator**: GitHub refused: Resource not accessible by integration.",
            [
                """\
**An operator is needed: the App lacks the permission `Contents: write`, so it may not merge `c1`.**
GitHub said: `Resource not accessible by integration` (Why and history).
Nothing was merged, and nothing that was approved is lost.
Shall the App have it? An owner of the installation accepts the new permission in its settings on GitHub, then it goes on by itself, or at once when an operator comments `/merge`.
If not, an operator sends it back with `/rework` and why, or withdraws it with `/cancel` and why.\
"""
            ],
            [
                'octo/app#1 needs an operator: the App lacks the permission "Contents: write". https://signalbox.example/lifecycles/octo/app/1'
            ],
        )
    )
    town.world.accepts_permissions(contents="write")
    await town.later(seconds=20)

    assert (change.phase, town.merges()) == ("done", ["c1 by signalbox[bot]"])


async def test_another_head_ends_the_call_for_a_permission(town: Town) -> None:
    change = await with_workflow_files(town)
    await change.merges()
    (notice,) = town.unread(change.pull)

    town.heads.append(town.world.pushes("ada", change.pull, files={".github/workflows/ci.yml": None}))
    change.check_run()
    await town.settles()

    assert town.reads(notice).startswith("**Settled**: the merge does not wait for this permission any more.")
    assert change.phase == "testing"
