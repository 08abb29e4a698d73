"""How the simulated GitHub says no, and how the wire breaks."""

from collections.abc import Mapping
from typing import Any, Literal


class HttpError(Exception):
    """An answer of 3xx, 4xx or 5xx. `extra` is merged into the JSON body."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        headers: Mapping[str, str] | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(f"{status} {message}")
        self.status = status
        self.message = message
        self.headers = dict(headers or {})
        self.extra = dict(extra or {})

    def body(self) -> dict[str, Any]:
        docs = "https://docs.github.com/rest"
        return {"message": self.message, "documentation_url": docs, "status": str(self.status), **self.extra}


class NoAnswer(Exception):
    """The client gets no response. `refused`: not one byte was sent; `reset` and `timeout`: the request had arrived."""

    def __init__(self, how: Literal["refused", "reset", "timeout"]) -> None:
        super().__init__(how)
        self.how: Literal["refused", "reset", "timeout"] = how


def not_found() -> HttpError:
    return HttpError(404, "Not Found")


def invalid(resource: str, field: str, code: str, message: str = "Validation Failed") -> HttpError:
    return HttpError(422, message, extra={"errors": [{"resource": resource, "field": field, "code": code}]})
