"""Check runs, suites and statuses of a commit. All of them: which is the newest of its kind is decided elsewhere."""

from datetime import datetime

from bot.domain.model.facts import Answer, CheckFacts, CheckRunFacts, OwnCheck, StatusFacts, SuiteFacts
from bot.domain.model.questions import ChecksOn, OwnChecksOn
from bot.github.api import Api
from bot.github.shapes import App, Id, Moment, Part, Text, User
from bot.ports.failures import Forbidden


class _Suite(Part):
    id: Id


class _Output(Part):
    title: Text | None = None


class _Run(Part):
    id: Id
    name: Text
    head_sha: Text
    status: Text
    conclusion: Text | None = None
    external_id: Text | None = None
    html_url: Text | None = None
    details_url: Text | None = None
    started_at: Moment | None = None
    completed_at: Moment | None = None
    output: _Output = _Output()
    app: App | None = None
    check_suite: _Suite | None = None


class _Status(Part):
    id: Id
    context: Text
    state: Text
    target_url: Text | None = None
    creator: User | None = None
    created_at: Moment
    updated_at: Moment


class _SuiteRow(Part):
    id: Id
    status: Text | None = None
    conclusion: Text | None = None
    latest_check_runs_count: int = 0
    app: App | None = None
    created_at: Moment | None = None
    updated_at: Moment | None = None


async def checks(api: Api, question: ChecksOn) -> Answer[CheckFacts]:
    """`filter=all`: GitHub's `latest` goes by the time of completion, so that an old red run could hide a re-run that
    is still going on, or the other way round."""
    at = f"/commits/{question.head}"
    runs, _ = await api.rows(f"{at}/check-runs", _Run, "check_runs", filter="all")
    suites, _ = await api.rows(f"{at}/check-suites", _SuiteRow, "check_suites")
    statuses, reply = await api.rows(f"{at}/statuses", _Status)
    facts = CheckFacts(
        head=question.head,
        runs=tuple(_run(api, one) for one in runs),
        statuses=tuple(_status(one) for one in statuses),
        suites=tuple(_suite(one) for one in suites),
    )
    return reply.answer(facts)


async def own_checks(api: Api, question: OwnChecksOn) -> Answer[tuple[OwnCheck, ...]]:
    below = f"/commits/{question.head}/check-runs"
    try:
        runs, reply = await api.rows(below, _Run, "check_runs", check_name=question.name, filter="all")
    except Forbidden as refused:
        if not refused.detail.endswith(": 422"):
            raise
        return (await api.still_there()).answer(())  # a commit that GitHub does not have, such as one that was purged
    own = (_own(one) for one in runs if one.name == question.name and _app(one.app) == api.app_id)
    return reply.answer(tuple(sorted(own, key=lambda one: one.id, reverse=True)))


def _app(app: App | None) -> int:
    """0 is no App's number."""
    return app.id if app else 0


def _run(api: Api, read: _Run) -> CheckRunFacts:
    return CheckRunFacts(
        id=read.id,
        name=read.name,
        app=_app(read.app),
        suite=read.check_suite.id if read.check_suite else None,
        status=read.status,
        conclusion=read.conclusion,
        external_id=read.external_id or None,
        url=read.html_url or read.details_url,
        started_at=read.started_at,
        completed_at=read.completed_at,
        mine=_app(read.app) == api.app_id,
    )


def _status(read: _Status) -> StatusFacts:
    return StatusFacts(
        id=read.id,
        context=read.context,
        creator=read.creator.id if read.creator else None,
        state=read.state,
        url=read.target_url,
        created_at=read.created_at,
        updated_at=read.updated_at,
    )


def _suite(read: _SuiteRow) -> SuiteFacts:
    """A suite without a status has not begun."""
    return SuiteFacts(
        id=read.id,
        app=_app(read.app),
        status=read.status or "queued",
        conclusion=read.conclusion,
        runs=read.latest_check_runs_count,
        created_at=read.created_at,
        updated_at=read.updated_at,
    )


def _own(read: _Run) -> OwnCheck:
    """Runs have no `updated_at`; the latest time they name stands for it."""
    times: list[datetime] = [at for at in (read.started_at, read.completed_at) if at is not None]
    return OwnCheck(
        id=read.id,
        head=read.head_sha,
        status=read.status,
        conclusion=read.conclusion,
        title=read.output.title or "",
        external_id=read.external_id or None,
        started_at=read.started_at,
        updated_at=max(times, default=None),
    )
