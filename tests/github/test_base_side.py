"""Does the base have the merge? Only what GitHub says of all that came to it since is a no (LIFECYCLE.md 3.5, 3.6)."""

from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from bot.domain.model.facts import MergeEvidence
from bot.domain.model.questions import MergeEvidenceOf
from bot.github.unrelated import LASTS, Unrelated
from tests.github.conftest import Setting
from tests.github.test_client import REPO, Scripted
from tests.github.test_evidence import DATE

pytestmark = pytest.mark.anyio

HEAD, SINCE, TIP, MERGE = "a" * 40, "0" * 40, "b" * 40, "c" * 40
AT = "2026-01-01T00:00:00Z"
CLOSED: dict[str, Any] = {"state": "closed", "merged": False}


def commit(sha: str, *parents: str) -> dict[str, Any]:
    return {"sha": sha, "parents": [{"sha": parent} for parent in parents or ("d" * 40,)]}


def side(ref: str, sha: str, repo: int = 1) -> dict[str, Any]:
    return {"ref": ref, "sha": sha, "repo": {"id": repo}}


def a_pull(repo: int = 1, merged_at: str | None = AT, **changes: Any) -> dict[str, Any]:
    sides = {"head": side("feature", HEAD), "base": side("main", SINCE, repo)}
    return {"number": 34, "node_id": "PR_34", "title": "x", **CLOSED, "merged_at": merged_at, **sides, **changes}


@dataclass
class Base:
    """What GitHub shows of a base. `newer`: what came since, oldest first. `brought`: what it lists for a commit, by sha."""

    newer: list[dict[str, Any]] = field(default_factory=list)
    brought: dict[str, dict[str, Any]] = field(default_factory=dict)
    pull: dict[str, Any] = field(default_factory=dict)
    named: dict[str, Any] = field(default_factory=lambda: commit(MERGE, "d" * 40, HEAD))
    status: str = "ahead"
    counted: int | None = None
    there: bool = True
    related: bool = True
    history: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.github = Scripted(self._answer)

    async def shows(self, **asked: Any) -> MergeEvidence:
        question = MergeEvidenceOf(34, HEAD, "main", asked.get("sha"), asked.get("since", SINCE))
        return (await self.github.forge.read(REPO, question)).value

    def lookups(self) -> int:
        return sum(each.url.path.endswith("/pulls") for each in self.github.seen)

    def _answer(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/repos/octo/app")
        body = self._body(path.split("/")[1:], request.url.params)
        return httpx.Response(404 if body is None else 200, json=body, headers=DATE)

    def _body(self, path: list[str], asked: httpx.QueryParams) -> Any:
        match path:
            case []:
                return {"id": 1, "full_name": "octo/app"}
            case ["pulls", "34"]:
                return a_pull(merged_at=None, updated_at=AT) | self.pull
            case ["branches", "main"] if self.there:
                return {"commit": commit(TIP)}
            case ["compare", ends] if ends == f"{SINCE}...{TIP}" and self.related:
                return self._compared(asked)
            case ["compare", ends] if ends != f"{SINCE}...{TIP}":
                return {
                    "status": self.status,
                    "base_commit": self.named | {"sha": ends[:40]},
                    "total_commits": 0,
                    "commits": [],
                }
            case ["commits"]:
                return self.history if asked["sha"] == TIP else None
            case ["commits", sha, "pulls"]:
                return [self.brought[sha]] if sha in self.brought else []
        return None

    def _compared(self, asked: httpx.QueryParams) -> Any:
        start, size = (int(asked["page"]) - 1) * int(asked["per_page"]), int(asked["per_page"])
        total = len(self.newer) if self.counted is None else self.counted
        page = self.newer[start : start + size]
        return {"status": "ahead", "base_commit": commit(SINCE), "total_commits": total, "commits": page}


def squashes(number: int) -> list[dict[str, Any]]:
    return [commit(f"{n + 1:040}") for n in range(number)]


async def test_of_all_that_came_since_every_commit_is_looked_at() -> None:
    newer = squashes(130)
    assert (await Base(newer).shows()).on_base is False
    found = await Base(newer, {newer[-1]["sha"]: a_pull()}).shows()
    assert (found.on_base, found.merge_sha, found.whole) == (True, newer[-1]["sha"], False)
    assert (await Base([*newer, commit(MERGE, TIP, HEAD)]).shows()).merge_sha == MERGE


async def test_a_base_on_which_nothing_came_since_is_asked_for_nothing_more() -> None:
    base = Base()
    assert (await base.shows(since=TIP)).on_base is False
    assert [each.url.path.rsplit("/", 2)[1:] for each in base.github.seen] == [["pulls", "34"], ["branches", "main"]]


async def test_without_a_place_to_begin_the_base_says_nothing() -> None:
    unread = {"number": "not one"}
    assert (await Base(squashes(1), pull=unread).shows(since=None)).on_base is None
    assert (await Base(squashes(1), pull=unread).shows()).on_base is False


async def test_an_older_record_begins_where_the_pull_request_did() -> None:
    newer = squashes(2)
    assert (await Base(newer).shows(since=None)).on_base is False
    assert (await Base(newer, {newer[0]["sha"]: a_pull()}).shows(since=None)).on_base is True


async def test_more_than_is_looked_through_may_have_it_further_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.github.facts.base_side.MOST_NEWER", 100)
    assert (await Base(squashes(100)).shows()).on_base is False
    found = await Base(squashes(101)).shows()
    assert (found.on_base, found.too_long) == (None, True)


async def test_a_look_goes_on_behind_what_the_looks_before_it_asked_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.github.facts.base_side.MOST_LOOKUPS", 5)
    base = Base(squashes(6))
    seen = []
    for _ in range(4):
        seen.append(((await base.shows()).on_base, base.lookups()))
        base.github.world.clock.advance(LASTS)
    assert seen == [(None, 5), (None, 10), (False, 11), (False, 12)]


async def test_a_commit_of_which_github_names_the_pull_request_a_moment_later_is_asked_again() -> None:
    base = Base(squashes(1))
    assert (await base.shows()).on_base is False
    base.github.world.clock.advance(LASTS - 1)
    assert (await base.shows()).on_base is False
    base.brought = {base.newer[0]["sha"]: a_pull()}
    assert (await base.shows()).on_base is True


def test_what_is_remembered_of_commits_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.github.unrelated.MOST_KEPT", 2)
    unrelated = Unrelated()
    for sha in "abc":
        unrelated.say((1, 34, sha), 0.0)
        unrelated.say((1, 34, sha), LASTS)
    assert [unrelated.is_certain((1, 34, sha)) for sha in "abc"] == [False, True, True]
    assert not unrelated.is_certain((1, 35, "c"))
    assert not unrelated.is_certain((2, 34, "c"))


async def test_fewer_commits_than_github_counts_are_no_answer() -> None:
    found = await Base(squashes(2), counted=3).shows()
    assert (found.on_base, found.too_long) == (None, False)


async def test_a_base_with_nothing_of_what_it_was_is_looked_through_from_its_start() -> None:
    ours = squashes(1)
    assert (await Base(related=False, history=[commit(TIP)]).shows()).on_base is False
    assert (await Base(related=False, history=ours, brought={ours[0]["sha"]: a_pull()}).shows()).on_base is True
    assert (await Base(related=False, history=squashes(100)).shows()).too_long


async def test_an_open_pull_request_that_github_lists_for_a_commit_did_not_bring_it() -> None:
    """It lists open ones for what the default branch lacks: the commit is a part of it that somebody pushed."""
    part = squashes(1)
    assert (await Base(part, {part[0]["sha"]: a_pull(merged_at=None)}).shows()).on_base is False
    named = Base(part, {MERGE: a_pull(merged_at=None)}, named=commit(MERGE))
    assert (await named.shows(sha=MERGE)).on_base is False


async def test_a_part_of_what_was_merged_is_not_its_merge_commit() -> None:
    part = "e" * 40
    base = Base(brought={part: a_pull()}, pull={"merged": True, "merged_at": AT, "merge_commit_sha": MERGE})
    assert (await base.shows(sha=part)).merge_sha == MERGE


async def test_a_pull_request_of_another_repository_with_the_same_number_is_not_ours() -> None:
    one = squashes(1)
    assert (await Base(one, {one[0]["sha"]: a_pull()}).shows()).on_base is True
    assert (await Base(one, {one[0]["sha"]: a_pull(repo=2)}).shows()).on_base is False


async def test_a_commit_that_is_merely_on_top_of_the_head_is_not_its_merge() -> None:
    merge = await Base([commit(MERGE, "d" * 40, HEAD)]).shows()
    assert (merge.on_base, merge.merge_sha, merge.whole) == (True, MERGE, True)
    assert (await Base([commit(TIP, HEAD)]).shows()).on_base is False


@pytest.mark.parametrize(
    ("status", "on_base"), [("ahead", True), ("identical", True), ("behind", False), ("diverged", False)]
)
async def test_a_named_merge_that_the_base_does_not_have_is_not_on_it(status: str, on_base: bool) -> None:
    found = await Base(status=status).shows(sha=MERGE)
    assert (found.on_base, found.whole) == (on_base, on_base)


@pytest.mark.parametrize(
    ("pull", "on_base"),
    [(CLOSED, False), ({"state": "open"}, None), ({"merged": True, "merged_at": AT}, None)],
    ids=["closed", "open", "merged"],
)
async def test_a_base_that_is_gone_has_nothing_of_what_was_closed_for_it(
    pull: dict[str, Any], on_base: bool | None
) -> None:
    base = Base(pull=pull, there=False)
    assert (await base.shows()).on_base is on_base
    assert 1.0 in base.github.slept


async def test_a_base_that_is_missing_once_is_not_gone(here: Setting) -> None:
    pull = here.world.opens_pull("ada", here.repository)
    merge = here.world.merges_by_hand("ada", pull)
    here.world.fails("branch", 404, times=1)
    found = (await here.forge.read(here.repo, MergeEvidenceOf(pull.number, pull.head, "main"))).value
    assert (found.on_base, found.merge_sha) == (True, merge)


async def test_a_tag_that_has_the_base_s_name_is_not_the_base(here: Setting) -> None:
    pull = here.world.opens_pull("ada", here.repository)
    here.repository.tags["main"] = here.world.tip(here.repository, "main")
    here.world.merges_by_hand("ada", pull, "squash")
    found = (await here.forge.read(here.repo, MergeEvidenceOf(pull.number, pull.head, "main"))).value
    assert found.on_base is True
    assert "main" not in " ".join(each.path for each in here.world.requests if each.operation in {"compare", "commits"})
