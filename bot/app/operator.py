"""What an operator at this machine may say of a record: `settle`, `resume`, `retry`; the same signals, rules and refusals
as the commands on GitHub.

A request is looked at first: `order.look` says what it would do and on which evidence, and stores nothing. `order.give`
does it, to the version that was looked at.
"""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from bot.app import evidence
from bot.app.naming import no_record
from bot.app.policy.book import Policies
from bot.app.requests import Args, read, refused
from bot.app.tokens import RepositoryName
from bot.app.transact import Outcome, Transactor
from bot.domain.commands.catalogue import BY_NAME
from bot.domain.commands.spec import Said, Thread
from bot.domain.lifecycle.results import Advance, Ignore, NotYet, Refuse, Result
from bot.domain.model.ids import Actor, Value
from bot.domain.model.policy import Policy
from bot.domain.model.record import Record
from bot.domain.model.refusals import Refusal
from bot.domain.model.signal_origin import Source
from bot.domain.model.signals import Command
from bot.ports.failures import ForgeFailure
from bot.ports.runtime import Clock, Log
from bot.ports.store import Store, Tx

UNREADABLE = "The record, the command or the version cannot be read."
#: Where the App is not configured nothing can be asked of GitHub.
NO_APP = (
    "No GitHub App is configured here (APP_ID, PRIVATE_KEY, WEBHOOK_SECRET), so GitHub cannot be read. Nothing changed."
)
UNREAD_RULES = (
    "GitHub did not show the policy file of the repository, so nothing was decided. Repeat it in a few minutes."
)


class Order(Value):
    """`words` follow the verb, as on GitHub. `version` is the one that was looked at."""

    repository: RepositoryName
    issue: Annotated[int, Field(gt=0, lt=2**31)]
    verb: Literal["settle", "resume", "retry"]
    words: tuple[str, ...] = ()
    version: int | None = None


class Means(NamedTuple):
    """What it takes to decide; there is none where no App is configured."""

    transactor: Transactor
    policies: Policies


class Orders:
    """`means` is asked for when the first order comes: reading GitHub takes much that other requests do not need."""

    def __init__(self, store: Store, clock: Clock, log: Log, means: Callable[[], Means | None]) -> None:
        self._store = store
        self._clock = clock
        self._log = log
        self._means = means

    async def look(self, args: Args, actor: str) -> dict[str, Any]:
        return await self._with_means(args, actor, self._look)

    async def give(self, args: Args, actor: str) -> dict[str, Any]:
        return await self._with_means(args, actor, self._give)

    async def _with_means(
        self, args: Args, actor: str, act: "Callable[[Means, Order, Record, Command], Awaitable[dict[str, Any]]]"
    ) -> dict[str, Any]:
        order = read(Order, args, UNREADABLE)
        record = await self._store.read(lambda tx: _record(tx, order))
        if record is None:
            why = await self._store.read(lambda tx: no_record(tx, order.repository, order.issue))
            return refused("no_record", why)
        means = self._means()
        if means is None:
            return refused("could_not_verify", NO_APP)
        try:
            policy = await means.policies.of(record.repo)
        except ForgeFailure:
            return refused("could_not_verify", UNREAD_RULES)
        signal = self._signal(policy, order, record, actor)
        if isinstance(signal, Refusal):
            return _refusal(signal)
        return await act(means, order, record, signal)

    def _signal(self, policy: Policy, order: Order, record: Record, actor: str) -> Command | Refusal:
        """As the command of the same name reads it."""
        spec = BY_NAME[order.verb]
        now = self._clock.now()
        on_pull = spec.where != "issue" and record.pull_request is not None
        thread = Thread(record.pull_request or record.issue, on_pull, record)
        typed = " ".join(("signalbox", order.verb, f"{record.repository}#{record.issue}", *order.words))
        source = Source(comment_id=0, thread=thread.place, number=thread.number, created_at=now, text=typed)
        who = Actor(kind="cli", id=0, login=actor)
        return spec.parse(Said(order.verb, order.words, "", thread, policy, "", who, None, now, source))

    async def _look(self, means: Means, _order: Order, record: Record, signal: Command) -> dict[str, Any]:
        result, answers = await means.transactor.rehearse(record.repo, record.key, signal)
        seen = [*evidence.stored(record), *evidence.read(answers)]
        return {
            "result": {
                "record": f"{record.repository}#{record.issue}",
                "version": record.version,
                "phase": record.phase,
                "actor": signal.actor.login,
                "evidence": seen,
                **_would(result),
            }
        }

    async def _give(self, means: Means, order: Order, record: Record, signal: Command) -> dict[str, Any]:
        outcome = await means.transactor.apply(record.repo, record.key, signal, order.version)
        said: dict[str, Any] = {"issue": record.issue, "actor": signal.actor.login, "outcome": outcome.kind}
        self._log("info", "order_given", repository=record.repository, order=order.verb, **said)
        return _became(outcome, record)


def _record(tx: Tx, order: Order) -> Record | None:
    key = tx.records.by_name(order.repository, order.issue)
    loaded = tx.records.load(key) if key else None
    return loaded.record if loaded else None


def _would(result: Result) -> dict[str, Any]:
    """`steps` are the versions that would be written."""
    steps: list[dict[str, Any]] = []
    refusal: Refusal | None = None
    nothing: str | None = None
    match result:
        case Advance():
            steps = [
                {
                    "version": s.record.version,
                    "from": s.from_,
                    "to": s.record.phase,
                    "signal": s.event,
                    "detail": s.detail,
                }
                for s in result.steps
            ]
            refusal = result.refusal
        case Refuse():
            refusal = result.refusal
        case Ignore():
            nothing = result.why
        case NotYet():
            return {"steps": [], "refusal": _undecided(result.why)["error"], "nothing": None}
        case _:
            raise TypeError(f"{type(result).__name__} is no result of a rehearsal")
    return {"steps": steps, "refusal": refusal and _refusal(refusal)["error"], "nothing": nothing}


def _became(outcome: Outcome, before: Record) -> dict[str, Any]:
    record = outcome.record or before
    match outcome.kind:
        case "refused" if outcome.refusal is not None:
            return _refusal(outcome.refusal)
        case "later":
            return _undecided(outcome.note)
        case _:
            return {"result": {"phase": record.phase, "version": record.version, "note": outcome.note}}


def _undecided(why: str | None) -> dict[str, Any]:
    return refused("could_not_verify", f"It cannot be decided now: {why}. Nothing changed. Repeat it in a few minutes.")


def _refusal(refusal: Refusal) -> dict[str, Any]:
    return refused(refusal.code, refusal.message)
