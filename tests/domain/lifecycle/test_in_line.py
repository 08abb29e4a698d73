"""Since when a record stands in line for its base: since all that people and checks give is there, and nobody keeps it back."""

from datetime import timedelta
from typing import Any

import pytest

from bot.domain.model.command_signals import SetPriority, Unhold
from bot.domain.model.record import Held
from tests.kit.cases import NOW, actor, advanced, judge, opens_gate, pull_facts, showed, source
from tests.kit.merge_steps import TICK
from tests.kit.records import HEAD, PEOPLE, authorised

BEFORE = NOW - timedelta(hours=1)
TAKEN: dict[str, Any] = {"base_is_free": False}


def test_it_is_since_the_last_thing_was_given() -> None:
    record = authorised(decisions=authorised().decisions[:-1])
    shown = (showed(record, "submit", NOW - timedelta(minutes=1)),)
    waits = advanced(judge(record, opens_gate("omar", sha=HEAD[:12], gate="submit"), shown=shown, **TAKEN))
    assert (waits.merge.reason_code, waits.complete_since) == ("base_taken", NOW)
    later = advanced(judge(waits, PRIORITY, now=NOW + timedelta(minutes=5), **TAKEN))
    assert later.complete_since == NOW


def test_a_decision_that_does_not_count_changes_nothing_about_it() -> None:
    waits = authorised(complete_since=BEFORE)
    newest = waits.decisions[-1].model_copy(update={"id": 99, "at": NOW, "void": "revoked"})
    after = advanced(judge(waits.model_copy(update={"decisions": (*waits.decisions, newest)}), TICK, **TAKEN))
    assert after.complete_since == BEFORE


def test_who_was_held_comes_when_the_hold_is_lifted() -> None:
    held = authorised(held=Held(by=PEOPLE["grace"], since=BEFORE))
    lifted = advanced(judge(held, Unhold(key="u", actor=actor("grace"), source=source(NOW)), **TAKEN))
    assert lifted.complete_since == NOW


@pytest.mark.parametrize(
    "lost", [{"pull": pull_facts(authorised(), draft=True)}, {"twins": ()}], ids=["draft", "unread"]
)
def test_only_what_is_known_to_be_lost_costs_the_place(lost: dict[str, Any]) -> None:
    after = advanced(judge(authorised(complete_since=BEFORE), TICK, **lost))
    assert after.complete_since == (None if "pull" in lost else BEFORE)


PRIORITY = SetPriority(key="p", actor=actor("omar"), source=source(NOW), priority=10)
