"""The permit to merge comes out of the transaction that stored the request, and out of nothing else."""

import pytest

from bot.domain.merging.reservation import next_attempt
from bot.domain.model.record import Record
from bot.ports.rows import AttemptRow
from bot.ports.store import StoreUnavailable
from tests.kit.stage import Stage, run
from tests.simulation.golden import Golden


def reserved() -> Golden:
    """Everything is approved, the base is reserved, and GitHub has not been asked."""
    golden = Golden(Stage())
    *acts, last = golden.acts
    for act in acts:
        act()
        golden.rest()
    last()
    golden.stage.delivers()
    while run(golden.stage.work.inbox.step()):
        pass
    assert record(golden).merge.state == "reserved"
    return golden


def record(golden: Golden) -> Record:
    return golden.stage.record("octo/app", golden.issue.number)


def attempts(golden: Golden) -> list[AttemptRow]:
    key = record(golden).key
    return list(run(golden.stage.store.read(lambda tx: tx.attempts.of(key))))


def asked(golden: Golden) -> int:
    return sum(request.operation in {"merge", "merge_async"} for request in golden.stage.world.requests)


def test_a_request_that_was_not_committed_is_not_sent() -> None:
    golden = reserved()
    store = golden.stage.store

    def fails_on_an_attempt() -> None:
        if store._connection.execute("SELECT count(*) FROM attempts").fetchone()[0]:
            raise StoreUnavailable("disk full")

    store.before_commit = fails_on_an_attempt
    with pytest.raises(StoreUnavailable):
        run(golden.stage.work.merger.step())

    assert (asked(golden), record(golden).merge.state, attempts(golden)) == (0, "reserved", [])
    store.before_commit = None
    golden.rest()
    assert (asked(golden), record(golden).phase) == (1, "done")


def test_for_a_row_that_is_there_already_nobody_may_ask() -> None:
    golden = reserved()
    before = record(golden)
    name = next_attempt(before.merge)
    now = golden.stage.world.clock.now()
    row = AttemptRow(
        id=name,
        key=before.key,
        reservation=before.merge.id or "",
        pull=golden.pull.number,
        head=golden.pull.head,
        base="main",
        api="async",
        state="stored",
        owner="somebody else",
        lease_ends=now,
        created_at=now,
    )
    run(golden.stage.store.run(lambda tx: tx.attempts.add(row)))

    run(golden.stage.work.merger.step())

    assert (asked(golden), record(golden).merge.state, attempts(golden)) == (0, "reserved", [row])
    assert [event for level, event, _ in golden.stage.log.lines if level == "error"] == ["merge_step_failed"]


def test_one_stored_request_is_sent_once_however_often_it_is_looked_at() -> None:
    golden = reserved()
    golden.stage.world.lands_late("merge", 30)
    for _ in range(5):
        run(golden.stage.work.merger.step())
    assert (asked(golden), [row.id for row in attempts(golden)]) == (1, [record(golden).merge.attempt])
