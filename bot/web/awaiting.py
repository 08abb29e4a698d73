"""What is answered while the database was never reached: the process is up, is not ready, and takes nothing."""

from starlette.types import Receive, Scope, Send

from bot.web.answers import error_body, send_json
from bot.web.webhook import RETRY

NOT_YET = "The database does not answer."


class NoDatabase:
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lives(receive, send)
        elif scope["path"] == "/healthz":
            await send_json(send, 200, {"status": "up"})
        elif scope["path"] == "/readyz":
            await send_json(send, 503, error_body("not_ready", NOT_YET, {"reasons": [NOT_YET]}))
        else:
            await send_json(send, 503, error_body("store_unavailable", NOT_YET), RETRY)


async def _lives(receive: Receive, send: Send) -> None:
    """Nothing is there that could start or stop."""
    for step in ("startup", "shutdown"):
        await receive()
        await send({"type": f"lifespan.{step}.complete"})
