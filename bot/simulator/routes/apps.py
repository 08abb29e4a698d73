"""The App itself: installations, tokens, webhook deliveries, limits, people."""

from typing import Any

from bot.simulator.edge import Reply
from bot.simulator.hooks import HookDelivery
from bot.simulator.model.people import Team
from bot.simulator.refusal import HttpError, not_found
from bot.simulator.routes.call import Call, Handler
from bot.simulator.webhooks import headers
from bot.simulator.wire import people as wire
from bot.simulator.wire import repositories as wire_repositories
from bot.simulator.wire import teams as wire_teams
from bot.simulator.wire.places import stamp


def _app(call: Call) -> Reply:
    return Reply(200, wire.app(call.world.app))


def _installations(call: Call) -> Reply:
    here = [] if call.world.installation.deleted else [call.world.installation]
    return call.page(here, wire.installation)


def _token(call: Call) -> Reply:
    call.tokens.of_installation(call.parts["id"])
    ids, names = call.optional("repository_ids"), call.optional("repositories")
    chosen = frozenset(ids) if ids else None
    if names:
        known = [call.world.repositories[one] for one in call.world.installation.repositories]
        chosen = frozenset(repo.id for repo in known if repo.name in names)
        if len(chosen) != len(names):
            raise HttpError(422, "There is at least one repository that does not exist or is not accessible.")
    token = call.tokens.mint(chosen, call.optional("permissions"))
    body: dict[str, Any] = {
        "token": token.text,
        "expires_at": stamp(token.expires_at),
        "permissions": dict(token.permissions),
        "repository_selection": "selected",
    }
    if chosen is not None:
        body["repositories"] = [wire_repositories.repository(call.world.repositories[one]) for one in sorted(chosen)]
    return Reply(201, body)


def _repositories(call: Call) -> Reply:
    token = call.tokens.installation(call.authorization)
    ids = [one for one in sorted(call.world.installation.repositories) if call.tokens.reaches(token, one)]
    repos = [call.world.repositories[one] for one in ids]
    reply = call.page(repos, wire_repositories.full_repository, "repositories")
    return Reply(200, {**reply.body, "repository_selection": "selected"}, reply.headers)


def _deliveries(call: Call) -> Reply:
    """Newest first; `cursor` is the id to go on from, `status` is `success` or `failure`."""
    tried = [one for one in reversed(call.world.hooks.log) if one.status_code is not None]
    wanted = call.query.get("status")
    if wanted is not None:
        tried = [one for one in tried if _succeeded(one) == (wanted == "success")]
    cursor = call.query.get("cursor")
    if cursor is not None:
        tried = [one for one in tried if one.id <= int(cursor.removeprefix("v1_"))]
    size = min(int(call.query.get("per_page", "30")), 100)
    links = {}
    if len(tried) > size:
        more = f"{call.base}{call.path}?per_page={size}&cursor=v1_{tried[size].id}"
        links["Link"] = f'<{more}>; rel="next"'
    return Reply(200, [_item(one) for one in tried[:size]], links)


def _delivery(call: Call) -> Reply:
    one = _find(call)
    sent = headers(call.world, one, "redacted")
    request = {"headers": sent, "payload": one.payload}
    answer = {"headers": {}, "payload": ""}
    return Reply(200, {**_item(one), "url": "https://bot.example.com", "request": request, "response": answer})


def _redeliver(call: Call) -> Reply:
    call.world.hooks.redeliver(_find(call))
    return Reply(202, {})


def _rate_limit(call: Call) -> Reply:
    reset = int(call.world.clock.now().timestamp()) + 3600
    full = {"limit": 5000, "used": 0, "remaining": 5000, "reset": reset}
    return Reply(200, {"resources": {"core": full, "search": full, "graphql": full}, "rate": full})


def _user_by_login(call: Call) -> Reply:
    return Reply(200, wire.public_user(call.world.user(call.parts["login"])))


def _user_by_id(call: Call) -> Reply:
    found = call.world.users.get(call.parts["id"])
    if found is None:
        raise not_found()
    return Reply(200, wire.public_user(found))


def _visible(call: Call) -> Team:
    team = call.world.team_at(call.parts["org"], call.parts["slug"])
    if team.organization is not call.world.account:
        raise not_found()
    return team


def _team(call: Call) -> Reply:
    return Reply(200, wire_teams.whole_team(_visible(call)))


def _team_membership(call: Call) -> Reply:
    """Who was never asked in is 404, like a team that is not there."""
    team = _visible(call)
    user = call.world.user(call.parts["login"])
    state = team.state(user)
    if state is None:
        raise not_found()
    return Reply(200, wire_teams.membership(team, user, state))


def _find(call: Call) -> HookDelivery:
    found = call.world.hooks.find(call.parts["id"])
    if found is None:
        raise not_found()
    return found


def _succeeded(one: HookDelivery) -> bool:
    return one.status_code is not None and 200 <= one.status_code < 300


def _item(one: HookDelivery) -> dict[str, Any]:
    status = (
        "OK" if _succeeded(one) else "failed to connect to host" if not one.status_code else "Invalid HTTP Response"
    )
    return {
        "id": one.id,
        "guid": one.guid,
        "delivered_at": stamp(one.due),
        "redelivery": one.redelivery,
        "duration": 0.1,
        "status": status,
        "status_code": one.status_code,
        "event": one.event,
        "action": one.action,
        "installation_id": one.installation_id,
        "repository_id": one.repository_id,
        "throttled_at": None,
    }


APPS: dict[str, Handler] = {
    "app": _app,
    "installations": _installations,
    "token": _token,
    "hook_deliveries": _deliveries,
    "hook_delivery": _delivery,
    "redeliver": _redeliver,
    "installation_repositories": _repositories,
    "rate_limit": _rate_limit,
    "user_by_login": _user_by_login,
    "user_by_id": _user_by_id,
    "team": _team,
    "team_membership": _team_membership,
}
