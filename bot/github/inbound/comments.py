"""`issue_comment` and `pull_request_review_comment` events, and the body of a review as a comment."""

from typing import Literal

from bot.domain.model.content import comment_key, stamp
from bot.domain.model.facts import CommentKind
from bot.domain.model.sightings import CommentCreated, LabelsTouched, WordsChanged
from bot.github.inbound.occurrence import Occurrence, Translated
from bot.github.inbound.payload import Comment, Issue, NumberedPull, Review
from bot.github.shapes import Part, User, as_actor

NO_AUTHOR = "the comment's author is gone"
ANOTHER_AUTHOR = "the comment was written by another account than the sender"


class IssueCommentEvent(Part):
    issue: Issue
    comment: Comment


class ReviewCommentEvent(Part):
    pull_request: NumberedPull
    comment: Comment


def on_issue(seen: Occurrence) -> Translated:
    event = seen.read(IssueCommentEvent)
    is_pull = event.issue.pull_request is not None
    return _created(seen, event.comment, "issue", event.issue, is_pull=is_pull)


def on_diff(seen: Occurrence) -> Translated:
    event = seen.read(ReviewCommentEvent)
    return _created(seen, event.comment, "review_comment", event.pull_request, is_pull=True)


def _created(
    seen: Occurrence, comment: Comment, kind: CommentKind, thread: Issue | NumberedPull, *, is_pull: bool
) -> Translated:
    if comment.user is None:
        return NO_AUTHOR
    if comment.user.id != seen.actor.id:
        return ANOTHER_AUTHOR
    via = comment.performed_via_github_app
    return (
        CommentCreated(
            key=comment_key(kind, comment.id),
            actor=as_actor(comment.user),
            delivery=seen.guid,
            at=comment.created_at,
            number=thread.number,
            is_pull=is_pull,
            comment_id=comment.id,
            comment_kind=kind,
            node_id=comment.node_id,
            body=comment.body or "",
            created_at=comment.created_at,
            updated_at=comment.updated_at,
            url=comment.html_url,
            app_id=via.id if via else None,
            commit=comment.original_commit_id,
            issue_author_id=_id(thread.user),
        ),
    )


def of_review(seen: Occurrence, review: Review, author: User, pull: NumberedPull) -> tuple[CommentCreated, ...]:
    """The body of a review, unless it is blank."""
    if not (review.body or "").strip() or review.submitted_at is None:
        return ()
    return (
        CommentCreated(
            key=comment_key("review", review.id),
            actor=as_actor(author),
            delivery=seen.guid,
            at=review.submitted_at,
            number=pull.number,
            is_pull=True,
            comment_id=review.id,
            comment_kind="review",
            node_id=review.node_id,
            body=review.body or "",
            created_at=review.submitted_at,
            url=review.html_url,
            commit=review.commit_id,
            issue_author_id=_id(pull.user),
        ),
    )


def changed(seen: Occurrence) -> Translated:
    """Edits and deletions never command anything; one of our own comments is put right again."""
    event = seen.read(IssueCommentEvent)
    via, author = event.comment.performed_via_github_app, event.comment.user
    if not seen.is_ours(via.id if via else None):
        key = comment_key("issue", event.comment.id)
        return (_rewritten(seen, key, event.issue.number, is_pull=event.issue.pull_request is not None),)
    if author is not None and author.id == seen.actor.id:
        return "our own edit"
    moment = event.comment.updated_at if seen.action == "edited" else None
    number, is_pull = event.issue.number, event.issue.pull_request is not None
    return (
        LabelsTouched(
            key=f"comment:issue:{event.comment.id}:{seen.action}:{stamp(moment)}",
            actor=seen.actor,
            delivery=seen.guid,
            at=moment,
            issue=None if is_pull else number,
            pull=number if is_pull else None,
        ),
    )


def changed_on_diff(seen: Occurrence) -> Translated:
    event = seen.read(ReviewCommentEvent)
    key = comment_key("review_comment", event.comment.id)
    return (_rewritten(seen, key, event.pull_request.number, is_pull=True),)


def _rewritten(seen: Occurrence, words: str, number: int, *, is_pull: bool) -> WordsChanged:
    how: Literal["edited", "deleted"] = "deleted" if seen.action == "deleted" else "edited"
    return WordsChanged(
        key=f"{words}:{how}",
        actor=seen.actor,
        delivery=seen.guid,
        issue=None if is_pull else number,
        pull=number if is_pull else None,
        words=words,
        how=how,
    )


def _id(user: User | None) -> int | None:
    return user.id if user else None
