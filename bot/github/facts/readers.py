"""Which reader answers which question."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from bot.domain.model.facts import Answer
from bot.domain.model.policy_file import PolicyFileNow, PolicyFileOf, ProposedFileIn
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
from bot.github.absence import of_repository, of_thread
from bot.github.api import Api
from bot.github.facts import changes, checks, merges, people, policy_file, pulls, rules, threads
from bot.github.failures import Elsewhere
from bot.ports.failures import Gone

T = TypeVar("T")

READERS: dict[type[Question[Any]], Callable[[Api, Any], Awaitable[Answer[Any]]]] = {
    PermissionOf: people.permission,
    AccountOf: people.account,
    MemberOf: people.member,
    TeamOf: people.team,
    IssueOf: threads.issue,
    LabelsOn: threads.labels,
    CommentOf: threads.comment,
    CommentsOn: threads.own_comments,
    EditedByOthers: threads.edited_by,
    PullOf: pulls.pull,
    OpenPullsAt: pulls.open_pulls_at,
    OpenPullsBelow: pulls.open_pulls_below,
    WorkflowFilesIn: pulls.workflow_files,
    CoAuthorsOf: pulls.co_authors,
    CommitAuthorsOf: pulls.commit_authors,
    DescriptionEdited: pulls.description_edited,
    PushesTo: pulls.pushes,
    ChecksOn: checks.checks,
    OwnChecksOn: checks.own_checks,
    RulesOf: rules.rules,
    Contains: rules.contains,
    PolicyFileOf: policy_file.policy_file,
    PolicyFileNow: policy_file.policy_file_now,
    ProposedFileIn: policy_file.proposed_file,
    MergeEvidenceOf: merges.evidence,
    AsyncMergeOf: merges.async_merge,
    CommentsSince: changes.comments,
    LineCommentsSince: changes.line_comments,
    ReviewsOf: changes.reviews,
    PullsSince: changes.pulls,
    LabelledIssues: changes.labelled_issues,
    EventsOf: changes.events,
}


async def read(api: Api, question: Question[T]) -> Answer[T]:
    """Raises Unreachable, RateLimited, Forbidden or Gone: whatever is a part of something is gone with that alone."""
    try:
        answer: Answer[T] = await READERS[type(question)](api, question)
    except Elsewhere:
        raise
    except Gone as missing:
        match question:
            case EventsOf(number) | CommentsOn(number):
                raise await of_thread(api, number, missing) from missing
            case ReviewsOf(pull) | LineCommentsSince(pull):
                raise await of_thread(api, pull, missing) from missing
            case CommentsSince() | PullsSince() | LabelledIssues():
                raise await of_repository(api, missing) from missing
        raise
    return answer
