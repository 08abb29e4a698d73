"""What the record has booked about its pull request: the link, who pushed, and which heads were candidates."""

from datetime import datetime

from bot.domain.model.credits import Trailer
from bot.domain.model.ids import Person, Value


class LinkedPull(Value):
    """What the record has booked about its pull request. `head_since` is when this head was first read, `linked_at` when the
    words that linked it were written; None where it linked itself; `unlinked_at` the same of those that unlinked it.
    `read_against`: the commit of the base that the pushers
    were read against; what it has was not the pull request's. `base_mover_unknown`: the base has that no more, and it is not
    known who had brought it there. `commit_authors_unknown`: it has more commits than GitHub names the authors of.
    `co_authors`, and by address `trailers`: whom the commits up to the head `co_authors_of` credit, for the text of a squash;
    they bar nobody."""

    number: int
    title: str
    author: Person
    author_is_bot: bool = False
    url: str = ""
    node_id: str = ""
    open: bool = True
    draft: bool = False
    auto_merge: bool = False
    head_ref: str = ""
    same_repository: bool = True
    base_sha: str = ""
    read_against: str = ""
    base_mover_unknown: bool = False
    pushers: tuple[Person, ...] = ()
    pusher_unknown: bool = False
    commit_authors: tuple[Person, ...] = ()
    commit_authors_unknown: bool = False
    co_authors: tuple[Person, ...] = ()
    trailers: tuple[Trailer, ...] = ()
    co_authors_of: str = ""
    head_since: datetime | None = None
    linked_at: datetime | None = None
    unlinked_at: datetime | None = None


class UnexplainedHead(Value):
    """A read found `after` where the record had `before`. The epoch was raised then; the first synchronize that
    says the same explains it and raises nothing. `known`: who pushed it was read meanwhile. `returned`: `after` had been
    rejected, so that this synchronize is what frees it."""

    before: str
    after: str
    known: bool = False
    returned: bool = False


class RejectedAhead(Value):
    """Changes were requested on `commit` in a review before it was known here: when it becomes the head, it is rejected. None:
    on whichever GitHub shows next, since it named none and showed none then."""

    commit: str | None
    by: Person
    at: datetime
    why: str
    url: str | None = None
    review_id: int


class TriedCandidate(Value):
    """A (head, epoch, base) that became a candidate by itself since the plan was last approved."""

    head: str
    epoch: int
    base: str
