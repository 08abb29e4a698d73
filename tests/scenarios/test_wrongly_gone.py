"""GitHub says of something that is there that it is not: nothing ends by that, and nothing is lost."""

import json

import pytest

from tests.kit.change import Change, begun
from tests.kit.policy_files import TWO_REVIEWS, lays_down
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def misses_its_issue(town: Town, times: int | None) -> Change:
    """Its label is taken away, so that it is read by itself; and GitHub does not find it."""
    change = await begun(town, "testing")
    town.world.drops_webhooks(logged=False)
    town.world.unlabels("lin", change.issue, "signalbox")
    await town.settles()
    town.world.heals()
    town.world.fails("issue", 404, times=times)
    await town.later(minutes=20, stride=60)
    town.world.heals()
    return change


async def test_one_wrong_answer_is_no_proof_that_an_issue_is_gone(town: Town) -> None:
    change = await misses_its_issue(town, 1)
    record = await change.record()
    change.notices()

    assert record["phase"] != "blocked"


async def test_what_was_called_gone_and_is_there_goes_on_when_an_operator_says_so(town: Town) -> None:
    change = await misses_its_issue(town, None)
    assert (await change.record())["phase"] == "blocked"
    said = await change.on_pull("omar", "/resume testing")
    change.notices()

    assert ((await change.record())["phase"], change.reaction(said)) == ("testing", "+1")


async def test_a_stop_on_a_line_is_heard_though_its_list_was_once_said_not_to_be_there(town: Town) -> None:
    """No other list tells of it, and no webhook."""
    change = await begun(town, "submit")
    town.world.drops_webhooks(logged=False)
    town.world.comments_on_line("grace", change.pull, "/hold not today")
    await town.hears()
    town.world.heals()
    town.world.fails("review_comments", 404)
    await town.later(minutes=10, stride=120)
    change.notices()

    assert (await change.record())["held"]


async def test_a_failed_stop_is_not_found_by_a_sweep_that_could_not_read_its_list(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.clock.advance(3)
    town.world.comments_on_line("grace", change.pull, "/hold not today")
    for hook in town.world.hooks.log:
        if hook.event == "pull_request_review_comment":
            body = json.loads(hook.body)
            body["comment"]["created_at"] = "a moment ago"
            hook.body = json.dumps(body).encode()
    await town.settles()
    town.world.fails("review_comments", 404)
    await change.merges(seconds=30)
    await town.later(minutes=10, stride=120)
    change.notices()
    failed = await town.store.read(lambda tx: [row.guid for row in tx.deliveries.list("failed", 200, None)])
    await town.store.run(lambda tx: tx.deliveries.settle(failed, "looked at by a person"))

    assert town.merges() == []


async def test_a_list_of_comments_that_is_once_said_not_to_be_there_is_no_fault_of_the_sweep(town: Town) -> None:
    change = await begun(town, "submit")
    town.world.fails("repository_comments", 404)
    await town.later(minutes=6, stride=120)
    change.notices()

    assert [line[1:] for line in town.log.lines if line[0] == "error"] == []


async def test_a_start_is_found_though_the_log_of_its_issue_was_once_said_not_to_be_there(town: Town) -> None:
    """Nor the issue itself, which is among those with the label."""
    await begun(town, "planning")
    await town.later(minutes=6, stride=120)
    town.world.drops_webhooks(logged=False)
    issue = town.world.opens_issue("ada", town.repo, "Another")
    town.world.labels("ada", issue, "signalbox")
    await town.hears()
    town.world.heals()
    town.world.fails("issue", 404, times=2)
    town.world.fails("issue_events", 404)
    await town.later(minutes=10, stride=60)

    assert "signalbox/planning" in {label.name for label in issue.labels}


async def test_a_label_taken_away_is_found_though_the_log_of_its_issue_was_once_said_not_to_be_there(
    town: Town,
) -> None:
    change = await begun(town, "almost")
    town.world.drops_webhooks(logged=False)
    town.world.unlabels("ada", change.issue, "signalbox")
    await town.hears()
    town.world.heals()
    town.world.fails("issue_events", 404)
    await town.later(minutes=10, stride=120)
    change.notices()

    assert (await change.record())["withdrawn"]


async def test_requested_changes_count_though_their_writer_was_said_to_have_no_permission(town: Town) -> None:
    """For half a minute, while their account is there under the very login that is asked for."""
    change = await begun(town, "almost")
    town.world.clock.advance(3)
    town.world.fails("permission", 404, times=None)
    await change.review("sam", "CHANGES_REQUESTED", "this loses data")
    await town.later(seconds=30, stride=10)
    town.world.heals()
    await change.merges(seconds=60)
    change.notices()

    assert town.merges() == []


async def test_a_pull_request_that_is_open_as_an_issue_is_not_gone(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.fails("pull", 404, times=6)
    await change.on_pull("omar", f"/gate submit {change.head}")
    await town.later(minutes=2, stride=20)
    change.notices()

    assert change.phase in {"submit", "done"}, change.says


async def test_a_file_whose_commit_is_listed_before_its_content_is_shown_counts_as_soon_as_it_is(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.fails("contents", 404, times=None)
    await lays_down(town, TWO_REVIEWS)
    await change.merges(seconds=60)
    assert town.merges() == []

    town.world.heals()
    await town.later(minutes=11, stride=120)
    await change.on_pull("sam", f"/approve submit {change.head}")
    await town.later(minutes=2, stride=20)
    change.notices()
    assert ((await change.record())["policy_sha"] != "builtin", town.merges()) == (True, ["c1 by signalbox[bot]"])


async def test_an_answer_is_written_though_its_thread_was_once_said_not_to_be_there(town: Town) -> None:
    change = await begun(town, "submit")
    town.world.fails("create_comment", 404)
    said = await change.on_pull("lin", f"/approve submit {change.head}")
    await town.later(seconds=10, stride=5)

    assert change.reply(said)
