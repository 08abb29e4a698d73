"""`pull_request_review` events: a verdict, and its body as a comment beside it."""

from bot.domain.model.content import review_key
from bot.domain.model.sightings import ReviewDismissed, ReviewSubmitted
from bot.github.inbound.comments import ANOTHER_AUTHOR, NO_AUTHOR, of_review
from bot.github.inbound.occurrence import Illegible, Occurrence, Translated
from bot.github.inbound.payload import NumberedPull, Review
from bot.github.shapes import Part, as_actor


class ReviewEvent(Part):
    review: Review
    pull_request: NumberedPull


def submitted(seen: Occurrence) -> Translated:
    """The stop comes first: a `/reject` in the body beats an approving verdict, requested changes an `/approve` in the body."""
    event = seen.read(ReviewEvent)
    review, pull = event.review, event.pull_request
    if review.user is None:
        return NO_AUTHOR
    if review.user.id != seen.actor.id:
        return ANOTHER_AUTHOR
    state = review.state.lower()
    stops = state == "changes_requested"
    if review.submitted_at is None or (review.commit_id is None and not stops):
        if stops:
            raise Illegible("requested changes name no time")
        return of_review(seen, review, review.user, pull) or "the review names no commit or time"
    verdict = ReviewSubmitted(
        key=review_key(review.id, state),
        actor=as_actor(review.user),
        delivery=seen.guid,
        at=review.submitted_at,
        pull=pull.number,
        review_id=review.id,
        state=state,
        commit=review.commit_id,
        url=review.html_url,
        submitted_at=review.submitted_at,
        reason=review.body or "",
    )
    body = of_review(seen, review, review.user, pull)
    return (verdict, *body) if stops else (*body, verdict)


def dismissed(seen: Occurrence) -> Translated:
    event = seen.read(ReviewEvent)
    return (
        ReviewDismissed(
            key=review_key(event.review.id, "dismissed"),
            actor=seen.actor,
            delivery=seen.guid,
            pull=event.pull_request.number,
            review_id=event.review.id,
        ),
    )
