"""One answer of GitHub, as readers and the writer see it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from bot.domain.model.facts import Answer
from bot.ports.failures import Unreachable

T = TypeVar("T")
NOT_MODIFIED = 304


@cache
def _reader(shape: Any) -> TypeAdapter[Any]:
    return TypeAdapter(shape)


@dataclass(frozen=True, slots=True)
class Reply:
    """`body` is decoded JSON (None without one), `date` GitHub's clock, `following` what another page is asked with, if one
    follows. `unchanged`: it is what it was when GitHub gave the ETag that was asked with, and there is no body. `dated`: the
    date is GitHub's."""

    status: int
    body: Any
    date: datetime
    following: Mapping[str, str] | None = None
    etag: str | None = None
    dated: bool = True

    @property
    def unchanged(self) -> bool:
        return self.status == NOT_MODIFIED

    def read(self, shape: type[T]) -> T:
        """The body in a narrow shape. Raises Unreachable: an answer that cannot be read is none."""
        try:
            read: T = _reader(shape).validate_python(self.body)  # type: ignore[arg-type]  # every type is hashable
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False, include_input=False)[0]
            where = ".".join(str(part) for part in first["loc"])
            raise Unreachable(f"unreadable answer: {where} ({first['type']})") from error
        return read

    def answer(self, value: T) -> Answer[T]:
        return Answer(value, self.date)


def error_kinds(body: object) -> frozenset[str]:
    """The types of the errors that a GraphQL answer holds."""
    errors = body.get("errors") if isinstance(body, dict) else None
    types = [one.get("type") for one in errors if isinstance(one, dict)] if isinstance(errors, list) else []
    return frozenset(one for one in types if isinstance(one, str))
