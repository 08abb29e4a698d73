"""Which answer a question gets: one request each, two for the two sides of a merge."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from bot.domain.model.facts import MergeEvidence, Permission
from bot.domain.model.ids import Person
from bot.domain.model.policy_file import ABSENT, PolicyFile, PolicyFileNow, PolicyFileOf, ProposedFileIn
from bot.domain.model.questions import (
    AccountOf,
    AsyncMergeOf,
    ChecksOn,
    CoAuthorsOf,
    CommentOf,
    CommentsOn,
    CommitAuthorsOf,
    Contains,
    DescriptionEdited,
    EditedByOthers,
    IssueOf,
    LabelsOn,
    MemberOf,
    MergeEvidenceOf,
    OpenPullsAt,
    OpenPullsBelow,
    OwnChecksOn,
    PermissionOf,
    PullOf,
    PushesTo,
    Question,
    RulesOf,
    TeamOf,
    WorkflowFilesIn,
)
from bot.domain.model.sweeping import (
    CommentsSince,
    EventsOf,
    LabelledIssues,
    LineCommentsSince,
    PullsSince,
    ReviewsOf,
)
from bot.ports.failures import Forbidden, Gone, Unreachable
from bot.simulator.answers import changes, checks, merges, people, policy_file, threads
from bot.simulator.model.repositories import Repository
from bot.simulator.model.threads import Pull
from bot.simulator.refusal import HttpError, not_found
from bot.simulator.world import World

T = TypeVar("T")
Q = TypeVar("Q", TeamOf, MemberOf)


class Ask(Protocol):
    def __call__(self, name: str, act: Callable[[], T]) -> Awaitable[T]:
        """Send one request, named as in `operations`, faults and pauses included. Raises ForgeFailure."""
        ...


class Asker:
    """`repository` is looked up inside the request: it raises what GitHub would answer."""

    def __init__(self, world: World, repository: Callable[[], Repository], ask: Ask) -> None:
        self._world = world
        self._repository = repository
        self._ask = ask

    async def answer(self, question: Question[Any]) -> Any:  # noqa: PLR0912  # one case per question, that is the table
        world, repository = self._world, self._repository
        match question:
            case PermissionOf():
                return await self._permission(question)
            case AccountOf(login):
                return await self._account(login)
            case MemberOf():
                return await self._member(question)
            case TeamOf():
                return await self._of_team("team", question, people.team)
            case IssueOf(number):
                return await self._or_none("issue", lambda: threads.issue(self._thread(number)))
            case PullOf(number):
                return await self._or_none("pull", lambda: threads.pull(self._pull(number)))
            case CommentOf():
                return await self._or_none("comment", lambda: threads.comment(world, repository(), question))
            case CommentsOn(number):
                return await self._get("comments", lambda: threads.own_comments(world, self._thread(number)))
            case LabelsOn(number):
                return await self._get("labels", lambda: tuple(one.name for one in self._thread(number).labels))
            case ChecksOn(head):
                return await self._get("check_runs", lambda: checks.on_head(world, repository(), head))
            case OwnChecksOn(head, name):
                return await self._get("check_runs", lambda: checks.own(world, repository(), head, name))
            case RulesOf(base):
                return await self._get("branch_rules", lambda: checks.rules(world, repository(), base))
            case Contains(tip, commit):
                return await self._get("compare", lambda: checks.contains(world, repository(), tip, commit))
            case OpenPullsAt(head):
                return await self._get("pulls", lambda: threads.open_at(world, repository(), head))
            case OpenPullsBelow(number):
                return await self._get("pulls", lambda: threads.open_below(world, self._pull(number)))
            case DescriptionEdited(node_id):
                return await self._get("graphql", lambda: threads.edited(repository(), node_id))
            case EditedByOthers(node_ids):
                return await self._get("graphql", lambda: threads.edited_by_others(world, node_ids))
            case CoAuthorsOf(number):
                return await self._get("pull_commits", lambda: threads.co_authors(world, self._pull(number)))
            case CommitAuthorsOf(number):
                return await self._get("pull_commits", lambda: threads.commit_authors(world, self._pull(number)))
            case PushesTo(branch):
                return await self._get("activity", lambda: threads.pushes(repository(), branch))
            case WorkflowFilesIn(number):
                return await self._get("pull_files", lambda: checks.forbidden_workflows(world, self._pull(number)))
            case AsyncMergeOf(number, uuid):
                return await self._get("merge_status", lambda: merges.state_of(world, self._pull(number), uuid))
            case PolicyFileOf(etag):
                return await self._policy_file(etag)
            case PolicyFileNow():
                return await self._policy_file_now()
            case ProposedFileIn(number, head):
                return await self._get("pull_files", lambda: policy_file.proposed(world, self._pull(number), head))
            case MergeEvidenceOf():
                return await self._evidence(question)
            case CommentsSince(since, etag):
                return await self._get("repository_comments", lambda: changes.comments(repository(), since, etag))
            case LineCommentsSince(number, since):
                return await self._get("review_comments", lambda: changes.line_comments(self._pull(number), since))
            case ReviewsOf(number, etag):
                return await self._get("reviews", lambda: changes.reviews(self._pull(number), etag))
            case PullsSince():
                return await self._get("pulls", lambda: changes.pulls(repository(), question))
            case LabelledIssues():
                return await self._get("issues", lambda: changes.labelled_issues(repository(), question))
            case EventsOf(number):
                return await self._get("issue_events", lambda: changes.events(self._thread(number)))
            case _:
                raise TypeError(f"the simulator does not know the question {type(question).__name__}")

    async def _permission(self, question: PermissionOf) -> Permission:
        """Under the login that is known, else under the account's present one."""
        found = await self._under(question.login)
        if found is None or found.user_id != question.user_id:
            renamed: str | None = None
            with suppress(Gone):
                renamed = await self._get("user_by_id", lambda: people.present_login(self._world, question.user_id))
            if renamed is not None and renamed.lower() != question.login.lower():
                found = await self._under(renamed)
        return found or Permission(user_id=question.user_id, login=question.login, level="none")

    async def _under(self, login: str) -> Permission | None:
        try:
            return await self._get("permission", lambda: people.permission(self._world, self._repository(), login))
        except Gone:
            await self._get("repository", self._repository)
            return None

    async def _account(self, login: str) -> Person | None:
        try:
            return await self._get("user_by_login", lambda: people.account(self._world, login))
        except Gone:
            await self._get("repository", self._repository)
            return None

    async def _member(self, question: MemberOf) -> bool:
        if not await self._of_team("team_membership", question, people.membership):
            return False
        return await self._of_team("team", question, people.team) == question.number

    async def _of_team(self, name: str, question: Q, read: Callable[[World, Repository, Q], T]) -> T | None:
        try:
            return await self._get(name, lambda: read(self._world, self._repository(), question))
        except Gone:
            repository = await self._get("repository", self._repository)
            if people.hides_teams(repository, question):
                raise Forbidden(f"team {question.team}: not ours to see") from None
            return None

    async def _evidence(self, question: MergeEvidenceOf) -> MergeEvidence:
        """Pull request first, then the base: a merge in between shows as half seen, never the other way round. A side
        that cannot be read is None; without both there is no answer."""
        world, began = self._world, self._world.clock.stamp()
        pull_side, base_side = merges.UNREAD_PULL, merges.UNREAD_BASE
        try:
            pull_side = await self._get("pull", lambda: merges.pull_side(world, self._pull(question.pull)))
        except Unreachable:
            base_side = await self._get("commit_pulls", lambda: merges.base_side(world, self._repository(), question))
            return merges.evidence(pull_side, base_side, question.base, began)
        if pull_side.merged:
            question = replace(question, base=self._pull(question.pull).base_ref)
        with suppress(Unreachable):
            base_side = await self._get(
                "commit_pulls", lambda: merges.base_side(world, self._repository(), question, pull_side)
            )
        return merges.evidence(pull_side, base_side, question.base, began)

    async def _policy_file(self, etag: str | None) -> PolicyFile:
        world = self._world
        commit = await self._get("commits", lambda: policy_file.changed_by(world, self._repository()))
        tag = f'W/"{commit}"'
        if tag == etag:
            return PolicyFile(etag=etag, unchanged=True)
        if commit is None:
            await self._policy_file_now()
            return PolicyFile(etag=tag)
        found = await self._get("contents", lambda: policy_file.at(world, commit, tag))
        if found.blob == ABSENT:
            await self._policy_file_now()
        return found

    async def _policy_file_now(self) -> str:
        return await self._get("contents", lambda: policy_file.now(self._world, self._repository()))

    async def _get(self, name: str, act: Callable[[], T]) -> T:
        return await self._ask(name, act)

    async def _or_none(self, name: str, act: Callable[[], T]) -> T | None:
        """None when the thing is gone; a repository that is gone is a failure, not a deleted issue."""
        try:
            return await self._get(name, act)
        except Gone:
            if self._repository_is_there():
                return None
            raise

    def _repository_is_there(self) -> bool:
        try:
            self._repository()
        except HttpError:
            return False
        return True

    def _thread(self, number: int) -> Any:
        found = self._repository().threads.get(number)
        if found is None:
            raise not_found()
        return found

    def _pull(self, number: int) -> Pull:
        found = self._thread(number)
        if not isinstance(found, Pull):
            raise not_found()
        return found
