"""What the local admin socket can do, as requests and answers of plain JSON. Who may connect is the socket's business."""

import re
from collections.abc import Mapping
from typing import Any

from bot.app.requests import Args, Handler, Unreadable, read, refused
from bot.app.tokens import Issued, NameTaken, TokenDesk, TokenOrder, issued_view, token_view
from bot.domain.model.ids import Value
from bot.ports.runtime import Log

#: The socket's file in DATA_DIR.
SOCKET_NAME = "admin.sock"
#: `host:user`. It is written into records and shown on GitHub.
_ACTOR = re.compile(r"[\w.-]{1,253}:[^\s:`<>\[\]()]{1,64}")


class _Named(Value):
    name: str


class AdminDesk:
    """`more` are operations beside those of tokens, by name."""

    def __init__(self, tokens: TokenDesk, log: Log, more: Mapping[str, Handler] | None = None) -> None:
        self._tokens = tokens
        self._log = log
        self._handlers: dict[str, Handler] = {
            "token.create": self._create,
            "token.revoke": self._revoke,
            "token.list": self._list,
            **(more or {}),
        }

    async def answer(self, request: Any) -> dict[str, Any]:
        """`{op, args, actor}` in; `{result}` or `{error: {code, message}}` out."""
        match request:
            case {"op": str(op), "args": dict(args), "actor": str(actor)} if op in self._handlers:
                if not _ACTOR.fullmatch(actor):
                    return refused("bad_argument", "The request does not say who asks, as host:user.")
                return await self._handled(self._handlers[op], args, actor)
            case _:
                return refused("bad_argument", "This server does not know that operation.")

    @staticmethod
    async def _handled(handler: Handler, args: Args, actor: str) -> dict[str, Any]:
        try:
            return await handler(args, actor)
        except Unreadable as unreadable:
            return refused("bad_argument", str(unreadable))

    async def _create(self, args: Args, actor: str) -> dict[str, Any]:
        order = read(TokenOrder, args, "The name, role, repositories or lifetime of the token cannot be read.")
        match await self._tokens.create(order):
            case Issued() as issued:
                self._log("info", "token_created", token_id=issued.row.id, role=issued.row.role, actor=actor)
                return {"result": issued_view(issued)}
            case NameTaken():
                return refused(
                    "already_recorded", "A token with this name exists. Revoke it first, or choose another name."
                )

    async def _revoke(self, args: Args, actor: str) -> dict[str, Any]:
        name = read(_Named, args, "The name of the token is missing.").name
        if not await self._tokens.revoke(name):
            return refused("nothing_to_revoke", "No token that works has this name.")
        self._log("info", "token_revoked", actor=actor)
        return {"result": {"name": name}}

    async def _list(self, _args: Args, _actor: str) -> dict[str, Any]:
        return {"result": [token_view(row) for row in await self._tokens.list()]}
