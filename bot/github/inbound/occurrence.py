"""One delivery, opened: what every translator needs to know beside its own part of the payload."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from bot.domain.model.ids import Actor, Repo
from bot.domain.model.signals import Signal
from bot.github.shapes import Part

P = TypeVar("P", bound=Part)

#: GitHub's own stand-in for deleted accounts. It holds no permission anywhere.
GHOST = Actor(kind="person", id=10137, login="ghost")


class Illegible(Exception):
    """It tells something that counts, and not what."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """`document` is the decoded body. `app_id` is our own App, None when nothing is to count as ours."""

    guid: str
    action: str | None
    document: dict[str, Any]
    repo: Repo | None
    actor: Actor
    app_id: int | None

    def read(self, payload: type[P]) -> P:
        """Raises pydantic.ValidationError, which the caller of all translators turns into a reason."""
        return payload.model_validate(self.document)

    def is_ours(self, app_id: int | None) -> bool:
        return app_id is not None and app_id == self.app_id


#: Signals, or the reason why there are none.
Translated = tuple[Signal, ...] | str
Translate = Callable[[Occurrence], Translated]
