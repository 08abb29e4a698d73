"""Teams and memberships."""

from typing import Any

from bot.simulator.model.people import Team, User
from bot.simulator.wire.people import organization, user
from bot.simulator.wire.places import API, WEB


def team(one: Team) -> dict[str, Any]:
    url = f"{API}/organizations/{one.organization.id}/team/{one.id}"
    return {
        "name": one.slug,
        "id": one.id,
        "node_id": one.node_id,
        "slug": one.slug,
        "description": None,
        "privacy": "closed",
        "notification_setting": "notifications_enabled",
        "url": url,
        "html_url": f"{WEB}/orgs/{one.organization.login}/teams/{one.slug}",
        "members_url": f"{url}/members{{/member}}",
        "repositories_url": f"{url}/repos",
        "permission": "pull",
        "parent": None,
    }


def whole_team(one: Team) -> dict[str, Any]:
    """`GET /orgs/{org}/teams/{slug}`."""
    counts = {"type": "organization", "members_count": len(one.members), "repos_count": 0}
    since = "2026-01-01T00:00:00Z"
    owner = organization(one.organization) | {
        "html_url": f"{WEB}/{one.organization.login}",
        "type": "Organization",
        "has_organization_projects": False,
        "has_repository_projects": False,
        "public_repos": 1,
        "public_gists": 0,
        "followers": 0,
        "following": 0,
        "archived_at": None,
    }
    stamps = {"created_at": since, "updated_at": since}
    return {**team(one), **counts, **stamps, "organization": {**owner, **stamps}}


def membership(one: Team, account: User, state: str) -> dict[str, Any]:
    """`GET /orgs/{org}/teams/{slug}/memberships/{login}`."""
    url = f"{API}/organizations/{one.organization.id}/team/{one.id}/memberships/{account.login}"
    return {"url": url, "role": "member", "state": state}


def left(organization: User, account: User) -> dict[str, Any]:
    """The membership of an organization that ended."""
    api = f"{API}/orgs/{organization.login}"
    return {
        "url": f"{api}/memberships/{account.login}",
        "state": "active",
        "role": "member",
        "organization_url": api,
        "user": user(account),
    }
