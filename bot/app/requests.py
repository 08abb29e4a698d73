"""The form of requests to the admin socket and of their answers: plain JSON."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from bot.domain.model.ids import Value

V = TypeVar("V", bound=Value)

Args = Mapping[str, Any]
#: Arguments and who asks (`host:user`) in, `{result}` or `{error: {code, message}}` out. Raises Unreadable.
Handler = Callable[[Args, str], Awaitable[dict[str, Any]]]


class Unreadable(Exception):
    """Arguments are missing, too many or of another form; the message is for whoever asked."""


def read(kind: type[V], args: Args, otherwise: str) -> V:
    """Raises Unreadable with `otherwise`."""
    try:
        return kind.model_validate(dict(args))
    except ValidationError:
        raise Unreadable(otherwise) from None


def refused(code: str, message: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": message}}
