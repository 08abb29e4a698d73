"""What both merge endpoints are documented to answer, as tables, and the two ways to ask."""

# ruff: noqa: ARG005  # the arrangements of one table share one signature

from collections.abc import Callable
from typing import Any, Literal

import httpx

from bot.domain.model.ids import Repo
from bot.domain.model.permit import MergeOrder, MergePermit
from bot.simulator.model.repositories import Repository, Required
from bot.simulator.model.threads import Pull
from bot.simulator.verbs.merging import MergeCall
from bot.simulator.world import World
from tests.simulator.conftest import Clients

Arrange = Callable[[World, Repository, Pull], object]
MERGED = "Pull Request successfully merged"


def order(pull: Pull, api: Literal["sync", "async"] = "sync", **changes: Any) -> MergeOrder:
    named: dict[str, Any] = {
        "head": pull.head,
        "base": "main",
        "method": "squash",
        "title": "Say hello",
        "body": "",
        **changes,
    }
    return MergeOrder(reservation="r-1", attempt="a-1", pull=pull.number, api=api, **named)


def permit(given: MergeOrder) -> MergePermit:
    return MergePermit(MergePermit._seal, given)


def named(world: World, repo: Repository) -> Repo:
    return Repo(installation_id=world.installation.id, id=repo.id, owner=repo.owner.login, name=repo.name)


async def over_http(clients: Clients, pull: Pull, api: str, given: MergeOrder) -> httpx.Response:
    path = f"/repos/octo/app/pulls/{pull.number}/{'merge-async' if api == 'async' else 'merge'}"
    body = {"sha": given.head, "merge_method": given.method, "commit_title": given.title}
    if api == "async":
        body["merge_action"] = "direct_merge"
    return await clients.http.put(path, json=body)


def _stacked(world: World, repo: Repository, pull: Pull) -> None:
    world.stacks(pull, world.opens_pull("grace", repo, head="above"))


def _merging(world: World, repo: Repository, pull: Pull) -> None:
    world.merge_async(world.bot, pull, MergeCall(pull.head))


def _forged(world: World, repo: Repository, pull: Pull) -> None:
    world.requires(repo, "build", app=world.another_app("actions"))
    world.status("grace", pull, "build", "success")


def _own_check(world: World, repo: Repository, pull: Pull) -> None:
    world.requires(repo, "signalbox", app=world.app)


def _late(world: World, repo: Repository, pull: Pull) -> None:
    world.requires(repo, "build", strict=True)
    world.check_run("actions", pull, "build")
    world.pushes("ada", repo, "main")


def _late_twice(world: World, repo: Repository, pull: Pull) -> None:
    world.requires(repo, "lint")
    world.check_run("actions", pull, "lint")
    _late(world, repo, pull)


def _touches_workflows(world: World, repo: Repository, pull: Pull) -> None:
    world.pushes("grace", pull, files={".github/workflows/ci.yml": "on: push\n"})


SYNC: dict[str, tuple[Arrange, int, str]] = {
    "merged": (lambda w, r, p: None, 200, MERGED),
    "head moved": (lambda w, r, p: None, 409, "Head branch was modified. Review and try the merge again."),
    "base modified": (
        lambda w, r, p: w.fails("merge", 405),
        405,
        "Base branch was modified. Review and try the merge again.",
    ),
    "already in progress": (_merging, 405, "Merge already in progress"),
    "conflict": (lambda w, r, p: w.conflicts(p), 405, "Pull Request is not mergeable"),
    "already merged": (lambda w, r, p: w.merges_by_hand("ada", p), 405, "Pull Request is not mergeable"),
    "closed": (lambda w, r, p: w.closes("ada", p), 405, "Pull Request is not mergeable"),
    "draft": (lambda w, r, p: w.converts_to_draft("grace", p), 405, "Pull Request is still a draft"),
    "check missing": (lambda w, r, p: w.requires(r, "build"), 405, 'Required status check "build" is expected.'),
    "check forged": (_forged, 405, 'Required status check "build" is expected.'),
    "our own check missing": (_own_check, 405, 'Required status check "signalbox" is expected.'),
    "classic check missing": (
        lambda w, r, p: w.protects(r, required=(Required("lint"),)),
        405,
        'Required status check "lint" is expected.',
    ),
    "review missing": (
        lambda w, r, p: w.ruleset(r, reviews=1),
        405,
        "At least 1 approving review is required by reviewers with write access.",
    ),
    "queue": (lambda w, r, p: w.ruleset(r, merge_queue=True), 405, "Changes must be made through the merge queue"),
    "method": (
        lambda w, r, p: w.ruleset(r, methods=("merge",)),
        405,
        "Squash merges are not allowed on this repository.",
    ),
    "out of date": (_late, 405, 'Required status check "build" is expected.'),
    "out of date, two checks": (_late_twice, 405, "2 of 2 required status checks are expected."),
    "stacked": (_stacked, 403, "Merging stacked PRs via this endpoint is not supported"),
    "workflows": (
        _touches_workflows,
        403,
        "refusing to allow a GitHub App to create or update workflow without `workflows` permission",
    ),
    "archived": (lambda w, r, p: w.archives("octo", r), 403, "Repository was archived so is read-only."),
    "bad sha": (lambda w, r, p: None, 422, "Validation Failed"),
    "gone": (lambda w, r, p: w.removes_repository(r), 404, "Not Found"),
    "suspended": (lambda w, r, p: w.suspends(), 403, "This installation has been suspended"),
    "server error": (lambda w, r, p: w.answers("merge", 502, before=True), 502, "Server Error"),
}
ASYNC: dict[str, tuple[Arrange, int, str | None]] = {
    "accepted": (lambda w, r, p: None, 202, "pending"),
    "already merged": (lambda w, r, p: w.merges_by_hand("ada", p), 200, "merged"),
    "in flight": (_merging, 409, "pending"),
    "closed": (lambda w, r, p: w.closes("ada", p), 400, "failed"),
    "draft": (lambda w, r, p: w.converts_to_draft("grace", p), 400, "failed"),
    "not here": (lambda w, r, p: setattr(r, "merge_async", False), 404, None),
    "bad sha": (lambda w, r, p: None, 422, None),
    "gone": (lambda w, r, p: w.removes_repository(r), 404, None),
}
HEADS = {"head moved": "a" * 40, "bad sha": "abc"}
