"""Accounts, Apps, installations, permissions."""

from typing import Any

from bot.domain.model.facts import LEVELS
from bot.simulator.model.people import App, Grant, Installation, User
from bot.simulator.wire.places import API, WEB, stamp


def user(account: User) -> dict[str, Any]:
    api = f"{API}/users/{account.login}"
    bot = account.type == "Bot"
    html = f"{WEB}/apps/{account.login.removesuffix('[bot]')}" if bot else f"{WEB}/{account.login}"
    return {
        "login": account.login,
        "id": account.id,
        "node_id": account.node_id,
        "avatar_url": f"https://avatars.githubusercontent.com/u/{account.id}?v=4",
        "gravatar_id": "",
        "url": api,
        "html_url": html,
        "followers_url": f"{api}/followers",
        "following_url": f"{api}/following{{/other_user}}",
        "gists_url": f"{api}/gists{{/gist_id}}",
        "starred_url": f"{api}/starred{{/owner}}{{/repo}}",
        "subscriptions_url": f"{api}/subscriptions",
        "organizations_url": f"{api}/orgs",
        "repos_url": f"{api}/repos",
        "events_url": f"{api}/events{{/privacy}}",
        "received_events_url": f"{api}/received_events",
        "type": account.type,
        "user_view_type": "public",
        "site_admin": False,
    }


def public_user(account: User) -> dict[str, Any]:
    """`GET /users/{login}`."""
    counts = dict.fromkeys(("public_repos", "public_gists", "followers", "following"), 0)
    blanks = dict.fromkeys(("name", "company", "location", "email", "hireable", "bio", "twitter_username"))
    times = {"created_at": "2020-01-01T00:00:00Z", "updated_at": "2020-01-01T00:00:00Z"}
    return user(account) | counts | blanks | times | {"blog": ""}


def organization(account: User) -> dict[str, Any]:
    api = f"{API}/orgs/{account.login}"
    return {
        "login": account.login,
        "id": account.id,
        "node_id": account.node_id,
        "url": api,
        "repos_url": f"{api}/repos",
        "events_url": f"{api}/events",
        "hooks_url": f"{api}/hooks",
        "issues_url": f"{api}/issues",
        "members_url": f"{api}/members{{/member}}",
        "public_members_url": f"{api}/public_members{{/member}}",
        "avatar_url": f"https://avatars.githubusercontent.com/u/{account.id}?v=4",
        "description": None,
    }


def app(one: App) -> dict[str, Any]:
    """The App object on comments, checks and `GET /app`."""
    return {
        "id": one.id,
        "slug": one.slug,
        "node_id": one.node_id,
        "client_id": one.client_id or f"Iv23li{one.id:014d}",
        "owner": user(one.owner),
        "name": one.slug.replace("-", " ").title(),
        "description": "",
        "external_url": "https://example.com",
        "html_url": f"{WEB}/apps/{one.slug}",
        "created_at": stamp(one.created_at),
        "updated_at": stamp(one.created_at),
        "permissions": dict(one.permissions),
        "events": list(one.events),
        "installations_count": 1,
    }


def installation(one: Installation) -> dict[str, Any]:
    return {
        "id": one.id,
        "client_id": one.app.client_id or f"Iv23li{one.app.id:014d}",
        "account": user(one.account),
        "repository_selection": "selected",
        "access_tokens_url": f"{API}/app/installations/{one.id}/access_tokens",
        "repositories_url": f"{API}/installation/repositories",
        "html_url": f"{WEB}/organizations/{one.account.login}/settings/installations/{one.id}",
        "app_id": one.app.id,
        "app_slug": one.app.slug,
        "target_id": one.account.id,
        "target_type": one.account.type,
        "permissions": dict(one.app.permissions),
        "events": list(one.app.events),
        "created_at": stamp(one.created_at),
        "updated_at": stamp(one.created_at),
        "single_file_name": None,
        "has_multiple_single_files": False,
        "single_file_paths": [],
        "suspended_by": user(one.suspended_by) if one.suspended_by else None,
        "suspended_at": stamp(one.suspended_at),
    }


def permission(account: User, grant: Grant) -> dict[str, Any]:
    """`GET /collaborators/{login}/permission`: maintain reads as write, triage as read."""
    legacy = {"maintain": "write", "triage": "read"}.get(grant.level, grant.level)
    names = {"pull": "read", "triage": "triage", "push": "write", "maintain": "maintain", "admin": "admin"}
    booleans = {key: LEVELS.index(grant.level) >= LEVELS.index(level) for key, level in names.items()}
    role = grant.role_name or grant.level
    return {
        "permission": legacy,
        "user": user(account) | {"permissions": booleans, "role_name": role},
        "role_name": role,
    }
