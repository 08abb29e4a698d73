"""Answers without a framework: JSON bodies and the one shape of errors (INTERFACE.md section 3)."""

import json
from typing import Any

from starlette.types import Send

Headers = tuple[tuple[bytes, bytes], ...]
CLOSE: Headers = ((b"connection", b"close"),)


def as_json(content: Any) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def error_body(code: str, message: str, details: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, "details": details or {}}}


async def send_json(send: Send, status: int, content: Any, extra: Headers = (), *, more: bool = False) -> None:
    """`more`: the answer is whole, and its end is told by an empty body message of the caller."""
    body = as_json(content)
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        *extra,
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": more})


async def send_error(send: Send, status: int, code: str, message: str) -> None:
    await send_json(send, status, error_body(code, message))
