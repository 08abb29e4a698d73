"""Events of people and teams: who may do what is another question than before. And of the rules of branches: so is what must be
green."""

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
    return _changed(seen, rules=False)


def rules_changed(seen: Occurrence) -> Translated:
    """The same of what a branch asks for."""
    return _changed(seen, rules=True)


def _changed(seen: Occurrence, *, rules: bool) -> Translated:
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
            rules=rules,
        ),
    )
