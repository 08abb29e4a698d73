"""Check runs, check suites and statuses."""

from typing import Any

from bot.simulator.edge import Reply
from bot.simulator.model.checks import CheckRun
from bot.simulator.refusal import HttpError
from bot.simulator.routes.call import Call, Handler
from bot.simulator.wire import checks as wire

_CONCLUSIONS = ("success", "failure", "neutral", "cancelled", "skipped", "timed_out", "action_required")


def _fields(call: Call) -> dict[str, Any]:
    """What a check run can be given; an unknown conclusion is refused."""
    given = {key: call.optional(key) for key in ("status", "conclusion", "external_id", "details_url")}
    if given["conclusion"] not in (None, *_CONCLUSIONS):
        raise HttpError(422, "Invalid request.")
    if given["status"] == "completed" and given["conclusion"] is None:
        raise HttpError(422, 'Invalid request.\n\nMissing required parameter "conclusion".')
    return given | (call.optional("output") or {})


def _create(call: Call) -> Reply:
    given = _fields(call)
    conclusion = given.pop("conclusion")
    status = given.pop("status") or ("completed" if conclusion else "queued")
    on = (call.repository, call.field("head_sha", str))
    run = call.world.check_run(call.world.app, on, call.field("name", str), status, conclusion, **given)
    return Reply(201, wire.check_run(call.repository, run))


def _update(call: Call) -> Reply:
    run = call.world.run_at(call.repository, call.parts["id"])
    if run.app is not call.world.app:
        raise HttpError(403, "Invalid app_id: check run can only be modified by the GitHub App that created it.")
    call.world.updates_check_run(call.repository, run, **_fields(call))
    return Reply(200, wire.check_run(call.repository, run))


def _run(call: Call) -> Reply:
    return Reply(200, wire.check_run(call.repository, call.world.run_at(call.repository, call.parts["id"])))


def _runs(call: Call) -> Reply:
    """`filter` latest (default): the newest per name and suite; all: every one. Newest first."""
    repo, head = call.repository, call.world.commit_at(call.repository, call.parts["ref"]).sha
    every = call.query.get("filter") == "all"
    runs = [one for one in repo.runs if one.head == head] if every else call.world.latest_runs(repo, head)
    runs = [one for one in runs if _wanted(call, one)]
    return call.page(list(reversed(runs)), lambda one: wire.check_run(repo, one), "check_runs")


def _wanted(call: Call, run: CheckRun) -> bool:
    asked = {"check_name": run.name, "status": run.status, "app_id": str(run.app.id)}
    return all(call.query.get(key, value) == value for key, value in asked.items())


def _suites(call: Call) -> Reply:
    repo, commit = call.repository, call.world.commit_at(call.repository, call.parts["ref"])
    suites = [one for one in repo.suites if one.head == commit.sha]
    return call.page(suites, lambda one: wire.check_suite(repo, one, commit), "check_suites")


def _combined(call: Call) -> Reply:
    head = call.world.commit_at(call.repository, call.parts["ref"]).sha
    return Reply(200, wire.combined(call.repository, head, call.world.latest_statuses(call.repository, head)))


def _statuses(call: Call) -> Reply:
    """Newest first, all of them."""
    head = call.world.commit_at(call.repository, call.parts["ref"]).sha
    found = [one for one in reversed(call.repository.statuses) if one.sha == head]
    return call.page(found, lambda one: wire.status(call.repository, one))


CHECKS: dict[str, Handler] = {
    "create_check_run": _create,
    "update_check_run": _update,
    "check_run": _run,
    "check_runs": _runs,
    "check_suites": _suites,
    "combined_status": _combined,
    "statuses": _statuses,
}
