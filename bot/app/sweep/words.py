"""Everything that was said and no webhook told: comments, words on lines, reviews. All of it is found before any is heard.

Then it is heard in the order in which it was written, so that no yes overtakes an older stop; and until the last of it is
heard, no merge of the repository is asked for. Where a list of a record cannot be read, its stops that were found count, and
a yes waits: there may be an older stop in that list.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple, TypeVar

from bot.app.sweep import found
from bot.app.sweep.comments import comments_since, is_behind, reached
from bot.app.sweep.tour import Tour
from bot.domain.model.facts import Answer
from bot.domain.model.questions import Question
from bot.domain.model.record import Record
from bot.domain.model.sightings import ReviewDismissed, ReviewSubmitted
from bot.domain.model.sweeping import CommentsSince, FoundComment, FoundReview, LineCommentsSince, Polled, ReviewsOf
from bot.ports.failures import ForgeFailure, RateLimited
from bot.ports.store import Tx

T = TypeVar("T")
#: After so many lists that could not be read the others are left for later as well.
MOST_FAILURES = 3
LINES, COMMENTS = "lines", "comments"


class _Said(NamedTuple):
    """`of`: the list it stands in. `review`: whose verdict or body it is."""

    turn: int
    at: datetime
    of: str
    date: datetime
    thread: int
    review: FoundReview | None
    what: FoundComment | ReviewSubmitted | ReviewDismissed


@dataclass(slots=True)
class _Words:
    """`asked`, `lines_asked`: pull requests whose reviews and whose lines were. `incomplete`: lists of which something was not
    decided."""

    said: list[_Said] = field(default_factory=list)
    etags: dict[str, str | None] = field(default_factory=dict)
    asked: set[int] = field(default_factory=set)
    lines_asked: set[int] = field(default_factory=set)
    incomplete: set[str] = field(default_factory=set)
    failures: list[ForgeFailure] = field(default_factory=list)


async def look_at_words(tour: Tour) -> datetime:
    """Where the next sweep goes on with comments."""
    words = _Words()
    await tour.look_up()  # a start makes threads hearable, a link makes pull requests so
    since, fresh = comments_since(tour)
    comments = await _list(tour, words, CommentsSince(since, None if fresh else tour.etag(COMMENTS)), None)
    if comments is not None:
        is_behind(tour, comments.value.until)
        await _keep(tour, words, [_of_comment(one, COMMENTS, comments.date) for one in comments.value.items])
    before = tour.troubles
    at_first = set(_linked(tour)) if tour.before.pulls_since is None else set()
    await _find_lines(tour, words, since, tour.pulls | at_first)
    await _find_reviews(tour, words)
    before_words = set(_linked(tour))
    await _hear(tour, words)
    await tour.look_up()  # words may have linked other pull requests
    known, words.said = set(tour.unread), []
    await _find_lines(tour, words, since, set(_linked(tour)) - before_words)
    await _find_reviews(tour, words)
    await _hear(tour, words)
    for thread in sorted(tour.unread - known):  # without a list of what was linked meanwhile
        await tour.holding.in_vain(thread)
    await tour.holding.brought()
    tour.owes_lines = LINES in words.incomplete
    for name, etag in words.etags.items():
        tour.keep(name, etag if name not in words.incomplete else None, before)
    if comments is None or (words.failures and isinstance(words.failures[-1], RateLimited)):
        raise words.failures[-1]
    return reached(tour, comments, since, complete=not words.incomplete & {COMMENTS, LINES})


async def _list(tour: Tour, words: _Words, question: Question[T], threads: set[int] | None) -> Answer[T] | None:
    """None where it cannot be read now, or where what it is about is gone. `threads`: whose words it may have; None = all."""
    try:
        if len(words.failures) < MOST_FAILURES and not any(isinstance(one, RateLimited) for one in words.failures):
            return await (tour.ask(question) if threads is None else tour.ask_of_one(question))
    except ForgeFailure as failure:
        words.failures.append(failure)
        tour.trouble(failure.for_operator())
    tour.unread |= (
        threads if threads is not None else {each for one in tour.open.values() for each in threads_of(one.record)}
    )
    return None


def threads_of(record: Record) -> set[int]:
    return {record.issue} if record.pull_request is None else {record.issue, record.pull_request}


def _linked(tour: Tour) -> dict[int, set[int]]:
    """The threads of the record that each linked pull request belongs to."""
    records = (one.record for one in tour.open.values())
    return {one.pull_request: threads_of(one) for one in records if one.pull_request is not None}


async def _find_lines(tour: Tour, words: _Words, since: datetime, pulls: set[int]) -> None:
    """Of linked pull requests that changed. No other list tells of them, so that pull requests must count as changed until all
    are decided, at first all do (the list then lacks closed ones), and so does what was linked meanwhile."""
    linked = _linked(tour)
    for pull in sorted(pulls - words.lines_asked):
        words.lines_asked.add(pull)
        answer = await _list(tour, words, LineCommentsSince(pull, since), linked.get(pull, {pull}))
        if answer is not None:
            await _keep(tour, words, [_of_comment(one, LINES, answer.date) for one in answer.value])
        elif pull in tour.unread:
            words.incomplete.add(LINES)


async def _find_reviews(tour: Tour, words: _Words) -> None:
    """Every review of every linked pull request that is under way; their lists cost nothing while they are the same."""
    for loaded in tour.open.values():
        record, pull = loaded.record, loaded.record.pull_request
        if pull is None or pull in words.asked or record.frozen is not None or record.withdrawn:
            continue
        words.asked.add(pull)
        if tour.purse.left <= 0:
            tour.slowed = True
            tour.unread |= threads_of(record)
            continue
        name = f"reviews:{pull}"
        answer = await _list(tour, words, ReviewsOf(pull, tour.etag(name)), threads_of(record))
        if answer is not None:
            words.etags[name] = answer.value.etag
            await _keep(tour, words, _of_reviews(pull, name, answer))


def _of_comment(one: FoundComment, of: str, date: datetime) -> _Said:
    return _Said(1, one.created_at, of, date, one.number, None, one)


def _of_reviews(pull: int, name: str, answer: Answer[Polled[FoundReview]]) -> list[_Said]:
    """A dismissal comes first: of when it is, is not told. Requested changes come before the words below them, and what approves
    comes last: it waits for everything that its writer said."""
    said = []
    for review in answer.value.items:
        verdict = found.verdict(pull, review)
        if review.body is not None:
            said.append(_Said(1, review.submitted_at, name, answer.date, pull, review, review.body))
        if verdict is not None:
            turn = {"dismissed": 0, "approved": 2}.get(review.state, 1)
            said.insert(0, _Said(turn, review.submitted_at, name, answer.date, pull, review, verdict))
    return said


async def _keep(tour: Tour, words: _Words, said: list[_Said]) -> None:
    """From the moment at which there is something to hear until it is heard no merge of the repository is asked for."""

    def is_new(tx: Tx) -> bool:
        comments = [found.comment(one.what) for one in said if isinstance(one.what, FoundComment)]
        verdicts = any(not isinstance(one.what, FoundComment) for one in said)
        return verdicts or any(one and tx.applied.get(tour.repo.id, one.key) is None for one in comments)

    news: bool = await tour.hands.outside.store.read(is_new)
    if news:
        await tour.holding.found()
    words.said += said


async def _hear(tour: Tour, words: _Words) -> None:
    held_back: set[int] = set()
    for one in sorted(words.said, key=lambda said: (said.turn, said.at)):
        heard = await tour.one_thread(one.thread, _is_heard(tour, one, held_back))
        if heard is None:  # nothing that was said after it in that record gives authority
            tour.unread |= _around(tour, one.thread)
            tour.waits_for(one.what.author if isinstance(one.what, FoundComment) else one.what.actor)
        if not heard:
            words.incomplete.add(one.of)
            if one.turn < 2 and one.review is not None and not isinstance(one.what, FoundComment):
                held_back.add(one.review.id)
                tour.waits_for(one.review.author)


async def _is_heard(tour: Tour, one: _Said, held_back: set[int]) -> bool:
    unread = one.thread in tour.unread
    if isinstance(one.what, FoundComment):
        waits = one.review is not None and one.review.id in held_back
        return not waits and await tour.hear(one.what, one.date, unread=unread)
    if one.turn == 2 and (unread or one.what.actor in tour.unheard):
        return False
    before = tour.troubles
    await tour.bring(one.what)
    return tour.troubles == before


def _around(tour: Tour, thread: int) -> set[int]:
    """The threads of the record that this one belongs to."""
    return {thread}.union(*(own for one in tour.open.values() if thread in (own := threads_of(one.record))))
