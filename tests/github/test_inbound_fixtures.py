"""Every translated event, as GitHub sends it, and the signals it becomes."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.domain.model.delivery import Delivery
from bot.domain.model.ids import Repo
from bot.domain.model.signals import SIGNAL
from bot.github.inbound.table import SUBJECTS_OF, TRANSLATORS
from bot.github.inbound.translate import Translation, translate

FIXTURES = Path(__file__).parents[2] / "fixtures" / "webhooks"
OUR_APP = 4242
C1 = "1a2b3c4d5e6f7081920a1b2c3d4e5f6071829304"
C2 = "2b3c4d5e6f7081920a1b2c3d4e5f60718293041a"
ADA = {"kind": "person", "id": 11, "login": "ada"}
GRACE = {"kind": "person", "id": 12, "login": "grace"}
NINE = "2026-11-30T09:00:00Z"

COMMENT = {
    "kind": "comment_created",
    "number": 12,
    "is_pull": False,
    "comment_id": 7001,
    "comment_kind": "issue",
    "node_id": "IC_7001",
    "body": "/approve r1",
    "created_at": NINE,
    "updated_at": NINE,
    "url": "https://github.com/octo/app/issues/12#issuecomment-7001",
    "app_id": None,
    "issue_author_id": 11,
    "key": "comment:issue:7001",
    "actor": GRACE,
    "at": NINE,
}
REVIEW_BODY = "Good. One thing:\n/hold until the release is out"
REVIEW_URL = "https://github.com/octo/app/pull/34#pullrequestreview-6001"


def signal(
    kind: str, key: str, by: dict[str, object] = ADA, at: str | None = NINE, **rest: object
) -> dict[str, object]:
    return {"kind": kind, "key": key, "actor": by, "at": at, **rest}


def touched(key: str, by: dict[str, object] = ADA, **rest: object) -> dict[str, object]:
    return {"kind": "labels_touched", "key": key, "actor": by, "at": NINE, "issue": None, "pull": None, **rest}


def installed(key: str, state: str, repositories: list[int] | None = None) -> dict[str, object]:
    return signal("installation_changed", key, installation_id=77, state=state, repositories=repositories or [])


def roles(repositories: list[int] | None = None, *, rules: bool = False) -> list[dict[str, object]]:
    return [signal("roles_changed", "", at=None, installation_id=77, repositories=repositories or [], rules=rules)]


#: Of an account: they name no repository.
OF_THE_ACCOUNT = ("installation", "membership", "organization", "team.deleted", "team.edited")
EXPECTED: dict[str, list[dict[str, object]]] = {
    "issues.labeled": [
        signal(
            "start_label_added",
            f"issue:1200:501:labeled:{NINE}",
            issue=12,
            issue_id=1200,
            title="Retry uploads",
            label="signalbox",
        )
    ],
    "issues.unlabeled": [signal("label_removed", f"issue:1200:501:unlabeled:{NINE}", issue=12, label="signalbox")],
    "issues.closed": [signal("issue_closed", f"issue:1200:closed:{NINE}", issue=12)],
    "issues.reopened": [signal("issue_reopened", f"issue:1200:reopened:{NINE}", issue=12)],
    "issues.deleted": [signal("issue_gone", "issue:1200:deleted", issue=12, how="deleted")],
    "issues.transferred": [signal("issue_gone", "issue:1200:transferred", issue=12, how="transferred")],
    "label.deleted": [touched("label:502:deleted:signalbox/testing", at=None)],
    "label.edited": [touched("label:502:edited:signalbox/testing>tested", at=None)],
    "issue_comment.created": [COMMENT],
    "issue_comment.edited": [
        touched("comment:issue:7002:edited:2026-11-30T09:05:00Z", GRACE, pull=34, at="2026-11-30T09:05:00Z")
    ],
    "issue_comment.deleted": [touched("comment:issue:7002:deleted:-", GRACE, pull=34, at=None)],
    "pull_request_review_comment.created": [
        COMMENT
        | {
            "key": "comment:review_comment:8001",
            "number": 34,
            "is_pull": True,
            "comment_id": 8001,
            "comment_kind": "review_comment",
            "node_id": "PRRC_8001",
            "body": "/rework handle the timeout too",
            "url": "https://github.com/octo/app/pull/34#discussion_r8001",
            "commit": C1,
        }
    ],
    **{
        f"pull_request_review_comment.{how}": [
            signal(
                "words_changed",
                f"comment:review_comment:8001:{how}",
                GRACE,
                at=None,
                issue=None,
                pull=34,
                words="comment:review_comment:8001",
                how=how,
            )
        ]
        for how in ("edited", "deleted")
    },
    "pull_request.opened": [signal("pull_opened", "pull:34:opened", pull=34)],
    "pull_request.synchronize": [
        signal("head_pushed", f"pull:34:synchronize:{C2}:{C1}:{NINE}", pull=34, before=C2, after=C1)
    ],
    "pull_request.edited": [
        signal("pull_retargeted", f"pull:34:retargeted:develop:main:{NINE}", pull=34, before="develop", after="main")
    ],
    "pull_request.closed": [signal("pull_closed", f"pull:34:closed:{NINE}", pull=34)],
    "pull_request.reopened": [signal("pull_reopened", f"pull:34:reopened:{NINE}", pull=34)],
    "pull_request.converted_to_draft": [
        signal("draft_changed", f"pull:34:converted_to_draft:{NINE}", pull=34, draft=True)
    ],
    "pull_request.auto_merge_enabled": [signal("auto_merge_switched", f"pull:34:auto_merge_enabled:{NINE}", pull=34)],
    "pull_request.auto_merge_disabled": [signal("auto_merge_switched", f"pull:34:auto_merge_disabled:{NINE}", pull=34)],
    "pull_request.ready_for_review": [
        signal("draft_changed", f"pull:34:ready_for_review:{NINE}", pull=34, draft=False)
    ],
    "pull_request.labeled": [touched(f"pull:34:503:touched:labeled:{NINE}", GRACE, pull=34)],
    "pull_request.unlabeled": [touched(f"pull:34:502:touched:unlabeled:{NINE}", GRACE, pull=34)],
    "pull_request_review.submitted": [
        COMMENT
        | {
            "key": "comment:review:6001",
            "number": 34,
            "is_pull": True,
            "comment_id": 6001,
            "comment_kind": "review",
            "node_id": "PRR_6001",
            "body": REVIEW_BODY,
            "updated_at": None,
            "url": REVIEW_URL,
            "commit": C1,
        },
        signal(
            "review_submitted",
            "review:6001:approved",
            GRACE,
            pull=34,
            review_id=6001,
            state="approved",
            commit=C1,
            url=REVIEW_URL,
            submitted_at=NINE,
            reason=REVIEW_BODY,
        ),
    ],
    "pull_request_review.dismissed": [
        signal("review_dismissed", "review:6001:dismissed", at=None, pull=34, review_id=6001)
    ],
    "check_run.created": [
        signal(
            "checks_changed",
            "check_run:4001:queued:None:2026-11-30T08:31:00Z:-",
            at="2026-11-30T08:31:00Z",
            head=C1,
            name="build",
            mine=False,
        )
    ],
    "check_run.completed": [
        signal(
            "checks_changed",
            f"check_run:4001:completed:success:2026-11-30T08:31:00Z:{NINE}",
            head=C1,
            name="build",
            mine=False,
        )
    ],
    "check_run.rerequested": [signal("rerun_requested", f"check_run:4001:rerequested:{NINE}:{NINE}", GRACE, head=C1)],
    "check_suite.completed": [
        signal("checks_changed", f"check_suite:40:completed:success:{NINE}", head=C1, name="", mine=False)
    ],
    "check_suite.rerequested": [signal("rerun_requested", f"check_suite:40:rerequested:{NINE}", GRACE, head=C1)],
    "status": [signal("checks_changed", "status:3001", head=C1, name="ci/lint", mine=False)],
    "merge_group.checks_requested": [signal("merge_group_formed", f"merge_group:{C1}", at=None, head=C1)],
    "push": [
        signal(
            "branch_pushed",
            f"push:refs/heads/signalbox/12-retry:{C2}:{C1}:1796029200",
            branch="signalbox/12-retry",
            after=C1,
        )
    ],
    "repository.renamed": [signal("repository_renamed", f"repository:1:renamed:octo/app:{NINE}", full_name="octo/app")],
    "repository.transferred": [
        signal("repository_renamed", f"repository:1:transferred:octo/app:{NINE}", full_name="octo/app")
    ],
    "repository.deleted": [installed(f"repository:1:deleted:{NINE}", "gone", [1])],
    "repository.archived": [installed(f"repository:1:archived:{NINE}", "suspended", [1])],
    "repository.unarchived": [installed(f"repository:1:unarchived:{NINE}", "present", [1])],
    "installation.created": [installed(f"installation:77:created:{NINE}", "present")],
    "installation.deleted": [installed(f"installation:77:deleted:{NINE}", "gone")],
    "installation.suspend": [installed(f"installation:77:suspend:{NINE}", "suspended")],
    "installation.unsuspend": [installed(f"installation:77:unsuspend:{NINE}", "present")],
    "installation.new_permissions_accepted": [installed(f"installation:77:new_permissions_accepted:{NINE}", "present")],
    "installation_repositories.added": [installed(f"installation:77:added:1,2:{NINE}", "present", [1, 2])],
    "installation_repositories.removed": [installed(f"installation:77:removed:1:{NINE}", "gone", [1])],
    "member.added": roles([1]),
    "member.edited": roles([1]),
    "member.removed": roles([1]),
    "membership.added": roles(),
    "membership.removed": roles(),
    "organization.member_added": roles(),
    "organization.member_removed": roles(),
    "organization.renamed": roles(),
    "team.added_to_repository": roles([1]),
    "team.deleted": roles(),
    "team.edited": roles(),
    "team.removed_from_repository": roles([1]),
    "team_add": roles([1]),
    **{
        f"{event}.{action}": roles([1], rules=True)
        for event in ("branch_protection_rule", "repository_ruleset")
        for action in ("created", "edited", "deleted")
    },
}


def load(name: str) -> dict[str, object]:
    document = json.loads((FIXTURES / f"{name}.json").read_text())
    assert isinstance(document, dict)
    return document


def deliver(event: str, document: object, app_id: int | None = OUR_APP) -> Translation:
    body = json.dumps(document).encode()
    return translate(
        Delivery(guid="g-1", event=event, body=body, received_at=datetime(2026, 11, 30, tzinfo=UTC)), app_id
    )


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_the_fixture_becomes_exactly_these_signals(name: str) -> None:
    translation = deliver(name.partition(".")[0], load(name))
    expected = tuple(SIGNAL.validate_python({"delivery": "g-1", **one}) for one in EXPECTED[name])
    assert translation.ignored_because is None
    assert translation.signals == expected


@pytest.mark.parametrize("name", sorted(name for name in EXPECTED if not name.startswith(OF_THE_ACCOUNT)))
def test_the_repository_is_named_by_its_number(name: str) -> None:
    translation = deliver(name.partition(".")[0], load(name))
    assert translation.repo == Repo(installation_id=77, id=1, owner="octo", name="app")


def test_every_translated_event_has_a_fixture_and_every_fixture_is_known() -> None:
    translated = {f"{event}.{action}" if action else event for event, action in TRANSLATORS}
    assert translated == set(EXPECTED)
    assert {path.stem for path in FIXTURES.glob("*.json")} == translated | {"ping"}
    assert {event for event, _ in TRANSLATORS} == set(SUBJECTS_OF)


def test_a_ping_needs_nothing_done() -> None:
    assert deliver("ping", load("ping")).signals == ()


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_another_guid_does_not_make_another_fact(name: str) -> None:
    event, body = name.partition(".")[0], json.dumps(load(name)).encode()
    received = datetime(2026, 11, 30, tzinfo=UTC)
    first, second = (
        translate(Delivery(guid=guid, event=event, body=body, received_at=received), OUR_APP) for guid in ("a", "b")
    )
    assert [one.key for one in first.signals] == [one.key for one in second.signals]
