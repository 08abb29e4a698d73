"""`app.yml` asks GitHub for exactly what the code needs."""

from collections.abc import Iterable

import yaml

from bot.domain.model import needs
from bot.github.facts.readers import READERS
from bot.github.inbound.table import TRANSLATORS
from bot.github.writer import WRITERS
from bot.simulator.verbs.state import CORE_EVENTS, CORE_PERMISSIONS
from tests.rules.kit import text

#: GitHub sends these to every App, whatever it subscribes to; they cannot be subscribed to.
COME_BY_THEMSELVES = frozenset({"installation", "installation_repositories"})
#: The permission without which GitHub does not deliver an event, and rejects a manifest that names it.
NEEDED_FOR = {
    "branch_protection_rule": "administration",
    "check_run": "checks",
    "check_suite": "checks",
    "issue_comment": "issues",
    "issues": "issues",
    "label": "issues",
    "member": "members",
    "membership": "members",
    "merge_group": "merge_queues",
    "pull_request": "pull_requests",
    "pull_request_review": "pull_requests",
    "pull_request_review_comment": "pull_requests",
    "push": "contents",
    "repository": "metadata",
    "repository_ruleset": "administration",
    "status": "statuses",
    "team": "members",
    "team_add": "members",
    "organization": "members",
}
#: What GitHub asks for each kind of request.
WRITES = {
    "CreateComment": {"issues", "pull_requests"},
    "UpdateComment": {"issues", "pull_requests"},
    "MinimizeComment": {"issues", "pull_requests"},
    "AddLabels": {"issues", "pull_requests"},
    "RemoveLabel": {"issues", "pull_requests"},
    "EnsureLabel": {"issues"},
    "CreateCheckRun": {"checks"},
    "UpdateCheckRun": {"checks"},
    "React": {"issues", "pull_requests"},
    "MarkReady": {"pull_requests", "contents"},
    "DeleteBranch": {"contents"},
    "RequestReview": {"pull_requests"},
}
READS = {
    "PermissionOf": {"metadata"},
    "AccountOf": {"metadata"},
    "PolicyFileOf": {"contents"},
    "PolicyFileNow": {"contents"},
    "ProposedFileIn": {"contents", "pull_requests"},
    "MemberOf": {"members"},
    "TeamOf": {"members"},
    "IssueOf": {"issues"},
    "LabelsOn": {"issues"},
    "CommentOf": {"issues", "pull_requests"},
    "CommentsOn": {"issues", "pull_requests"},
    "PullOf": {"pull_requests"},
    "OpenPullsAt": {"pull_requests"},
    "OpenPullsBelow": {"pull_requests", "contents"},
    "Contains": {"contents"},
    "WorkflowFilesIn": {"pull_requests"},
    "CoAuthorsOf": {"pull_requests"},
    "CommitAuthorsOf": {"pull_requests"},
    "DescriptionEdited": {"pull_requests"},
    "EditedByOthers": {"issues", "pull_requests"},
    "PushesTo": {"contents"},
    "ChecksOn": {"checks", "statuses"},
    "OwnChecksOn": {"checks"},
    "RulesOf": {"metadata"},
    "MergeEvidenceOf": {"pull_requests", "contents"},
    "AsyncMergeOf": {"pull_requests"},
    "EventsOf": {"issues"},
    "CommentsSince": {"issues"},
    "LineCommentsSince": {"pull_requests"},
    "LabelledIssues": {"issues"},
    "PullsSince": {"pull_requests"},
    "ReviewsOf": {"pull_requests"},
}
#: Forge.merge, beside the writes.
MERGE = {"contents"}
OPTIONAL = {
    "members: read": {"member", "membership", "organization", "team", "team_add"},
    "administration: read": {"branch_protection_rule", "repository_ruleset"},
    "merge_queues: read": {"merge_group"},
    "workflows: write": set(),
}


def manifest() -> dict[str, dict[str, str]]:
    loaded: dict[str, dict[str, str]] = yaml.safe_load(text("app.yml"))
    return loaded


def with_optional_groups() -> dict[str, dict[str, str]]:
    lines = [line.replace("# ", "", 1) if _is_entry(line) else line for line in text("app.yml").splitlines()]
    loaded: dict[str, dict[str, str]] = yaml.safe_load("\n".join(lines))
    return loaded


def _is_entry(line: str) -> bool:
    entry = line.strip().removeprefix("# ")
    return line.strip().startswith("# ") and (entry.startswith("- ") or entry.partition(" #")[0].strip() in OPTIONAL)


def needed() -> dict[str, str]:
    writes = MERGE.union(*(WRITES[write.__name__] for write in WRITERS))
    optional = {name.partition(":")[0] for name in OPTIONAL}
    reads = set().union(*(READS[question.__name__] for question in READERS)) - optional
    return {name: "write" if name in writes else "read" for name in writes | reads}


def rejected(events: Iterable[str], permissions: Iterable[str]) -> list[str]:
    """Events for which GitHub would reject the manifest whole."""
    return [event for event in events if NEEDED_FOR[event] not in permissions]


def test_the_app_subscribes_to_exactly_what_is_translated() -> None:
    translated = {event for event, _ in TRANSLATORS} - COME_BY_THEMSELVES - set().union(*OPTIONAL.values())
    assert sorted(translated) == list(manifest()["default_events"])


def test_every_request_the_code_makes_has_its_permission_listed() -> None:
    assert {write.__name__ for write in WRITERS} - set(WRITES) == set()
    assert {question.__name__ for question in READERS} - set(READS) == set()


def test_the_app_asks_for_exactly_the_permissions_that_are_needed() -> None:
    assert manifest()["default_permissions"] == needed()


def test_the_simulated_app_has_the_same_permissions() -> None:
    assert manifest()["default_permissions"] == CORE_PERMISSIONS


def test_what_doctor_looks_for_is_what_the_manifest_asks_for() -> None:
    whole, optional = with_optional_groups(), {f"{one.permission}: {one.level}" for one in needs.OPTIONAL}
    assert {one.permission: one.level for one in needs.CORE} == manifest()["default_permissions"]
    assert set(needs.EVENTS) == set(manifest()["default_events"]) == set(CORE_EVENTS)
    assert optional == set(OPTIONAL)
    assert {name: NEEDED_FOR[name] for name in whole["default_events"]} == needs.EVENTS | needs.OPTIONAL_EVENTS


def test_no_event_lacks_its_permission() -> None:
    assert rejected(manifest()["default_events"], manifest()["default_permissions"]) == []
    assert rejected(["team"], manifest()["default_permissions"]) == ["team"]


def test_optional_groups_can_be_switched_on_one_by_one() -> None:
    """Each is in the file, commented out, and its events need just its permission."""
    whole = with_optional_groups()
    optional = {
        f"{name}: {level}": {event for event in whole["default_events"] if NEEDED_FOR[event] == name}
        for name, level in whole["default_permissions"].items()
        if name not in manifest()["default_permissions"]
    }
    assert optional == OPTIONAL
