"""Issues, comments and reactions."""

from typing import Any

from bot.domain.model.facts import LEVELS
from bot.simulator.model.people import App, User
from bot.simulator.model.repositories import Repository
from bot.simulator.model.threads import Comment, Happening, Pull, Reaction, Thread
from bot.simulator.wire.people import app, user
from bot.simulator.wire.places import WEB, stamp
from bot.simulator.wire.repositories import api_of, label


def association(account: User, repo: Repository) -> str:
    """What GitHub says about an author. Never a source of rights."""
    grant = repo.grants.get(account.id)
    if account is repo.owner:
        return "OWNER"
    return "COLLABORATOR" if grant and LEVELS.index(grant.level) > LEVELS.index("read") else "NONE"


def reaction(one: Reaction) -> dict[str, Any]:
    return {
        "id": one.id,
        "node_id": f"REA_{one.id}",
        "user": user(one.user),
        "content": one.content,
        "created_at": stamp(one.created_at),
    }


def reactions(url: str, given: list[Reaction]) -> dict[str, Any]:
    kinds = ("+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes")
    counts = {kind: sum(r.content == kind for r in given) for kind in kinds}
    return {"url": f"{url}/reactions", "total_count": len(given), **counts}


def written_by(one: App | None) -> dict[str, Any] | None:
    return app(one) if one is not None else None


def web_address(thread: Thread) -> str:
    kind = "pull" if isinstance(thread, Pull) else "issues"
    return f"{WEB}/{thread.repository.full_name}/{kind}/{thread.number}"


def issue(thread: Thread) -> dict[str, Any]:
    """An issue, or the issue side of a pull request (then with `pull_request`)."""
    repo = thread.repository
    url, html = f"{api_of(repo)}/issues/{thread.number}", web_address(thread)
    shape = {
        "url": url,
        "repository_url": api_of(repo),
        "labels_url": f"{url}/labels{{/name}}",
        "comments_url": f"{url}/comments",
        "events_url": f"{url}/events",
        "html_url": html,
        "id": thread.id,
        "node_id": thread.node_id,
        "number": thread.number,
        "title": thread.title,
        "user": user(thread.author),
        "labels": [label(repo, one) for one in thread.labels],
        "state": "open" if thread.open else "closed",
        "locked": thread.locked,
        "assignee": None,
        "assignees": [],
        "milestone": None,
        "comments": len(thread.comments),
        "created_at": stamp(thread.created_at),
        "updated_at": stamp(thread.updated_at),
        "closed_at": stamp(thread.closed_at),
        "author_association": association(thread.author, repo),
        "active_lock_reason": None,
        "body": thread.body,
        "reactions": reactions(url, thread.reactions),
        "timeline_url": f"{url}/timeline",
        "performed_via_github_app": written_by(thread.app),
        "state_reason": thread.state_reason,
        "closed_by": user(thread.closed_by) if thread.closed_by else None,
    }
    if isinstance(thread, Pull):
        shape["draft"] = thread.draft
        shape["pull_request"] = {
            "url": f"{api_of(repo)}/pulls/{thread.number}",
            "html_url": html,
            "diff_url": f"{html}.diff",
            "patch_url": f"{html}.patch",
            "merged_at": stamp(thread.merged_at),
        }
    return shape


def event(repo: Repository, one: Happening) -> dict[str, Any]:
    shape: dict[str, Any] = {
        "id": one.id,
        "node_id": f"EV_{one.id}",
        "url": f"{api_of(repo)}/issues/events/{one.id}",
        "actor": user(one.user),
        "event": one.event,
        "commit_id": None,
        "commit_url": None,
        "created_at": stamp(one.at),
        "performed_via_github_app": None,
    }
    if one.label is not None:
        known = repo.label(one.label)
        shape["label"] = {"name": one.label, "color": known.color if known else "ededed"}
    return shape


def comment(one: Comment) -> dict[str, Any]:
    repo = one.thread.repository
    url = f"{api_of(repo)}/issues/comments/{one.id}"
    return {
        "url": url,
        "html_url": f"{web_address(one.thread)}#issuecomment-{one.id}",
        "issue_url": f"{api_of(repo)}/issues/{one.thread.number}",
        "id": one.id,
        "node_id": one.node_id,
        "user": user(one.author),
        "created_at": stamp(one.created_at),
        "updated_at": stamp(one.updated_at),
        "author_association": association(one.author, repo),
        "body": one.body,
        "reactions": reactions(url, one.reactions),
        "performed_via_github_app": written_by(one.app),
        "pin": None,
    }
