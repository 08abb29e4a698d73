"""One move of a record as `bot.app.transact` stores it: read, content key, next version with its history row, effect, wake-up."""

from collections.abc import Callable
from datetime import UTC, datetime

from bot.domain.model.effects import CreateComment, Effect
from bot.domain.model.ids import Actor, RecordKey, Repo
from bot.domain.model.record import Held, Record
from bot.ports.rows import Applied, NewRow
from bot.ports.store import Tx
from tests.kit.records import PEOPLE, in_testing

REPO = Repo(installation_id=77, id=1, owner="octo", name="app")
ADA = Actor(kind="person", id=PEOPLE["ada"].id, login="ada")


def record(issue: int, version: int = 1) -> Record:
    """In testing with green checks and a plan: about 4 KB. No two share a pull request or a head."""
    one = in_testing(issue=issue, issue_id=issue, version=version, head=f"{issue:040x}", pull_request=10**7 + issue)
    assert one.pull is not None
    return one.model_copy(update={"pull": one.pull.model_copy(update={"number": 10**7 + issue})})


def key(issue: int) -> RecordKey:
    return RecordKey(1, issue)


def create(issue: int) -> Callable[[Tx], None]:
    return lambda tx: tx.records.replace(key(issue), 0, [_row(record(issue), None)])


def stored(first: Record) -> Callable[[Tx], None]:
    """As if all that it is to show were shown."""

    def work(tx: Tx) -> None:
        tx.records.replace(first.key, 0, [_row(first, None)])
        tx.records.published(first.key, first.version)

    return work


def move(issue: int, number: int) -> Callable[[Tx], None]:
    """Held, and let go again."""

    def work(tx: Tx) -> None:
        name = f"bench:{issue}:{number}"
        assert tx.applied.get(1, name) is None
        loaded = tx.records.load(key(issue))
        assert loaded is not None
        before, now = loaded.record, tx.now()
        held = Held(by=PEOPLE["ada"], since=now, why="a look at it") if before.held is None else None
        after = before.model_copy(update={"version": before.version + 1, "held": held})
        tx.applied.put(1, Applied(key=name, outcome="advanced"))
        tx.records.replace(key(issue), before.version, [_row(after, "testing")])
        tx.records.wake_at(key(issue), None)
        body = "Held by ada." if held else "Goes on."
        written = CreateComment(number=issue, body=body, marker=f"<!-- {name} -->")
        tx.effects.plan(key(issue), REPO, Effect(kind="reply", target=f"issue:{issue}", once=name, write=written))

    return work


def _row(after: Record, before: str | None) -> NewRow:
    at = datetime.now(UTC)
    return NewRow(record=after, from_=before, signal="hold", actor=ADA, at=at, detail="held", delivery=None)
