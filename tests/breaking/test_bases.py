"""A pull request that is retargeted while the record is blocked (LIFECYCLE.md 2.2, 2.5, 2.6)."""

from tests.kit.stage import Stage
from tests.simulation.golden import Golden


def says(golden: Golden, who: str, text: str) -> None:
    golden.says(who, golden.pull, text)
    golden.rest()


def retargets(golden: Golden, base: str) -> None:
    world = golden.stage.world
    world.clock.advance(2)
    if base not in golden.repo.branches:
        world.branches("ada", golden.repo, base)
    world.retargets("ada", golden.pull, base)
    golden.rest()


def test_what_was_revoked_while_the_base_was_another_does_not_come_back_with_the_base() -> None:
    """grace approves; blocked; retargeted; grace revokes (and is told that nothing counts); retargeted back; resumed."""
    golden = Golden(Stage())
    for act in golden.acts[:8]:
        act()
        golden.rest()
    says(golden, "omar", "/block may we?")
    retargets(golden, "next")
    says(golden, "grace", "/revoke")
    retargets(golden, "main")
    says(golden, "omar", "/resume submit")
    says(golden, "omar", f"/gate submit {golden.pull.head[:12]}")
    golden.rest(200)

    assert golden.stage.world.landed == [], "grace revoked all she had decided, and it was merged on her word"


def test_a_base_that_was_judged_once_is_not_the_base_that_is_judged_now() -> None:
    """Candidate for main, then for next; blocked in submit for next; retargeted to main: the binding moved, so building."""
    golden = Golden(Stage())
    for act in golden.acts[:5]:
        act()
        golden.rest()
    retargets(golden, "next")
    for gate, word, who in (
        ("testing", "approve", "grace"),
        ("testing", "gate", "omar"),
        ("submit", "approve", "grace"),
    ):
        says(golden, who, f"/{word} {gate} {golden.pull.head[:12]}")
    assert golden.stage.record("octo/app", golden.issue.number).phase == "submit"
    says(golden, "omar", "/block may we?")
    retargets(golden, "main")
    says(golden, "omar", "/resume submit")

    record = golden.stage.record("octo/app", golden.issue.number)
    assert record.phase in {"building", "testing"}, f"in {record.phase} for {record.base}, judged for next"
