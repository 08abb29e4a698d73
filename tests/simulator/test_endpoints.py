"""Every endpoint, called by the real client and read with its generated models."""

# ruff: noqa: ARG005  # the lambdas of one table share one signature

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.simulator.model.repositories import Repository
from bot.simulator.operations import OPERATIONS
from bot.simulator.verbs.merging import MergeCall
from bot.simulator.wire.repositories import blob_sha
from tests.simulator.conftest import Clients
from tests.simulator.story import Story, told

pytestmark = pytest.mark.anyio
Ask = Callable[[Clients, Story], Awaitable[Any]]


def _uuid(story: Story) -> str:
    spare = story.world.opens_pull("grace", story.repo, "Another", head="another")
    answer = story.world.merge_async(story.world.bot, spare, MergeCall(spare.head, "squash"))
    story.spare = spare
    return str(answer.body["details"]["uuid"])


def _delivered(story: Story) -> int:
    first = story.world.hooks.take()[0]
    first.status_code = 500
    return first.id


APP: dict[str, Ask] = {
    "app": lambda c, s: c.app.rest.apps.async_get_authenticated(),
    "installations": lambda c, s: c.app.rest.apps.async_list_installations(),
    "token": lambda c, s: c.app.rest.apps.async_create_installation_access_token(
        s.world.installation.id, repository_ids=[s.repo.id], permissions={"contents": "write"}
    ),
    "hook_deliveries": lambda c, s: (_delivered(s), c.app.rest.apps.async_list_webhook_deliveries())[1],
    "hook_delivery": lambda c, s: c.app.rest.apps.async_get_webhook_delivery(_delivered(s)),
    "redeliver": lambda c, s: c.app.rest.apps.async_redeliver_webhook_delivery(_delivered(s)),
    "installation_repositories": lambda c, s: c.gh.rest.apps.async_list_repos_accessible_to_installation(),
    "rate_limit": lambda c, s: c.gh.rest.rate_limit.async_get(),
    "user_by_login": lambda c, s: c.gh.rest.users.async_get_by_username("ada"),
    "user_by_id": lambda c, s: c.gh.rest.users.async_get_by_id(s.world.person("ada").id),
    "team": lambda c, s: c.gh.rest.teams.async_get_by_name("octo", "core"),
    "team_membership": lambda c, s: c.gh.rest.teams.async_get_membership_for_user_in_org("octo", "core", "ada"),
}

ISSUES: dict[str, Ask] = {
    "issues": lambda c, s: c.gh.rest.issues.async_list_for_repo(**s.at, state="all", labels="signalbox"),
    "issue": lambda c, s: c.gh.rest.issues.async_get(**s.at, issue_number=s.issue.number),
    "update_issue": lambda c, s: c.gh.rest.issues.async_update(**s.at, issue_number=s.issue.number, state="closed"),
    "repository_comments": lambda c, s: c.gh.rest.issues.async_list_comments_for_repo(**s.at),
    "comments": lambda c, s: c.gh.rest.issues.async_list_comments(**s.at, issue_number=s.issue.number),
    "comment": lambda c, s: c.gh.rest.issues.async_get_comment(**s.at, comment_id=s.comment.id),
    "create_comment": lambda c, s: c.gh.rest.issues.async_create_comment(
        **s.at, issue_number=s.issue.number, body="hello"
    ),
    "update_comment": lambda c, s: c.gh.rest.issues.async_update_comment(
        **s.at, comment_id=s.issue.comments[-1].id, body="hello again"
    ),
    "issue_events": lambda c, s: c.gh.rest.issues.async_list_events(**s.at, issue_number=s.issue.number),
    "labels": lambda c, s: c.gh.rest.issues.async_list_labels_on_issue(**s.at, issue_number=s.issue.number),
    "add_labels": lambda c, s: c.gh.rest.issues.async_add_labels(
        **s.at, issue_number=s.issue.number, labels=["signalbox/planning"]
    ),
    "remove_label": lambda c, s: c.gh.rest.issues.async_remove_label(
        **s.at, issue_number=s.issue.number, name="signalbox"
    ),
    "repository_labels": lambda c, s: c.gh.rest.issues.async_list_labels_for_repo(**s.at),
    "ensure_label": lambda c, s: c.gh.rest.issues.async_create_label(**s.at, name="signalbox/done", color="00ff00"),
    "update_label": lambda c, s: c.gh.rest.issues.async_update_label(**s.at, name="signalbox", color="ff0000"),
    "milestones": lambda c, s: c.gh.rest.issues.async_list_milestones(**s.at),
    "react": lambda c, s: c.gh.rest.reactions.async_create_for_issue_comment(
        **s.at, comment_id=s.comment.id, content="eyes"
    ),
    "react_issue": lambda c, s: c.gh.rest.reactions.async_create_for_issue(
        **s.at, issue_number=s.issue.number, content="eyes"
    ),
    "react_review_comment": lambda c, s: c.gh.rest.reactions.async_create_for_pull_request_review_comment(
        **s.at, comment_id=s.line.id, content="eyes"
    ),
}

PULLS: dict[str, Ask] = {
    "pulls": lambda c, s: c.gh.rest.pulls.async_list(**s.at, head="octo:signalbox/1-hello"),
    "pull": lambda c, s: c.gh.rest.pulls.async_get(**s.at, pull_number=s.fork_pull.number),
    "update_pull": lambda c, s: c.gh.rest.pulls.async_update(**s.at, pull_number=s.pull.number, title="New"),
    "pull_files": lambda c, s: c.gh.rest.pulls.async_list_files(**s.at, pull_number=s.pull.number),
    "pull_commits": lambda c, s: c.gh.rest.pulls.async_list_commits(**s.at, pull_number=s.pull.number),
    "reviews": lambda c, s: c.gh.rest.pulls.async_list_reviews(**s.at, pull_number=s.pull.number),
    "review": lambda c, s: c.gh.rest.pulls.async_get_review(**s.at, pull_number=s.pull.number, review_id=s.review.id),
    "create_review": lambda c, s: c.gh.rest.pulls.async_create_review(
        **s.at, pull_number=s.pull.number, event="COMMENT", body="seen"
    ),
    "review_comments": lambda c, s: c.gh.rest.pulls.async_list_review_comments(**s.at, pull_number=s.pull.number),
    "review_comment": lambda c, s: c.gh.rest.pulls.async_get_review_comment(**s.at, comment_id=s.line.id),
    "request_review": lambda c, s: c.gh.rest.pulls.async_request_reviewers(
        **s.at, pull_number=s.pull.number, reviewers=["ada"]
    ),
    "merge": lambda c, s: c.gh.rest.pulls.async_merge(
        **s.at, pull_number=s.pull.number, sha=s.pull.head, merge_method="squash"
    ),
    "merge_async": lambda c, s: c.gh.rest.pulls.async_merge_async(
        **s.at, pull_number=s.pull.number, sha=s.pull.head, merge_method="squash", merge_action="direct_merge"
    ),
    "merge_status": lambda c, s: c.gh.rest.pulls.async_get_merge_async_result(
        **s.at, uuid=_uuid(s), pull_number=s.spare.number if s.spare else 0
    ),
}

CHECKS: dict[str, Ask] = {
    "create_check_run": lambda c, s: c.gh.rest.checks.async_create(
        **s.at, name="signalbox", head_sha=s.pull.head, status="in_progress", output={"title": "t", "summary": "s"}
    ),
    "update_check_run": lambda c, s: c.gh.rest.checks.async_update(
        **s.at, check_run_id=s.run.id, status="completed", conclusion="success"
    ),
    "check_run": lambda c, s: c.gh.rest.checks.async_get(**s.at, check_run_id=s.run.id),
    "check_runs": lambda c, s: c.gh.rest.checks.async_list_for_ref(**s.at, ref=s.pull.head, filter_="latest"),
    "check_suites": lambda c, s: c.gh.rest.checks.async_list_suites_for_ref(**s.at, ref=s.pull.head),
    "combined_status": lambda c, s: c.gh.rest.repos.async_get_combined_status_for_ref(**s.at, ref=s.pull.head),
    "statuses": lambda c, s: c.gh.rest.repos.async_list_commit_statuses_for_ref(**s.at, ref=s.pull.head),
}

REPOSITORIES: dict[str, Ask] = {
    "repository": lambda c, s: c.gh.rest.repos.async_get(**s.at),
    "permission": lambda c, s: c.gh.rest.repos.async_get_collaborator_permission_level(**s.at, username="ada"),
    "contents": lambda c, s: c.gh.rest.repos.async_get_content(**s.at, path="README.md"),
    "activity": lambda c, s: c.gh.rest.repos.async_list_activities(**s.at, ref="refs/heads/signalbox/1-hello"),
    "commits": lambda c, s: c.gh.rest.repos.async_list_commits(**s.at, sha=s.pull.head),
    "commit": lambda c, s: c.gh.rest.repos.async_get_commit(**s.at, ref=s.pull.head),
    "commit_pulls": lambda c, s: c.gh.rest.repos.async_list_pull_requests_associated_with_commit(
        **s.at, commit_sha=s.pull.head
    ),
    "compare": lambda c, s: c.gh.rest.repos.async_compare_commits(**s.at, basehead=f"main...{s.pull.head}"),
    "branch": lambda c, s: c.gh.rest.repos.async_get_branch(**s.at, branch="main"),
    "protection": lambda c, s: c.gh.rest.repos.async_get_branch_protection(**s.at, branch="main"),
    "branch_rules": lambda c, s: c.gh.rest.repos.async_get_branch_rules(**s.at, branch="main"),
    "ruleset": lambda c, s: c.gh.rest.repos.async_get_repo_ruleset(**s.at, ruleset_id=next(iter(s.repo.rulesets))),
    "ref": lambda c, s: c.gh.rest.git.async_get_ref(**s.at, ref="heads/signalbox/1-hello"),
    "delete_branch": lambda c, s: c.gh.rest.git.async_delete_ref(**s.at, ref="heads/signalbox/1-hello"),
    "tree": lambda c, s: c.gh.rest.git.async_get_tree(**s.at, tree_sha=s.world.commits[s.pull.head].tree_sha),
    "blob": lambda c, s: c.gh.rest.git.async_get_blob(**s.at, file_sha=_readme(s)),
}
ASKED = {**APP, **ISSUES, **PULLS, **CHECKS, **REPOSITORIES}


def _readme(story: Story) -> str:
    return blob_sha("# hello\n")


@pytest.mark.parametrize("name", ASKED)
async def test_the_generated_models_read_every_answer(name: str, clients: Clients, repo: Repository) -> None:
    story = told(clients.world, repo)
    clients.world.app.permissions["administration"] = "read"
    clients.world.allows_teams()
    clients.world.team("core", "ada")
    answer = await ASKED[name](clients, story)
    assert answer.status_code in (200, 201, 202, 204)
    if answer.status_code != 204 and name != "redeliver":
        assert answer.parsed_data is not None
    assert clients.world.findings == []
    assert clients.world.requests[-1].operation == name


def test_every_operation_is_asked_once() -> None:
    assert set(ASKED) == set(OPERATIONS) - {"graphql"}
