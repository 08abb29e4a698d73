"""A pull request that changes its base while GitHub is asked: there is no guard against that, so it is told."""

from tests.kit.stage import Stage
from tests.simulation.golden import Golden


class RetargetingStage(Stage):
    """Somebody retargets the pull request in the very moment the request leaves."""

    golden: Golden | None = None

    async def pause(self, where: str) -> None:
        if where == "before merge_async" and self.golden is not None:
            golden, self.golden = self.golden, None
            self.world.branches("ada", golden.repo, "next")
            self.world.retargets("ada", golden.pull, "next")


def test_a_merge_that_lands_on_another_base_is_done_and_says_what_was_not_judged() -> None:
    stage = RetargetingStage()
    golden = stage.golden = Golden(stage)
    for act in golden.acts:
        act()
        golden.rest()
    golden.rest(120)

    record = stage.record("octo/app", golden.issue.number)
    assert (record.phase, record.merge.external, record.merge.base) == ("done", False, "next")
    assert record.merge.missing == ("a judgement for base `next`",)
    assert "a judgement for base" in golden.pull.comments[0].body
