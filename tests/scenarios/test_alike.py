"""A merge that is under way ends, whatever the rules have become meanwhile, and apart from every other repository."""

import pytest

from bot.domain.model.policy import STRICT, GateRule, GateRules
from tests.kit.change import begun
from tests.kit.town import PEOPLE, Town

pytestmark = pytest.mark.anyio
TWO_REVIEWS = STRICT.model_copy(update={"sha": "e" * 40, "gates": GateRules(submit=GateRule(reviews=2, operators=1))})


@pytest.mark.parametrize("merge_api", ["sync"])
async def test_a_merge_that_github_put_off_under_stricter_rules_is_refused_and_the_base_is_free(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.fails("merge", 405, times=1)

    def stricter() -> None:
        town.policy = TWO_REVIEWS

    town.just_before("/merge", stricter)
    await change.on_pull("omar", "/gate submit c1", heard=False)
    await town.later(minutes=5, stride=60)

    record = await change.record()
    assert (record["phase"], record["merge"]["state"], len(town.merges())) == ("submit", "refused", 0)
    change.notices()


async def test_two_repositories_whose_records_are_alike_both_merge(town: Town) -> None:
    town.expected_errors |= {"merge_step_failed"}  # so that what people see says it first
    one = await begun(town, "almost")
    await one.merges()
    town.repo = town.world.repository("octo/lib", members=dict(PEOPLE))
    town.world.requires(town.repo, "build")
    two = await begun(town, "almost", title="The same elsewhere")
    await two.merges()

    assert (one.issue.number, two.issue.number, two.phase) == (1, 1, "done")
    two.notices()


@pytest.mark.parametrize("merge_api", ["async"])
async def test_what_github_answers_is_written_down_under_rules_that_ask_for_more_by_then(town: Town) -> None:
    change = await begun(town, "almost")

    def stricter() -> None:
        town.policy = TWO_REVIEWS

    town.just_before("/merge-async", stricter)
    await change.on_pull("omar", "/gate submit c1", heard=False)
    await town.later(minutes=1, stride=10)

    assert [line[1] for line in town.log.lines if line[0] == "error"] == []
    assert (change.phase, len(town.merges())) == ("done", 1)
    change.notices()
