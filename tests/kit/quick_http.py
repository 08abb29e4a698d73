"""What httpx does again with every request, though its outcome is known: a tenth of the scenarios' time.

The addresses of a story are few, and what one consists of never changes; most answers set no cookie, and those are not
wrapped twice to look for one; a body that is there as a whole is not waited for in pieces; headers are looked through for
their encoding at once. What httpx gives is the same.
"""

from collections.abc import AsyncIterator
from functools import lru_cache
from typing import Self

import httpx
from httpx import _urlparse, _urls

_extract = httpx.Cookies.extract_cookies
_handle = httpx.ASGITransport.handle_async_request
_encoding = httpx.Headers.encoding.fget  # type: ignore[attr-defined]  # a property


def install() -> None:
    _urlparse.urlparse = _urls.urlparse = lru_cache(4096)(_urlparse.urlparse)  # type: ignore[attr-defined]
    httpx.Cookies.extract_cookies = _extract_cookies  # type: ignore[method-assign]
    httpx.ASGITransport.handle_async_request = _answered  # type: ignore[method-assign]
    httpx.ByteStream.__aiter__ = _whole  # type: ignore[method-assign]
    httpx.Headers.encoding = httpx.Headers.encoding.getter(_found_encoding)  # type: ignore[attr-defined, method-assign]


def _extract_cookies(self: httpx.Cookies, response: httpx.Response) -> None:
    if "set-cookie" in response.headers:
        _extract(self, response)


async def _answered(self: httpx.ASGITransport, request: httpx.Request) -> httpx.Response:
    answer = await _handle(self, request)
    if "content-encoding" not in answer.headers:
        answer._content = b"".join(answer.stream._body)  # type: ignore[union-attr]
    return answer


def _found_encoding(self: httpx.Headers) -> str:
    if self._encoding is None and all(key.isascii() and value.isascii() for key, _, value in self._list):
        self._encoding = "ascii"
    found: str = _encoding(self)
    return found


class _Whole:
    """A body in one piece."""

    def __init__(self, body: bytes) -> None:
        self._pieces = iter((body,))

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        for piece in self._pieces:
            return piece
        raise StopAsyncIteration


def _whole(self: httpx.ByteStream) -> AsyncIterator[bytes]:
    return _Whole(self._stream)
