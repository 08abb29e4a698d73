"""The address in `NOTIFY_URL`, called over HTTP: one POST of a small JSON document."""

import httpx

from bot.domain.model.effects import CallOperators
from bot.domain.model.ids import Repo
from bot.ports.calling import CallFailed

SECONDS = 10.0
#: Answers after which calling again may help.
_LATER = frozenset({408, 425, 429})


class HttpCall:
    """See `bot.ports.calling.Call`. The address may hold a secret, so nothing that is raised or logged names it; redirects are
    not followed. `web_url` is where people find this server's pages."""

    def __init__(self, url: str, web_url: str, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._url = url
        self._web = web_url
        self._http = httpx.AsyncClient(transport=transport, timeout=SECONDS, follow_redirects=False, trust_env=False)

    async def __call__(self, repo: Repo, issue: int, document: CallOperators, /, *, once: str) -> None:
        page = f"{self._web}/lifecycles/{repo.full_name}/{issue}"
        said = {
            "event": "operator_needed",
            "id": once,
            "repository": repo.full_name,
            "repository_id": repo.id,
            "issue": issue,
            **document.model_dump(mode="json", exclude={"kind", "text"}),
            "url": page,
            "text": f"{document.text} {page}",
        }
        try:
            answer = await self._http.post(self._url, json=said)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise CallFailed(f"{type(error).__name__} while calling NOTIFY_URL", again=True) from None
        if not answer.is_success:
            again = answer.status_code >= 500 or answer.status_code in _LATER
            raise CallFailed(f"NOTIFY_URL answered {answer.status_code}", again=again)
