"""What was said and done to a head, read again before GitHub is asked to merge it: webhooks may be lost, and a sweep comes
later. Whatever creates authority re-reads what it depends on (LIFECYCLE.md 5).

It is brought the same way as by the sweep, under the same content keys: what was heard changes nothing.
"""

from bot.app.bring import Bringer
from bot.app.brought import Later
from bot.app.comments import Comments
from bot.app.outside import Outside
from bot.app.sweep import found
from bot.domain.model.record import Record
from bot.domain.model.sweeping import EventsOf, FoundReview, ReviewsOf


class Rehearing:
    def __init__(self, outside: Outside, bringer: Bringer, comments: Comments) -> None:
        self._forge = outside.forge
        self._bringer = bringer
        self._comments = comments

    async def heard_all(self, record: Record) -> bool:
        """Whether every review of the pull request that may take authority away was decided, and whatever its log shows to have
        gone and come back. What they did stands in the record by then. Raises ForgeFailure."""
        pull = record.pull_request or 0
        log = (await self._forge.read(record.repo, EventsOf(pull))).value
        for signal in found.back_since(pull, record.head or "", log, found.since_when(record)):
            if isinstance(await self._bringer.bring(record.repo, signal), Later):
                return False
        reviews = (await self._forge.read(record.repo, ReviewsOf(pull))).value.items
        return all([await self._is_decided(record, review) for review in reviews])

    async def _is_decided(self, record: Record, review: FoundReview) -> bool:
        """An edited body waits for the sweep, which knows whether its webhook may still come; what gives authority as well."""
        verdict = found.verdict(record.pull_request or 0, review) if review.state != "approved" else None
        if verdict is not None and isinstance(await self._bringer.bring(record.repo, verdict), Later):
            return False
        comment = found.comment(review.body) if review.body is not None and not review.body.edited else None
        if comment is None or not await self._comments.may_stop(record.repo, comment):
            return True
        if review.body is not None and review.body.unsaid:
            return await self._comments.is_heard(record.repo, comment)
        return not isinstance(await self._comments.hear(record.repo, comment), Later)
