"""Who may do what, as GitHub reports it and as GitHub enforces it."""

# ruff: noqa: ARG005  # the lambdas of one table share one signature

from collections.abc import Callable

import pytest

from bot.domain.model.facts import Level, Permission
from bot.domain.model.ids import Repo
from bot.domain.model.questions import PermissionOf
from bot.simulator.forge import SimulatedForge
from bot.simulator.model.repositories import Repository
from bot.simulator.refusal import HttpError
from bot.simulator.world import World
from tests.simulator.conftest import Clients

pytestmark = pytest.mark.anyio
Act = Callable[..., object]


@pytest.mark.parametrize(
    ("level", "permission", "booleans"),
    [
        ("admin", "admin", "pull triage push maintain admin"),
        ("maintain", "write", "pull triage push maintain"),
        ("write", "write", "pull triage push"),
        ("triage", "read", "pull triage"),
        ("read", "read", "pull"),
        ("none", "none", ""),
    ],
)
async def test_maintain_reads_as_write_and_triage_as_read(
    clients: Clients, world: World, repo: Repository, level: Level, permission: str, booleans: str
) -> None:
    world.sets_permission("ada", repo, level)
    answer = await clients.http.get("/repos/octo/app/collaborators/ada/permission")
    body = answer.json()
    assert (body["permission"], body["role_name"]) == (permission, level)
    assert {key for key, given in body["user"]["permissions"].items() if given} == set(booleans.split())


async def test_a_custom_role_has_its_own_name_and_a_base_level(
    clients: Clients, world: World, repo: Repository
) -> None:
    world.sets_permission("ada", repo, "triage", "release-captain")
    body = (await clients.http.get("/repos/octo/app/collaborators/ada/permission")).json()
    assert (body["permission"], body["role_name"]) == ("read", "release-captain")
    assert body["user"]["permissions"]["triage"]


async def _permission(world: World, repo: Repository, user: int) -> Permission:
    place = Repo(installation_id=world.installation.id, id=repo.id, owner="octo", name="app")
    return (await SimulatedForge(world).read(place, PermissionOf(user, "ada"))).value


async def test_an_account_is_found_under_its_new_name_and_whoever_took_the_old_one_is_somebody_else(
    world: World, repo: Repository
) -> None:
    ada = world.person("ada")
    assert (await _permission(world, repo, ada.id)).level == "maintain"
    world.renames_user(ada, "ada-l")
    impostor = world.person("ada")
    kept, taken = await _permission(world, repo, ada.id), await _permission(world, repo, impostor.id)
    assert (kept.user_id, kept.login, kept.level) == (ada.id, "ada-l", "maintain")
    assert (taken.user_id, taken.login, taken.level) == (impostor.id, "ada", "read")
    del world.users[ada.id]
    assert (await _permission(world, repo, ada.id)).user_id == impostor.id


async def test_strangers_read_public_repositories_and_not_private_ones(world: World, repo: Repository) -> None:
    stranger = world.person("nobody")
    secret = world.repository("octo/secret", private=True)
    assert world.grant(stranger, repo).level == "read"
    assert world.grant(stranger, secret).level == "none"


@pytest.mark.parametrize(
    ("who", "act"),
    [
        ("omar", lambda w, r, i, p, who: w.labels(who, i, "signalbox")),
        ("omar", lambda w, r, i, p, who: w.closes(who, i)),
        ("lin", lambda w, r, i, p, who: w.pushes(who, p)),
        ("lin", lambda w, r, i, p, who: w.merges_by_hand(who, p)),
        ("lin", lambda w, r, i, p, who: w.status(who, p, "build")),
        ("grace", lambda w, r, i, p, who: w.reviews(who, p, "APPROVED")),
        ("grace", lambda w, r, i, p, who: w.renames_repository(who, r, "new")),
    ],
)
def test_github_refuses_what_somebody_may_not_do(world: World, repo: Repository, who: str, act: Act) -> None:
    issue = world.opens_issue("ada", repo, "Hello")
    pull = world.opens_pull("grace", repo)
    with pytest.raises(HttpError, match=r"403|422"):
        act(world, repo, issue, pull, who)


@pytest.mark.parametrize(
    ("who", "act"),
    [
        ("omar", lambda w, i, p, who: w.comments(who, i, "hello")),
        ("omar", lambda w, i, p, who: w.reviews(who, p, "APPROVED")),
        ("lin", lambda w, i, p, who: w.labels(who, i, "signalbox")),
        ("lin", lambda w, i, p, who: w.closes(who, i)),
        ("grace", lambda w, i, p, who: w.edits_comment(who, i.comments[0], "changed")),
        ("grace", lambda w, i, p, who: w.closes(who, p)),
    ],
)
def test_github_allows_what_is_often_thought_forbidden(world: World, repo: Repository, who: str, act: Act) -> None:
    issue = world.opens_issue("ada", repo, "Hello")
    world.comments("omar", issue, "original")
    pull = world.opens_pull("grace", repo)
    before = world.clock.now()
    act(world, issue, pull, who)
    assert (world.clock.now() - before).total_seconds() >= 1


def test_a_locked_thread_refuses_our_app(world: World, repo: Repository) -> None:
    issue = world.opens_issue("ada", repo, "Hello")
    world.locks("ada", issue)
    with pytest.raises(HttpError, match="issue is locked"):
        world.comments(world.bot, issue, "hi")
    assert world.comments("grace", issue, "hi").body == "hi"
