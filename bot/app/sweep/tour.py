"""One sweep of one repository: what every part of it works with, and what they tell each other."""

from collections.abc import Awaitable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar

from bot.app.aside import Unit, set_aside
from bot.app.bring import Bringer
from bot.app.brought import Later
from bot.app.comments import Comments
from bot.app.doubts import Doubts
from bot.app.outside import Outside
from bot.app.policy.book import Policies
from bot.app.sweep import found
from bot.app.sweep.holding import Holding
from bot.app.sweep.meter import Purse
from bot.app.sweep.over import failed_to_bring
from bot.app.transact import Transactor
from bot.domain.commands.reading import may_speak
from bot.domain.model.facts import Answer
from bot.domain.model.ids import Actor, RecordKey, Repo
from bot.domain.model.questions import Question
from bot.domain.model.record import Record
from bot.domain.model.sightings import CommentCreated
from bot.domain.model.signals import Signal
from bot.domain.model.sweeping import FoundComment
from bot.ports.deliveries import About
from bot.ports.failures import ForgeFailure, Gone, Unreachable
from bot.ports.forge import Translator
from bot.ports.rows import Loaded
from bot.ports.store import Tx
from bot.ports.sweeps import SweepState

T = TypeVar("T")
#: GitHub's lists may lag behind what happened; what is this much older than the newest is read once more.
OVERLAP = timedelta(minutes=2)
#: So many threads that GitHub does not show are a trouble of their own; where there are more, it is GitHub's.
MOST_UNSHOWN = 3
#: An edited comment this young may still be told by its webhook, with the body it was created with.
WEBHOOKS_TURN = timedelta(minutes=2)
#: How long a bug of ours is told of after it was met the last time. Whatever met it is tried by every sweep.
TOLD = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Hands:
    """The use-cases the sweep hands its signals to. Their `outside` asks GitHub through the meter."""

    outside: Outside
    bringer: Bringer
    comments: Comments
    transactor: Transactor
    policies: Policies
    doubts: Doubts
    translate: Translator


@dataclass(slots=True)
class Tour:
    """`full`: nothing is left out because it seems unchanged. `open` are the records under way at the start. `started` is
    the label event that newly started records go back to; `touched` are records to read again first, `pulls` linked pull
    requests that changed. `unheard`: whose words could not be decided yet; `owes_lines`: some of them stand on lines.
    `unread`: threads of which a list is missing, or words were not decided. `missing`: issues that GitHub did not show;
    `unsaid`: that lack the start label, and nobody knows why. `behind`: only some of the comments were read.
    `troubles` counts what could not be decided, so that it is looked for again; `problem` is the last, and so many of them
    are `faults` of ours. `holding`: what keeps merges back meanwhile."""

    repo: Repo
    hands: Hands
    before: SweepState
    purse: Purse
    now: datetime
    full: bool
    holding: Holding
    open: dict[int, Loaded] = field(default_factory=dict)
    etags: dict[str, str] = field(default_factory=dict)
    started: datetime | None = None
    touched: set[RecordKey] = field(default_factory=set)
    pulls: set[int] = field(default_factory=set)
    unheard: set[Actor] = field(default_factory=set)
    owes_lines: bool = False
    unread: set[int] = field(default_factory=set)
    missing: set[int] = field(default_factory=set)
    unsaid: set[int] = field(default_factory=set)
    behind: bool = False
    troubles: int = 0
    unshown: int = 0
    faults: int = 0
    problem: str | None = None
    slowed: bool = False

    @property
    def found_everything(self) -> bool:
        """Whether nothing that happened some minutes before it is unknown any more: all of it was decided, and no record was
        left out."""
        undecided = self.troubles or self.unheard or self.owes_lines or self.missing
        left_out = self.slowed or self.behind or any(one.record.frozen is not None for one in self.open.values())
        return not undecided and not left_out

    async def ask(self, question: Question[T]) -> Answer[T]:
        return await self.hands.outside.forge.read(self.repo, question)

    async def ask_of_one(self, question: Question[T]) -> Answer[T] | None:
        """None when the thing it is about is gone; that is no trouble of the repository."""
        try:
            return await self.ask(question)
        except Gone:
            return None

    async def ask_of_listed(self, question: Question[T]) -> Answer[T]:
        """Of a thread that GitHub has just shown, so that it is not gone, whatever is said of it next."""
        try:
            return await self.ask(question)
        except Gone as gone:
            raise Unreachable(f"{gone.detail}, and GitHub lists its thread") from gone

    async def one_thread(self, thread: int, look: Awaitable[T]) -> T | None:
        """One that GitHub cannot show, or that meets a bug of ours, is looked at again by the next sweep, and keeps no other
        from being heard. None then, and its merges wait."""
        try:
            return await self.without_fault(thread, look)
        except Unreachable as failure:
            await self.in_vain(thread, failure.for_operator())
            self.unshown += 1
            if self.unshown > MOST_UNSHOWN:
                raise
            return None

    async def without_fault(self, thread: int, look: Awaitable[T]) -> T | None:
        """The same for a bug of ours alone."""
        try:
            return await look
        except ForgeFailure:
            raise
        except Exception as error:  # noqa: BLE001 - our own bug with one thread must not silence the rest of its repository
            name = f"{self.repo.id}#{thread}"
            unit = Unit("sweep", name, "sweep_fault", TOLD, {"repository": self.repo.full_name, "thread": thread})
            await set_aside(self.hands.outside, unit, error)
            self.faults += 1
            await self.in_vain(thread, f"a fault of this program: {type(error).__name__}")
            return None

    async def in_vain(self, thread: int, why: str) -> None:
        """Something of this thread was found and is not decided: nothing of it merges before a sweep has decided it."""
        self.trouble(why)
        await self.holding.in_vain(thread)

    def etag(self, name: str) -> str | None:
        """Of the last complete answer; a full sweep asks as if for the first time."""
        return None if self.full else self.before.etags.get(name)

    def keep(self, name: str, etag: str | None, troubles: int) -> None:
        """For the next sweep; not if there are more troubles than when it was asked: then it is asked again as it was."""
        if etag is not None and self.troubles == troubles:
            self.etags[name] = etag

    def trouble(self, why: str) -> None:
        self.troubles += 1
        self.problem = why

    async def bring(self, signal: Signal) -> None:
        thread = getattr(signal, "issue", None) or getattr(signal, "pull", None) or 0
        if not await self.hands.outside.store.read(lambda tx: _is_over(tx, self.repo.id, signal)):
            await self.holding.found_once()
        outcome = await self.hands.bringer.bring(self.repo, signal)
        if isinstance(outcome, Later):
            await self.in_vain(thread, outcome.why)

    async def hear(self, comment: FoundComment, date: datetime, *, unread: bool = False) -> bool:
        """Whether the comment was decided; its author is one of the `unheard` as long as it was not. `unread`: older words of
        its record may be unknown."""
        heard = await self._heard(comment, date, unread=unread)
        if not heard:
            self.waits_for(comment.author)
        return heard

    def waits_for(self, author: Actor | None) -> None:
        """A yes of theirs does not count before all that they said is decided."""
        if author is not None:
            self.unheard.add(author)

    async def _heard(self, comment: FoundComment, date: datetime, *, unread: bool) -> bool:
        created = found.comment(comment)
        if created is None:
            return True
        if comment.unsaid and not await self.hands.comments.is_heard(self.repo, created):
            await self.in_vain(comment.number, "GitHub did not say whether words there were edited")
            return False
        if comment.edited and await self._may_be_told(created, date - comment.created_at):
            return False
        if await self._is_of_lost_versions(created):
            self.problem = "what was said before a restored database was found to be behind waits for an operator"
            return False
        outcome = await self.hands.comments.hear(self.repo, created, edited=comment.edited, unread=unread)
        if isinstance(outcome, Later):
            await self.in_vain(comment.number, outcome.why)
        return not isinstance(outcome, Later)

    async def _is_of_lost_versions(self, comment: CommentCreated) -> bool:
        """Whether it was said before its record was found to be behind: the newest database may know it, and what this one
        made of it would stand against that. It is heard when an operator has let the record begin anew."""

        def find(tx: Tx) -> Loaded | None:
            linked = tx.records.by_pull(self.repo.id, comment.number) if comment.is_pull else None
            key = linked if comment.is_pull else RecordKey(self.repo.id, comment.number)
            return None if key is None else tx.records.load(key)

        loaded = await self.hands.outside.store.read(find)
        doubt = loaded.record.doubt if loaded is not None and loaded.record.frozen == "database_behind" else None
        return doubt is not None and comment.created_at < doubt.seen_at

    async def _may_be_told(self, comment: CommentCreated, age: timedelta) -> bool:
        """Whether a webhook may still bring what was written first: it is on its way, or stands in our own inbox, behind a
        delivery that cannot be worked on, or failed itself and can be replayed. `age` is by GitHub's clock."""

        def waits(tx: Tx) -> tuple[bool, bool]:
            ruled = self.hands.policies.known(tx, self.repo.id)
            if ruled is not None and not may_speak(comment, ruled.policy):
                return True, False  # whatever was written first: our own comments are edited all the time
            since = tx.now() - age - OVERLAP
            heard = tx.applied.get(self.repo.id, comment.key) is not None
            about = About(self.repo.id, self.repo.installation_id, comment.number, comment.number, None)
            if heard:
                return True, False
            # What is about other threads brings no words of this one.
            waiting = tx.deliveries.unheard(about, None).waits and tx.deliveries.waits(self.repo.id, since)
            return False, waiting or failed_to_bring(tx, self.hands.translate, self.repo.id, comment.key)

        heard, stands_here = await self.hands.outside.store.read(waits)
        if stands_here:
            self.problem = (
                "edited comments wait for deliveries that came before they were edited and are not worked on yet"
            )
        return stands_here or (not heard and age < WEBHOOKS_TURN)

    async def record(self, number: int) -> Record | None:
        key = RecordKey(self.repo.id, number)
        loaded = await self.hands.outside.store.read(lambda tx: tx.records.load(key))
        return loaded.record if loaded else None

    async def look_up(self) -> None:
        """Which records are under way."""

        def find(tx: Tx) -> dict[int, Loaded]:
            keys = tx.records.of_repository(self.repo.id, open_only=True)
            loaded = ((key.issue, tx.records.load(key)) for key in keys)
            return {number: one for number, one in loaded if one is not None}

        self.open = await self.hands.outside.store.read(find)


def _is_over(tx: Tx, repository_id: int, signal: Signal) -> bool:
    """Whether the record that it is about has decided on it before."""
    pull, issue = getattr(signal, "pull", None), getattr(signal, "issue", None)
    linked = tx.records.by_pull(repository_id, pull) if pull is not None else None
    issue = linked.issue if linked is not None else issue
    return issue is not None and tx.applied.get(repository_id, f"{signal.key}@{issue}") is not None
