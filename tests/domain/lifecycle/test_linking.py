"""Linking: only a builder's pull request links itself, and another one needs a builder's word."""

from typing import Any

import pytest

from bot.domain.gates.gate import void_because
from bot.domain.lifecycle.linking import named_issues
from bot.domain.lifecycle.results import Ignore
from bot.domain.model.command_signals import Link
from bot.domain.model.merge import Merge
from bot.domain.model.own_signals import PullTaken
from bot.domain.model.questions import CommitAuthorsOf, PullOf
from bot.domain.model.record import Record
from bot.domain.model.sightings import PullOpened
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
    PEOPLE,
    a_pull,
    approved,
    at,
    decided,
    in_testing,
    linked,
    merged,
    merging,
)

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
        (linked(pull_request=33), {"also": {PullOf(34): pull_facts(approved())}}),
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


READER: dict[str, Any] = {"level": {"ada": "read"}}
THIS = {PullOf(34): pull_facts(approved())}


def told(record: Record, signal: PullOpened = OPENED, **world: Any) -> str:
    """The one comment on a pull request that is not linked, without its mark; empty when there is none."""
    result = judge(record, signal, **({"pull": pull_facts(approved())} | world))
    assert isinstance(result, Ignore)
    bodies = [getattr(effect.write, "body", "") for effect in result.effects]
    return "".join(bodies).partition("\n<!--")[0]


def test_a_readers_pull_request_is_told_how_a_builder_links_it() -> None:
    assert told(approved(), **READER) == (
        "Not linked by itself: whether this pull request is for a governed issue is a builder's word.\n"
        "A builder comments `/link #12`."
    )


def test_a_pull_request_whose_author_is_gone_is_told_how_a_builder_links_it() -> None:
    gone = pull_facts(approved(), author=None)
    assert told(approved(), pull=gone).endswith("A builder comments `/link #12`.")
    after = advanced(judge(approved(), linking("lin"), pull=gone))
    assert after.pull_request == 34


def test_a_second_pull_request_for_an_issue_is_told_which_one_it_would_replace() -> None:
    assert told(linked(pull_request=33), also=THIS) == (
        "Not linked by itself: issue #12 has #33 already, and this one would replace it.\nA builder comments `/link #12`."
    )


def test_a_pull_request_for_a_withdrawn_issue_is_told_what_comes_first() -> None:
    assert told(approved(withdrawn=True)) == (
        "Not linked by itself: issue #12 is withdrawn.\n"
        "A builder reopens it or adds the label `signalbox` again, then comments `/link #12`."
    )


@pytest.mark.parametrize(
    ("record", "world"),
    [
        (merged().model_copy(update={"pull_request": 33}), {}),
        (merging("requested").model_copy(update={"pull_request": 33}), {}),
        (linked(pull_request=33), {"also": {PullOf(34): pull_facts(approved(), open=False)}}),
        (approved(), {"linked_elsewhere": 7}),
        (approved(), {"pull": None}),
    ],
    ids=["done", "being merged", "closed", "of another record", "gone"],
)
def test_nobody_is_told_of_a_link_that_makes_no_sense(record: Record, world: dict[str, Any]) -> None:
    assert told(record, **world) == ""


ELSEWHERE = pull_facts(approved(), head_ref="retry", node_id="PR_34", body="Closes #12")


def test_a_description_that_was_edited_links_nothing_and_is_told_how_a_builder_does() -> None:
    assert advanced(judge(approved(), OPENED, pull=ELSEWHERE)).pull_request == 34
    assert told(approved(), pull=ELSEWHERE, edited=True) == (
        "Not linked by itself: its description was edited after it was opened, and only what it said then links by itself.\n"
        "A builder comments `/link #12`."
    )
    assert waits(judge(approved(), OPENED, pull=ELSEWHERE, edited=SILENT))


@pytest.mark.parametrize("there", ["in its branch", "in the branch of a fork"])
def test_a_branch_that_names_the_issue_links_whatever_was_edited(there: str) -> None:
    fork = {"head_repository_id": 2} if there == "in the branch of a fork" else {}
    pull = pull_facts(approved(), body="Closes #12", node_id="PR_34", **fork)
    result = judge(approved(), OPENED, pull=pull, edited=True)
    assert isinstance(result, Ignore) is bool(fork)


def test_a_push_of_a_builder_links_somebody_elses_pull_request() -> None:
    outsider: dict[str, Any] = {"pull": pull_facts(approved(), author=PEOPLE["lin"]), "level": {"lin": "read"}}
    pushed_it = OPENED.model_copy(update={"pushed": HEAD})
    assert advanced(judge(approved(), pushed_it, **outsider)).pull_request == 34
    assert told(approved(), **outsider).endswith("A builder comments `/link #12`.")
    another = OPENED.model_copy(update={"pushed": NEW_HEAD})
    assert told(approved(), another, **outsider).endswith("A builder comments `/link #12`.")
    reader = outsider | {"level": {"lin": "read", "ada": "read"}}
    assert told(approved(), pushed_it, **reader).endswith("A builder comments `/link #12`.")


def test_an_author_who_could_not_be_verified_is_asked_about_again() -> None:
    assert waits(judge(approved(), OPENED, level={"ada": SILENT}))


def linking(by: str, number: int = 34) -> Link:
    return Link(key="l", actor=actor(by), source=source(NOW, number=number), issue=12)


def test_a_builder_links_a_pull_request() -> None:
    assert advanced(judge(approved(), linking("lin"))).pull_request == 34


def test_a_builder_takes_over_what_a_withdrawn_record_has() -> None:
    assert advanced(judge(approved(), linking("lin"), linked_elsewhere=7, may_be_taken=True)).pull_request == 34


def test_by_itself_nothing_is_taken_over() -> None:
    assert isinstance(judge(approved(), OPENED, linked_elsewhere=7, may_be_taken=True), Ignore)


TAKEN = PullTaken(key="", actor=actor("lin"), at=NOW, pull=34, issue=13)


@pytest.mark.parametrize(
    "record",
    [
        in_testing(),
        linked(withdrawn=True, pull_request=33, pull=a_pull(number=33)),
        linked(withdrawn=True, frozen="database_behind"),
        merged(withdrawn=True),
        *(merging(state).model_copy(update={"withdrawn": True}) for state in ("requested", "ambiguous", "confirming")),
        in_testing(withdrawn=True, merge=Merge(state="refused", needs_gate_after=NOW)),
    ],
    ids=lambda record: f"{record.phase}-{record.merge.state}",
)
def test_what_is_under_way_done_or_may_be_merging_keeps_its_pull_request(record: Record) -> None:
    assert isinstance(judge(record, TAKEN), Ignore)


@pytest.mark.parametrize("record", [linked(withdrawn=True), in_testing(withdrawn=True)])
def test_what_is_withdrawn_gives_its_pull_request_up_and_knows_who_pushed_to_it(record: Record) -> None:
    after = advanced(judge(record, TAKEN))
    assert (after.pull_request, after.head, after.withdrawn, after.phase) == (None, None, True, "building")
    assert [(one.number, one.unlinked_at) for one in after.former_pulls] == [(34, NOW)]


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
        (approved(), "forge-1", {"linked_elsewhere": 7, "may_be_taken": True}, "not_allowed"),
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
