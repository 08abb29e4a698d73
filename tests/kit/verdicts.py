"""Gates as words name them, and what moves beneath a verdict."""

from datetime import timedelta
from typing import Any

from bot.domain.model.policy import STRICT, Policy, Separation
from bot.domain.model.sightings import HeadPushed
from tests.kit.cases import actor
from tests.kit.records import HEAD, at

TESTING: dict[str, Any] = {"gate": "testing", "sha": HEAD[:12]}
SUBMIT: dict[str, Any] = {"gate": "submit", "sha": HEAD[:12]}
OPENED = at("12:03")
SECOND = timedelta(seconds=1)


def pushed(before: str, after: str) -> HeadPushed:
    return HeadPushed(key=f"push:{before}", actor=actor("ada"), pull=34, before=before, after=after)


def policy(**separation: Any) -> Policy:
    return STRICT.model_copy(update={"separation": Separation.model_validate(separation)})
