"""Linking: only a builder's pull request links itself, and another one needs a builder's word."""

from typing import Any

import pytest

from bot.domain.lifecycle.linking import named_issues
from bot.domain.lifecycle.results import Ignore
from bot.domain.merging.gate import void_because
from bot.domain.model.ids import SIGNALBOX
from bot.domain.model.questions import CommitAuthorsOf, PullOf
from bot.domain.model.record import Record
from bot.domain.model.signals import (
    HeadPushed,
    Link,
    PullOpened,
    TimeCame,
)
from tests.kit.cases import (
    NOW,
    SILENT,
    actor,
    advanced,
    events,
    judge,
    left_alone,
    permission,
    pull_facts,
    refusal,
    source,
    waits,
)
from tests.kit.records import (
    HEAD,
    NEW_HEAD,
    a_pull,
    approved,
    at,
    decided,
    in_testing,
    linked,
    merged,
    merging,
)

TICK = TimeCame(key="", actor=SIGNALBOX)


def pushed(before: str = HEAD, after: str = NEW_HEAD, by: str = "ada") -> HeadPushed:
    return HeadPushed(key="p", actor=actor(by), pull=34, before=before, after=after)


def at_head(record: Record, sha: str, **changes: Any) -> dict[str, Any]:
    return {"pull": pull_facts(record, head_sha=sha, **changes)}


OPENED = PullOpened(key="o", actor=actor("ada"), pull=34)


def test_a_builders_pull_request_links_itself_and_its_head_is_offered() -> None:
    after = advanced(judge(approved(), OPENED))
    assert (after.pull_request, after.head, after.base, after.phase) == (34, HEAD, "main", "testing")


@pytest.mark.parametrize(
    ("record", "world"),
    [
        (approved(), {"level": {"ada": "read"}}),
        (approved(), {"level": {"ada": permission("ada", "admin", user_id=999)}}),
        (approved(), {"level": {"ada": permission("ada", "admin", is_bot=True)}}),
        (approved(), {"pull": pull_facts(approved(), base_repository_id=2)}),
        (approved(), {"pull": pull_facts(approved(), open=False)}),
        (approved(), {"pull": pull_facts(approved(), author=None)}),
        (approved(), {"linked_elsewhere": 7}),
        (approved(withdrawn=True), {}),
        (linked(pull_request=33), {}),
        (merged().model_copy(update={"pull_request": 33}), {}),
    ],
    ids=[
        "reader",
        "another account",
        "bot",
        "elsewhere",
        "closed",
        "ghost",
        "other record",
        "withdrawn",
        "linked",
        "done",
    ],
)
def test_no_other_pull_request_links_itself(record: Record, world: dict[str, Any]) -> None:
    given = {"pull": pull_facts(approved())} | world
    assert left_alone(judge(record, OPENED, **given))


def test_a_reader_is_told_how_a_builder_links_it() -> None:
    result = judge(approved(), OPENED, level={"ada": "read"})
    assert isinstance(result, Ignore)
    assert "/link #12" in getattr(result.effects[0].write, "body", "")


def test_an_author_who_could_not_be_verified_is_asked_about_again() -> None:
    assert waits(judge(approved(), OPENED, level={"ada": SILENT}))


def linking(by: str, number: int = 34) -> Link:
    return Link(key="l", actor=actor(by), source=source(NOW, number=number), issue=12)


def test_a_builder_links_a_pull_request() -> None:
    assert advanced(judge(approved(), linking("lin"))).pull_request == 34


def test_another_pull_request_replaces_the_linked_one_and_nothing_of_it_counts() -> None:
    record = in_testing(pull_request=33, pull=a_pull(number=33))
    record = decided(record, ("testing", "review", "grace", at("13:00")))
    result = judge(record, linking("lin"), also={PullOf(34): pull_facts(in_testing()), CommitAuthorsOf(34): ()})
    assert events(result)[0] == "pull_request_replaced"
    after = advanced(result)
    assert (after.pull_request, after.head_epoch) == (34, 4)
    assert not [d for d in after.decisions if d.gate == "testing" and void_because(after, d) is None]


@pytest.mark.parametrize(
    ("record", "by", "world", "code"),
    [
        (approved(), "forge-1", {}, "not_allowed"),
        (approved(), "lin", {"level": {"lin": SILENT}}, "could_not_verify"),
        (approved(), "lin", {"linked_elsewhere": 7}, "bad_argument"),
        (approved(), "lin", {"pull": pull_facts(approved(), base_repository_id=2)}, "bad_argument"),
        (approved(), "lin", {"pull": pull_facts(approved(), open=False)}, "bad_argument"),
        (linked(), "lin", {}, "already_recorded"),
        (merging("requested"), "lin", {}, "merge_in_flight"),
        (merged(), "lin", {}, "wrong_phase"),
        (approved(withdrawn=True), "lin", {}, "withdrawn"),
    ],
)
def test_why_a_link_is_refused(record: Record, by: str, world: dict[str, Any], code: str) -> None:
    number = 35 if record.in_flight else 34
    assert refusal(judge(record, linking(by, number), **world)) == code


@pytest.mark.parametrize(
    ("body", "branch", "head_repository", "issues"),
    [
        ("Closes #12", "x", 1, (12,)),
        ("fixes: #12 and resolved #13", "x", 1, (12, 13)),
        ("closes octo/app#12", "x", 1, (12,)),
        ("closes OCTO/App#12", "x", 1, (12,)),
        ("closes other/app#12", "x", 1, ()),
        ("see #12", "x", 1, ()),
        ("discloses #12", "x", 1, ()),
        ("", "signalbox/12-retry", 1, (12,)),
        ("Closes #12", "signalbox/12-retry", 1, (12,)),
        ("", "signalbox/12-retry", 2, ()),
        ("", "x/signalbox/12-retry", 1, ()),
        ("", "signalbox/12", 1, ()),
    ],
)
def test_which_issues_a_pull_request_names(
    body: str, branch: str, head_repository: int, issues: tuple[int, ...]
) -> None:
    pull = pull_facts(approved(), body=body, head_ref=branch, head_repository_id=head_repository)
    assert named_issues(pull, approved().repo) == issues
