"""A GitHub that answers at once and always the same, and counts: whoever waits in a bench waits for the bot, never for this.

`python -m bench.github` serves on PORT. `GET /_seen` tells how many comments and reactions were posted, and when the last one
came, by the monotonic clock that all processes of a machine share.
"""

import json
import os
import time
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import uvicorn
from starlette.types import Receive, Scope, Send

from tests.kit.records import PEOPLE

_ids = count(10**9)
_ADA = {"id": PEOPLE["ada"].id, "login": "ada", "type": "User"}
_seen = {"comments": 0, "reactions": 0, "last": 0.0}


async def answer(scope: Scope, receive: Receive, send: Send) -> None:
    body = b""
    more = True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    status, content = said(scope["method"], scope["path"], body)
    headers = [(b"content-type", b"application/json; charset=utf-8")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(content).encode()})


def said(method: str, path: str, body: bytes) -> tuple[int, Any]:
    end = path.rpartition("/")[2]
    now = datetime.now(UTC)
    match method, end:
        case "GET", "_seen":
            return 200, _seen
        case "POST", "access_tokens":
            expires = f"{now + timedelta(hours=1):%Y-%m-%dT%H:%M:%SZ}"
            return 201, {"token": "ghs_of_nobody", "expires_at": expires, "permissions": {}}
        case "GET", "permission":
            return 200, {"permission": "write", "role_name": "write", "user": _ADA}
        case "GET", "commits" | "installations":
            return 200, []
        case "POST", "comments" | "reactions":
            _seen[end] += 1
            _seen["last"] = time.monotonic()
            return 201, {"id": next(_ids), "node_id": "IC_1", "html_url": path, **json.loads(body)}
    return 404, {"message": "Not Found"}


if __name__ == "__main__":
    uvicorn.run(answer, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="warning", access_log=False)
