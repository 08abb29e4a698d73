"""A pull request that somebody unlinked: nothing that is seen of it afterwards links it again, only the word does."""

from tests.kit.sweeping import INTERVAL
from tests.sweep.test_lost import Swept, waits


def unlinked() -> Swept:
    golden = Swept()
    for act in golden.acts[:5]:
        act()
        golden.rest()
    golden.says("ada", golden.pull, "/unlink")
    golden.rest()
    return golden


def linked(golden: Swept) -> int | None:
    return golden.stage.record("octo/app", golden.issue.number).pull_request


def test_a_pull_request_that_was_unlinked_is_not_linked_again_by_the_next_sweep_or_push() -> None:
    golden = unlinked()
    waits(golden, 3 * INTERVAL)
    golden.stage.world.pushes("ada", golden.pull)
    golden.rest()
    golden.stage.world.closes("ada", golden.pull)
    golden.stage.world.reopens("ada", golden.pull)
    golden.rest()

    assert (linked(golden), golden.stage.record("octo/app", 1).phase) == (None, "building")


def test_the_word_links_what_was_unlinked() -> None:
    golden = unlinked()
    golden.says("ada", golden.pull, f"/link #{golden.issue.number}")
    golden.rest()

    assert (linked(golden), golden.stage.record("octo/app", 1).phase) == (golden.pull.number, "testing")


def test_a_description_that_is_edited_later_links_nothing_when_the_sweep_sees_it() -> None:
    golden = Swept()
    for act in golden.acts[:2]:
        act()
        golden.rest()
    world = golden.stage.world
    world.pushes("ada", golden.repo, "elsewhere")
    other = world.opens_pull("ada", golden.repo, "Something else", head="elsewhere", body="")
    golden.rest()
    world.edits("ada", other, body=f"Closes #{golden.issue.number}")
    waits(golden, 2 * INTERVAL)
    world.pushes("ada", other)
    golden.rest()

    told = [one.body for one in other.comments if one.app is not None]
    assert (linked(golden), len(told), "/link #1" in told[0]) == (None, 1, True)
