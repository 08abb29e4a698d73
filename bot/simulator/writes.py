"""The writes of `bot.domain.model.effects`, carried out by our App on the world."""

from collections.abc import Callable

from bot.domain.model.effects import (
    AddLabels,
    Annotation,
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
    Written,
)
from bot.simulator.model.checks import CheckRun
from bot.simulator.model.repositories import Repository
from bot.simulator.model.threads import Comment, Pull, Review, Thread
from bot.simulator.operations import GRAPHQL, OPERATIONS, Operation
from bot.simulator.refusal import HttpError, not_found
from bot.simulator.wire.places import WEB
from bot.simulator.wire.threads import web_address
from bot.simulator.world import World

Act = Callable[[], Written]


class Writer:
    """`repository` is looked up inside the request, so that a vanished one fails as the request would."""

    def __init__(self, world: World, repository: Callable[[], Repository]) -> None:
        self._world = world
        self._repository = repository

    def prepare(self, write: Write) -> tuple[Operation, Act]:
        """The request a write becomes, not sent yet."""
        match write:
            case CreateComment():
                return OPERATIONS["create_comment"], lambda: self._create_comment(write)
            case UpdateComment():
                return OPERATIONS["update_comment"], lambda: self._update_comment(write)
            case MinimizeComment():
                return GRAPHQL["minimize_comment"], lambda: self._minimize_comment(write)
            case AddLabels():
                return OPERATIONS["add_labels"], lambda: self._add_labels(write)
            case RemoveLabel():
                return OPERATIONS["remove_label"], lambda: self._remove_label(write)
            case EnsureLabel():
                return OPERATIONS["ensure_label"], lambda: self._ensure_label(write)
            case CreateCheckRun():
                return OPERATIONS["create_check_run"], lambda: self._create_check_run(write)
            case UpdateCheckRun():
                return OPERATIONS["update_check_run"], lambda: self._update_check_run(write)
            case React():
                return _reaction(write), lambda: self._react(write)
            case MarkReady():
                return GRAPHQL["mark_ready"], lambda: self._mark_ready(write)
            case DeleteBranch():
                return OPERATIONS["delete_branch"], lambda: self._delete_branch(write)
            case RequestReview():
                return OPERATIONS["request_review"], lambda: self._request_review(write)

    def _create_comment(self, write: CreateComment) -> Written:
        return self._of_comment(self._world.comments(self._world.bot, self._thread(write.number), write.body))

    def _update_comment(self, write: UpdateComment) -> Written:
        comment = self._comment(write.comment_id)
        self._world.edits_comment(self._world.bot, comment, write.body)
        return self._of_comment(comment)

    def _minimize_comment(self, write: MinimizeComment) -> Written:
        self._world.minimizes(self._world.bot, self._comment(write.comment_id), "RESOLVED")
        return self._done()

    def _add_labels(self, write: AddLabels) -> Written:
        self._world.labels(self._world.bot, self._thread(write.number), *write.names)
        return self._done()

    def _remove_label(self, write: RemoveLabel) -> Written:
        """A label that is not there is as good as removed."""
        thread = self._thread(write.number)
        if any(one.name.lower() == write.name.lower() for one in thread.labels):
            self._world.unlabels(self._world.bot, thread, write.name)
        return self._done()

    def _ensure_label(self, write: EnsureLabel) -> Written:
        repo = self._repository()
        if repo.label(write.name) is None:
            self._world.creates_label(self._world.bot, repo, write.name, write.color, write.description)
        return self._done()

    def _create_check_run(self, write: CreateCheckRun) -> Written:
        fields = write.model_dump(include={"title", "summary", "text", "details_url", "external_id"})
        where = (self._repository(), write.head)
        fields["annotations"] = [_annotation(one) for one in write.annotations]
        run = self._world.check_run(self._world.app, where, write.name, write.status, write.conclusion, **fields)
        return self._of_run(run)

    def _update_check_run(self, write: UpdateCheckRun) -> Written:
        repo = self._repository()
        run = self._world.run_at(repo, write.id)
        if run.app is not self._world.app:
            raise HttpError(
                403, "Invalid app_id `app_id` - check run can only be modified by the GitHub App that created it."
            )
        fields = write.model_dump(
            include={"status", "conclusion", "title", "summary", "text", "details_url", "external_id"}
        )
        self._world.updates_check_run(repo, run, **fields)
        return self._of_run(run)

    def _react(self, write: React) -> Written:
        self._repository()
        target: Comment | Review | None = self._world.comments_by_id.get(write.comment_id)
        if write.comment_kind == "review":
            target = self._world.reviews_by_id.get(write.comment_id)
        if target is None:
            raise not_found()
        self._world.reacts(self._world.bot, target, write.content)
        return self._done()

    def _mark_ready(self, write: MarkReady) -> Written:
        self._world.marks_ready(self._world.bot, self._pull(write.pull))
        return self._done()

    def _delete_branch(self, write: DeleteBranch) -> Written:
        """The adapter looks first: a branch that moved on, is protected or has an open pull request is somebody's work."""
        repo = self._repository()
        if self._world.tip(repo, write.ref) != write.expected_head:
            raise HttpError(422, "The branch has moved")
        if write.ref in repo.protections or self._world.needed_by_open_pulls(repo, write.ref):
            raise HttpError(422, "The branch is needed")
        self._world.deletes_branch(self._world.bot, repo, write.ref)
        return self._done()

    def _request_review(self, write: RequestReview) -> Written:
        self._world.requests_review(self._world.bot, self._pull(write.pull), write.logins, write.teams)
        return self._done()

    def _thread(self, number: int) -> Thread:
        repo = self._repository()
        if number in repo.gone:
            raise HttpError(410, "This issue was deleted")
        if number not in repo.threads:
            raise not_found()
        return repo.threads[number]

    def _pull(self, number: int) -> Pull:
        thread = self._thread(number)
        if not isinstance(thread, Pull):
            raise not_found()
        return thread

    def _comment(self, id: int) -> Comment:
        repo, found = self._repository(), self._world.comments_by_id.get(id)
        if found is None or found.thread.repository is not repo:
            raise not_found()
        return found

    def _of_comment(self, comment: Comment) -> Written:
        url = f"{web_address(comment.thread)}#issuecomment-{comment.id}"
        return Written(id=comment.id, updated_at=comment.updated_at, url=url, date=self._world.clock.stamp())

    def _of_run(self, run: CheckRun) -> Written:
        url = f"{WEB}/{self._repository().full_name}/runs/{run.id}"
        return Written(id=run.id, url=url, date=self._world.clock.stamp())

    def _done(self) -> Written:
        return Written(date=self._world.clock.stamp())


def _reaction(write: React) -> Operation:
    if write.comment_kind == "review":
        return GRAPHQL["react_review"]
    return OPERATIONS["react" if write.comment_kind == "issue" else "react_review_comment"]


def _annotation(one: Annotation) -> dict[str, object]:
    place = {"path": one.path, "start_line": one.line, "end_line": one.line}
    return {**place, "annotation_level": one.level, "title": one.title, "message": one.message}
