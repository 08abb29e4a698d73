"""The pages of the simulated GitHub: what links of comments lead to, and forms with which one can act as its people.

A browser gets pages and goes back to the thread after a form; everybody else gets plain text, and after a form what has
changed since, once Signalbox has come to rest.
"""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from bot.bootstrap.demo.hands import Hands, NotDone
from bot.bootstrap.demo.told import commit_as_text, list_as_text, spoken, thread_as_text
from bot.bootstrap.demo.watch import Watch
from bot.simulator.model.repositories import Repository
from bot.simulator.model.threads import Comment, Pull, Thread
from bot.simulator.refusal import HttpError
from bot.simulator.world import World
from bot.web.pages import inline, times
from bot.web.pages.assets import ASSETS, address

Act = Callable[[Request, Mapping[str, str]], Awaitable[tuple[str, list[tuple[str, str]]]]]
_LARGEST_FORM = 100_000
_SAFE = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
}
_templates = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_templates.filters |= {"clock": times.clock, "markdown": lambda text: inline.plan(spoken(text))}
_templates.globals["asset"] = address


class Site:
    """In front of the API: whatever is below a repository's name is a page, everything else is the API's."""

    def __init__(self, world: World, watch: Watch, api: ASGIApp) -> None:
        self._world = world
        self._watch = watch
        self._hands = Hands(world)
        self._api = api
        thread = "/{owner}/{repo}/{kind:str}/{number:int}"
        self._pages = Starlette(
            routes=[
                Route("/", self._list, methods=["GET"]),
                Route("/", self._acts(self._on_github), methods=["POST"]),
                Route("/static/{name}", self._asset, methods=["GET"]),
                Route("/{owner}/{repo}", self._acts(self._on_repository), methods=["POST"]),
                Route("/{owner}/{repo}/issues", self._acts(self._opens_issue), methods=["POST"]),
                Route("/{owner}/{repo}/pulls", self._acts(self._opens_pull), methods=["POST"]),
                Route("/{owner}/{repo}/commit/{sha}", self._commit, methods=["GET"]),
                Route("/{owner}/{repo}/compare/{range}", self._compare, methods=["GET"]),
                Route("/{owner}/{repo}/pull/{number:int}/files", self._files, methods=["GET"]),
                Route(thread, self._thread, methods=["GET"]),
                Route(thread, self._acts(self._on_thread), methods=["POST"]),
                Route("/{rest:path}", self._list, methods=["GET"]),
            ],
            exception_handlers={HttpError: _refused, NotDone: _not_done},
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        ours = scope["type"] == "http" and self._is_page(scope["path"])
        await (self._pages if ours else self._api)(scope, receive, send)

    def _is_page(self, path: str) -> bool:
        first, _, rest = path.removeprefix("/").partition("/")
        name = f"{first}/{rest.partition('/')[0]}".lower()
        return path == "/" or first == "static" or name in {one.full_name for one in self._world.repositories.values()}

    async def _list(self, request: Request) -> Response:
        repositories = tuple(self._world.repositories.values())
        return _page(request, "list.html", list_as_text(self._world), repositories=repositories)

    async def _thread(self, request: Request) -> Response:
        thread = self._thread_of(request)
        runs = self._world.latest_runs(thread.repository, thread.head) if isinstance(thread, Pull) else []
        text = thread_as_text(thread, runs)
        return _page(request, "thread.html", text, thread=thread, runs=runs, people=self._people(thread.repository))

    async def _commit(self, request: Request) -> Response:
        found = self._world.commit_at(self._repository(request), request.path_params["sha"])
        before = self._world.commits[found.parents[0]].files if found.parents else {}
        return self._changes(request, f"{found.author.login}: {found.message}", before, found.files)

    async def _compare(self, request: Request) -> Response:
        base, _, head = request.path_params["range"].partition("...")
        repo = self._repository(request)
        old, new = (self._world.commit_at(repo, ref) for ref in (base, head))
        return self._changes(request, f"{old.sha[:7]} to {new.sha[:7]}", old.files, new.files)

    async def _files(self, request: Request) -> Response:
        pull = self._thread_of(request)
        assert isinstance(pull, Pull), "the route says pull"
        old, new = self._world.commits[pull.base_sha], self._world.commits[pull.head]
        return self._changes(request, f"#{pull.number} {pull.title}", old.files, new.files)

    def _changes(self, request: Request, title: str, old: Mapping[str, str], new: Mapping[str, str]) -> Response:
        changes = self._world.diff(old, new)
        return _page(request, "changes.html", commit_as_text(title, changes), title=title, changes=changes)

    async def _asset(self, request: Request) -> Response:
        found = ASSETS.get(request.path_params["name"])
        if found is None:
            raise HttpError(404, "Not Found")
        return Response(found.content, media_type=found.media_type, headers=_SAFE)

    def _acts(self, act: Act) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            body = await request.body()
            if len(body) > _LARGEST_FORM:
                raise NotDone("This is too long.")
            sent = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True)
            given = dict(sent)
            if len(given) != len(sent):
                raise NotDone("Each field can be sent once.")
            where, changes = await act(request, given)
            if _is_browser(request):
                return RedirectResponse(where, 303)
            return PlainTextResponse("".join(f"{what:<9} {text}\n" for what, text in changes), headers=_SAFE)

        return endpoint

    async def _on_github(self, _request: Request, given: Mapping[str, str]) -> tuple[str, list[tuple[str, str]]]:
        return "/", [("github", self._hands.on_github(given)), *await self._everywhere()]

    async def _on_repository(self, request: Request, given: Mapping[str, str]) -> tuple[str, list[tuple[str, str]]]:
        said = self._hands.on_repository(self._repository(request), given)
        return "/", [("policy", said), *await self._everywhere()]

    async def _everywhere(self) -> list[tuple[str, str]]:
        """What has changed, where nobody named a thread: each line says which one it is about."""
        await self._watch.rests()
        threads = [thread for repo in self._world.repositories.values() for thread in repo.threads.values()]
        return [(where, f"#{each.number} {text}") for each in threads for where, text in self._watch.changes(each)]

    async def _opens_issue(self, request: Request, given: Mapping[str, str]) -> tuple[str, list[tuple[str, str]]]:
        issue = self._hands.opens_issue(self._repository(request), given)
        return _path(issue), [("issue", f"#{issue.number} {issue.title}"), *await self._seen(issue)]

    async def _opens_pull(self, request: Request, given: Mapping[str, str]) -> tuple[str, list[tuple[str, str]]]:
        pull = self._hands.opens_pull(self._repository(request), given)
        return _path(pull), [("pull", f"#{pull.number} {pull.title}"), *await self._seen(pull)]

    async def _on_thread(self, request: Request, given: Mapping[str, str]) -> tuple[str, list[tuple[str, str]]]:
        thread = self._thread_of(request)
        comment = self._hands.on_thread(thread, given)
        changes = await self._seen(thread)
        return _path(thread), [*(self._reactions(comment) if comment else []), *changes]

    def _reactions(self, comment: Comment) -> list[tuple[str, str]]:
        return self._watch.reaction(comment)

    async def _seen(self, *threads: Thread) -> list[tuple[str, str]]:
        await self._watch.rests()
        return [change for thread in threads for change in self._watch.changes(thread)]

    def _repository(self, request: Request) -> Repository:
        return self._world.repository_at(f"{request.path_params['owner']}/{request.path_params['repo']}")

    def _thread_of(self, request: Request) -> Thread:
        found = self._repository(request).threads.get(request.path_params["number"])
        if found is None or request.path_params.get("kind", "pull") not in {"issues", "pull"}:
            raise HttpError(404, "Not Found")
        return found

    def _people(self, repo: Repository) -> dict[str, str]:
        return {self._world.users[id_].login: grant.level for id_, grant in repo.grants.items()}


def _path(thread: Thread) -> str:
    kind = "pull" if isinstance(thread, Pull) else "issues"
    return f"/{thread.repository.full_name}/{kind}/{thread.number}"


def _is_browser(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "")


def _page(request: Request, template: str, text: str, **values: Any) -> Response:
    if not _is_browser(request):
        return PlainTextResponse(text, headers=_SAFE)
    return HTMLResponse(_templates.get_template(template).render(values), headers=_SAFE)


async def _refused(_request: Request, failed: Exception) -> Response:
    assert isinstance(failed, HttpError)
    return PlainTextResponse(f"GitHub says {failed.status}: {failed.message}\n", failed.status, headers=_SAFE)


async def _not_done(_request: Request, failed: Exception) -> Response:
    return PlainTextResponse(f"{failed}\n", 422, headers=_SAFE)
