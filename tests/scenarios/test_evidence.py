"""A blocked record shows what it rests on, with addresses, in the comment, in the notice and in the API (LIFECYCLE.md 2.6, L7)."""

import pytest
from inline_snapshot import snapshot

from bot.simulator.model.threads import Thread
from tests.kit.change import begun
from tests.kit.places import out_of_tries
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


def raw_row(town: Town, thread: Thread) -> str:
    """The row about evidence with its addresses, heads as c1."""
    (status,) = [one for one in thread.comments if one.app is town.world.app and "signalbox:status:" in one.body]
    (row,) = [line for line in status.body.splitlines() if line.startswith("| Evidence |")]
    return row


async def test_checks_that_used_up_their_tries_are_evidence_with_their_logs(town: Town) -> None:
    change = await out_of_tries(town)
    change.notices()

    blocked = (await change.record())["blocked"]
    (check,) = (await change.record())["verification"]["checks"]
    assert blocked["evidence"] == "build is green"
    assert raw_row(town, change.pull) == f"| Evidence | [build is green]({check['url']}) |"


async def test_a_check_that_did_not_report_is_evidence(town: Town) -> None:
    change = await begun(town, "building")
    town.world.requires(town.repo, "lint")
    await change.opens_pull()

    await town.later(minutes=70, stride=600)

    assert (await change.record())["blocked"]["evidence"] == snapshot("lint did not report")
    assert raw_row(town, change.pull).startswith(
        "| Evidence | [lint did not report](https://signalbox.example/lifecycles/"
    )
    change.notices()


@pytest.mark.parametrize("merge_api", ["sync"])
async def test_githubs_own_words_are_the_evidence_of_a_merge_that_it_refused_for_a_day(town: Town) -> None:
    town.world.fails("merge", 405, times=None, message="Squash merges are not allowed on this repository.")
    change = await begun(town, "almost")
    await change.merges()
    await town.later(minutes=25 * 60, stride=3600)

    assert change.phase == "blocked"
    assert (await change.record())["blocked"]["evidence"] == snapshot(
        "GitHub: Squash merges are not allowed on this repository."
    )
    assert town.shown(raw_row(town, change.pull)) == snapshot(
        "| Evidence | GitHub: Squash merges are not allowed on this repository. |"
    )
    change.notices()


async def test_a_question_is_evidence_where_it_was_asked(town: Town) -> None:
    change = await begun(town, "testing")
    said = await change.on_pull("grace", "/block Which key store?")

    row = raw_row(town, change.pull)
    assert f"#issuecomment-{said.id})" in row
    assert town.shown(row) == snapshot("| Evidence | where it was asked |")
    change.notices()


async def test_a_deleted_issue_is_evidence_with_its_old_address(town: Town) -> None:
    town.world.sets_permission("sam", town.repo, "admin")
    change = await begun(town, "testing")
    town.world.deletes_issue("sam", change.issue)
    await town.later(minutes=1)

    row = raw_row(town, change.pull)
    assert row.endswith(f"/octo/app/issues/{change.issue.number}) |")
    assert town.shown(row) == snapshot("| Evidence | GitHub said so 30 Nov 2024, hh:mm UTC |")
    change.notices()
