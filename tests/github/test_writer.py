"""Every write lands on the simulated GitHub as it lands in the simulation, once."""

from collections.abc import Callable
from datetime import timedelta
from typing import get_args

import pytest

from bot.domain.model.effects import (
    AddLabels,
    CreateCheckRun,
    CreateComment,
    DeleteBranch,
    EnsureLabel,
    MarkReady,
    MinimizeComment,
    React,
    RemoveLabel,
    RequestReview,
    UpdateCheckRun,
    UpdateComment,
    Write,
)
from bot.domain.model.questions import CommentsOn, LabelsOn, OwnChecksOn, PullOf
from bot.github.writer import WRITERS
from bot.ports.failures import Forbidden, Gone, OutcomeUnknown, RateLimited, Unreachable
from bot.simulator.model.threads import Comment, Pull, Review
from tests.github.conftest import Setting

pytestmark = pytest.mark.anyio


def check_run(pull: Pull, **change: object) -> CreateCheckRun:
    fields = {
        "head": pull.head,
        "status": "in_progress",
        "title": "Waiting",
        "summary": "For grace",
        "external_id": "a:1:2:3",
    }
    return CreateCheckRun.model_validate(fields | change)


def test_every_write_has_a_writer() -> None:
    assert set(WRITERS) == set(get_args(get_args(Write)[0]))


async def test_a_comment_is_created_and_says_where_it_is(here: Setting) -> None:
    issue = here.world.opens_issue("ada", here.repository, "Greet people")
    written = await here.forge.perform(
        here.repo, CreateComment(number=issue.number, body="Hello <!-- x -->", marker="x")
    )
    (comment,) = issue.comments
    assert (written.id, comment.body, comment.author) == (comment.id, "Hello <!-- x -->", here.world.bot)
    assert (written.updated_at, written.date) == (comment.updated_at, here.world.clock.stamp())
    assert written.url == f"https://github.com/octo/app/issues/{issue.number}#issuecomment-{comment.id}"
    (found,) = (await here.forge.read(here.repo, CommentsOn(issue.number))).value
    assert found.id == comment.id


async def test_a_comment_is_updated(here: Setting) -> None:
    issue = here.world.opens_issue("ada", here.repository, "Greet people")
    comment = here.world.comments(here.world.bot, issue, "old")
    here.world.clock.advance(5)
    written = await here.forge.perform(here.repo, UpdateComment(comment_id=comment.id, body="new"))
    assert (comment.body, written.updated_at) == ("new", here.world.clock.stamp())


async def test_updating_a_deleted_comment_is_gone(here: Setting) -> None:
    with pytest.raises(Gone):
        await here.forge.perform(here.repo, UpdateComment(comment_id=404, body="new"))


@pytest.mark.parametrize("known", [True, False])
async def test_a_comment_is_hidden_as_resolved_and_twice_is_fine(here: Setting, known: bool) -> None:
    issue = here.world.opens_issue("ada", here.repository, "Greet people")
    comment = here.world.comments(here.world.bot, issue, "**Settled**: done.")
    hide = MinimizeComment(comment_id=comment.id, node_id=comment.node_id if known else "")
    for _ in range(2):
        await here.forge.perform(here.repo, hide)
    assert (comment.minimized, comment.body) == ("resolved", "**Settled**: done.")
    assert here.world.requests[-1].operation == "minimize_comment"


async def test_hiding_a_deleted_comment_is_gone(here: Setting) -> None:
    for hide in (MinimizeComment(comment_id=404), MinimizeComment(comment_id=404, node_id="IC_404")):
        with pytest.raises(Gone):
            await here.forge.perform(here.repo, hide)


async def test_labels_are_added_and_removed_and_removing_twice_is_fine(here: Setting) -> None:
    issue = here.world.opens_issue("ada", here.repository, "Greet people")
    await here.forge.perform(here.repo, AddLabels(number=issue.number, names=("signalbox/planning", "two words")))
    assert (await here.forge.read(here.repo, LabelsOn(issue.number))).value == ("signalbox/planning", "two words")
    for _ in range(2):
        await here.forge.perform(here.repo, RemoveLabel(number=issue.number, name="signalbox/planning"))
    assert [label.name for label in issue.labels] == ["two words"]


async def test_a_label_is_created_once_and_there_already_is_fine(here: Setting) -> None:
    ensure = EnsureLabel(name="signalbox", color="5319e7", description="Signalbox governs this")
    for _ in range(2):
        await here.forge.perform(here.repo, ensure)
    label = here.repository.label("signalbox")
    assert label is not None
    assert (label.color, label.description) == ("5319e7", "Signalbox governs this")


async def test_a_label_that_github_refuses_is_not_success(here: Setting) -> None:
    here.world.fails("ensure_label", 422)
    with pytest.raises(Forbidden):
        await here.forge.perform(here.repo, EnsureLabel(name="signalbox", color="bad", description=""))


async def test_a_check_run_is_created_and_updated(here: Setting) -> None:
    pull = here.world.opens_pull("ada", here.repository)
    created = await here.forge.perform(here.repo, check_run(pull))
    assert created.id is not None
    update = UpdateCheckRun(
        id=created.id,
        status="completed",
        conclusion="success",
        title="Complete",
        summary="By ada",
        text="Details",
        details_url="https://signalbox.example.com/1",
        external_id="a:1:3:3",
    )
    await here.forge.perform(here.repo, update)
    (own,) = (await here.forge.read(here.repo, OwnChecksOn(pull.head))).value
    assert (own.status, own.conclusion, own.title, own.external_id) == ("completed", "success", "Complete", "a:1:3:3")
    (run,) = here.repository.runs
    assert (run.name, run.text, run.details_url) == ("signalbox", "Details", "https://signalbox.example.com/1")


async def test_a_completed_check_run_goes_back_to_in_progress_without_a_conclusion(here: Setting) -> None:
    pull = here.world.opens_pull("ada", here.repository)
    created = await here.forge.perform(here.repo, check_run(pull, status="completed", conclusion="success"))
    again = UpdateCheckRun(
        id=created.id or 0, status="in_progress", conclusion="success", title="Again", summary="", external_id="a:1:4:3"
    )
    await here.forge.perform(here.repo, again)
    (own,) = (await here.forge.read(here.repo, OwnChecksOn(pull.head))).value
    assert (own.status, own.conclusion) == ("in_progress", None)


async def test_reactions_reach_comments_line_comments_and_reviews(here: Setting) -> None:
    pull = here.world.opens_pull("ada", here.repository)
    comment = here.world.comments("grace", pull, "/gate")
    line = here.world.comments_on_line("grace", pull, "/hold")
    review = here.world.reviews("grace", pull, "APPROVED", "/hold")
    targets: list[tuple[str, Comment | Review]] = [("issue", comment), ("review_comment", line), ("review", review)]
    for kind, target in targets:
        react = React.model_validate(
            {"comment_kind": kind, "comment_id": target.id, "node_id": target.node_id, "content": "+1"}
        )
        for _ in range(2):
            await here.forge.perform(here.repo, react)
        assert [(one.content, one.user) for one in target.reactions] == [("+1", here.world.bot)]


async def test_a_draft_is_marked_ready(here: Setting) -> None:
    pull = here.world.opens_pull("ada", here.repository, draft=True)
    await here.forge.perform(here.repo, MarkReady(pull=pull.number, node_id=pull.node_id))
    assert not pull.draft


async def test_marking_an_unknown_pull_request_ready_is_gone(here: Setting) -> None:
    with pytest.raises(Gone):
        await here.forge.perform(here.repo, MarkReady(pull=1, node_id="PR_unknown"))


async def test_reviewers_are_asked_and_strangers_cannot_be(here: Setting) -> None:
    pull = here.world.opens_pull("ada", here.repository)
    here.world.person("eve")
    await here.forge.perform(here.repo, RequestReview(pull=pull.number, logins=("grace",)))
    assert [one.login for one in pull.reviewers] == ["grace"]
    with pytest.raises(Forbidden):
        await here.forge.perform(here.repo, RequestReview(pull=pull.number, logins=("eve",)))


async def test_teams_of_the_owner_are_asked_and_others_cannot_be(here: Setting) -> None:
    pull = here.world.opens_pull("ada", here.repository)
    core = here.world.team("core", "grace")
    await here.forge.perform(here.repo, RequestReview(pull=pull.number, teams=("core",)))
    assert pull.team_reviewers == [core]
    with pytest.raises(Forbidden):
        await here.forge.perform(here.repo, RequestReview(pull=pull.number, teams=("gone",)))


async def test_the_branch_of_a_merged_pull_request_is_deleted_and_twice_is_fine(here: Setting) -> None:
    pull = here.world.opens_pull("ada", here.repository, head="fix/café 1")
    here.world.merges_by_hand("ada", pull)
    for _ in range(2):
        await here.forge.perform(here.repo, DeleteBranch(ref="fix/café 1", expected_head=pull.head))
    assert "fix/café 1" not in here.repository.branches


Needed = Callable[[Setting, Pull], None]


def moves_on(here: Setting, _: Pull) -> None:
    here.world.pushes("ada", here.repository, "feature")


def is_protected(here: Setting, _: Pull) -> None:
    here.world.protects(here.repository, "feature")


def is_a_base(here: Setting, pull: Pull) -> None:
    here.world.opens_pull("grace", here.repository, head="other", base=pull.head_ref)


@pytest.mark.parametrize("story", [moves_on, is_protected, is_a_base], ids=lambda one: one.__name__)
async def test_a_branch_that_somebody_needs_is_kept(here: Setting, story: Needed) -> None:
    pull = here.world.opens_pull("ada", here.repository)
    here.world.merges_by_hand("ada", pull)
    head = pull.head
    story(here, pull)
    with pytest.raises(Forbidden):
        await here.forge.perform(here.repo, DeleteBranch(ref="feature", expected_head=head))
    assert "feature" in here.repository.branches
    assert here.asked("delete_branch") == 0


async def test_a_branch_from_which_an_open_pull_request_comes_is_kept(here: Setting) -> None:
    pull = here.world.opens_pull("ada", here.repository)
    with pytest.raises(Forbidden):
        await here.forge.perform(here.repo, DeleteBranch(ref="feature", expected_head=pull.head))
    assert pull.open


async def test_a_write_whose_answer_is_lost_is_unknown_and_is_not_repeated(here: Setting) -> None:
    issue = here.world.opens_issue("ada", here.repository, "Greet people")
    here.world.loses_answer_to("create_comment", landed=True)
    with pytest.raises(OutcomeUnknown):
        await here.forge.perform(here.repo, CreateComment(number=issue.number, body="Hello", marker="x"))
    assert len(issue.comments) == 1
    assert here.asked("create_comment") == 1


@pytest.mark.parametrize("landed", [True, False])
@pytest.mark.parametrize("status", [500, 502, 503, 504])
async def test_a_server_error_on_a_write_is_unknown(here: Setting, status: int, landed: bool) -> None:
    issue = here.world.opens_issue("ada", here.repository, "Greet people")
    here.world.answers("create_comment", status, before=not landed)
    with pytest.raises(OutcomeUnknown):
        await here.forge.perform(here.repo, CreateComment(number=issue.number, body="Hello", marker="x"))
    assert (len(issue.comments), here.asked("create_comment")) == (int(landed), 1)


async def test_a_refused_connection_carried_nothing_out(here: Setting) -> None:
    here.world.unreachable("add_labels")
    with pytest.raises(Unreachable):
        await here.forge.perform(here.repo, AddLabels(number=1, names=("x",)))


async def test_graphql_failures_are_told_apart_too(here: Setting) -> None:
    pull = here.world.opens_pull("ada", here.repository, draft=True)
    ready = MarkReady(pull=pull.number, node_id=pull.node_id)
    here.world.loses_answer_to("mark_ready", landed=True)
    with pytest.raises(OutcomeUnknown):
        await here.forge.perform(here.repo, ready)
    here.world.fails("mark_ready", 403, headers={"retry-after": "7"})
    with pytest.raises(RateLimited) as paused:
        await here.forge.perform(here.repo, ready)
    assert paused.value.until == here.world.clock.now() + timedelta(seconds=7)
    assert (await here.forge.read(here.repo, PullOf(pull.number))).value is not None
