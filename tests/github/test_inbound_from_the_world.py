"""What the simulated GitHub sends for a story is what the story says, once translated."""

from collections.abc import Callable

import pytest

from bot.domain.model.delivery import Delivery
from bot.domain.model.signals import Signal
from bot.github.inbound.translate import translate
from bot.simulator.model.repositories import Repository
from bot.simulator.world import World
from tests.github.conftest import START


@pytest.fixture
def world() -> World:
    return World(START)


@pytest.fixture
def repo(world: World) -> Repository:
    return world.repository("octo/app", members={"ada": "maintain", "grace": "write"})


def told(world: World) -> list[Signal]:
    """The signals of everything sent since the last time."""
    signals: list[Signal] = []
    for hook in world.hooks.take():
        delivery = Delivery(guid=hook.guid, event=hook.event, body=hook.body, received_at=world.clock.now())
        translation = translate(delivery, world.app.id)
        assert not (translation.ignored_because or "").startswith(("unreadable", "the body", "the payload"))
        signals += translation.signals
    return signals


def kinds(world: World) -> list[str]:
    return [one.kind for one in told(world)]


def test_a_labelled_issue_starts(world: World, repo: Repository) -> None:
    issue = world.opens_issue("ada", repo, "Greet people")
    assert kinds(world) == []
    world.labels("ada", issue, "signalbox")
    (start,) = told(world)
    assert (start.kind, start.actor.login, start.actor.kind) == ("start_label_added", "ada", "person")
    world.unlabels("ada", issue, "signalbox")
    world.closes("ada", issue)
    world.reopens("ada", issue)
    world.deletes_issue("octo", issue)
    assert kinds(world) == ["label_removed", "issue_closed", "issue_reopened", "issue_gone"]


def test_a_pull_request_moves(world: World, repo: Repository) -> None:
    world.branches("ada", repo, "dev")
    told(world)
    pull = world.opens_pull("ada", repo)
    assert kinds(world) == ["branch_pushed", "pull_opened"]
    world.pushes("grace", pull)
    pushed, moved = told(world)
    assert {pushed.kind, moved.kind} == {"branch_pushed", "head_pushed"}
    assert moved.actor.login == "grace"
    world.retargets("ada", pull, "dev")
    world.converts_to_draft("ada", pull)
    world.marks_ready("ada", pull)
    world.closes("ada", pull)
    world.reopens("ada", pull)
    assert kinds(world) == ["pull_retargeted", "draft_changed", "draft_changed", "pull_closed", "pull_reopened"]


def test_what_people_write_is_heard(world: World, repo: Repository) -> None:
    pull = world.opens_pull("ada", repo)
    told(world)
    world.comments("grace", pull, "/gate")
    world.comments_on_line("grace", pull, "/hold")
    review = world.reviews("grace", pull, "APPROVED", "/unhold")
    world.dismisses_review("ada", review)
    heard = ["comment_created", "comment_created", "comment_created", "review_submitted", "review_dismissed"]
    assert kinds(world) == heard


def test_our_own_comment_is_known_as_ours_and_a_foreign_edit_of_it_is_noticed(world: World, repo: Repository) -> None:
    issue = world.opens_issue("ada", repo, "Greet people")
    told(world)
    comment = world.comments(world.bot, issue, "Signalbox: planning")
    (ours,) = told(world)
    assert ours.kind == "comment_created"
    assert (ours.app_id, ours.actor.kind) == (world.app.id, "bot")
    world.edits_comment(world.bot, comment, "Signalbox: building")
    assert kinds(world) == []
    world.edits_comment("ada", comment, "/approve")
    assert kinds(world) == ["labels_touched"]


def test_checks_and_statuses_change_and_ours_are_known(world: World, repo: Repository) -> None:
    pull = world.opens_pull("ada", repo)
    told(world)
    world.check_run("ci", pull, "build")
    world.status("ada", pull, "ci/lint")
    run = world.check_run(world.app, pull, "signalbox")
    seen = [one for one in told(world) if one.kind == "checks_changed"]
    assert {one.name: one.mine for one in seen if one.name} == {"build": False, "ci/lint": False, "signalbox": True}
    assert {one.head for one in seen} == {pull.head}
    world.rerequests("ada", repo, run)
    assert kinds(world) == ["rerun_requested"]


Event = Callable[[World, Repository], object]


@pytest.mark.parametrize(
    ("event", "state", "whole"),
    [
        (lambda w, _: w.suspends(), "suspended", True),
        (lambda w, _: w.uninstalls(), "gone", True),
        (lambda w, _: w.installs(), "present", True),
        (lambda w, r: w.removes_repository(r), "gone", False),
        (lambda w, r: w.adds_repository(r), "present", False),
        (lambda w, r: w.archives("octo", r), "suspended", False),
    ],
    ids=["suspended", "uninstalled", "installed", "removed", "added", "archived"],
)
def test_what_the_app_may_see_changes(world: World, repo: Repository, event: Event, state: str, whole: bool) -> None:
    event(world, repo)
    (changed,) = told(world)
    assert changed.kind == "installation_changed"
    assert (changed.state, changed.installation_id) == (state, world.installation.id)
    assert changed.repositories == (() if whole else (repo.id,))


def test_a_repository_has_another_name(world: World, repo: Repository) -> None:
    world.renames_repository("octo", repo, "better")
    (renamed,) = told(world)
    assert renamed.kind == "repository_renamed"
    assert renamed.full_name == "octo/better"
