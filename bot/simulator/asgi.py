"""The HTTP face: `build(world)` is a Starlette app that answers as api.github.com does.

A request passes, in order: version header, token, repository (redirects, visibility), permission, handler; all of it
inside the edge, so that faults and the record of requests see every request. Run it on real sockets with uvicorn's
`date_header=False`: the `Date` is the world's.
"""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Receive, Scope, Send

from bot.simulator.edge import Reply
from bot.simulator.model.repositories import Repository
from bot.simulator.model.threads import Pull
from bot.simulator.operations import OPERATIONS, Operation
from bot.simulator.refusal import HttpError, NoAnswer, not_found
from bot.simulator.render import Cut, rendered
from bot.simulator.routes import access, graphql
from bot.simulator.routes.apps import APPS
from bot.simulator.routes.call import Call, Handler
from bot.simulator.routes.checks import CHECKS
from bot.simulator.routes.issues import ISSUES
from bot.simulator.routes.pulls import PULLS
from bot.simulator.routes.repositories import REPOSITORIES
from bot.simulator.routes.tokens import Tokens
from bot.simulator.world import World

HANDLERS: dict[str, Handler] = {**APPS, **ISSUES, **PULLS, **CHECKS, **REPOSITORIES, "graphql": graphql.answer}
VERSIONS = ("2022-11-28", "2026-03-10")
_NUMBERS = ("id", "number")
_SLASHED = ("branch", "name", "ref", "basehead", "path")
_BY_NAME, _BY_ID = "/repos/{owner}/{repo}", "/repositories/{repository_id:int}"
_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]
Endpoint = Callable[[Request], Awaitable[Response]]
#: A method, and words of a path: the first, and the first that is no name of a repository.
Place = tuple[str, str, str]


def build(world: World, *, token_clock: Callable[[], datetime] | None = None, long_tokens: bool = False) -> Starlette:
    """`token_clock`: the clock that clients sign their tokens by, where it is not the world's (githubkit uses the real
    one). `long_tokens`: about 520 characters. `app.state.tokens` can revoke tokens."""
    app = Starlette(routes=[_known(), Route("/{rest:path}", _unknown, methods=_METHODS)])
    app.router.redirect_slashes = False
    app.state.world = world
    app.state.tokens = Tokens(world, token_clock or world.clock.now, long=long_tokens)
    return app


@cache
def _known() -> "_Sorted":
    """Made once for all worlds."""
    routes: dict[Place, list[Route]] = {}
    for operation in OPERATIONS.values():
        endpoint = _endpoint(operation)
        for path in dict.fromkeys((operation.path, operation.path.replace(_BY_NAME, _BY_ID))):
            route = Route(_typed(path), endpoint, methods=[operation.method])
            routes.setdefault(_place(operation.method, path), []).append(route)
    return _Sorted(routes)


def _place(method: str, path: str) -> Place:
    """What two paths of one operation have in common: the method and the first word behind the repository."""
    words = path.split("/")
    behind = {"repos": 4, "repositories": 3}.get(words[1], 1)
    return method, words[1], words[behind] if len(words) > behind else ""


class _Sorted(BaseRoute):
    """Of a hundred routes, those are tried that can fit."""

    def __init__(self, routes: Mapping[Place, Sequence[Route]]) -> None:
        self._routes = routes

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        if scope["type"] == "http":
            method = "GET" if scope["method"] == "HEAD" else scope["method"]
            for route in self._routes.get(_place(method, scope["path"]), ()):
                match, found = route.matches(scope)
                if match is Match.FULL:
                    return match, {**found, "found": route}
        return Match.NONE, {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        await scope["found"].handle(scope, receive, send)


def _typed(path: str) -> str:
    """GitHub's path with Starlette's converters: names of branches, labels and files may hold slashes."""
    for name in _NUMBERS:
        path = path.replace(f"{{{name}}}", f"{{{name}:int}}")
    for name in _SLASHED:
        path = path.replace(f"{{{name}}}", f"{{{name}:path}}")
    return path


def _endpoint(operation: Operation) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        world: World = request.app.state.world
        raw = await request.body()
        try:
            body = json.loads(raw) if raw else None
        except ValueError:
            return rendered(world, request, Reply(400, HttpError(400, "Problems parsing JSON").body()))
        named = graphql.operation_of(body) if operation.name == "graphql" else operation
        call = _call(world, request.app.state.tokens, request, body)
        pull = _pull_in(call) if named.group == "merge" else None
        try:
            reply = world.edge.call(named, call.path, body, lambda: _understood(call, operation, named), merging=pull)
        except HttpError as no:
            reply = Reply(no.status, no.extra if "status" in no.extra else no.body(), no.headers)
        except NoAnswer as lost:
            return Cut(lost.how)
        return rendered(world, request, reply)

    return endpoint


def _call(world: World, tokens: Tokens, request: Request, body: Any) -> Call:
    return Call(
        world=world,
        tokens=tokens,
        base=str(request.base_url).rstrip("/"),
        path=request.url.path,
        parts=request.path_params,
        query=dict(request.query_params),
        body=body,
        authorization=request.headers.get("authorization", ""),
        version=request.headers.get("x-github-api-version", VERSIONS[0]),
    )


def _understood(call: Call, operation: Operation, named: Operation) -> Reply:
    """Answer, and note a bug of the simulator itself, whatever the client makes of it."""
    understood = False
    try:
        reply = _answer(call, operation, named)
        understood = True
    except HttpError:
        understood = True
        raise
    finally:
        if not understood:
            call.world.findings.append(f"the simulator failed at {operation.method} {call.path}")
    return reply


def _answer(call: Call, operation: Operation, named: Operation) -> Reply:
    if call.version not in VERSIONS:
        raise HttpError(400, "The requested API version is not supported.")
    handler = HANDLERS[operation.name]
    if operation.name in access.BY_APP:
        call.tokens.app(call.authorization)
        return handler(call)
    token = call.tokens.installation(call.authorization)
    if operation.path.startswith(_BY_NAME):
        repo = _repository(call, operation)
        if not call.world.visible(repo) or not call.tokens.reaches(token, repo.id):
            raise not_found()
        call = replace(call, found=repo)
    access.check(call.tokens, token, named)
    return handler(call)


def _repository(call: Call, operation: Operation) -> Repository:
    """By id, or by its present name; a former name redirects until somebody else takes it."""
    world = call.world
    if "repository_id" in call.parts:
        found = world.repositories.get(call.parts["repository_id"])
        if found is None:
            raise not_found()
        return found
    name = f"{call.parts['owner']}/{call.parts['repo']}"
    try:
        return world.repository_at(name)
    except HttpError:
        moved = world.former_names.get(name.lower())
        if moved is None or not world.visible(world.repositories[moved]):
            raise
    rest = call.path.removeprefix(f"/repos/{name}")
    where = f"{call.base}/repositories/{moved}{rest}"
    status, text = (301, "Moved Permanently") if operation.method == "GET" else (307, "Temporary Redirect")
    raise HttpError(status, text, headers={"Location": where}, extra={"url": where})


def _pull_in(call: Call) -> Pull | None:
    """The pull request a merge is about, if it exists: while its effect is late, GitHub knows it is being merged."""
    wanted, name = call.parts.get("repository_id"), f"{call.parts.get('owner')}/{call.parts.get('repo')}"
    for repo in call.world.repositories.values():
        if repo.id == wanted or repo.full_name.lower() == name.lower():
            found = repo.threads.get(call.parts["number"])
            return found if isinstance(found, Pull) else None
    return None


async def _unknown(request: Request) -> Response:
    world: World = request.app.state.world
    world.findings.append(f"unknown endpoint {request.method} {request.url.path}")
    return rendered(world, request, Reply(404, not_found().body()))
