"""Pull requests, reviews, review comments, and the answers of merge-async."""

from typing import Any

from bot.simulator.model.people import User
from bot.simulator.model.repositories import Repository
from bot.simulator.model.threads import Comment, MergeRequest, Pull, Review
from bot.simulator.wire import repositories
from bot.simulator.wire.people import user
from bot.simulator.wire.places import stamp
from bot.simulator.wire.repositories import api_of, label
from bot.simulator.wire.teams import team
from bot.simulator.wire.threads import association, reactions, web_address


def _side(owner: User | None, repo: Repository | None, ref: str, sha: str) -> dict[str, Any]:
    login = owner.login if owner else "unknown"
    return {
        "label": f"{login}:{ref}",
        "ref": ref,
        "sha": sha,
        "user": user(owner) if owner else None,
        "repo": repositories.full_repository(repo) if repo else None,
    }


def stack(pull: Pull) -> dict[str, Any] | None:
    """Position 1 is the bottom."""
    if pull not in pull.stack:
        return None
    bottom = pull.stack[0]
    return {
        "id": bottom.pull_id,
        "number": bottom.number,
        "size": len(pull.stack),
        "position": pull.stack.index(pull) + 1,
        "base": {"ref": bottom.base_ref, "sha": bottom.base_sha},
    }


def _auto_merge(pull: Pull) -> dict[str, Any] | None:
    if pull.auto_merge is None:
        return None
    texts = {"merge_method": "squash", "commit_title": pull.title, "commit_message": ""}
    return {"enabled_by": user(pull.auto_merge), **texts}


def listed(pull: Pull) -> dict[str, Any]:
    """A pull request as lists, reviews and events of reviews show it: without `merged` and counts."""
    repo, number = pull.repository, pull.number
    url, html = f"{api_of(repo)}/pulls/{number}", web_address(pull)
    issue_url, statuses = f"{api_of(repo)}/issues/{number}", f"{api_of(repo)}/statuses/{pull.head}"
    links = {
        "self": url,
        "html": html,
        "issue": issue_url,
        "comments": f"{issue_url}/comments",
        "review_comments": f"{url}/comments",
        "review_comment": f"{api_of(repo)}/pulls/comments{{/number}}",
        "commits": f"{url}/commits",
        "statuses": statuses,
    }
    return {
        "url": url,
        "id": pull.pull_id,
        "node_id": pull.node_id,
        "html_url": html,
        "diff_url": f"{html}.diff",
        "patch_url": f"{html}.patch",
        "issue_url": issue_url,
        "number": number,
        "state": "open" if pull.open else "closed",
        "locked": pull.locked,
        "title": pull.title,
        "user": user(pull.author),
        "body": pull.body,
        "created_at": stamp(pull.created_at),
        "updated_at": stamp(pull.updated_at),
        "closed_at": stamp(pull.closed_at),
        "merged_at": stamp(pull.merged_at),
        "assignee": None,
        "assignees": [],
        "requested_reviewers": [user(one) for one in pull.reviewers],
        "requested_teams": [team(one) for one in pull.team_reviewers],
        "labels": [label(repo, one) for one in pull.labels],
        "milestone": None,
        "draft": pull.draft,
        "commits_url": f"{url}/commits",
        "review_comments_url": f"{url}/comments",
        "review_comment_url": links["review_comment"],
        "comments_url": f"{issue_url}/comments",
        "statuses_url": statuses,
        "head": _side(pull.head_owner, pull.head_repository, pull.head_ref, pull.head),
        "base": _side(repo.owner, repo, pull.base_ref, pull.base_sha),
        "_links": {name: {"href": href} for name, href in links.items()},
        "author_association": association(pull.author, repo),
        "auto_merge": _auto_merge(pull),
        "active_lock_reason": None,
        "stack": stack(pull),
    }


def pull_request(pull: Pull, *, mergeable: bool | None, state: str, size: tuple[int, int, int, int]) -> dict[str, Any]:
    """`GET /pulls/{number}` and the `pull_request` of its own events. `size`: commits, additions, deletions, files."""
    commits, additions, deletions, files = size
    return listed(pull) | {
        "merged": pull.merged,
        "mergeable": mergeable,
        "rebaseable": mergeable,
        "mergeable_state": state,
        "merged_by": user(pull.merged_by) if pull.merged_by else None,
        "comments": len(pull.comments),
        "review_comments": len(pull.review_comments),
        "maintainer_can_modify": False,
        "commits": commits,
        "additions": additions,
        "deletions": deletions,
        "changed_files": files,
    }


def review(one: Review) -> dict[str, Any]:
    url = f"{api_of(one.pull.repository)}/pulls/{one.pull.number}"
    html = f"{web_address(one.pull)}#pullrequestreview-{one.id}"
    return {
        "id": one.id,
        "node_id": one.node_id,
        "user": user(one.author),
        "body": one.body,
        "state": one.state,
        "html_url": html,
        "pull_request_url": url,
        "author_association": association(one.author, one.pull.repository),
        "_links": {"html": {"href": html}, "pull_request": {"href": url}},
        "submitted_at": stamp(one.submitted_at),
        "updated_at": stamp(one.updated_at),
        "commit_id": one.commit,
    }


def review_comment(one: Comment) -> dict[str, Any]:
    repo, number = one.thread.repository, one.thread.number
    url, pull_url = f"{api_of(repo)}/pulls/comments/{one.id}", f"{api_of(repo)}/pulls/{number}"
    html = f"{web_address(one.thread)}#discussion_r{one.id}"
    return {
        "url": url,
        "pull_request_review_id": one.review.id if one.review else None,
        "id": one.id,
        "node_id": one.node_id,
        "diff_hunk": "@@ -1 +1 @@",
        "path": one.path,
        "commit_id": one.commit,
        "original_commit_id": one.commit,
        "user": user(one.author),
        "body": one.body,
        "created_at": stamp(one.created_at),
        "updated_at": stamp(one.updated_at),
        "html_url": html,
        "pull_request_url": pull_url,
        "author_association": association(one.author, repo),
        "_links": {"self": {"href": url}, "html": {"href": html}, "pull_request": {"href": pull_url}},
        "reactions": reactions(url, one.reactions),
        "start_line": None,
        "original_start_line": None,
        "start_side": None,
        "line": 1,
        "original_line": 1,
        "side": "RIGHT",
        "position": 1,
        "original_position": 1,
        "subject_type": "line",
    }


def merge_result(request: MergeRequest) -> dict[str, Any]:
    """The body of every merge-async answer about a request."""
    details: dict[str, Any] = {"message": request.message}
    if request.status == "pending":
        details |= {
            "uuid": request.uuid,
            "merge_method": request.method,
            "merge_action": request.action,
            "expected_head_sha": request.head,
            "bypass_rules": False,
        }
    elif request.status == "merged":
        details["sha"] = request.sha
    return {"status": request.status, "details": details}
