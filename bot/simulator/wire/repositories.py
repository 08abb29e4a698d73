"""Repositories, labels, commits and files."""

import base64
import hashlib
from typing import Any

from bot.simulator.model.repositories import Activity, Commit, Label, Repository
from bot.simulator.wire.people import user
from bot.simulator.wire.places import API, WEB, stamp

_TEMPLATES = {
    "archive_url": "/{archive_format}{/ref}",
    "assignees_url": "/assignees{/user}",
    "blobs_url": "/git/blobs{/sha}",
    "branches_url": "/branches{/branch}",
    "collaborators_url": "/collaborators{/collaborator}",
    "comments_url": "/comments{/number}",
    "commits_url": "/commits{/sha}",
    "compare_url": "/compare/{base}...{head}",
    "contents_url": "/contents/{+path}",
    "contributors_url": "/contributors",
    "deployments_url": "/deployments",
    "downloads_url": "/downloads",
    "events_url": "/events",
    "forks_url": "/forks",
    "git_commits_url": "/git/commits{/sha}",
    "git_refs_url": "/git/refs{/sha}",
    "git_tags_url": "/git/tags{/sha}",
    "hooks_url": "/hooks",
    "issue_comment_url": "/issues/comments{/number}",
    "issue_events_url": "/issues/events{/number}",
    "issues_url": "/issues{/number}",
    "keys_url": "/keys{/key_id}",
    "labels_url": "/labels{/name}",
    "languages_url": "/languages",
    "merges_url": "/merges",
    "milestones_url": "/milestones{/number}",
    "notifications_url": "/notifications{?since,all,participating}",
    "pulls_url": "/pulls{/number}",
    "releases_url": "/releases{/id}",
    "stargazers_url": "/stargazers",
    "statuses_url": "/statuses/{sha}",
    "subscribers_url": "/subscribers",
    "subscription_url": "/subscription",
    "tags_url": "/tags",
    "teams_url": "/teams",
    "trees_url": "/git/trees{/sha}",
}


def api_of(repo: Repository) -> str:
    return f"{API}/repos/{repo.full_name}"


def minimal(repo: Repository) -> dict[str, Any]:
    """Who and where, without counts and settings."""
    api = api_of(repo)
    return {
        "id": repo.id,
        "node_id": repo.node_id,
        "name": repo.name,
        "full_name": repo.full_name,
        "private": repo.private,
        "owner": user(repo.owner),
        "html_url": f"{WEB}/{repo.full_name}",
        "description": None,
        "fork": repo.fork_of is not None,
        "url": api,
        **{key: api + path for key, path in _TEMPLATES.items()},
    }


def repository(repo: Repository) -> dict[str, Any]:
    """A repository as in webhooks and inside pull requests."""
    open_threads = sum(thread.open for thread in repo.threads.values())
    web = f"{WEB}/{repo.full_name}"
    flags = dict.fromkeys(("has_issues", "has_projects", "has_wiki", "has_downloads", "allow_forking"), True)
    off = dict.fromkeys(("has_pages", "has_discussions", "archived", "disabled", "is_template"), False)
    counts = dict.fromkeys(("forks_count", "stargazers_count", "watchers_count", "size", "forks", "watchers"), 0)
    return {
        **minimal(repo),
        **flags,
        **off,
        **counts,
        "archived": repo.archived,
        "created_at": stamp(repo.created_at),
        "updated_at": stamp(repo.pushed_at or repo.created_at),
        "pushed_at": stamp(repo.pushed_at or repo.created_at),
        "git_url": f"git://github.com/{repo.full_name}.git",
        "ssh_url": f"git@github.com:{repo.full_name}.git",
        "clone_url": f"{web}.git",
        "svn_url": web,
        "mirror_url": None,
        "homepage": None,
        "language": None,
        "license": None,
        "topics": [],
        "visibility": "private" if repo.private else "public",
        "open_issues_count": open_threads,
        "open_issues": open_threads,
        "default_branch": repo.default_branch,
        "web_commit_signoff_required": False,
        "custom_properties": {},
    }


def pushed_repository(repo: Repository) -> dict[str, Any]:
    """A repository as `push` alone shows it: times as epoch seconds, and names of long ago."""
    shape = repository(repo)
    email = f"{repo.owner.login}@users.noreply.github.com"
    return shape | {
        "created_at": int(repo.created_at.timestamp()),
        "pushed_at": int((repo.pushed_at or repo.created_at).timestamp()),
        "stargazers": 0,
        "master_branch": repo.default_branch,
        "owner": shape["owner"] | {"name": repo.owner.login, "email": email},
    }


def full_repository(repo: Repository) -> dict[str, Any]:
    """`GET /repos/{owner}/{repo}`."""
    return repository(repo) | {
        "network_count": 0,
        "subscribers_count": 0,
        "temp_clone_token": None,
        "permissions": {"admin": False, "maintain": False, "push": True, "triage": True, "pull": True},
        "allow_squash_merge": "squash" in repo.methods,
        "allow_merge_commit": "merge" in repo.methods,
        "allow_rebase_merge": "rebase" in repo.methods,
        "allow_auto_merge": False,
        "delete_branch_on_merge": False,
    }


def label(repo: Repository, one: Label) -> dict[str, Any]:
    return {
        "id": one.id,
        "node_id": one.node_id,
        "url": f"{api_of(repo)}/labels/{one.name}",
        "name": one.name,
        "color": one.color,
        "default": False,
        "description": one.description,
        "archived_at": None,
        "archived_by": None,
    }


def activity(one: Activity) -> dict[str, Any]:
    return {
        "id": one.id,
        "node_id": f"PSH_{one.id}",
        "before": one.before,
        "after": one.after,
        "ref": f"refs/heads/{one.branch}",
        "timestamp": stamp(one.at),
        "activity_type": one.kind,
        "actor": user(one.actor),
    }


def signature(commit: Commit) -> dict[str, Any]:
    email = f"{commit.author.login}@users.noreply.github.com"
    return {"name": commit.author.login, "email": email, "date": stamp(commit.at)}


def _verification() -> dict[str, Any]:
    return {"verified": False, "reason": "unsigned", "signature": None, "payload": None, "verified_at": None}


def commit(repo: Repository, one: Commit) -> dict[str, Any]:
    api = api_of(repo)
    return {
        "sha": one.sha,
        "node_id": f"C_{one.sha}",
        "commit": {
            "author": signature(one),
            "committer": signature(one),
            "message": one.message,
            "tree": {"sha": one.tree_sha, "url": f"{api}/git/trees/{one.tree_sha}"},
            "url": f"{api}/git/commits/{one.sha}",
            "comment_count": 0,
            "verification": _verification(),
        },
        "url": f"{api}/commits/{one.sha}",
        "html_url": f"{WEB}/{repo.full_name}/commit/{one.sha}",
        "comments_url": f"{api}/commits/{one.sha}/comments",
        "author": user(one.author),
        "committer": user(one.author),
        "parents": [{"sha": p, "url": f"{api}/commits/{p}", "html_url": f"{WEB}/commit/{p}"} for p in one.parents],
    }


def file_diff(repo: Repository, head: str, path: str, old: str | None, new: str | None) -> dict[str, Any]:
    """One entry of `files`; None = the path does not exist on that side."""
    removed = len((old or "").splitlines())
    added = len((new or "").splitlines())
    status = "added" if old is None else "removed" if new is None else "modified"
    return {
        "sha": blob_sha(new if new is not None else old or ""),
        "filename": path,
        "status": status,
        "additions": added,
        "deletions": removed,
        "changes": added + removed,
        "blob_url": f"{WEB}/{repo.full_name}/blob/{head}/{path}",
        "raw_url": f"{WEB}/{repo.full_name}/raw/{head}/{path}",
        "contents_url": f"{api_of(repo)}/contents/{path}?ref={head}",
        "patch": "@@ -1 +1 @@",
    }


def blob_sha(text: str) -> str:
    """The id git gives a file of this text."""
    raw = text.encode()
    return hashlib.sha1(b"blob %d\0" % len(raw) + raw).hexdigest()  # noqa: S324  # git's own object name, not security


def contents(repo: Repository, ref: str, path: str, text: str) -> dict[str, Any]:
    api, raw = api_of(repo), text.encode()
    url, sha = f"{api}/contents/{path}?ref={ref}", blob_sha(text)
    html, git = f"{WEB}/{repo.full_name}/blob/{ref}/{path}", f"{api}/git/blobs/{sha}"
    return {
        "type": "file",
        "encoding": "base64",
        "size": len(raw),
        "name": path.rpartition("/")[2],
        "path": path,
        "content": base64.encodebytes(raw).decode(),
        "sha": sha,
        "url": url,
        "git_url": git,
        "html_url": html,
        "download_url": f"https://raw.githubusercontent.com/{repo.full_name}/{ref}/{path}",
        "_links": {"git": git, "self": url, "html": html},
    }


def git_ref(repo: Repository, branch: str, sha: str) -> dict[str, Any]:
    api, name = api_of(repo), f"refs/heads/{branch}"
    target = {"type": "commit", "sha": sha, "url": f"{api}/git/commits/{sha}"}
    return {"ref": name, "node_id": f"REF_{repo.id}_{branch}", "url": f"{api}/git/{name}", "object": target}
