"""Our own sentences offer commands only as they are heard."""

from bot.domain.lifecycle.results import Refuse
from bot.domain.model.policy import STRICT, CommandsRule
from tests.kit.cases import approves, judge
from tests.kit.records import in_testing, planned


def test_a_refusal_offers_the_long_form_where_bare_commands_are_off() -> None:
    silent = STRICT.model_copy(update={"commands": CommandsRule(bare=False)})
    result = judge(in_testing(), approves("lin"), policy=silent)
    assert isinstance(result, Refuse)
    assert "`/signalbox approve testing" in result.refusal.message
    assert "`/approve" not in result.refusal.message


def test_a_refusal_offers_the_bare_form_where_it_is_heard() -> None:
    result = judge(planned(), approves("lin", thread="issue", revision=1))
    assert isinstance(result, Refuse)
    assert "`/approve r2`" in result.refusal.message
