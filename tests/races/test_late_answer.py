"""The answer to a merge request comes to its sender after another process has given that sender up."""

import asyncio
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from time import monotonic

import pytest

from bot.app.outside import Outside
from bot.app.timing import Timing
from bot.bootstrap.work import assemble
from bot.domain.model.ids import RecordKey
from bot.domain.model.policy import STRICT
from bot.domain.model.record import Record
from bot.domain.projections.show import WebAddress
from bot.github.client import Endpoint, GitHubGateway, Identity
from bot.github.forge import GitHubForge
from bot.github.inbound.translate import translate
from bot.github.merging import GitHubMergeSender
from bot.ports.rows import AttemptRow
from bot.ports.store import StoreUnavailable, Tx
from bot.store.inline import InlineStore
from tests.kit.processes import GitHubProcess
from tests.kit.ruling import given
from tests.kit.stage import NoNudge, Silence
from tests.races.test_real_process import ISSUE, PULL, Play

#: So long that the sender still waits for its answer when it goes on.
PATIENT = {"MERGE_TIMEOUT_SECONDS": "60"}


class LaterClock:
    """The clock of a process that looks when every lease of the hanging one is over."""

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(minutes=10)

    def monotonic(self) -> float:
        return monotonic()


class Another:
    """A second process on the same database file. (`serve` would be refused: SQLite serves one; a file on a share is not
    always locked that well.)"""

    def __init__(self, play: Play) -> None:
        self.store = InlineStore(str(play.folder / "signalbox.db"), LaterClock())
        self._gateway = GitHubGateway(
            Identity(play.github.app_id, play.github.key),
            Endpoint(api_url=play.github.url),
            LaterClock(),
            _sleeps,
        )
        outside = Outside(
            self.store, GitHubForge(self._gateway), LaterClock(), Silence(), NoNudge(), Timing(), "another"
        )
        web, translator = WebAddress("https://signalbox.example"), partial(translate, app_id=play.github.app_id)
        sender = GitHubMergeSender(self._gateway)
        self.merger = assemble(outside, sender, translator, given(lambda: STRICT), web).merger

    async def works_once(self) -> None:
        assert await self.merger.step()
        await self._gateway.close()

    def record(self) -> Record:
        return asyncio.run(self.store.read(_record))

    def attempts(self) -> list[AttemptRow]:
        return asyncio.run(self.store.read(lambda tx: list(tx.attempts.of(_key(tx)))))


async def _sleeps(seconds: float) -> None:
    await asyncio.sleep(seconds)


def _key(tx: Tx) -> RecordKey:
    key = tx.records.by_name("octo/app", ISSUE)
    assert key is not None
    return key


def _record(tx: Tx) -> Record:
    loaded = tx.records.load(_key(tx))
    assert loaded is not None
    return loaded.record


def hung(play: Play) -> Another:
    """It hangs in a moment in which it writes nothing, so that another process may."""
    for _ in range(20):
        play.bot.hangs()
        try:
            another = Another(play)
            asyncio.run(another.store.run(lambda _tx: None))
        except (sqlite3.OperationalError, StoreUnavailable):
            play.bot.goes_on()
        else:
            return another
    raise AssertionError("it never stops writing")


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Play]:
    github = GitHubProcess()
    try:
        play = Play(github, tmp_path, **PATIENT)
        yield play
        play.bot.goes_on()
        play.bot.kill()
    finally:
        github.ends()


@pytest.mark.timeout(120)
def test_an_answer_that_comes_after_its_sender_was_given_up_is_kept_by_its_attempt_and_nothing_is_asked_twice(
    play: Play,
) -> None:
    *before, last = play.acts()
    for act, number, shown in before:
        act()
        play.github.tells("waits_for_status", number=number, texts=shown)
    play.github.tells("holds", method="PUT", path="/merge-async", carried_out=True, answered=True)
    last[0]()
    play.github.tells("waits_for_the_held_request")
    another = hung(play)

    asyncio.run(another.works_once())

    given_up = another.record().merge
    assert (given_up.state, [one.replies for one in another.attempts()]) == ("ambiguous", [()])

    play.bot.goes_on()
    play.github.tells("lets_go")
    play.github.tells("waits_for_status", number=PULL, texts=["**done**"])

    (attempt,) = another.attempts()
    record = another.record()
    seen = play.github.tells("sees")
    assert (attempt.id, [reply.status for reply in attempt.replies]) == (given_up.attempt, [202])
    assert (record.phase, record.merge.state, record.merge.external) == ("done", "merged", False)
    assert [body["sha"] for body in seen["merge requests"]] == seen["landed"] == [record.merge.head]
