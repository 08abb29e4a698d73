"""What a delivery is about, before it is translated."""

import json
from typing import Any

import pytest

from bot.domain.model.delivery import NO_THREAD
from bot.github.inbound.routing import routing
from tests.github.test_inbound_fixtures import OUR_APP, load

NOTHING = (NO_THREAD, None)


def about(name: str, app_id: int = 0, **changes: Any) -> tuple[int | None, str | None]:
    found = routing(json.dumps(load(name) | changes).encode(), app_id)
    return found.thread, found.head


@pytest.mark.parametrize(
    ("name", "thread", "head"),
    [
        ("issue_comment.created", 12, None),
        ("pull_request_review.submitted", 34, None),
        ("pull_request.synchronize", 34, "head"),
        ("issues.closed", 12, None),
        ("check_run.completed", None, "check"),
        ("status", None, "sha"),
        ("push", None, "before"),
        ("member.added", None, None),
        ("installation.suspend", None, None),
    ],
)
def test_a_delivery_is_about_a_thread_or_a_commit_or_everything(
    name: str, thread: int | None, head: str | None
) -> None:
    body: Any = load(name)
    heads = {
        "head": lambda: body["pull_request"]["head"]["sha"],
        "check": lambda: body["check_run"]["head_sha"],
        "sha": lambda: body["sha"],
        "before": lambda: body["before"],
    }
    assert about(name) == (thread, heads[head]() if head else None)


def test_what_changes_no_record_is_about_nothing() -> None:
    comment: Any = load("issue_comment.created")
    ours = comment["comment"] | {"performed_via_github_app": {"id": OUR_APP, "slug": "signalbox"}}
    label: Any = load("issues.labeled")
    run: Any = load("check_run.completed")
    assert about("issue_comment.created", OUR_APP, comment=ours) == NOTHING
    assert about("issue_comment.created", OUR_APP, action="edited") == NOTHING
    assert about("pull_request.synchronize", action="labeled") == NOTHING
    assert about("issues.labeled", label=label["label"] | {"name": "signalbox/testing"}) == NOTHING
    assert about("issues.labeled")[0] == label["issue"]["number"]
    assert about("check_run.completed", OUR_APP, check_run=run["check_run"] | {"app": {"id": OUR_APP}}) == NOTHING
    assert about("check_run.completed", OUR_APP) != NOTHING
