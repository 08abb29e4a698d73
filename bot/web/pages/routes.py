"""The pages that only read: the list of lifecycles, one lifecycle, and what they are dressed with."""

from collections.abc import Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from bot.app.browse import Name, PolicyFor, Snapshot
from bot.app.dossier import Dossiers
from bot.app.merges import MergeLists
from bot.app.overview import Overviews
from bot.domain.projections.show import WebAddress
from bot.web.access import Entry, caller_of, sight
from bot.web.api import LARGEST
from bot.web.pages.assets import ASSETS
from bot.web.pages.frame import page, theme
from bot.web.pages.inline import HERE
from bot.web.pages.lifecycle import shown
from bot.web.pages.listing import AWAITED, PHASES, asked, listing
from bot.web.pages.merges import shown_merge
from bot.web.pages.notices import missing


class Pages:
    """`web_url` is where GitHub's own pages are. `policy_for` gives the rules in force for a record. `outage()`: a sentence
    while GitHub cannot be asked, so that what is shown may be old."""

    def __init__(
        self, read: Snapshot, policy_for: PolicyFor, web_url: str, outage: Callable[[], str | None] = lambda: None
    ) -> None:
        self._outage = outage
        web = WebAddress(HERE, web_url)
        self._overviews = Overviews(read, policy_for, web)
        self._dossiers = Dossiers(read, policy_for, web)
        self._merges = MergeLists(read, policy_for)
        self._web_url = web_url

    def entries(self) -> tuple[Entry, ...]:
        return (
            Entry("/", "reader", self.lifecycles, "Lifecycles"),
            Entry("/lifecycles/{owner}/{repo}/{number:thread}", "reader", self.lifecycle, "One lifecycle"),
            Entry("/merges", "reader", self.merges, "Merges under way"),
            Entry("/static/{name}", "public", self.asset, "Style sheet and script"),
        )

    async def lifecycles(self, request: Request) -> Response:
        query = asked(request.query_params)
        found = await self._overviews.page(query, sight(request))
        return await run_in_threadpool(
            page,
            "lifecycles.html",
            list=listing(query, found),
            found=found,
            now=found.now,
            phases=PHASES,
            awaited=AWAITED,
            **self._frame(request),
        )

    def _frame(self, request: Request) -> dict[str, Any]:
        """What stands around every page."""
        return {"theme": theme(request), "caller": caller_of(request).name, "outage": self._outage()}

    async def lifecycle(self, request: Request) -> Response:
        given = request.path_params
        name = Name(f"{given['owner']}/{given['repo']}", given["number"])
        dossier = await self._dossiers.of(name, sight(request)) if name.issue <= LARGEST else None
        if dossier is None:
            return missing()

        def drawn() -> Response:
            values = shown(dossier, self._web_url, request.query_params)
            return page("lifecycle.html", **self._frame(request), **values)

        # A long plan takes a while to render; deliveries go on meanwhile.
        return await run_in_threadpool(drawn)

    async def merges(self, request: Request) -> Response:
        found = await self._merges.under_way(sight(request))
        shown_merges = [shown_merge(each, self._web_url) for each in found.merges]
        return page("merges.html", merges=shown_merges, now=found.now, **self._frame(request))

    async def asset(self, request: Request) -> Response:
        found = ASSETS.get(request.path_params["name"])
        if found is None:
            return missing()
        right = request.query_params.get("v") == found.digest
        headers = {
            "Cache-Control": "public, max-age=31536000, immutable" if right else "no-cache",
            "X-Content-Type-Options": "nosniff",
            "Cross-Origin-Resource-Policy": "same-origin",
        }
        return Response(found.content, headers=headers, media_type=found.media_type)
