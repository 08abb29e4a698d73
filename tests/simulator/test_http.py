"""The wire itself: visibility, redirects, versions, pages, ETags, and requests nobody knows."""

from datetime import UTC, datetime

import pytest

from bot.simulator.model.repositories import Repository
from bot.simulator.world import World
from tests.simulator.conftest import Clients

pytestmark = pytest.mark.anyio


async def test_what_the_app_cannot_see_does_not_exist(clients: Clients, world: World) -> None:
    world.repository("octo/secret", private=True, installed=False)
    assert (await clients.http.get("/repos/octo/secret")).status_code == 404
    assert (await clients.http.get("/repos/octo/nothing")).status_code == 404


async def test_a_renamed_repository_redirects_to_its_id_until_the_name_is_taken(
    clients: Clients, world: World, repo: Repository
) -> None:
    world.renames_repository("octo", repo, "application")
    moved = await clients.http.get("/repos/octo/app/issues")
    assert moved.status_code == 301
    assert moved.headers["location"] == f"https://api.github.com/repositories/{repo.id}/issues"
    assert (await clients.http.get(moved.headers["location"])).status_code == 200
    write = await clients.http.post("/repos/octo/app/labels", json={"name": "x"})
    assert write.status_code == 307
    impostor = world.repository("octo/app")
    assert (await clients.http.get("/repos/octo/app")).json()["id"] == impostor.id != repo.id


async def test_a_transferred_issue_redirects_and_a_deleted_one_is_gone(
    clients: Clients, world: World, repo: Repository
) -> None:
    other = world.repository("octo/other")
    issue, doomed = world.opens_issue("ada", repo, "Move"), world.opens_issue("ada", repo, "Delete")
    world.transfers_issue("ada", issue, other)
    world.deletes_issue("octo", doomed)
    moved = await clients.http.get("/repos/octo/app/issues/1")
    assert (moved.status_code, moved.headers["location"]) == (
        301,
        f"https://api.github.com/repositories/{other.id}/issues/1",
    )
    assert (await clients.http.get("/repos/octo/app/issues/2")).status_code == 410


async def test_an_unsupported_version_is_refused_and_the_old_one_shows_the_merge_commit(
    clients: Clients, world: World, repo: Repository
) -> None:
    pull = world.opens_pull("grace", repo)
    world.merges_by_hand("ada", pull)
    address = f"/repos/octo/app/pulls/{pull.number}"
    shown = {}
    for version in ("2022-11-28", "2026-03-10", "1999-01-01"):
        shown[version] = await clients.http.get(address, headers={"X-GitHub-Api-Version": version})
    assert shown["1999-01-01"].status_code == 400
    assert shown["2022-11-28"].json()["merge_commit_sha"] == pull.merge_commit
    assert "merge_commit_sha" not in shown["2026-03-10"].json()
    assert (await clients.http.get(address)).json()["merge_commit_sha"] == pull.merge_commit


async def test_lists_are_paged_by_link(clients: Clients, world: World, repo: Repository) -> None:
    issue = world.opens_issue("ada", repo, "Hello")
    for number in range(7):
        world.comments("ada", issue, f"comment {number}")
    seen: list[str] = []
    address: str | None = "/repos/octo/app/issues/1/comments?per_page=3"
    while address:
        answer = await clients.http.get(address)
        seen += [one["body"] for one in answer.json()]
        address = answer.links.get("next", {}).get("url")
    assert seen == [f"comment {number}" for number in range(7)]
    assert answer.links.keys() == {"prev", "first"}


async def test_a_list_since_a_time_shows_what_changed_after_it(
    clients: Clients, world: World, repo: Repository
) -> None:
    issue = world.opens_issue("ada", repo, "Hello")
    old, edited = world.comments("ada", issue, "old"), world.comments("ada", issue, "to be edited")
    world.clock.advance(60)
    since = world.clock.stamp().strftime("%Y-%m-%dT%H:%M:%SZ")
    world.edits_comment("ada", edited, "edited")
    new = world.comments("ada", issue, "new")
    answer = await clients.http.get(f"/repos/octo/app/issues/comments?since={since}")
    assert [one["id"] for one in answer.json()] == [edited.id, new.id]
    assert old.id not in [one["id"] for one in answer.json()]


async def test_an_unchanged_answer_is_304_and_differs_per_token(
    clients: Clients, world: World, repo: Repository
) -> None:
    first = await clients.http.get("/repos/octo/app")
    same = await clients.http.get("/repos/octo/app", headers={"If-None-Match": first.headers["etag"]})
    assert (same.status_code, same.content) == (304, b"")
    assert world.requests[-1].status == 304
    world.opens_issue("ada", repo, "Hello")
    changed = await clients.http.get("/repos/octo/app", headers={"If-None-Match": first.headers["etag"]})
    assert changed.status_code == 200


async def test_every_answer_carries_the_worlds_date_and_githubs_headers(
    clients: Clients, world: World, repo: Repository
) -> None:
    world.clock.move_to(datetime(2026, 3, 4, 5, 6, 7, 890_000, tzinfo=UTC))
    answer = await clients.http.get("/repos/octo/app")
    assert answer.headers["date"] == "Wed, 04 Mar 2026 05:06:07 GMT"
    assert answer.headers["vary"] == "Accept, Authorization, Cookie, X-GitHub-OTP"
    assert answer.headers["x-ratelimit-resource"] == "core"
    assert {"x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-used", "x-ratelimit-reset"} <= set(
        answer.headers
    )


@pytest.mark.parametrize("path", ["/repos/octo/app/hooks", "/repos/octo/app/", "/nowhere"])
async def test_an_unknown_endpoint_is_a_finding(clients: Clients, world: World, path: str) -> None:
    answer = await clients.http.get(path)
    assert answer.status_code == 404
    assert world.findings == [f"unknown endpoint GET {path}"]


async def test_posting_a_merge_async_is_an_unknown_endpoint(clients: Clients, world: World) -> None:
    assert (await clients.http.post("/repos/octo/app/pulls/1/merge-async")).status_code == 404
    assert world.findings == ["unknown endpoint POST /repos/octo/app/pulls/1/merge-async"]


async def test_names_with_slashes_are_one_name(clients: Clients, world: World, repo: Repository) -> None:
    issue = world.opens_issue("ada", repo, "Hello", labels=["signalbox/planning"])
    world.branches("ada", repo, "signalbox/1-hello")
    removed = await clients.http.delete("/repos/octo/app/issues/1/labels/signalbox%2Fplanning")
    assert (removed.status_code, issue.labels) == (200, [])
    assert (await clients.http.get("/repos/octo/app/branches/signalbox%2F1-hello")).status_code == 200
    assert (await clients.http.delete("/repos/octo/app/git/refs/heads/signalbox/1-hello")).status_code == 204
    assert "signalbox/1-hello" not in repo.branches


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/labels", {"name": "Signalbox", "color": "fff"}, 422),
        ("DELETE", "/issues/1/labels/missing", None, 404),
        ("POST", "/issues/1/comments", {"body": ""}, 422),
        ("POST", "/issues/1/comments", {"body": "x" * 65_537}, 422),
        ("POST", "/issues/99/comments", {"body": "hi"}, 404),
        ("POST", "/issues/1/reactions", {"content": "shrug"}, 422),
        ("GET", "/pulls/1", None, 404),
        ("GET", "/contents/missing.yml", None, 404),
        ("GET", "/branches/missing", None, 404),
        ("GET", "/branches/main/protection", None, 403),
        ("GET", "/commits/0000000/pulls", None, 422),
        ("DELETE", "/git/refs/heads/missing", None, 422),
        ("DELETE", "/git/refs/heads/main", None, 422),
        ("POST", "/check-runs", {"name": "signalbox", "head_sha": "0" * 40}, 422),
        ("GET", "/collaborators/nobody/permission", None, 404),
        ("PUT", "/pulls/2/merge", {"commit_title": None}, 422),
        ("POST", "/pulls/2/requested_reviewers", {"reviewers": ["omar-b"]}, 404),
    ],
)
async def test_refusals_have_githubs_status(
    clients: Clients, world: World, repo: Repository, method: str, path: str, body: str, status: int
) -> None:
    world.opens_issue("ada", repo, "Hello", labels=["signalbox"])
    world.opens_pull("grace", repo)
    answer = await clients.http.request(method, f"/repos/octo/app{path}", json=body)
    assert (answer.status_code, answer.json()["status"]) == (status, str(status))
    assert world.findings == []


async def test_a_label_that_exists_says_so(clients: Clients, world: World, repo: Repository) -> None:
    world.creates_label("lin", repo, "signalbox", "0e8a16")
    answer = await clients.http.post("/repos/octo/app/labels", json={"name": "signalbox"})
    assert answer.json()["errors"] == [{"resource": "Label", "code": "already_exists", "field": "name"}]


async def test_mergeable_is_null_until_computed(clients: Clients, world: World, repo: Repository) -> None:
    pull = world.opens_pull("grace", repo)
    world.takes_time_to_compute(pull, 2)
    seen = [(await clients.http.get(f"/repos/octo/app/pulls/{pull.number}")).json() for _ in range(3)]
    assert [one["mergeable"] for one in seen] == [None, None, True]
    assert [one["mergeable_state"] for one in seen] == ["unknown", "unknown", "clean"]


async def test_a_fork_head_has_no_repository_once_deleted_and_checks_name_no_pull(
    clients: Clients, world: World, repo: Repository
) -> None:
    world.forks("omar", repo)
    pull = world.opens_pull("omar", repo, head="omar:topic")
    world.check_run("actions", pull, "build")
    world.deletes_fork("omar", pull)
    shown = (await clients.http.get(f"/repos/octo/app/pulls/{pull.number}")).json()
    assert shown["head"]["repo"] is None
    runs = (await clients.http.get(f"/repos/octo/app/commits/{pull.head}/check-runs")).json()
    assert runs["check_runs"][0]["pull_requests"] == []


async def test_combined_status_is_pending_without_statuses(clients: Clients, world: World, repo: Repository) -> None:
    pull = world.opens_pull("grace", repo)
    world.check_run("actions", pull, "build")
    address = f"/repos/octo/app/commits/{pull.head}/status"
    assert (await clients.http.get(address)).json()["state"] == "pending"
    world.status("grace", pull, "lint", "failure")
    assert (await clients.http.get(address)).json()["state"] == "failure"
    world.status("grace", pull, "lint", "success")
    assert (await clients.http.get(address)).json()["state"] == "success"


async def test_latest_shows_the_newest_run_of_a_name_and_all_shows_both(
    clients: Clients, world: World, repo: Repository
) -> None:
    pull = world.opens_pull("grace", repo)
    world.check_run("actions", pull, "build", conclusion="failure")
    newest = world.check_run("actions", pull, "build")
    address = f"/repos/octo/app/commits/{pull.head}/check-runs"
    assert [one["id"] for one in (await clients.http.get(address)).json()["check_runs"]] == [newest.id]
    assert (await clients.http.get(f"{address}?filter=all")).json()["total_count"] == 2
