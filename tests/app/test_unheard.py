"""What failed and names no repository that can be read: whom it concerns, and when it is over."""

import json
from collections.abc import Iterator
from datetime import datetime

import pytest

from bot.app import unheard
from bot.app.sweep.over import settle
from bot.domain.model.delivery import NO_LANE, Delivery
from bot.domain.model.ids import RecordKey, Repo
from bot.github.inbound.routing import routing
from bot.github.inbound.translate import translate
from bot.ports.store import Tx
from bot.ports.sweeps import SweepState
from bot.store.inline import InlineStore
from tests.kit.stage import Stage, run
from tests.store.kit import NOON, HandClock, after, delivery, merging, row

OURS, THEIRS = 5, 6
#: A repository each; two of our installation, one of another.
KEYS = {RecordKey(1, 12): OURS, RecordKey(2, 12): OURS, RecordKey(3, 12): THEIRS}


@pytest.fixture
def store() -> Iterator[InlineStore]:
    made = InlineStore(":memory:", HandClock())

    def fill(tx: Tx) -> None:
        for key, installation in KEYS.items():
            tx.repositories.seen(Repo(installation_id=installation, id=key.repository_id, owner="o", name=str(key)))
            ready = row(1, key, phase="submit", base="main", merge=merging("none"), installation_id=installation)
            tx.records.replace(key, 0, [ready])

    run(made.run(fill))
    yield made
    run(made.close())


def failed(store: InlineStore, **changes: object) -> Delivery:
    """A stop of no repository that can be read; it came at noon."""
    one = delivery("a1", NO_LANE).model_copy(update=changes)

    def fail(tx: Tx) -> None:
        tx.deliveries.add(one)
        tx.deliveries.finish(one.guid, "failed", "unreadable")
        unheard.wake(tx, one)

    run(store.run(fail))
    return one


def swept(store: InlineStore, repository: int, until: datetime) -> str:
    """A whole sweep of this repository has found what happened until then; how the stop is listed now."""

    def sweep(tx: Tx) -> str:
        tx.sweeps.done(repository, SweepState(found_until=until), after(600))
        settle(tx, translate, repository, until, "swept")
        found = tx.deliveries.get("a1")
        assert found is not None
        return found[1].state

    return run(store.run(sweep))


def test_success_goes_from_every_record_that_a_stop_of_no_known_repository_may_be_about(store: InlineStore) -> None:
    failed(store)

    awake = run(store.read(lambda tx: [key for key in KEYS if tx.records.wakes_at(key) == NOON]))
    assert awake == [RecordKey(1, 12), RecordKey(2, 12)]


def test_a_stop_of_no_known_installation_may_be_about_every_record(store: InlineStore) -> None:
    failed(store, installation_id=None)

    awake = run(store.read(lambda tx: [key for key in KEYS if tx.records.wakes_at(key) == NOON]))
    assert awake == list(KEYS)


def test_a_stop_of_no_known_repository_is_over_when_each_of_its_installation_was_swept(store: InlineStore) -> None:
    failed(store)

    assert swept(store, 1, after(60)) == "failed", "the other repository was not looked at"
    assert swept(store, 2, after(-60)) == "failed", "that sweep began before it came"
    assert swept(store, 3, after(60)) == "failed", "it is of another installation"
    assert swept(store, 2, after(60)) == "no_op"


def test_success_goes_as_soon_as_a_stop_cannot_be_read() -> None:
    stage, key = Stage(), RecordKey(1, 12)

    def fill(tx: Tx) -> None:
        tx.repositories.seen(Repo(installation_id=OURS, id=1, owner="o", name="r"))
        tx.records.replace(key, 0, [row(1, key, phase="submit", base="main", merge=merging("none"))])

    run(stage.store.run(fill))
    place = {"repository": {"id": 1, "full_name": "o/r"}, "installation": {"id": OURS}, "sender": {"id": "11"}}
    body = json.dumps({"action": "unlabeled", "issue": {"number": 12}, **place}).encode()
    run(stage.intake.accept("a1", "issues", body, routing(body)))
    run(stage.work.inbox.step())

    assert run(stage.store.read(lambda tx: tx.records.wakes_at(key))) == stage.world.clock.now()
