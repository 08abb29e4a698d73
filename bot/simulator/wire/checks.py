"""Check runs, check suites, statuses."""

from typing import Any

from bot.simulator.model.checks import CheckRun, CheckSuite, Status
from bot.simulator.model.repositories import Commit, Repository
from bot.simulator.model.threads import Pull
from bot.simulator.wire import repositories
from bot.simulator.wire.people import app, user
from bot.simulator.wire.places import WEB, stamp
from bot.simulator.wire.repositories import api_of, signature


def pulls_of(repo: Repository, head: str) -> list[dict[str, Any]]:
    """The pull requests a check names: open ones of this repository with this head, never from forks."""
    return [_minimal(one) for one in repo.threads.values() if isinstance(one, Pull) and _names(repo, one, head)]


def _names(repo: Repository, pull: Pull, head: str) -> bool:
    return pull.open and pull.head == head and pull.head_repository is repo


def _minimal(pull: Pull) -> dict[str, Any]:
    repo = pull.repository
    place = {"id": repo.id, "url": api_of(repo), "name": repo.name}
    return {
        "url": f"{api_of(repo)}/pulls/{pull.number}",
        "id": pull.pull_id,
        "number": pull.number,
        "head": {"ref": pull.head_ref, "sha": pull.head, "repo": place},
        "base": {"ref": pull.base_ref, "sha": pull.base_sha, "repo": place},
    }


def check_run(repo: Repository, run: CheckRun) -> dict[str, Any]:
    url = f"{api_of(repo)}/check-runs/{run.id}"
    html = f"{WEB}/{repo.full_name}/runs/{run.id}"
    output = {"title": run.title, "summary": run.summary, "text": run.text}
    return {
        "id": run.id,
        "name": run.name,
        "node_id": run.node_id,
        "head_sha": run.head,
        "external_id": run.external_id,
        "url": url,
        "html_url": html,
        "details_url": run.details_url or html,
        "status": run.status,
        "conclusion": run.conclusion,
        "started_at": stamp(run.started_at),
        "completed_at": stamp(run.completed_at),
        "output": {**output, "annotations_count": len(run.annotations), "annotations_url": f"{url}/annotations"},
        "check_suite": {"id": run.suite.id},
        "app": app(run.app),
        "pull_requests": pulls_of(repo, run.head),
    }


def suite_in_run(repo: Repository, suite: CheckSuite) -> dict[str, Any]:
    """The suite as it is nested in check_run events."""
    return {
        "id": suite.id,
        "node_id": suite.node_id,
        "head_branch": suite.branch,
        "head_sha": suite.head,
        "status": suite.status,
        "conclusion": suite.conclusion,
        "url": f"{api_of(repo)}/check-suites/{suite.id}",
        "before": suite.head,
        "after": suite.head,
        "pull_requests": pulls_of(repo, suite.head),
        "app": app(suite.app),
        "created_at": stamp(suite.created_at),
        "updated_at": stamp(suite.updated_at),
    }


def _simple_commit(commit: Commit) -> dict[str, Any]:
    who = signature(commit)
    return {
        "id": commit.sha,
        "tree_id": commit.tree_sha,
        "message": commit.message,
        "timestamp": who["date"],
        "author": {"name": who["name"], "email": who["email"]},
        "committer": {"name": who["name"], "email": who["email"]},
    }


def check_suite(repo: Repository, suite: CheckSuite, commit: Commit) -> dict[str, Any]:
    return suite_in_run(repo, suite) | {
        "head_commit": _simple_commit(commit),
        "latest_check_runs_count": len(suite.runs),
        "check_runs_url": f"{api_of(repo)}/check-suites/{suite.id}/check-runs",
        "repository": repositories.minimal(repo),
        "rerequestable": True,
        "runs_rerequestable": True,
    }


def status(repo: Repository, one: Status) -> dict[str, Any]:
    return {
        "url": f"{api_of(repo)}/statuses/{one.sha}",
        "avatar_url": user(one.creator)["avatar_url"],
        "id": one.id,
        "node_id": one.node_id,
        "state": one.state,
        "description": one.description,
        "target_url": one.target_url,
        "context": one.context,
        "created_at": stamp(one.created_at),
        "updated_at": stamp(one.updated_at),
        "creator": user(one.creator),
    }


def combined(repo: Repository, sha: str, newest: list[Status]) -> dict[str, Any]:
    """Statuses only: pending when there are none, failure when any failed, success when all latest are."""
    states = [one.state for one in newest]
    if any(state in ("error", "failure") for state in states):
        state = "failure"
    else:
        state = "success" if states and all(one == "success" for one in states) else "pending"
    simple = [{k: v for k, v in status(repo, one).items() if k != "creator"} | {"required": False} for one in newest]
    return {
        "state": state,
        "statuses": simple,
        "sha": sha,
        "total_count": len(newest),
        "repository": repositories.minimal(repo),
        "commit_url": f"{api_of(repo)}/commits/{sha}",
        "url": f"{api_of(repo)}/commits/{sha}/status",
    }
