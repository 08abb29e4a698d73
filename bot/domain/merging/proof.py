"""When may an ambiguous merge be called unmerged? (LIFECYCLE.md 3.6)

One "not merged" read is never proof: the request may still be waiting inside GitHub. Proof is a uuid that reports failed,
or a pull request that can no longer take this head (it moved, or is closed unmerged), a base without it, and a dead request:
two agreeing reads that both began after the window, far enough apart. A read that shows anything else starts the count again.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import takewhile

from bot.domain.model.merge import Merge, MergeRead

#: Waits between looks while nothing is known, in seconds; the last one repeats.
LOOKS = (2.0, 4.0, 8.0, 15.0, 30.0, 60.0)
#: No look at a merge under way is further away; what is, was written before the host's clock was set back.
FURTHEST_LOOK = timedelta(minutes=10)
#: GitHub keeps a request for a day after its last change, and answers 404 from then on.
KEPT_BY_GITHUB = timedelta(days=1)
#: How many looks a record keeps: enough for people and for proof, and bounded.
KEPT_READS = 20


def distance(settle_window: float) -> timedelta:
    """How far apart two agreeing reads must begin."""
    return timedelta(seconds=min(60.0, settle_window / 5))


def proven_unmerged(merge: Merge, settle_window: float) -> bool:
    """Whether the reads prove that the request can no longer land. Never by time alone."""
    if merge.window_ends is None or merge.head is None:
        return False
    agreeing = _agreeing_tail(merge.reads, merge.head, merge.window_ends)
    return len(agreeing) >= 2 and agreeing[-1].at - agreeing[0].at >= distance(settle_window)


def shown_unmerged(merge: Merge, now: datetime, settle_window: float) -> bool:
    """Whether every look since some time after the window, the newest too, showed the pull request unmerged and no merge on the
    base, and the first of them is far enough from `now`. No proof: a person may settle by it."""
    ends = merge.window_ends
    if ends is None:
        return False
    newest = reversed(merge.reads)
    lasting = list(takewhile(lambda read: read.at > ends and read.merged is False and not read.on_base, newest))
    return bool(lasting) and now - lasting[-1].at >= distance(settle_window)


def may_be_forgotten(merge: Merge, now: datetime) -> bool:
    """Whether GitHub may have forgotten the request by now. Until then an answer that it is not there says nothing about it."""
    return merge.requested_at is None or now >= merge.requested_at + KEPT_BY_GITHUB


def _agreeing_tail(reads: Sequence[MergeRead], head: str, window_ends: datetime) -> list[MergeRead]:
    """The newest unbroken run of reads after the window that each show a pull request which cannot take `head`."""
    tail: list[MergeRead] = []
    for read in reversed(reads):
        gone = read.head is not None and (read.head != head or read.open is False)
        if read.live or read.at <= window_ends or read.merged is not False or read.on_base is not False or not gone:
            break
        tail.insert(0, read)
    return tail


def look_is_due(merge: Merge, now: datetime) -> bool:
    """Whether a merge under way may be carried on now."""
    return merge.look_at is None or not now < merge.look_at <= now + FURTHEST_LOOK


def next_look(merge: Merge, now: datetime, settle_window: float) -> datetime:
    """When to look again: with back-off, but never sparser than proof needs."""
    wait = LOOKS[min(len(merge.reads), len(LOOKS) - 1)]
    return now + min(timedelta(seconds=wait), max(distance(settle_window), timedelta(seconds=1)))


def with_read(merge: Merge, read: MergeRead) -> tuple[MergeRead, ...]:
    """The reads with one more. The first few and the newest are kept; the middle is dropped."""
    reads = (*merge.reads, read)
    if len(reads) <= KEPT_READS:
        return reads
    return (*reads[:3], *reads[-(KEPT_READS - 3) :])
