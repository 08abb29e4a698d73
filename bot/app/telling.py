"""What the log is told of decisions and of writes to GitHub: identifiers only, never what somebody wrote."""

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from bot.domain.lifecycle.results import Advance
from bot.domain.model.effects import Write, Written
from bot.domain.model.facts import Answer
from bot.domain.model.ids import Repo
from bot.domain.model.questions import Question
from bot.domain.model.refusals import Refusal
from bot.domain.model.signal_origin import Source
from bot.domain.model.signals import Signal
from bot.ports.failures import ForgeFailure
from bot.ports.forge import Forge, Guard
from bot.ports.runtime import Clock, Log

T = TypeVar("T")


def changed(log: Log, repo: Repo, issue: int, signal: Signal, result: Advance) -> None:
    """One line for each version."""
    for step in result.steps:
        log(
            "info",
            "record_changed",
            repository=repo.full_name,
            issue=issue,
            version=step.record.version,
            delivery=signal.delivery,
            actor=_who(signal),
            phase=step.record.phase,
            signal=step.event,
            merge=step.record.merge.state,
        )


def refused(log: Log, repo: Repo, issue: int, signal: Signal, refusal: Refusal) -> None:
    log(
        "info",
        "signal_refused",
        repository=repo.full_name,
        issue=issue,
        delivery=signal.delivery,
        actor=_who(signal),
        code=refusal.code,
        signal=signal.kind,
    )


def as_written(signal: Signal) -> str | None:
    """The command as its writer typed it; None for what was no command."""
    source = getattr(signal, "source", None)
    return source.text if isinstance(source, Source) else None


def _who(signal: Signal) -> str:
    """A login is what somebody chose; the number is who it is."""
    return f"{signal.actor.kind}:{signal.actor.id}"


class ToldForge:
    """A Forge whose writes are told, with what each took."""

    def __init__(self, forge: Forge, log: Log, clock: Clock) -> None:
        self._forge = forge
        self._log = log
        self._clock = clock

    async def read(self, repo: Repo, question: Question[T]) -> Answer[T]:
        return await self._forge.read(repo, question)

    async def together(self, repo: Repo, questions: Collection[Question[Any]]) -> Mapping[Question[Any], Answer[Any]]:
        return await self._forge.together(repo, questions)

    async def perform(self, repo: Repo, write: Write, guard: Guard | None = None) -> Written:
        began = self._clock.monotonic()
        try:
            written = await self._forge.perform(repo, write, guard)
        except ForgeFailure as failure:
            self._tell("github_write_failed", repo, write, began, failure.for_operator())
            raise
        self._tell("github_written", repo, write, began)
        return written

    def _tell(self, event: str, repo: Repo, write: Write, began: float, why: str | None = None) -> None:
        took = round((self._clock.monotonic() - began) * 1000)
        self._log("info", event, repository=repo.full_name, took_ms=took, write=write.kind, why=why)
