"""`member`, `membership`, `team`, `team_add` and `organization` events: who may do what is another question than before."""

from bot.domain.model.sightings import RolesChanged
from bot.github.inbound.occurrence import Occurrence, Translated
from bot.github.shapes import Id, Part


class _Installation(Part):
    id: Id


class PeopleEvent(Part):
    installation: _Installation | None = None


def changed(seen: Occurrence) -> Translated:
    """Nothing of the payload is believed: roles are read again. So it has no content key, every delivery is news, and a repeated
    one costs a look. One that names a repository is about that alone."""
    installation = seen.read(PeopleEvent).installation
    if installation is None:
        return "the payload names no installation"
    return (
        RolesChanged(
            key="",
            actor=seen.actor,
            delivery=seen.guid,
            installation_id=installation.id,
            repositories=(seen.repo.id,) if seen.repo is not None else (),
        ),
    )
