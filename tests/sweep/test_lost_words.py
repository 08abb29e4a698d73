"""Words that no webhook told: whatever they wait for, a no is never passed over, and none is lost."""

from tests.sweep.test_lost import approved, reached, record, swept, waits


def test_an_approving_review_counts_only_once_its_words_are_heard() -> None:
    """grace approves with a /reject in the text and mends a word: for two minutes its webhook may still tell the first one."""
    golden = reached(5)
    world = golden.stage.world
    waits(golden, 180)
    review = world.reviews("grace", golden.pull, "APPROVED", "/reject unsafe")
    world.clock.advance(5)
    world.edits_review("grace", review, "/reject unsafe, see line 3")
    before: list[str] = []
    for _ in range(60):
        if told(golden.pull.comments):
            break
        before += [one.by.login for one in approved(golden)]
        golden.stage.later(10, stride=10)
    assert (told(golden.pull.comments), before) == (1, [])


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
