"""What the sweep remembers: where it stands, what it may cost, what it looked at, what it asked for again."""

from datetime import datetime
from typing import Any

from sqlalchemy import Select, bindparam, exists, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from bot.domain.model.ids import RecordKey, Repo
from bot.ports.sweeps import Allowance, Look, SweepState
from bot.store.moments import micros, moment
from bot.store.sql import Sql, belongs, named
from bot.store.sweep_tables import allowances, looks, redeliveries
from bot.store.sweep_tables import sweeps as table
from bot.store.tables import installations, repositories


def _due() -> Select[Any]:
    """One repository of an installation at a time, so that an installation in trouble holds up one worker at most."""
    here = repositories.c
    neighbour, its = repositories.alias("neighbour"), table.alias("its_sweep")
    busy = exists().where(
        neighbour.c.installation_id == here.installation_id,
        its.c.id == neighbour.c.id,
        its.c.claimed_until > bindparam("now"),
    )
    joined = (
        repositories.join(installations, installations.c.id == here.installation_id)
        .join(table, table.c.id == here.id)
        .outerjoin(allowances, allowances.c.id == here.installation_id)
    )
    return (
        select(here.id, here.installation_id, here.owner, here.name, table.c.document)
        .select_from(joined)
        .where(
            installations.c.state == "present",
            table.c.due_at <= bindparam("now"),
            or_(allowances.c.rests_until.is_(None), allowances.c.rests_until <= bindparam("now")),
            or_(installations.c.not_before.is_(None), installations.c.not_before <= bindparam("now")),
            ~busy,
        )
        .order_by(table.c.due_at, here.id)
        .limit(1)
    )


_DUE = _due()
_INSERT = insert(table)
_CLAIM = _INSERT.on_conflict_do_update(
    index_elements=["id"], set_={"claimed_until": _INSERT.excluded.claimed_until, "due_at": _INSERT.excluded.due_at}
)
_DONE = _INSERT.on_conflict_do_update(
    index_elements=["id"],
    set_={name: _INSERT.excluded[name] for name in ("claimed_until", "due_at", "document")},
)
_BEGIN = insert(table).on_conflict_do_nothing()
_FREE = update(table).where(table.c.claimed_until.is_not(None)).values(claimed_until=None, due_at=bindparam("due"))
_MOVE = (
    update(table)
    .where(table.c.id == bindparam("this"), table.c.claimed_until == bindparam("was"))
    .values(claimed_until=bindparam("until"), due_at=bindparam("due"))
)
_STATE = select(table.c.document).where(table.c.id == bindparam("this"))
_ALLOWANCE = select(allowances.c.document, allowances.c.rests_until).where(allowances.c.id == bindparam("this"))
_ALLOW = insert(allowances)
_SET_ALLOWANCE = _ALLOW.on_conflict_do_update(
    index_elements=["id"], set_={name: _ALLOW.excluded[name] for name in ("rests_until", "document")}
)
_LOOKED = select(looks.c.read_at, looks.c.compared_at).where(belongs(looks))
_LOOK = insert(looks)
_SET_LOOK = _LOOK.on_conflict_do_update(
    index_elements=["repository_id", "issue"],
    set_={name: _LOOK.excluded[name] for name in ("read_at", "compared_at")},
)
_ASKED = select(redeliveries.c.times).where(redeliveries.c.guid == bindparam("this"))
_ASK = insert(redeliveries)
_SET_ASKED = _ASK.on_conflict_do_update(
    index_elements=["guid"], set_={name: _ASK.excluded[name] for name in ("times", "asked_at")}
)


class Sweeps:
    """See `bot.ports.store.Sweeps`."""

    def __init__(self, sql: Sql, now: datetime) -> None:
        self._sql = sql
        self._now = micros(now)

    def claim(self, until: datetime) -> tuple[Repo, SweepState] | None:
        row = self._sql.row(_DUE, now=self._now)
        if row is None:
            return None
        id_, installation_id, owner, name, document = row
        ends = micros(until)
        self._sql.run(_CLAIM, id=id_, due_at=ends, claimed_until=ends, document=document)
        repo = Repo(installation_id=installation_id, id=id_, owner=owner, name=name)
        return repo, SweepState.model_validate_json(document)

    def move_claim(self, repository_id: int, was: datetime, until: datetime | None) -> bool:
        ends = None if until is None else micros(until)
        due = self._now if ends is None else ends
        return self._sql.run(_MOVE, this=repository_id, was=micros(was), until=ends, due=due) > 0

    def begin(self, repository_id: int) -> None:
        self._sql.run(_BEGIN, id=repository_id, due_at=self._now, claimed_until=None, document="{}")

    def is_due(self) -> bool:
        return self._sql.row(_DUE, now=self._now) is not None

    def state(self, repository_id: int) -> SweepState:
        row = self._sql.row(_STATE, this=repository_id)
        return SweepState.model_validate_json(row[0]) if row else SweepState()

    def done(self, repository_id: int, state: SweepState, due_at: datetime) -> None:
        self._sql.run(
            _DONE, id=repository_id, due_at=micros(due_at), claimed_until=None, document=state.model_dump_json()
        )

    def free_abandoned(self) -> int:
        return self._sql.run(_FREE, due=self._now)

    def allowance(self, installation_id: int) -> Allowance:
        row = self._sql.row(_ALLOWANCE, this=installation_id)
        return Allowance.model_validate_json(row[0]) if row else Allowance()

    def rests_until(self, installation_id: int) -> datetime | None:
        row = self._sql.row(_ALLOWANCE, this=installation_id)
        return moment(row[1]) if row else None

    def set_allowance(self, installation_id: int, allowance: Allowance, rests_until: datetime | None) -> None:
        document = allowance.model_dump_json()
        self._sql.run(_SET_ALLOWANCE, id=installation_id, rests_until=micros(rests_until), document=document)

    def look(self, key: RecordKey) -> Look:
        row = self._sql.row(_LOOKED, **named(key))
        return Look(read_at=moment(row[0]), compared_at=moment(row[1])) if row else Look()

    def set_look(self, key: RecordKey, look: Look) -> None:
        read_at, compared_at = micros(look.read_at), micros(look.compared_at)
        self._sql.run(
            _SET_LOOK, repository_id=key.repository_id, issue=key.issue, read_at=read_at, compared_at=compared_at
        )

    def asked_again(self, guid: str) -> int:
        row = self._sql.row(_ASKED, this=guid)
        return row[0] if row else 0

    def ask_again(self, guid: str) -> None:
        self._sql.run(_SET_ASKED, guid=guid, times=self.asked_again(guid) + 1, asked_at=self._now)
