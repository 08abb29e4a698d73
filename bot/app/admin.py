"""What the local admin socket can do, as requests and answers of plain JSON. Who may connect is the socket's business."""

from typing import Any

from pydantic import ValidationError

from bot.app.tokens import Issued, NameTaken, TokenDesk, TokenOrder, issued_view, token_view
from bot.ports.runtime import Log

#: The socket's file in DATA_DIR.
SOCKET_NAME = "admin.sock"


class AdminDesk:
    def __init__(self, tokens: TokenDesk, log: Log) -> None:
        self._tokens = tokens
        self._log = log

    async def answer(self, request: Any) -> dict[str, Any]:
        """`{op, args, actor}` in; `{result}` or `{error: {code, message}}` out."""
        match request:
            case {"op": "token.create", "args": dict(args), "actor": str(actor)}:
                return await self._create(args, actor)
            case {"op": "token.revoke", "args": {"name": str(name)}, "actor": str(actor)}:
                return await self._revoke(name, actor)
            case {"op": "token.list"}:
                return {"result": [token_view(row) for row in await self._tokens.list()]}
            case _:
                return refused("bad_argument", "This server does not know that operation.")

    async def _create(self, args: dict[str, Any], actor: str) -> dict[str, Any]:
        try:
            order = TokenOrder.model_validate(args)
        except ValidationError:
            return refused("bad_argument", "The name, role, repositories or lifetime of the token cannot be read.")
        match await self._tokens.create(order):
            case Issued() as issued:
                self._log("info", "token_created", token_id=issued.row.id, role=issued.row.role, actor=actor)
                return {"result": issued_view(issued)}
            case NameTaken():
                return refused(
                    "already_recorded", "A token with this name exists. Revoke it first, or choose another name."
                )

    async def _revoke(self, name: str, actor: str) -> dict[str, Any]:
        if not await self._tokens.revoke(name):
            return refused("nothing_to_revoke", "No token that works has this name.")
        self._log("info", "token_revoked", actor=actor)
        return {"result": {"name": name}}


def refused(code: str, message: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": message}}
