"""An operator settles an unknown merge: each thing that must fit, by a word that lacks just that one."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.domain.lifecycle.results import Result
from bot.domain.model.command_signals import SettleMerged, SettleUnmerged
from bot.domain.model.merge import Merge, MergeRead
from bot.domain.model.policy import STRICT, GateRule, GateRules
from bot.domain.model.questions import MergeEvidenceOf
from bot.domain.model.record import Decision, Record
from tests.kit.cases import MERGE_SHA, NOW, SILENT, actor, advanced, evidence, judge, source, verdict
from tests.kit.merge_steps import TICK, WINDOW, asked
from tests.kit.records import HEAD, approval, at, authorised, in_submit

ASKED_AT = at("14:10")
NOWHERE: dict[str, Any] = {"pull_merged": False, "pull_open": True, "on_base": False, "merge_sha": None}


def unknown() -> Record:
    """Asked at 14:10, and the window in which it may land is over."""
    return asked("ambiguous", requested_at=ASKED_AT, window_ends=NOW - WINDOW)


def unmerged(written: Any = NOW, *, looks: tuple[MergeRead, ...] = (), **shown: Any) -> Result:
    words = SettleUnmerged(key="s", actor=actor("omar"), source=source(written), why="I looked")
    record = unknown()
    record = record.model_copy(update={"merge": record.merge.model_copy(update={"reads": looks})})
    seen = SILENT if "silent" in shown else evidence(record, **NOWHERE | shown)
    return judge(record, words, evidence=seen)


def merged(written: Any = NOW, sha: str = MERGE_SHA, **shown: Any) -> Result:
    words = SettleMerged(key="s", actor=actor("omar"), source=source(written), sha=sha)
    record = unknown()
    seen = SILENT if "silent" in shown else evidence(record, **{"merge_sha": MERGE_SHA} | shown)
    return judge(record, words, also={MergeEvidenceOf(34, HEAD, "main", sha): seen})


def test_what_both_sides_show_settles_it() -> None:
    assert advanced(unmerged()).merge.state == "refused"
    assert advanced(merged()).phase == "done"


@pytest.mark.parametrize("settles", [merged, unmerged])
def test_words_about_an_earlier_request_do_not_settle_this_one(settles: Any) -> None:
    assert verdict(settles(at("14:09"))) == "stale_comment"
    assert verdict(settles(ASKED_AT)) is None


@pytest.mark.parametrize(
    ("shown", "code"),
    [
        ({"pull_merged": True, "pull_open": False}, "settle_mismatch"),
        ({"on_base": True}, "settle_mismatch"),
        ({"pull_merged": None}, "could_not_verify"),
        ({"on_base": None}, "could_not_verify"),
        ({"silent": True}, "could_not_verify"),
    ],
    ids=["the pull request shows it", "the base shows it", "one side unread", "the other side unread", "no side read"],
)
def test_it_is_settled_as_unmerged_only_while_both_sides_show_no_merge(shown: dict[str, Any], code: str) -> None:
    assert verdict(unmerged(**shown)) == code


MINUTE = timedelta(minutes=1)
ENDED = NOW - WINDOW


def look(at: datetime, *, merged: bool | None = False, on_base: bool | None = None) -> MergeRead:
    return MergeRead(at=at, merged=merged, on_base=on_base, head=HEAD, open=True)


LASTS = (look(NOW - 2 * MINUTE), look(NOW - MINUTE))


@pytest.mark.parametrize(
    ("looks", "code"),
    [
        (LASTS, None),
        (LASTS[1:], None),
        ((), "could_not_verify"),
        ((look(NOW - MINUTE / 2),), "could_not_verify"),
        ((look(ENDED),), "could_not_verify"),
        ((*LASTS, look(NOW, merged=None)), "could_not_verify"),
        ((*LASTS, look(NOW, merged=True)), "could_not_verify"),
        ((*LASTS, look(NOW, on_base=True)), "could_not_verify"),
    ],
    ids=[
        "two looks",
        "one look, a minute ago",
        "none",
        "one look just now",
        "only while it could still land",
        "unread since",
        "merged once",
        "on the base once",
    ],
)
def test_of_a_base_too_long_to_read_the_pull_request_s_word_counts_once_it_has_lasted(
    looks: tuple[MergeRead, ...], code: str | None
) -> None:
    assert verdict(unmerged(looks=looks, on_base=None, too_long=True)) == code
    assert verdict(unmerged(looks=looks, on_base=None)) == "could_not_verify"


GONE_AGAIN: dict[str, Any] = {"pull_merged": False, "pull_open": False}


@pytest.mark.parametrize(
    ("shown", "code"),
    [
        ({"sha": "f" * 40}, "settle_mismatch"),
        ({"sha": "f" * 40, **GONE_AGAIN}, "settle_mismatch"),
        ({"on_base": False, **GONE_AGAIN}, "settle_mismatch"),
        (GONE_AGAIN, "settle_mismatch"),
        ({"on_base": None, **GONE_AGAIN}, "could_not_verify"),
        ({"on_base": None, "pull_merged": None}, "could_not_verify"),
        ({"whole": True, "pull_merged": False, "pull_open": True}, "settle_mismatch"),
        ({"pull_merged": None, "pull_open": None}, "settle_mismatch"),
        ({"silent": True}, "could_not_verify"),
    ],
    ids=[
        "another commit than the pull request names",
        "another commit than the base shows",
        "closed, and not on the base",
        "closed, and on the base by what may be a part of it",
        "closed, and the base unread",
        "neither side read",
        "open",
        "nobody says whether it is open",
        "no side read",
    ],
)
def test_it_is_settled_as_merged_only_by_the_commit_that_github_shows(shown: dict[str, Any], code: str) -> None:
    assert verdict(merged(**shown)) == code


@pytest.mark.parametrize(
    "shown",
    [{"whole": True, **GONE_AGAIN}, {"on_base": False}, {"on_base": None}],
    ids=["closed, and its head is on the base", "merged, and gone from the base", "merged, and the base unread"],
)
def test_one_side_that_names_the_commit_is_enough_for_an_operator_s_word(shown: dict[str, Any]) -> None:
    assert advanced(merged(**shown)).phase == "done"


NOBODY_GATES = STRICT.model_copy(update={"gates": GateRules(submit=GateRule(reviews=1, operators=0))})
SETTLED_AT = at("14:22")


def settled(*since: Decision) -> Record:
    """Settled as unmerged at 14:22, under rules that ask no operator at submit; complete but for that."""
    before = authorised()
    merge = Merge(state="refused", id="r-39", reason="settled as unmerged", needs_gate_after=SETTLED_AT)
    given = tuple(d.model_copy(update={"id": 90 + n}) for n, d in enumerate(since))
    return before.model_copy(update={"merge": merge, "decisions": (*before.decisions[:-1], *given)})


def gate(when: str, **changes: Any) -> Decision:
    fields: dict[str, Any] = {"kind": "operator"} | changes
    return approval(in_submit(), "submit", "omar", at(when), **fields)


@pytest.mark.parametrize(
    ("since", "state"),
    [
        ((), "refused"),
        ((gate("14:25", kind="review"),), "refused"),
        ((gate("14:25", void="revoked by omar"),), "refused"),
        ((gate("14:22"),), "refused"),
        ((gate("14:21"),), "refused"),
        ((gate("14:25"),), "reserved"),
    ],
    ids=["nothing", "a review", "a gate that was taken back", "a gate of the same second", "a gate before", "a gate"],
)
def test_what_was_settled_as_unmerged_is_asked_again_only_after_a_human_gate_where_nobody_needs_to_gate(
    since: tuple[Decision, ...], state: str
) -> None:
    result = judge(settled(*since), TICK, NOBODY_GATES)
    record = getattr(result, "record", settled(*since))
    assert record.merge.state == state
