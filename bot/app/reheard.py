"""What was said and done to a head, read again before GitHub is asked to merge it: webhooks may be lost, and a sweep comes
later. Whatever creates authority re-reads what it depends on (LIFECYCLE.md 5).

It is brought the same way as by the sweep, under the same content keys: what was heard changes nothing.
"""

from bot.app.bring import Bringer
from bot.app.brought import Later
from bot.app.comments import Comments
from bot.app.outside import Outside
from bot.app.policy.book import Policies
from bot.app.sweep import found
from bot.app.sweep.governed import Log, has_label
from bot.app.sweep.tour import OVERLAP
from bot.app.sweep.wanted import asks_for, counts_from
from bot.app.sweep.words import threads_of
from bot.domain.model.questions import IssueOf
from bot.domain.model.record import Record
from bot.domain.model.sweeping import CommentsSince, EventsOf, FoundComment, FoundReview, LineCommentsSince, ReviewsOf
from bot.ports.failures import Unreachable


class Rehearing:
    def __init__(self, outside: Outside, bringer: Bringer, comments: Comments, policies: Policies) -> None:
        self._forge = outside.forge
        self._store = outside.store
        self._clock = outside.clock
        self._bringer = bringer
        self._comments = comments
        self._policies = policies

    async def heard_all(self, record: Record) -> bool:
        """Whether all that may take its authority away was decided: that its issue is closed or lost the label, what the log of
        the pull request shows to have gone and come back, its reviews, and every word in its threads that may stop it. What
        they did stands in the record by then. Raises ForgeFailure."""
        if not await self._is_wanted(record):
            return False
        pull = record.pull_request or 0
        log = (await self._forge.read(record.repo, EventsOf(pull))).value
        for signal in found.back_since(pull, record.head or "", log, found.since_when(record)):
            if isinstance(await self._bringer.bring(record.repo, signal), Later):
                return False
        reviews = (await self._forge.read(record.repo, ReviewsOf(pull))).value.items
        decided = [await self._is_decided(record, review) for review in reviews]
        return all(decided) and all([await self._is_heard(record, words) for words in await self._said(record)])

    async def _is_wanted(self, record: Record) -> bool:
        """Whether it is known what became of its issue. A label is off only by an event: where the log has none yet, it comes
        later. Work that was started under another label than today's lacks this one for ever, and no log says it had it."""
        label = (await self._policies.of(record.repo)).start_label
        issue = (await self._forge.read(record.repo, IssueOf(record.issue))).value
        if issue is None or issue.id != record.issue_id:
            raise Unreachable(f"issue #{record.issue} is not shown")
        if issue.open and has_label(issue, label):
            return True
        answer = await self._forge.read(record.repo, EventsOf(record.issue))
        log = Log(answer.value, self._clock.now() - answer.date)
        since = await self._store.read(lambda tx: counts_from(tx, record, label))
        wanted = asks_for(label, record, issue, log, since)
        if isinstance(wanted, str):
            return wanted == "wanted"
        return not isinstance(await self._bringer.bring(record.repo, wanted), Later)

    async def _said(self, record: Record) -> list[FoundComment]:
        """What was written in its threads since the last sweep looked; before the first one, since it began. On its lines, since
        it was linked: a sweep that knew nothing of the link did not look there."""
        swept = await self._store.read(lambda tx: tx.sweeps.state(record.repo.id).comments_since)
        since = (swept or record.started_at) - OVERLAP
        comments = (await self._forge.read(record.repo, CommentsSince(since))).value
        if comments.until is not None:
            raise Unreachable("there are more comments than are read at once: sweeps look at them first")
        linked_at = record.pull.linked_at if record.pull is not None else None
        governed = (linked_at or record.started_at) - OVERLAP
        lines = (await self._forge.read(record.repo, LineCommentsSince(record.pull_request or 0, governed))).value
        return [words for words in (*comments.items, *lines) if words.number in threads_of(record)]

    async def _is_decided(self, record: Record, review: FoundReview) -> bool:
        """An edited body waits for the sweep, which knows whether its webhook may still come; what gives authority as well."""
        verdict = found.verdict(record.pull_request or 0, review) if review.state != "approved" else None
        if verdict is not None and isinstance(await self._bringer.bring(record.repo, verdict), Later):
            return False
        return review.body is None or await self._is_heard(record, review.body)

    async def _is_heard(self, record: Record, words: FoundComment) -> bool:
        comment = None if words.edited else found.comment(words)
        if comment is None or not await self._comments.may_stop(record.repo, comment):
            return True
        if words.unsaid:
            return await self._comments.is_heard(record.repo, comment)
        return not isinstance(await self._comments.hear(record.repo, comment), Later)
