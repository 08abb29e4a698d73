"""Who pushed, read from the branch's activity: everybody, or it stays unknown; and nobody who was known is forgotten."""

from typing import Any

import pytest

from bot.domain.model.facts import UNTOLD, Push
from bot.domain.model.questions import Contains, PushesTo
from bot.domain.model.record import Record
from bot.domain.model.sightings import HeadPushed, PullOpened, PullRetargeted
from tests.kit.cases import SILENT, actor, advanced, approves, judge, opens_gate, pull_facts, refusal
from tests.kit.records import HEAD, NEW_HEAD, OLD_HEAD, PEOPLE, a_pull, approved, at, in_testing

NOWHERE = "0" * 40
BASE = pull_facts(approved()).base_sha
OPENED = PullOpened(key="o", actor=actor("ada"), pull=34)


def push(before: str, after: str, by: str | None = "ada") -> Push:
    return Push(before=before, after=after, actor=PEOPLE[by] if by else None)


MADE = push(NOWHERE, HEAD)
WHOLE = {
    "made with its commits": ((MADE,), {"ada"}),
    "pushed to since": ((push(OLD_HEAD, HEAD, "lin"), push(NOWHERE, OLD_HEAD)), {"ada", "lin"}),
    "made at the base by somebody else": ((push(BASE, HEAD), push(NOWHERE, BASE, "omar")), {"ada"}),
    "long before at the base": ((push(BASE, HEAD), push(OLD_HEAD, BASE, "lin")), {"ada"}),
    "deleted and restored": (
        (push(NOWHERE, HEAD, "omar"), push(HEAD, NOWHERE, "grace"), push(NOWHERE, HEAD, "lin")),
        {"omar", "lin"},
    ),
    "made anew where another was": ((push(NOWHERE, HEAD), push(OLD_HEAD, NOWHERE, "omar")), {"ada"}),
}
BROKEN = {
    "nothing is shown": (),
    "this head is not shown yet": (push(NOWHERE, OLD_HEAD),),
    "the beginning is not shown": (push(OLD_HEAD, HEAD),),
    "something is left out": (push(OLD_HEAD, HEAD), push(NOWHERE, NEW_HEAD)),
    "somebody has no name": (push(NOWHERE, HEAD, None),),
    "it does not go back far enough behind a deletion": (push(NOWHERE, HEAD), push(HEAD, NOWHERE)),
    "nothing is told of before the branch was made": (push(NOWHERE, HEAD), UNTOLD),
}


def linked_after(pushes: object) -> Record:
    return advanced(judge(approved(), OPENED, pushes=pushes, commit_authors=(PEOPLE["grace"],)))


@pytest.mark.parametrize("story", WHOLE)
def test_an_unbroken_line_names_everybody_who_pushed(story: str) -> None:
    pushes, people = WHOLE[story]
    record = linked_after(pushes)
    assert record.pull is not None
    assert ({one.login for one in record.pull.pushers}, record.pusher_is_unknown) == (people, False)
    assert record.pull.commit_authors == ()


@pytest.mark.parametrize("story", BROKEN)
def test_a_broken_line_leaves_it_unknown_and_whoever_is_named_in_commits_out(story: str) -> None:
    """threats.md, T6."""
    record = linked_after(BROKEN[story])
    assert record.pull is not None
    assert (record.pusher_is_unknown, record.pull.commit_authors) == (True, (PEOPLE["grace"],))


def test_an_activity_that_cannot_be_read_leaves_it_unknown() -> None:
    assert linked_after(SILENT).pusher_is_unknown


def test_where_more_commits_are_in_it_than_github_names_authors_of_nobody_takes_a_seat() -> None:
    unknown = in_testing(pull=a_pull(pushers=(), pusher_unknown=True))
    sha = HEAD[:12]
    for judgement in (approves("grace", sha=sha, gate="testing"), opens_gate("omar", sha=sha, gate="testing")):
        result = judge(unknown, judgement, pushes=(), commit_authors=None)
        assert refusal(result) == "unknown_pusher"
        assert "more commits than GitHub names the authors of" in str(result)


def test_nobody_who_was_known_to_have_pushed_is_forgotten() -> None:
    unknown = in_testing(pull=a_pull(pushers=(PEOPLE["lin"],), pusher_unknown=True))
    after = advanced(judge(unknown, approves("grace", sha=HEAD[:12], gate="testing"), pushes=(MADE,)))
    assert after.pull is not None
    assert (set(after.pull.pushers), after.pusher_is_unknown) == ({PEOPLE["lin"], PEOPLE["ada"]}, False)


def test_who_turns_out_to_have_pushed_is_refused_and_stays_known() -> None:
    unknown = in_testing(pull=a_pull(pushers=(), pusher_unknown=True))
    rows = (push(NOWHERE, HEAD, "grace"),)
    result = judge(unknown, approves("grace", sha=HEAD[:12], gate="testing"), pushes=rows)
    assert refusal(result) == "self_approval"
    assert "grace" in str(getattr(result, "record", ""))


@pytest.mark.parametrize(
    ("rows", "unknown", "people"),
    [
        ((), True, {"ada"}),
        ((push(OLD_HEAD, NEW_HEAD), push(HEAD, OLD_HEAD, "grace"), push(NOWHERE, HEAD)), False, {"ada", "grace"}),
    ],
    ids=["not shown", "shown"],
)
def test_a_push_of_which_there_was_no_news_is_not_taken_for_that_of_the_next_one(
    rows: tuple[Push, ...], unknown: bool, people: set[str]
) -> None:
    """grace pushes unheard, and ada on top of it: the news of ada's push begins at a head that was never read."""
    record = in_testing(pull=a_pull(pushers=(PEOPLE["ada"],)))
    news = HeadPushed(key="p", actor=actor("ada"), pull=34, before=OLD_HEAD, after=NEW_HEAD)
    after = advanced(judge(record, news, pull=pull_facts(record, head_sha=NEW_HEAD), pushes=rows))
    assert after.pull is not None
    assert (after.pusher_is_unknown, {one.login for one in after.pull.pushers}) == (unknown, people)


def test_a_pull_request_that_was_stacked_is_judged_on_its_new_base_by_whoever_pushed_none_of_both() -> None:
    """grace's commit was on the base below, and is the pull request's own on main, whose activity never had it."""
    below = "b" * 40
    record = in_testing(base="below", pull=a_pull(pushers=(PEOPLE["ada"],), base_sha=below, read_against=below))
    read = pull_facts(record, base_ref="main", base_sha=BASE)
    seen: dict[str, Any] = {
        "pull": read,
        "pushes": (push(below, HEAD), push(BASE, below, "grace"), push(NOWHERE, BASE)),
        "also": {Contains("main", below): False, PushesTo("main"): ()},
    }
    retargeted = PullRetargeted(key="r", actor=actor("ada"), pull=34, before="below", after="main")
    now = advanced(judge(record, retargeted, now=at("14:20"), **seen))

    assert (now.phase, now.base) == ("testing", "main")
    assert refusal(judge(now, approves("grace", sha=HEAD[:12], gate="testing"), **seen)) == "self_approval"
    assert advanced(judge(now, approves("lin", sha=HEAD[:12], gate="testing"), **seen)).decisions[-1].void is None
