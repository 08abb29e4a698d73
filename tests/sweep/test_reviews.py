"""A review that only the sweep finds is one text: its verdict does not overtake what its body says (LIFECYCLE.md 2.5)."""

from tests.sweep.test_lost import approved, reached, waits


def test_an_approving_verdict_waits_for_a_body_that_was_edited_just_now() -> None:
    """A body that may have said `/reject` at first is left to its webhook for a moment; so is the verdict beside it."""
    golden = reached(5)
    world = golden.stage.world
    waits(golden, 180)
    review = world.reviews("grace", golden.pull, "APPROVED", "/reject unsafe")
    world.clock.advance(5)
    world.edits_review("grace", review, "/reject unsafe, see line 3")
    seen: list[tuple[bool, bool]] = []
    for _ in range(40):
        golden.stage.later(10, stride=10)
        answered = any("edited before it was read" in one.body for one in golden.pull.comments)
        seen.append((bool(approved(golden)), answered))

    assert (True, False) not in seen
    assert seen[-1] == (True, True)
