"""What a list of open pull requests says of the judged head, and what one that lacks our own cannot say."""

from typing import Any

import pytest

from bot.domain.lifecycle.results import Ignore
from bot.domain.model.facts import PullSummary
from bot.domain.model.ids import SIGNALBOX
from bot.domain.model.own_signals import HeadShared
from tests.kit.cases import MERGE_SHA, advanced, judge
from tests.kit.records import HEAD, a_pull, in_testing, merging

SHARED = HeadShared(key="", actor=SIGNALBOX, head=HEAD)
OURS = PullSummary(number=34, head_sha=HEAD, base_ref="main")
OTHER = PullSummary(number=35, head_sha=HEAD, base_ref="next")


def test_what_such_a_list_shows_is_there_all_the_same() -> None:
    assert advanced(judge(in_testing(), SHARED, twins=(OTHER,))).twins == (35,)


def test_a_list_that_lacks_our_own_takes_no_twin_away() -> None:
    assert isinstance(judge(in_testing(twins=(35,)), SHARED, twins=()), Ignore)


def test_a_whole_list_takes_the_twin_away() -> None:
    assert advanced(judge(in_testing(twins=(35,)), SHARED, twins=(OURS,))).twins == ()


@pytest.mark.parametrize("known", [{"pull": a_pull(open=False)}, {"phase": "done"}], ids=str)
def test_a_pull_request_that_is_not_open_need_not_be_on_it(known: dict[str, Any]) -> None:
    record = merging("merged", sha=MERGE_SHA, locked=False).model_copy(update={"twins": (35,)} | known)
    assert advanced(judge(record, SHARED, twins=())).twins == ()
