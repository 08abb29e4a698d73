"""Branches and the rules that guard them."""

from typing import Any

from bot.simulator.model.repositories import Commit, Protection, Repository, Required, Ruleset
from bot.simulator.wire.places import WEB, stamp
from bot.simulator.wire.repositories import api_of, commit


def branch(repo: Repository, name: str, tip: Commit, required: tuple[Required, ...]) -> dict[str, Any]:
    """`GET /branches/{branch}`; `protection` shows the checks of classic protection only."""
    url, classic = f"{api_of(repo)}/branches/{name}", repo.protections.get(name)
    checks = {
        "enforcement_level": "non_admins" if classic else "off",
        "contexts": [r.context for r in required],
        "checks": [{"context": r.context, "app_id": r.app} for r in required],
    }
    return {
        "name": name,
        "commit": commit(repo, tip),
        "_links": {"html": f"{WEB}/{repo.full_name}/tree/{name}", "self": url},
        "protected": classic is not None or bool(repo.rules_on(name)),
        "protection": {"enabled": classic is not None, "required_status_checks": checks},
        "protection_url": f"{url}/protection",
    }


def protection(repo: Repository, one: Protection) -> dict[str, Any]:
    url = f"{api_of(repo)}/branches/{one.branch}/protection"
    answer: dict[str, Any] = {
        "url": url,
        "enforce_admins": {"url": f"{url}/enforce_admins", "enabled": one.admins},
        "required_linear_history": {"enabled": False},
        "allow_force_pushes": {"enabled": False},
        "allow_deletions": {"enabled": False},
    }
    if one.required:
        answer["required_status_checks"] = {
            "url": f"{url}/required_status_checks",
            "strict": one.strict,
            "contexts": [r.context for r in one.required],
            "contexts_url": f"{url}/required_status_checks/contexts",
            "checks": [{"context": r.context, "app_id": r.app} for r in one.required],
        }
    if one.reviews:
        answer["required_pull_request_reviews"] = {
            "url": f"{url}/required_pull_request_reviews",
            "dismiss_stale_reviews": False,
            "require_code_owner_reviews": False,
            "required_approving_review_count": one.reviews,
            "require_last_push_approval": False,
        }
        if one.bypassing:
            apps = [{"id": app.id, "slug": app.slug} for app in one.bypassing]
            answer["required_pull_request_reviews"]["bypass_pull_request_allowances"] = {
                "users": [],
                "teams": [],
                "apps": apps,
            }
    return answer


def rules(one: Ruleset) -> list[dict[str, Any]]:
    """The rules of a ruleset, as `GET /rulesets/{id}` nests them."""
    found: list[dict[str, Any]] = []
    if one.required:
        checks = [{"context": r.context} | ({"integration_id": r.app} if r.app else {}) for r in one.required]
        parameters = {"strict_required_status_checks_policy": one.strict, "required_status_checks": checks}
        found.append({"type": "required_status_checks", "parameters": parameters})
    if one.merge_queue:
        found.append({"type": "merge_queue"})
    if one.reviews or one.methods != ("merge", "squash", "rebase"):
        found.append(
            {
                "type": "pull_request",
                "parameters": {
                    "allowed_merge_methods": list(one.methods),
                    "dismiss_stale_reviews_on_push": False,
                    "require_code_owner_review": False,
                    "require_last_push_approval": False,
                    "required_approving_review_count": one.reviews,
                    "required_review_thread_resolution": False,
                },
            }
        )
    return found


def branch_rules(repo: Repository, name: str) -> list[dict[str, Any]]:
    """`GET /rules/branches/{branch}`: each rule with where it comes from."""
    source = {"ruleset_source_type": "Repository", "ruleset_source": repo.full_name}
    return [rule | source | {"ruleset_id": one.id} for one in repo.rules_on(name) for rule in rules(one)]


def ruleset(repo: Repository, one: Ruleset) -> dict[str, Any]:
    include = [name if name.startswith("~") else f"refs/heads/{name}" for name in one.branches]
    return {
        "id": one.id,
        "name": one.name,
        "target": "branch",
        "source_type": "Repository",
        "source": repo.full_name,
        "enforcement": "active",
        "current_user_can_bypass": one.bypass,
        "node_id": f"RRS_{one.id}",
        "_links": {
            "self": {"href": f"{api_of(repo)}/rulesets/{one.id}"},
            "html": {"href": f"{WEB}/{repo.full_name}/rules/{one.id}"},
        },
        "conditions": {"ref_name": {"include": include, "exclude": []}},
        "rules": rules(one),
        "created_at": stamp(repo.created_at),
        "updated_at": stamp(repo.created_at),
    }
