"""Repositories and installations by numeric id. Names are labels: the newest sight of a name decides who bears it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import bindparam, select, update
from sqlalchemy.dialects.postgresql import insert

from bot.domain.model.ids import Repo
from bot.store import outbox
from bot.store.moments import micros, moment
from bot.store.sql import Sql
from bot.store.tables import installations
from bot.store.tables import repositories as table

_REPO = (table.c.id, table.c.installation_id, table.c.owner, table.c.name)
_GET = select(*_REPO, table.c.folded).where(table.c.id == bindparam("id"))
_BY_NAME = select(*_REPO).where(table.c.folded == bindparam("folded"))
_OF = select(*_REPO).where(table.c.installation_id == bindparam("installation_id")).order_by(table.c.id)
_FREE_NAME = update(table).where(table.c.folded == bindparam("name_now")).values(folded=None)
_INSERT = insert(table)
_PUT = _INSERT.on_conflict_do_update(
    index_elements=["id"],
    set_={name: _INSERT.excluded[name] for name in ("installation_id", "owner", "name", "folded")},
)

_INSTALLATION = select(installations.c.state, installations.c.not_before).where(installations.c.id == bindparam("id"))
_INSTALLATIONS = select(installations.c.id, installations.c.state).order_by(installations.c.id)
_PRESENT = insert(installations).on_conflict_do_nothing()
_ADD = insert(installations)
_SET_STATE = _ADD.on_conflict_do_update(index_elements=["id"], set_={"state": _ADD.excluded.state})
_SET_PAUSE = _ADD.on_conflict_do_update(index_elements=["id"], set_={"not_before": _ADD.excluded.not_before})


class Repositories:
    """See `bot.ports.store.Repositories`."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def seen(self, repo: Repo) -> None:
        """An installation that was never heard of is present: GitHub just spoke in its name. Late news of one that is gone
        does not bring its repositories back to it. What was to be written through another one is written through this."""
        folded = repo.full_name.lower()
        known = self._sql.row(_GET, id=repo.id)
        moved = known is not None and known[1] != repo.installation_id
        if moved and self.installation_state(repo.installation_id) == "gone":
            return
        if known == (repo.id, repo.installation_id, repo.owner, repo.name, folded):
            return
        self._sql.run(_FREE_NAME, name_now=folded)
        self._sql.run(_PUT, **repo.model_dump(), folded=folded)
        self._sql.run(_PRESENT, id=repo.installation_id, state="present")
        if moved:
            outbox.move(self._sql, repo)

    def get(self, repository_id: int) -> Repo | None:
        row = self._sql.row(_GET, id=repository_id)
        return None if row is None else _repo(row[:4])

    def by_name(self, full_name: str) -> Repo | None:
        """Names are compared without case, as GitHub does."""
        row = self._sql.row(_BY_NAME, folded=full_name.lower())
        return None if row is None else _repo(row)

    def of_installation(self, installation_id: int) -> Sequence[Repo]:
        return [_repo(row) for row in self._sql.rows(_OF, installation_id=installation_id)]

    def set_installation(self, installation_id: int, state: Literal["present", "suspended", "gone"]) -> None:
        self._sql.run(_SET_STATE, id=installation_id, state=state)

    def installation_state(self, installation_id: int) -> str:
        """present, suspended, gone, or unknown when nothing was ever heard of it."""
        row = self._sql.row(_INSTALLATION, id=installation_id)
        return row[0] if row and row[0] else "unknown"

    def installations(self) -> dict[int, str]:
        return {number: state or "unknown" for number, state in self._sql.rows(_INSTALLATIONS)}

    def not_before(self, installation_id: int) -> datetime | None:
        row = self._sql.row(_INSTALLATION, id=installation_id)
        return moment(row[1]) if row else None

    def set_not_before(self, installation_id: int, at: datetime) -> None:
        self._sql.run(_SET_PAUSE, id=installation_id, not_before=micros(at))


def _repo(row: Sequence[Any]) -> Repo:
    id_, installation_id, owner, name = row
    return Repo(installation_id=installation_id, id=id_, owner=owner, name=name)
