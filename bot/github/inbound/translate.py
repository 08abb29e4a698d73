"""The door: `translate` turns one stored delivery into signals, or says why there are none."""

from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from bot.domain.model.delivery import Delivery
from bot.domain.model.ids import Repo
from bot.domain.model.signals import Signal
from bot.github.inbound.occurrence import GHOST, Illegible, Occurrence
from bot.github.inbound.payload import Envelope
from bot.github.inbound.routing import decoded
from bot.github.inbound.table import OF_THE_INSTALLATION, OF_THE_ORGANIZATION, SUBJECTS, SUBJECTS_OF, TRANSLATORS
from bot.github.shapes import as_actor


@dataclass(frozen=True, slots=True)
class Translation:
    """`repo` is None when the payload names no repository, or no installation to see it with. `unreadable`: there are no signals
    because it is not what GitHub documents, so nobody knows what it tells."""

    repo: Repo | None
    signals: tuple[Signal, ...]
    ignored_because: str | None
    unreadable: bool = False


def translate(delivery: Delivery, app_id: int | None = None) -> Translation:
    """Pure and total. `app_id` is our own App: without it no comment and no check counts as ours."""
    document = decoded(delivery.body)
    if document is None:
        return Translation(None, (), "the body is not a JSON object", unreadable=delivery.event in SUBJECTS_OF)
    try:
        envelope = Envelope.model_validate(document)
        seen = _occurrence(delivery, document, envelope, app_id)
        outcome = _outcome(delivery.event, seen)
    except Illegible as error:
        return Translation(None, (), f"unreadable: {error}", unreadable=True)
    except ValidationError as error:
        return Translation(None, (), _where(error), unreadable=delivery.event in SUBJECTS_OF)
    if isinstance(outcome, str):
        return Translation(seen.repo, (), outcome)
    return Translation(seen.repo, outcome, None)


def _occurrence(delivery: Delivery, document: dict[str, Any], envelope: Envelope, app_id: int | None) -> Occurrence:
    action = document.get("action")
    installation = envelope.installation.id if envelope.installation else None
    repo = None
    if envelope.repository is not None and installation is not None:
        owner, _, name = envelope.repository.full_name.partition("/")
        repo = Repo(installation_id=installation, id=envelope.repository.id, owner=owner, name=name)
    return Occurrence(
        guid=delivery.guid,
        action=action if isinstance(action, str) else None,
        document=document,
        repo=repo,
        actor=as_actor(envelope.sender) if envelope.sender else GHOST,
        app_id=app_id,
    )


def _outcome(event: str, seen: Occurrence) -> tuple[Signal, ...] | str:
    translator = TRANSLATORS.get((event, seen.action))
    if translator is None:
        return "this event needs nothing done"
    if not (SUBJECTS & seen.document.keys()) <= SUBJECTS_OF[event]:
        return "the body is not one of this event"
    if event in OF_THE_INSTALLATION:
        if "repository" in seen.document:
            return "the body is not one of this event"
    elif seen.repo is None and event not in OF_THE_ORGANIZATION:
        raise Illegible("the payload names no repository or no installation")
    return translator(seen)


def _where(error: ValidationError) -> str:
    """The place and the kind of the first problem, never the value."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return f"unreadable: {'.'.join(str(part) for part in first['loc'])} ({first['type']})"
