"""What httpx does again with every request, though its outcome is known: a tenth of the scenarios' time.

The addresses of a story are few, and what one consists of never changes; most answers set no cookie, and those are not
wrapped twice to look for one. What httpx gives is the same.
"""

from functools import lru_cache

import httpx
from httpx import _urlparse, _urls

_extract = httpx.Cookies.extract_cookies


def install() -> None:
    _urlparse.urlparse = _urls.urlparse = lru_cache(4096)(_urlparse.urlparse)  # type: ignore[attr-defined]
    httpx.Cookies.extract_cookies = _extract_cookies  # type: ignore[method-assign]


def _extract_cookies(self: httpx.Cookies, response: httpx.Response) -> None:
    if "set-cookie" in response.headers:
        _extract(self, response)
