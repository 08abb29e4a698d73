"""Tokens, renewals, redirects, retries and pages of the one place that speaks to GitHub."""

import asyncio
import re
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from importlib.abc import MetaPathFinder

import httpx
import pytest

from bot.domain.model.effects import AddLabels, CreateComment
from bot.domain.model.facts import UNTOLD
from bot.domain.model.ids import Repo
from bot.domain.model.questions import CommentsOn, IssueOf, LabelsOn, PermissionOf, PullOf, PushesTo
from bot.github.client import Endpoint, GitHubGateway, Identity, know_as_missing
from bot.github.forge import GitHubForge
from bot.ports.failures import Forbidden, ForgeFailure, Gone, RateLimited, Unreachable
from bot.simulator.world import World
from tests.github.conftest import START, Setting, no_sleep
from tests.kit.keys import app_key

pytestmark = pytest.mark.anyio

KEY = app_key(World(START))
REPO = Repo(installation_id=77, id=1, owner="octo", name="app")
Answers = Callable[[httpx.Request], httpx.Response]


def dated(status: int, body: object = None, **headers: str) -> httpx.Response:
    return httpx.Response(status, json=body, headers={"date": format_datetime(START, usegmt=True), **headers})


class Scripted:
    """A GitHub of a few lines: hands out tokens t1, t2, … and answers the rest as told."""

    def __init__(self, answers: Answers, world: World | None = None) -> None:
        self.seen: list[httpx.Request] = []
        self.minted: list[bytes] = []
        self._answers = answers
        self.world = world or World(START)
        endpoint = Endpoint(transport=httpx.MockTransport(self._answer))
        self.gateway = GitHubGateway(Identity(4711, KEY), endpoint, self.world.clock, self._sleep)
        self.forge = GitHubForge(self.gateway)
        self.slept: list[float] = []

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        await asyncio.sleep(0)
        if request.url.path.endswith("/access_tokens"):
            self.minted.append(request.content)
            expires = self.world.clock.now() + timedelta(hours=1)
            body = {"token": f"t{len(self.minted)}", "expires_at": expires.isoformat(), "permissions": {}}
            return httpx.Response(
                201, json=body, headers={"date": format_datetime(self.world.clock.now(), usegmt=True)}
            )
        self.seen.append(request)
        return self._answers(request)


def issue(_: httpx.Request) -> httpx.Response:
    return dated(
        200, {"id": 5, "number": 1, "title": "Greet", "state": "open", "user": None, "labels": ["a", {"name": "b"}]}
    )


async def test_ten_at_once_ask_for_one_token() -> None:
    github = Scripted(issue)
    await asyncio.gather(*(github.forge.read(REPO, LabelsOn(1)) for _ in range(10)))
    assert len(github.minted) == 1
    assert {request.headers["authorization"] for request in github.seen} == {"token t1"}


async def test_no_request_brings_back_what_an_answer_left() -> None:
    def sets_a_cookie(asked: httpx.Request) -> httpx.Response:
        return httpx.Response(
            200, content=issue(asked).content, headers={"set-cookie": "seen=1; Path=/", **issue(asked).headers}
        )

    github = Scripted(sets_a_cookie)
    for _ in range(2):
        await github.forge.read(REPO, LabelsOn(1))
    assert [request.headers.get("cookie") for request in github.seen] == [None, None]


async def test_a_token_is_narrowed_to_the_repository_by_number() -> None:
    github = Scripted(issue)
    await github.forge.read(REPO, LabelsOn(1))
    await github.forge.read(REPO.model_copy(update={"id": 2, "name": "other"}), LabelsOn(1))
    assert github.minted == [b'{"repository_ids":[1]}', b'{"repository_ids":[2]}']


async def test_a_token_is_renewed_before_it_ends() -> None:
    github = Scripted(issue)
    for minutes in (0, 49, 2, 30):
        github.world.clock.advance(60 * minutes)
        await github.forge.read(REPO, LabelsOn(1))
    assert len(github.minted) == 2


async def test_a_revoked_token_is_renewed_once_for_reads() -> None:
    github = Scripted(lambda request: dated(401) if request.headers["authorization"] == "token t1" else issue(request))
    assert (await github.forge.read(REPO, LabelsOn(1))).value == ("a", "b")
    assert len(github.minted) == 2


async def test_a_token_that_is_refused_again_and_again_is_an_unreachable_github() -> None:
    github = Scripted(lambda _: dated(401))
    with pytest.raises(Unreachable):
        await github.forge.read(REPO, LabelsOn(1))


async def test_a_write_with_a_revoked_token_is_not_repeated_but_the_next_has_a_new_one() -> None:
    github = Scripted(lambda request: dated(401 if request.headers["authorization"] == "token t1" else 200, []))
    with pytest.raises(Unreachable):
        await github.forge.perform(REPO, AddLabels(number=1, names=("x",)))
    assert len(github.seen) == 1
    await github.forge.perform(REPO, AddLabels(number=1, names=("x",)))
    assert len(github.minted) == 2


async def test_every_request_names_itself_and_the_version() -> None:
    github = Scripted(issue)
    await github.forge.read(REPO, LabelsOn(1))
    (request,) = github.seen
    assert request.headers["user-agent"] == "signalbox"
    assert request.headers["x-github-api-version"] == "2022-11-28"
    assert request.extensions["timeout"] == {"connect": 10.0, "read": 30.0, "write": 30.0, "pool": 10.0}


async def test_reads_are_tried_three_times_with_growing_pauses() -> None:
    github = Scripted(lambda _: dated(502))
    with pytest.raises(Unreachable):
        await github.forge.read(REPO, LabelsOn(1))
    assert len(github.seen) == 3
    assert github.slept == sorted(github.slept)
    assert len(github.slept) == 2


@pytest.mark.parametrize("status", [403, 404, 422, 429])
async def test_a_clear_no_is_not_asked_again(status: int) -> None:
    github = Scripted(lambda _: dated(status))
    with pytest.raises((Forbidden, Gone, RateLimited)):
        await github.forge.read(REPO, LabelsOn(1))
    assert len(github.seen) == 1


@pytest.mark.parametrize(
    "answer",
    [
        dated(200, []),
        dated(200, {"id": "5"}),
        httpx.Response(200, content=b"<html>", headers={"date": format_datetime(START, usegmt=True)}),
        httpx.Response(200, content=b"[" * 100_000, headers={"date": format_datetime(START, usegmt=True)}),
        httpx.Response(200, json={"id": 5, "number": 1, "state": "open"}),
        httpx.Response(200, json={"id": 5, "number": 1, "state": "open"}, headers={"date": "yesterday"}),
    ],
    ids=["list", "wrong type", "html", "deep", "no date", "bad date"],
)
async def test_an_answer_that_cannot_be_read_is_none(answer: httpx.Response) -> None:
    with pytest.raises(Unreachable):
        await Scripted(lambda _: answer).forge.read(REPO, IssueOf(1))


async def test_no_failure_tells_a_token() -> None:
    github = Scripted(lambda _: dated(403, {"message": "token t1"}))
    with pytest.raises(ForgeFailure) as failed:
        await github.forge.read(REPO, PermissionOf(1, "ada"))
    assert not re.search(r"\bt1\b|query|\?", str(failed.value) + repr(failed.value.__cause__))
    assert KEY not in repr(Identity(1, KEY))


async def test_endless_lists_are_no_answer() -> None:
    more = '<https://api.github.com/x?page=2>; rel="next"'
    github = Scripted(lambda _: dated(200, [], link=more))
    with pytest.raises(Unreachable):
        await github.forge.read(REPO, CommentsOn(1))


async def test_a_page_that_is_missing_makes_no_shorter_list() -> None:
    """known-faults.md, row 122: what may stand on it is not known to be nothing."""
    more = '<https://api.github.com/x?page=2>; rel="next"'
    github = Scripted(lambda asked: dated(200, [], link=more) if asked.url.params["page"] == "1" else dated(502, {}))
    with pytest.raises(Unreachable):
        await github.forge.read(REPO, CommentsOn(1))


async def test_a_list_that_never_stands_still_is_no_answer_and_is_not_read_for_ever() -> None:
    """Each reading shows another comment at the end of the first page."""
    more = {"link": '<x>; rel="next"'}
    github = Scripted(
        lambda asked: (
            dated(200, [comment(len(github.seen))], **more) if asked.url.params["page"] == "1" else dated(200, [])
        )
    )
    with pytest.raises(Unreachable, match="it changes while it is read"):
        await github.forge.read(REPO, CommentsOn(1))
    assert len(github.seen) <= 8


def moves(*afters: str) -> list[dict[str, object]]:
    actor = {"id": 11, "login": "ada"}
    return [{"before": "0" * 40, "after": after, "ref": "refs/heads/retry", "actor": actor} for after in afters]


async def test_moves_that_are_older_than_was_read_are_not_taken_for_none() -> None:
    """Each page names another one."""
    github = Scripted(
        lambda _: dated(200, moves(f"{len(github.seen)}"), link=f'<x?after={len(github.seen)}>; rel="next"')
    )
    read = (await github.forge.read(REPO, PushesTo("retry"))).value
    assert ([one.after for one in read], read[-1]) == ([*(str(number) for number in range(1, 11)), ""], UNTOLD)
    assert [asked.url.params.get("after") for asked in github.seen] == [None, *map(str, range(1, 10))]


async def test_a_full_page_of_moves_that_names_no_next_one_is_not_taken_for_the_last() -> None:
    github = Scripted(lambda asked: dated(200, moves(*("a" * int(asked.url.params["per_page"])))))
    with pytest.raises(Unreachable, match="name no next one"):
        await github.forge.read(REPO, PushesTo("retry"))


def comment(number: int) -> dict[str, object]:
    return {"id": number, "created_at": "2026-01-01T12:00:00Z", "updated_at": "2026-01-01T12:00:00Z"}


async def test_the_next_page_is_asked_for_by_number_and_never_where_a_header_points() -> None:
    github = Scripted(
        lambda request: (
            dated(200, [], link='<https://evil.example.com/?page=2>; rel="next"')
            if request.url.params["page"] == "1"
            else dated(200, [])
        )
    )
    await github.forge.read(REPO, CommentsOn(1))
    assert [request.url.host for request in github.seen] == ["api.github.com"] * 4
    assert [request.url.params["page"] for request in github.seen] == ["1", "2"] * 2


async def test_enterprise_server_is_below_its_own_path() -> None:
    github = Scripted(issue)
    github.gateway = GitHubGateway(
        Identity(4711, KEY),
        Endpoint(api_url="https://git.example.com/api/v3", transport=github.gateway.endpoint.transport),
        github.world.clock,
        github._sleep,
    )
    await GitHubForge(github.gateway).read(REPO, LabelsOn(1))
    assert str(github.seen[0].url) == "https://git.example.com/api/v3/repos/octo/app/issues/1"


async def test_a_renamed_repository_is_followed_by_its_number_and_its_new_name_is_learned(here: Setting) -> None:
    opened = here.world.opens_issue("ada", here.repository, "Greet people")
    here.world.renames_repository("octo", here.repository, "better")
    assert (await here.forge.read(here.repo, LabelsOn(opened.number))).value == ()
    await here.forge.perform(here.repo, CreateComment(number=opened.number, body="Hello", marker="x"))
    assert len(opened.comments) == 1
    assert here.world.requests[-1].path == f"/repos/octo/better/issues/{opened.number}/comments"


async def test_a_write_is_never_redirected_and_can_be_repeated_under_the_new_name(here: Setting) -> None:
    opened = here.world.opens_issue("ada", here.repository, "Greet people")
    here.world.renames_repository("octo", here.repository, "better")
    comment = CreateComment(number=opened.number, body="Hello", marker="x")
    with pytest.raises(Unreachable):
        await here.forge.perform(here.repo, comment)
    assert opened.comments == []
    await here.forge.perform(here.repo, comment)
    assert len(opened.comments) == 1


async def test_another_repository_under_the_old_name_is_never_taken_for_ours(here: Setting) -> None:
    """threats.md, T22."""
    pull = here.world.opens_pull("ada", here.repository)
    here.world.renames_repository("octo", here.repository, "better")
    squatter = here.world.repository("octo/app", members={"eve": "admin"})
    here.world.opens_issue("eve", squatter, "One")
    here.world.opens_issue("eve", squatter, "Two")
    with pytest.raises(Gone):
        await here.forge.read(here.repo, PullOf(pull.number))
    with pytest.raises(Gone):
        await here.forge.perform(here.repo, CreateComment(number=1, body="Hello", marker="x"))
    assert all(thread.comments == [] for thread in squatter.threads.values())


LOCATIONS = [
    "https://api.github.com/repositories/2/issues/1",
    "https://api.github.com/repositories/11/issues/1",
    "https://evil.example.com/repositories/1/issues/1",
    "http://api.github.com/repositories/1/issues/1",
    "/repos/octo/other/issues/1",
    "//evil.example.com/repositories/1/issues/1",
    "",
]


@pytest.mark.parametrize("location", LOCATIONS)
@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_a_redirect_elsewhere_is_gone_and_is_not_followed(location: str, status: int) -> None:
    """threats.md, T19."""
    github = Scripted(lambda _: dated(status, location=location))
    with pytest.raises(Gone):
        await github.forge.read(REPO, LabelsOn(1))
    with pytest.raises(Gone):
        await github.forge.perform(REPO, AddLabels(number=1, names=("x",)))
    assert {(one.url.host, one.url.path) for one in github.seen} == {
        ("api.github.com", "/repos/octo/app/issues/1"),
        ("api.github.com", "/repos/octo/app/issues/1/labels"),
    }


@pytest.mark.parametrize(
    ("status", "kind"), [(401, Unreachable), (403, Forbidden), (404, Gone), (422, Gone), (500, Unreachable)]
)
async def test_without_a_token_nothing_was_carried_out(status: int, kind: type[ForgeFailure]) -> None:
    transport = httpx.MockTransport(lambda _: dated(status, {"message": "no"}))
    world = World(START)

    gateway = GitHubGateway(Identity(4711, KEY), Endpoint(transport=transport), world.clock, no_sleep)
    with pytest.raises(kind):
        await GitHubForge(gateway).perform(REPO, AddLabels(number=1, names=("x",)))


async def test_a_bug_of_the_other_side_fails_loudly() -> None:
    def broken(_: httpx.Request) -> httpx.Response:
        raise KeyError("the simulator is broken")

    with pytest.raises(KeyError):
        await Scripted(broken).forge.perform(REPO, AddLabels(number=1, names=("x",)))


async def test_connections_are_kept_alive_across_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """githubkit opens and closes a client around every call; the transport below it must survive that. And no call looks through
    all folders for what is not installed."""
    monkeypatch.delitem(sys.modules, "sniffio", raising=False)
    know_as_missing("sniffio")
    connections = 0
    sought: list[str] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        while head := await reader.read(65_536):
            is_token = b"access_tokens" in head
            body = TOKEN if is_token else b'{"id":5,"number":1,"state":"open","labels":[]}'
            date = format_datetime(datetime.now(UTC), usegmt=True).encode()
            writer.write(b"HTTP/1.1 200 OK\r\ndate: %b\r\ncontent-length: %d\r\n\r\n%b" % (date, len(body), body))
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    world = World(START)

    gateway = GitHubGateway(Identity(4711, KEY), Endpoint(api_url=f"http://{host}:{port}"), world.clock, no_sleep)
    async with server:
        await GitHubForge(gateway).read(REPO, LabelsOn(1))
        monkeypatch.setattr(sys, "meta_path", [Seeks(sought), *sys.meta_path])
        for _ in range(4):
            await GitHubForge(gateway).read(REPO, LabelsOn(1))
        await gateway.close()
    assert connections == 1
    assert sought == []


class Seeks(MetaPathFinder):
    """Notes which modules are looked for in the file system, and finds none."""

    def __init__(self, sought: list[str]) -> None:
        self._sought = sought

    def find_spec(self, fullname: str, *_: object) -> None:
        self._sought.append(fullname)


TOKEN = b'{"token":"t1","expires_at":"2099-01-01T00:00:00Z","permissions":{}}'
