"""What must hold before GitHub is asked: read anew on the very version that is replaced; unreadable is not yes."""

from datetime import timedelta
from typing import Any

import pytest

from bot.domain.lifecycle.results import Advance
from bot.domain.merging.reservation import ended
from bot.domain.model.facts import BaseRules, PullSummary, RequiredCheck
from bot.domain.model.ids import SIGNALBOX
from bot.domain.model.merge import Merge
from bot.domain.model.own_signals import TimeCame
from bot.domain.model.policy import STRICT, GateRule, GateRules, MergeRule
from bot.domain.model.record import Held
from tests.kit.cases import NOW, REQUIRED, SILENT, advanced, judge, order_of, permission, pull_facts, runs
from tests.kit.merge_steps import ASK, PUSHED, remembered
from tests.kit.records import HEAD, NEW_HEAD, PEOPLE, at, authorised, merging

TICK = TimeCame(key="", actor=SIGNALBOX)
RULES = BaseRules(required=tuple(RequiredCheck(name=name) for name in REQUIRED))
TWIN = (PullSummary(number=34, head_sha=HEAD, base_ref="main"), PullSummary(number=35, head_sha=HEAD, base_ref="next"))
NEWER = at("14:29:30")


def rules(**changes: Any) -> BaseRules:
    return RULES.model_copy(update=changes)


def pull(**changes: Any) -> Any:
    return pull_facts(authorised(), **changes)


IN_THE_WAY = {
    "the head moved": {"pull": pull(head_sha=NEW_HEAD)},
    "the base moved": {"pull": pull(base_ref="next")},
    "it belongs to another repository": {"pull": pull(base_repository_id=2)},
    "it is closed": {"pull": pull(open=False)},
    "it is gone": {"pull": None},
    "it is a draft": {"pull": pull(draft=True)},
    "GitHub merges by itself": {"pull": pull(auto_merge=True)},
    "it is above another one in a stack": {"pull": pull(stack=(33, 34))},
    "another pull request has the same head": {"twins": TWIN},
    "a check is red": {"checks": runs(build="failure", lint="success", unit="success", types="success")},
    "a check runs": {"checks": runs(build=None, lint="success", unit="success", types="success")},
    "a check is missing": {"checks": runs(lint="success", unit="success", types="success")},
    "it changes workflow files": {"workflows": "touched"},
    "nobody knows whether it changes workflow files": {"workflows": "unlisted"},
    "the base wants a merge queue": {"rules": rules(merge_queue=True)},
    "the base wants heads that contain it": {"rules": rules(strict=True), "up_to_date": False},
    "a ruleset lets us bypass it": {"rules": rules(bypass=True)},
    "the base does not allow the method": {"rules": rules(methods=("merge",))},
    "a new check is required": {"rules": rules(required=(RequiredCheck(name="new"),))},
    "the reviewer lost the right": {"level": {"grace": "read"}},
    "the operator lost the right": {"level": {"omar": "write"}},
    "the reviewer is another account now": {"level": {"grace": permission("grace", "admin", user_id=999)}},
}
UNREADABLE = {
    "pull request": {"pull": SILENT},
    "what is below it in its stack": {"pull": pull(stack=None)},
    "checks": {"checks": SILENT},
    "rules": {"rules": SILENT},
    "what the base gained": {"rules": rules(strict=True), "up_to_date": SILENT},
    "bypass of a ruleset": {"rules": rules(bypass=None)},
    "other pull requests": {"twins": SILENT},
    "other pull requests, in a list that lacks our own": {"twins": ()},
    "files": {"workflows": SILENT},
    "reviewer": {"level": {"grace": SILENT}},
    "operator": {"level": {"omar": SILENT}},
}


@pytest.mark.parametrize(
    "world", [{}, {"pull": pull(stack=(34, 35))}, {"rules": rules(strict=True)}, {"up_to_date": False}], ids=str
)
def test_when_nothing_is_in_the_way_it_is_asked(world: dict[str, Any]) -> None:
    reserved = merging("reserved", locked=True)
    result = judge(reserved, ASK, **world)
    assert advanced(result).merge.state == "requested"
    assert order_of(reserved, result) is not None


@pytest.mark.parametrize("world", [*IN_THE_WAY.values(), *UNREADABLE.values()], ids=[*IN_THE_WAY, *UNREADABLE])
def test_whatever_is_in_the_way_releases_the_reservation_and_nothing_is_asked(world: dict[str, Any]) -> None:
    result = judge(merging("reserved", locked=True), ASK, **world)
    assert isinstance(result, Advance)
    assert (result.record.merge.state, result.record.merge.locked) == ("none", False)
    assert result.record.merge.reason or result.record.phase != "submit"


@pytest.mark.parametrize("world", [*IN_THE_WAY.values(), *UNREADABLE.values()], ids=[*IN_THE_WAY, *UNREADABLE])
def test_whatever_is_in_the_way_reserves_nothing(world: dict[str, Any]) -> None:
    result = judge(authorised(), TICK, **world)
    record = result.record if isinstance(result, Advance) else authorised()
    assert record.merge.state == "none"


HELD = Held(by=PEOPLE["omar"], since=NOW)


NOT_READY = {
    "a seat is empty": {"decisions": authorised().decisions[:-1]},
    "it is held": {"held": HELD},
    "it is withdrawn": {"withdrawn": True},
    "it is frozen": {"frozen": "suspended"},
}


BY_MERGE_COMMIT = STRICT.model_copy(update={"merge": MergeRule(method="merge")})
BY_MERGE = rules(methods=("merge", "squash"))


@pytest.mark.parametrize("below", [(33,), SILENT], ids=str)
def test_a_merge_commit_that_brings_another_head_along_is_not_asked_for(below: Any) -> None:
    record = merging("reserved", locked=True, method="merge")
    assert advanced(judge(record, ASK, BY_MERGE_COMMIT, rules=BY_MERGE, below=below)).merge.state == "none"
    assert advanced(judge(record, ASK, rules=BY_MERGE, below=below)).merge.state == "none"  # reserved by other rules
    assert advanced(judge(record, ASK, BY_MERGE_COMMIT, rules=BY_MERGE)).merge.state == "requested"


def test_a_squash_brings_no_other_head_along() -> None:
    assert advanced(judge(merging("reserved", locked=True), ASK, below=(33,))).merge.state == "requested"


@pytest.mark.parametrize("change", NOT_READY.values(), ids=[*NOT_READY])
def test_a_record_that_is_not_ready_reserves_nothing(change: dict[str, Any]) -> None:
    result = judge(authorised(**change), TICK)
    assert not isinstance(result, Advance) or result.record.merge.state == "none"


@pytest.mark.parametrize("change", NOT_READY.values(), ids=[*NOT_READY])
def test_a_reservation_of_a_record_that_is_not_ready_is_released(change: dict[str, Any]) -> None:
    result = judge(merging("reserved", locked=True).model_copy(update=change), ASK)
    assert isinstance(result, Advance)
    assert result.record.merge.state == "none"


def test_what_is_remembered_comes_first() -> None:
    record = authorised(merge=Merge(remembered=remembered(PUSHED)))
    result = judge(record, TICK)
    assert not isinstance(result, Advance) or result.record.merge.state == "none"


def test_a_complete_record_reserves_when_it_is_looked_at() -> None:
    after = advanced(judge(authorised(), TICK))
    assert (after.merge.state, after.merge.head, after.merge.locked) == ("reserved", HEAD, True)


def test_while_another_merge_into_the_base_runs_it_waits() -> None:
    after = advanced(judge(authorised(), TICK, base_is_free=False))
    assert (after.merge.state, after.merge.reason_code) == ("none", "base_taken")


def test_a_merge_on_command_waits_for_the_command() -> None:
    command = STRICT.model_copy(update={"merge": MergeRule(trigger="command")})
    result = judge(authorised(), TICK, command)
    assert not isinstance(result, Advance) or result.record.merge.state == "none"


def test_a_policy_may_spare_the_second_look_at_people() -> None:
    no = STRICT.model_copy(update={"recheck_at_merge": False})
    assert advanced(judge(merging("reserved"), ASK, no, level={"omar": SILENT})).merge.state == "requested"


def test_a_consumed_testing_decision_is_not_read_again() -> None:
    record = merging("reserved")
    lin = {"id": PEOPLE["lin"].id, "login": "lin"}
    swapped = tuple(
        d.model_validate(d.model_dump() | {"by": lin}) if (d.gate, d.kind) == ("testing", "review") else d
        for d in record.decisions
    )
    record = record.model_copy(update={"decisions": swapped})
    assert advanced(judge(record, ASK, level={"lin": "none"})).merge.state == "requested"


def test_a_refused_merge_is_not_tried_again_by_time_alone() -> None:
    refused = merging("refused", refused_since=NOW - timedelta(hours=1))
    news = judge(refused, TICK)
    assert isinstance(news, Advance), "its runs are others than those that were booked, which is a fact"
    refused = refused.model_copy(update={"verification": news.record.verification})
    result = judge(refused, TICK)
    assert not isinstance(result, Advance) or result.record.merge.state == "refused"
    paused = merging("refused", refused_since=NOW - timedelta(hours=1), look_at=NOW)
    assert advanced(judge(paused, TICK)).merge.state == "reserved"


def test_the_human_gate_that_a_settlement_asks_for_is_still_asked_for_when_it_is_taken_back() -> None:
    nobody = STRICT.model_copy(update={"gates": GateRules(submit=GateRule(reviews=1, operators=0))})
    settled = merging("refused", needs_gate_after=at("14:00"), refused_since=NOW, look_at=NOW)
    reserved = advanced(judge(settled, TICK, nobody))
    held = reserved.model_copy(update={"merge": ended(reserved.merge, now=NOW)})
    gate = {"void": "revoked by omar"}
    revoked = tuple(
        d.model_copy(update=gate) if d.gate == "submit" and d.kind == "operator" else d for d in held.decisions
    )

    after = advanced(judge(held.model_copy(update={"decisions": revoked}), TICK, nobody))

    assert (reserved.merge.state, after.merge.state, after.merge.reason_code) == ("reserved", "none", "not_complete")
    assert advanced(judge(held, TICK, nobody)).merge.state == "reserved"


def test_after_a_settlement_only_a_new_human_gate_leads_to_a_request() -> None:
    settled = {"refused_since": NOW, "look_at": NOW}
    result = judge(merging("refused", needs_gate_after=NEWER, **settled), TICK)
    assert not isinstance(result, Advance) or result.record.merge.state == "refused"
    assert advanced(judge(merging("refused", needs_gate_after=at("14:00"), **settled), TICK)).merge.state == "reserved"
