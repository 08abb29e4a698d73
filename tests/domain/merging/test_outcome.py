"""What each answer of GitHub to a merge request means; what is not known to be a no may have landed."""

from datetime import timedelta
from typing import Any

import pytest

from bot.domain.merging.outcome import ReplyKind, classify
from bot.domain.model.effects import MergeReply
from tests.kit.cases import MERGE_SHA, NOW
from tests.kit.records import HEAD, OLD_HEAD

SOON = NOW + timedelta(seconds=30)
UUID = "3f0e"


def kind(api: str, **reply: Any) -> ReplyKind:
    return classify(MergeReply.model_validate({"api": api, "sent": True} | reply), HEAD, "squash").kind


@pytest.mark.parametrize(
    ("status", "message", "expected"),
    [
        (409, "Head branch was modified. Review and try the merge again.", "refused_head"),
        (405, "Base branch was modified. Review and try the merge again.", "refused_base"),
        (405, "Head branch is out of date. Review and try the merge again.", "refused_base"),
        (409, "Head branch is out of date. Review and try the merge again.", "refused_base"),
        (409, "Base branch was modified. Review and try the merge again.", "refused_base"),
        (405, "Merge already in progress", "ambiguous"),
        (405, "Pull Request is not mergeable", "refused_unless_merged"),
        (405, 'Required status check "build" is expected.', "refused_policy"),
        (405, "At least 1 approving review is required by reviewers with write access.", "refused_policy"),
        (405, "Changes must be made through the merge queue", "refused_policy"),
        (405, "Pull Request is in the merge queue", "refused_policy"),
        (405, "Squash merges are not allowed on this repository.", "refused_policy"),
        (405, "Pull Request is still a draft", "refused_policy"),
        (403, "Resource not accessible by integration", "refused_policy"),
        (404, "Not Found", "refused_policy"),
        (422, "Validation Failed", "refused_policy"),
        (401, "Bad credentials", "not_executed"),
        (301, "Moved Permanently", "not_executed"),
        (307, "Temporary Redirect", "not_executed"),
        (308, "Permanent Redirect", "not_executed"),
        (429, "API rate limit exceeded", "not_executed"),
        (500, "Server Error", "ambiguous"),
        (502, "Bad Gateway", "ambiguous"),
        (503, "Service Unavailable", "ambiguous"),
        (504, "Gateway Timeout", "ambiguous"),
    ],
)
def test_a_known_answer_to_a_synchronous_merge(status: int, message: str, expected: str) -> None:
    assert kind("sync", status=status, message=message) == expected


@pytest.mark.parametrize(
    "message",
    [
        "The draft was merged",
        "A signed merge commit is being written",
        "Merging into the protected branch is queued",
        "The pull request is in the merge queue of another branch",
        "Linear history: still rebasing",
        "An approving review is required",
        "Required status check is expected",
        'Required status check "build" is expected. Merge already in progress',
        "Merge already in progress. Squash merges are not allowed on this repository.",
        "Squash merges are not allowed on this repository, so it is merged by a merge commit.",
        "Pull Request is still a draft; it was merged all the same",
        "Repository rule violations found, and bypassed",
        "Base branch was modified by this merge",
        "The base branch was modified. Review and try the merge again.",
        "Head branch is out of date. Review and try the merge again. It is being updated.",
        "Pull Request is not mergeable yet, trying",
        "Head branch was modified while merging",
    ],
)
@pytest.mark.parametrize("status", [405, 409])
def test_a_sentence_that_only_resembles_a_known_one_may_have_landed(status: int, message: str) -> None:
    assert kind("sync", status=status, message=message) == "ambiguous"
    assert kind("async", status=status, message=message) == "ambiguous"


@pytest.mark.parametrize(
    "message",
    [
        "Repository rule violations found\n\nChanges must be made through a pull request.\n",
        'At least 2 approving reviews are required by reviewers with write access. Required status check "a. b" is failing.',
        "COMMITS MUST HAVE VERIFIED SIGNATURES ",
    ],
)
def test_several_known_sentences_are_a_no_as_one_is(message: str) -> None:
    assert kind("sync", status=405, message=message) == "refused_policy"


@pytest.mark.parametrize("status", [200, 202, 400, 405, 406, 408, 409, 410, 412, 418, 423, 451, 499, 599])
def test_any_other_answer_to_a_synchronous_merge_may_have_landed(status: int) -> None:
    assert kind("sync", status=status, message="Something new") == "ambiguous"
    assert kind("sync", status=status) == "ambiguous"


def test_a_success_is_one_only_where_it_says_so() -> None:
    assert kind("sync", status=200, merged=True, sha=MERGE_SHA) == "landed"
    assert kind("sync", status=200, merged=False) == "ambiguous"
    assert kind("sync", status=200, merged=None, sha=MERGE_SHA) == "ambiguous", "an unreadable 200"


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ({"status": 202, "body_status": "pending", "uuid": UUID, "expected_head": HEAD}, "running"),
        ({"status": 202, "body_status": "pending"}, "ambiguous"),
        ({"status": 202}, "ambiguous"),
        ({"status": 200, "body_status": "merged", "sha": MERGE_SHA}, "landed"),
        ({"status": 200, "body_status": "enqueued"}, "ambiguous"),
        ({"status": 200, "merged": True}, "ambiguous"),
        ({"status": 200}, "ambiguous"),
        ({"status": 409, "body_status": "pending", "uuid": UUID, "expected_head": HEAD}, "ambiguous"),
        ({"status": 409, "body_status": "pending", "uuid": UUID, "expected_head": OLD_HEAD}, "ambiguous"),
        ({"status": 409, "message": "Head branch was modified."}, "refused_head"),
        ({"status": 409, "message": "Something new"}, "ambiguous"),
        ({"status": 400, "body_status": "failed", "message": "Pull Request is closed"}, "refused_policy"),
        ({"status": 400}, "ambiguous"),
        ({"status": 404, "message": "Not Found"}, "no_async"),
        ({"status": 405, "message": "Merge already in progress"}, "ambiguous"),
        ({"status": 422, "message": "Validation Failed"}, "refused_policy"),
        ({"status": 401, "message": "Bad credentials"}, "not_executed"),
        ({"status": 307}, "not_executed"),
        ({"status": 418}, "ambiguous"),
        ({"status": 502}, "ambiguous"),
    ],
)
def test_an_answer_to_an_asynchronous_merge(reply: dict[str, Any], expected: str) -> None:
    assert kind("async", **reply) == expected


@pytest.mark.parametrize("api", ["sync", "async"])
def test_without_an_answer_it_matters_whether_the_request_left(api: str) -> None:
    assert kind(api, status=None, why="timeout") == "ambiguous"
    assert kind(api, sent=False, status=None, why="connection refused") == "not_sent"


@pytest.mark.parametrize("status", [403, 429])
def test_a_rate_limit_was_not_carried_out_and_says_until_when(status: int) -> None:
    reply = MergeReply(api="sync", sent=True, status=status, message="secondary rate limit", not_before=SOON)
    outcome = classify(reply, HEAD, "squash")
    assert (outcome.kind, outcome.not_before) == ("not_executed", SOON)


OURS = {"expected_head": HEAD, "merge_method": "squash", "direct": True}


def running(status: int, **details: Any) -> str | None:
    """The name of the request that runs, if it is taken for ours."""
    pending = {"api": "async", "sent": True, "body_status": "pending", "uuid": UUID, "status": status}
    return classify(MergeReply.model_validate(pending | OURS | details), HEAD, "squash").uuid


def test_the_request_that_runs_is_known_by_its_name() -> None:
    assert (running(202), running(409)) == (UUID, UUID)


@pytest.mark.parametrize(
    "other",
    [
        {"expected_head": OLD_HEAD},
        {"merge_method": "rebase"},
        {"direct": False},
        {"merge_method": None},
    ],
    ids=str,
)
def test_a_request_for_something_else_is_not_adopted(other: dict[str, Any]) -> None:
    assert running(409, **other) is None
