"""Our own sentences offer commands only as they are heard."""

import re

import pytest

from bot.domain.commands.catalogue import COMMANDS
from bot.domain.explain.ended_rows import FROZEN
from bot.domain.lifecycle.results import Refuse
from bot.domain.model.policy import STRICT, CommandsRule
from bot.domain.model.record import Frozen
from bot.domain.projections import notice_texts
from bot.domain.projections.check_run import check_runs
from bot.domain.projections.notices import notices
from bot.domain.projections.status_comment import status_comments
from tests.domain.lifecycle import columns
from tests.kit.cases import approves, judge
from tests.kit.records import at, in_testing, planned
from tests.kit.shows import show

#: A bare command that is offered to copy.
BARE = re.compile(r"`/(?:" + "|".join(spec.name for spec in COMMANDS) + r")\b[^`]*`")


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


@pytest.mark.parametrize("frozen", [None, *FROZEN])
@pytest.mark.parametrize("column", columns.COLUMNS)
def test_whatever_is_shown_offers_only_the_long_form_where_bare_commands_are_off(
    column: str, frozen: Frozen | None
) -> None:
    silent = STRICT.model_copy(update={"commands": CommandsRule(bare=False)})
    record = columns.column(column).model_copy(update={"frozen": frozen, "questions": (columns.a_question(),)})
    here = show(record, at("14:00"), silent, watched_pulls=(30,))
    told = [one.body for one in (*status_comments(here), *notices(here))]
    told += [f"{run.summary}\n{run.text}" for run in check_runs(here)]
    told += [notice_texts.ambiguous(here), notice_texts.external(here)]
    assert [found for text in told for found in BARE.findall(text)] == []
