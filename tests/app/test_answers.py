"""An answer of GitHub to a merge request is never lost, also when what it leads to cannot be read at that moment."""

from tests.kit.stage import Stage, run
from tests.simulation.golden import Golden
from tests.simulation.mortal import Crasher, Killed, MortalStage


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


def test_an_answer_that_was_stored_before_the_process_died_is_judged_by_the_next() -> None:
    crasher = Crasher()
    golden = Golden(stage := MortalStage(crasher))
    for act in golden.acts[:-1]:
        act()
        golden.rest()
    stage.world.fails("merge_async", 422)
    deaths: list[str] = []

    def dies_with_the_answer() -> None:
        if not deaths and stage.world.requests[-1].operation == "merge_async":
            deaths.append("after the first write behind the answer")
            crasher.dead = True
            raise Killed

    stage.store.after_commit = dies_with_the_answer
    golden.acts[-1]()
    golden.rest(60)

    assert len(deaths) == 1
    merge = stage.record("octo/app", 1).merge
    assert (merge.state, [one.operation for one in stage.world.requests].count("merge_async")) == ("refused", 1)
