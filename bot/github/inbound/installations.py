"""`installation`, `installation_repositories` and `repository` events: what the App may see, and under which name."""

from typing import Literal

from bot.domain.model.content import stamp
from bot.domain.model.sightings import InstallationChanged, RepositoryRenamed
from bot.github.inbound.occurrence import Occurrence, Translated
from bot.github.shapes import Id, Moment, Part

State = Literal["present", "suspended", "gone"]

STATES: dict[str, State] = {
    "created": "present",
    "unsuspend": "present",
    "new_permissions_accepted": "present",
    "suspend": "suspended",
    "deleted": "gone",
    "archived": "suspended",
    "unarchived": "present",
}


class Account(Part):
    id: Id
    updated_at: Moment | None = None


class InstallationEvent(Part):
    installation: Account


class Named(Part):
    id: Id


class RepositoriesEvent(InstallationEvent):
    repositories_added: tuple[Named, ...] = ()
    repositories_removed: tuple[Named, ...] = ()


class RepositoryPart(Part):
    id: Id
    updated_at: Moment | None = None


class RepositoryEvent(InstallationEvent):
    repository: RepositoryPart


def changed(seen: Occurrence) -> Translated:
    """The whole installation came, went, or was suspended."""
    installation = seen.read(InstallationEvent).installation
    return (
        InstallationChanged(
            key=f"installation:{installation.id}:{seen.action}:{stamp(installation.updated_at)}",
            actor=seen.actor,
            delivery=seen.guid,
            at=installation.updated_at,
            installation_id=installation.id,
            state=STATES[seen.action or ""],
        ),
    )


def repositories_changed(seen: Occurrence) -> Translated:
    """An empty list is not translated: in a signal it would mean the whole installation."""
    event = seen.read(RepositoriesEvent)
    added = seen.action == "added"
    touched = tuple(sorted(r.id for r in (event.repositories_added if added else event.repositories_removed)))
    if not touched:
        return "no repository is named"
    installation = event.installation
    return (
        InstallationChanged(
            key=f"installation:{installation.id}:{seen.action}:{','.join(map(str, touched))}"
            f":{stamp(installation.updated_at)}",
            actor=seen.actor,
            delivery=seen.guid,
            at=installation.updated_at,
            installation_id=installation.id,
            state="present" if added else "gone",
            repositories=touched,
        ),
    )


def repository_state(seen: Occurrence) -> Translated:
    """One repository was deleted, archived (every write is refused then) or unarchived."""
    event = seen.read(RepositoryEvent)
    repository = event.repository
    return (
        InstallationChanged(
            key=f"repository:{repository.id}:{seen.action}:{stamp(repository.updated_at)}",
            actor=seen.actor,
            delivery=seen.guid,
            at=repository.updated_at,
            installation_id=event.installation.id,
            state=STATES[seen.action or ""],
            repositories=(repository.id,),
        ),
    )


def renamed(seen: Occurrence) -> Translated:
    """Renamed or transferred: the number stays, the name is another."""
    repository = seen.read(RepositoryEvent).repository
    if seen.repo is None:
        return "the payload names no installation"
    return (
        RepositoryRenamed(
            key=f"repository:{repository.id}:{seen.action}:{seen.repo.full_name}:{stamp(repository.updated_at)}",
            actor=seen.actor,
            delivery=seen.guid,
            at=repository.updated_at,
            full_name=seen.repo.full_name,
        ),
    )
