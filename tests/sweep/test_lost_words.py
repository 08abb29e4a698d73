"""Words that no webhook told: whatever they wait for, a no is never passed over, and none is lost."""

from datetime import timedelta
from typing import Any

import pytest

from bot.domain.model.delivery import Delivery
from bot.ports.store import Tx
from tests.kit.stage import run
from tests.kit.sweeping import INTERVAL
from tests.simulation.golden import Golden
from tests.sweep.test_lost import Swept, approved, reached, reactions, record, swept, under_way, waits


def told(comments) -> int:  # type: ignore[no-untyped-def]  # of a simulated thread
    return sum("edited before it was read" in one.body for one in comments)


def test_changes_requested_after_an_approval_are_heard_before_it() -> None:
    golden = reached(5)
    world = golden.stage.world
    world.reviews("grace", golden.pull, "APPROVED")
    world.clock.advance(5)
    world.reviews("grace", golden.pull, "CHANGES_REQUESTED", "It loses data.")
    swept(golden)
    assert record(golden).phase == "building"
    assert [(one.by.login, one.verdict) for one in record(golden).decisions if one.native] == [("grace", "reject")]


def test_a_stop_that_stands_in_our_inbox_is_heard_as_it_was_written() -> None:
    """GitHub does not show the pull request, so a push waits, and the /hold behind it. grace mends a word meanwhile."""
    golden, comment = stuck()
    golden.stage.world.heals()
    waits(golden, 2 * INTERVAL)
    assert (record(golden).held is not None, reactions(comment)[-1:]) == (True, ["+1"])


def test_a_stop_behind_a_delivery_that_failed_is_heard_as_it_was_written_when_that_is_replayed() -> None:
    golden, comment = stuck()
    for delivery in run(golden.stage.store.read(lambda tx: tx.deliveries.list("received", 100, None))):
        guid = delivery.guid
        run(golden.stage.store.run(lambda tx: tx.deliveries.finish(guid, "failed", "tried too often")))  # noqa: B023
    golden.stage.world.heals()
    waits(golden, 4 * INTERVAL)
    assert (record(golden).held, {"+1", "confused"} & set(reactions(comment))) == (None, set())
    assert why_incomplete(golden).startswith("edited comments wait for deliveries")
    for delivery in run(golden.stage.store.read(lambda tx: tx.deliveries.list("failed", 100, None))):
        guid = delivery.guid
        run(golden.stage.store.run(lambda tx: tx.deliveries.put_back(guid)))  # noqa: B023
    waits(golden, 4 * INTERVAL)
    assert (record(golden).held is not None, reactions(comment)[-1:]) == (True, ["+1"])


def test_a_command_that_was_edited_waits_for_no_delivery_about_another_thread() -> None:
    """Another process works on that one for a day."""
    golden = reached(2)
    world = golden.stage.world
    fields = {"guid": "another", "event": "issue_comment", "lane": record(golden).repository_id, "thread": 99}
    other = Delivery.model_validate({**fields, "body": b"{}", "received_at": world.clock.now()})

    def works(tx: Tx) -> None:
        tx.deliveries.add(other)
        tx.deliveries.claim("another process", tx.now() + timedelta(days=1))

    run(golden.stage.store.run(works))
    comment = world.comments("grace", golden.issue, "I will read it.")
    world.edits_comment("grace", comment, "/approve r1")
    waits(golden, 2 * INTERVAL)
    assert told(golden.issue.comments) == 1


def stuck() -> tuple[Golden, Any]:
    golden = under_way(5)
    world = golden.stage.world
    world.fails("pull", 502, times=None)
    world.pushes("ada", golden.pull)
    golden.stage.settles()
    world.clock.advance(3)
    comment = world.comments("grace", golden.pull, "/hold until the relase is out")
    golden.stage.settles()
    world.clock.advance(10)
    world.edits_comment("grace", comment, "/hold until the release is out")
    waits(golden, 2 * INTERVAL)
    return golden, comment


def why_incomplete(golden: Golden) -> str:
    return run(golden.stage.store.read(lambda tx: tx.sweeps.state(golden.repo.id))).problem or ""


def test_a_command_on_a_line_that_could_not_be_decided_at_once_is_heard_later() -> None:
    golden = reached(5)
    world = golden.stage.world
    world.clock.advance(3)
    world.comments_on_line("grace", golden.pull, f"/approve testing {golden.pull.head}")
    world.fails("pull", 502, times=1)
    for _ in range(6):
        waits(golden, INTERVAL)
    assert [one.by.login for one in approved(golden)] == ["grace"]


@pytest.mark.parametrize("seconds", [0, 60, 120, 180, 240])
def test_a_command_on_a_line_that_was_edited_just_now_is_answered_later(seconds: int) -> None:
    golden = reached(5)
    world = golden.stage.world
    waits(golden, seconds)
    comment = world.comments_on_line("grace", golden.pull, "I will read it.")
    world.clock.advance(20)
    world.edits_comment("grace", comment, "/hold")
    for _ in range(6):
        waits(golden, INTERVAL)
    assert told(golden.pull.comments) == 1


def before_the_first_sweep(acts: int) -> Swept:
    """From here on no webhook arrives, and the repository was never swept."""
    golden = Swept()
    for act in golden.acts[:acts]:
        act()
        golden.stage.settles()
    golden.stage.world.drops_webhooks(logged=False)
    assert run(golden.stage.store.read(lambda tx: tx.sweeps.state(golden.repo.id))).swept_at is None
    golden.stage.world.clock.advance(30)
    return golden


def test_words_that_were_lost_before_the_first_sweep_are_found() -> None:
    golden = before_the_first_sweep(2)
    golden.says("grace", golden.issue, "/hold it loses data")
    waits(golden, 4 * INTERVAL)
    assert record(golden).held is not None
    said = [one for one in golden.issue.comments if one.app is None]
    assert [reactions(one) for one in said] == [["+1"]] * len(said), "what was heard before is not heard again"


def test_a_word_on_a_line_of_what_was_closed_before_the_first_sweep_is_found() -> None:
    golden = before_the_first_sweep(5)
    world = golden.stage.world
    world.comments_on_line("grace", golden.pull, "/hold this line")
    world.closes("ada", golden.pull)
    world.clock.advance(180)
    golden.says("grace", golden.issue, "See the line.")
    waits(golden, 4 * INTERVAL)
    assert record(golden).held is not None
