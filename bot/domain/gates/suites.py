"""Which results a suite that runs again has made void (LIFECYCLE.md 2.4): a green seen earlier counts no more once a newer
attempt exists, although its own run still says success.
"""

from collections.abc import Iterable

from bot.domain.model.facts import CheckRunFacts, SuiteFacts

#: A suite that has begun and not ended. Part of it may wait for ever, such as a job that somebody must approve.
_UNDER_WAY = frozenset({"in_progress", "waiting"})


def without_void(
    newest: Iterable[CheckRunFacts], every: Iterable[CheckRunFacts], suites: Iterable[SuiteFacts]
) -> tuple[CheckRunFacts, ...]:
    """The newest runs, those queued again that an open suite has made void. `every` run tells when it began anew."""
    listed = tuple(sorted(every, key=lambda run: run.id))
    void: dict[int, SuiteFacts] = {}
    for suite in suites:
        if suite.status == "completed":
            continue
        own = tuple(run for run in listed if run.suite == suite.id)
        for run in own:
            if suite.status not in _UNDER_WAY or _is_before(run, own):
                void[run.id] = suite
    return tuple(_queued_again(run, void[run.id]) if run.id in void else run for run in newest)


def _is_before(run: CheckRunFacts, own: tuple[CheckRunFacts, ...]) -> bool:
    """Whether this run ended before its suite, which is under way, began anew. Fails closed where times are missing, and
    where nothing of the suite is listed that is under way."""
    if all(one.status == "completed" for one in own):
        return True
    attempt = _attempt(own)
    if len(attempt) == len(own) or run in attempt:
        return False
    begun = [one.started_at for one in attempt if one.started_at is not None]
    return len(begun) < len(attempt) or run.completed_at is None or run.completed_at <= min(begun)


def _attempt(own: tuple[CheckRunFacts, ...]) -> tuple[CheckRunFacts, ...]:
    """The runs of the newest attempt: each attempt begins where a name comes again."""
    attempt: dict[str, CheckRunFacts] = {}
    for run in own:
        attempt = {run.name: run} if run.name in attempt else {**attempt, run.name: run}
    return tuple(attempt.values())


def _queued_again(run: CheckRunFacts, suite: SuiteFacts) -> CheckRunFacts:
    """Its time runs from the request to run it again, not from the old result."""
    since = suite.updated_at or run.started_at
    return run.model_copy(update={"status": "queued", "started_at": since, "completed_at": None})
