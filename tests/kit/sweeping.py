"""A stage whose bot sweeps, and webhooks that never come."""

from functools import partial
from typing import Any

from bot.app.outside import Outside
from bot.app.sweep.sweeper import Sweep
from bot.bootstrap.work import assemble_sweep
from bot.github.inbound.translate import translate
from bot.ports.forge import Directory, Forge, HookLog
from bot.simulator.app import SimulatedDirectory, SimulatedHookLog
from bot.simulator.forge import SimulatedForge
from tests.kit.ruling import given
from tests.kit.stage import NoNudge, Stage, run

INTERVAL = 300.0


class SweepingStage(Stage):
    """`sweeps` lets one sweep of everything happen now, whatever is due."""

    sweep: Sweep

    def starts(self) -> None:
        super().starts()
        self.sweep = self.sweeper(self.forge(), SimulatedDirectory(self.world, self.pause), self.hook_log())

    def forge(self) -> Forge:
        return SimulatedForge(self.world, self.pause)

    def hook_log(self) -> HookLog:
        return SimulatedHookLog(self.world, self.pause)

    def sweeper(self, forge: Forge, directory: Directory, hooks: HookLog, owner: str = "sweeper") -> Sweep:
        outside = Outside(
            self.store, forge, self.world.clock, self.log, NoNudge(), self.timing, f"{owner}-{self.generation}"
        )
        translator = partial(translate, app_id=self.world.app.id)
        return assemble_sweep(outside, directory, hooks, translator, given(lambda: self.policy), INTERVAL)

    def settles(self) -> None:
        """The sweep is one more part that works until nothing is due."""
        while True:
            super().settles()
            if not run(self.sweep.step()):
                return

    def asked(self, since: int = 0) -> list[str]:
        return [request.operation for request in self.world.requests[since:]]

    def authority(self, repository: str, issue: int) -> set[str]:
        record: Any = self.record(repository, issue)
        return {decision.id for decision in record.decisions if decision.void is None}
