"""Teams and memberships."""

from typing import Any

from bot.simulator.model.people import Team, User
from bot.simulator.wire.people import user
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
