"""An answer of GitHub to a merge request is never lost, also when what it leads to cannot be read at that moment."""

from tests.kit.stage import Stage, run
from tests.simulation.golden import Golden


class PushedMeanwhile(Stage):
    """While the request is on its way somebody pushes, the bot is told, and then GitHub shows no pull request."""

    armed = False
    golden: Golden

    async def pause(self, where: str) -> None:
        if self.armed and where == "before merge_async":
            self.armed = False
            self.world.fails("merge_async", 422)
            self.world.pushes("ada", self.golden.pull)
            self.delivers()
            while run(self.work.inbox.step()):
                pass
            self.world.unreachable("pull", times=None)


def test_a_refusal_whose_consequences_could_not_be_read_is_judged_later_and_not_forgotten() -> None:
    stage = PushedMeanwhile()
    stage.golden = golden = Golden(stage)
    for act in golden.acts[:-1]:
        act()
        golden.rest()
    stage.armed = True
    golden.acts[-1]()
    stage.settles()
    waiting = stage.record("octo/app", 1).merge
    assert (waiting.state, [one.signal["kind"] for one in waiting.remembered]) == (
        "refused",
        ["branch_pushed", "head_pushed"],
    )
    golden.rest(60)
    assert stage.record("octo/app", 1).merge.remembered == waiting.remembered
    stage.world.heals()
    golden.rest(60)
    after = stage.record("octo/app", 1)
    assert (after.head, after.merge.state, after.merge.remembered) == (golden.pull.head, "none", ())
    assert not [d for d in after.decisions if d.gate == "submit" and d.void is None]
