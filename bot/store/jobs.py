"""Closures on their way through a thread, and how what became of them reaches the event loop that asked."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from bot.ports.store import StoreUnavailable


@dataclass(slots=True)
class Job:
    """One closure, and what became of it once it is over."""

    work: Callable[[Any], Any]
    future: asyncio.Future[Any]
    value: Any = None
    error: BaseException | None = None


def hand_out(jobs: Sequence[Job]) -> None:
    """Wake each event loop once."""
    for loop in {job.future.get_loop() for job in jobs}:
        mine = [job for job in jobs if job.future.get_loop() is loop]
        with suppress(RuntimeError):  # the loop is closed: nobody is left who could be told
            loop.call_soon_threadsafe(_tell, mine)


def _tell(jobs: Sequence[Job]) -> None:
    for job in jobs:
        if job.future.done():  # its caller was cancelled
            continue
        if job.error is None:
            job.future.set_result(job.value)
        else:
            job.future.set_exception(job.error)


def for_caller(error: BaseException, *, outage: bool) -> BaseException:
    """What a closure ended with, as its caller gets it. `outage`: the database was in trouble, not the closure."""
    if outage:
        return unavailable(error)
    if isinstance(error, StopIteration):  # asyncio refuses to hand that one out
        wrapped = RuntimeError("a closure raised StopIteration")
        wrapped.__cause__ = error
        return wrapped
    return error


def unavailable(error: BaseException) -> StoreUnavailable:
    found = StoreUnavailable(str(error))
    found.__cause__ = error
    return found
