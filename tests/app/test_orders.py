"""What an operator agreed to is done to what was shown, or not at all."""

from bot.app.operator import Means, Orders
from tests.kit.stage import Stage, run
from tests.simulation.golden import Golden


def test_an_order_is_for_the_version_that_was_looked_at() -> None:
    golden = Golden(Stage())
    for act in golden.acts[:2]:
        act()
        golden.stage.settles()
    stage, version = golden.stage, golden.stage.record("octo/app", golden.issue.number).version
    means = Means(stage.work.transactor, stage.work.rules)
    orders = Orders(stage.store, stage.world.clock, stage.log, lambda: means)
    order = {"repository": "octo/app", "issue": golden.issue.number, "verb": "retry"}

    codes = [
        run(orders.give(order | {"version": seen}, "bastion:sam"))["error"]["code"]
        for seen in (version, version - 1, None)
    ]

    assert codes == ["wrong_phase", "version_conflict", "wrong_phase"]
