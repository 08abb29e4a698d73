"""One comment: its commands applied in order, and one answer, however often the delivery is seen."""

from collections.abc import Sequence

from bot.app import answers
from bot.app.brought import Brought, Later
from bot.app.denials import is_denial, quiet
from bot.app.gather import Gatherer
from bot.app.policy.book import Policies
from bot.app.route import Router
from bot.app.transact import Outcome, Transactor
from bot.domain.commands import replying
from bot.domain.commands.approve import while_blocked
from bot.domain.commands.contradicting import (
    Doubt,
    doubt_after,
    doubt_at_first,
    may_stop,
    only_gives_authority,
    stopped_by_itself,
    stops_first,
)
from bot.domain.commands.offers import help_text
from bot.domain.commands.reading import Misread, interpret, sharpened
from bot.domain.commands.sentences import edited_meanwhile
from bot.domain.commands.spec import Thread
from bot.domain.lifecycle.denying import lacks
from bot.domain.lifecycle.former import governed_since
from bot.domain.lifecycle.roles import Able, able
from bot.domain.model.command_signals import AskHelp, AskStatus, Link
from bot.domain.model.content import comment_key
from bot.domain.model.facts import Unknown
from bot.domain.model.ids import Person, RecordKey, Repo
from bot.domain.model.policy import Role
from bot.domain.model.record import Record
from bot.domain.model.refusals import Refusal
from bot.domain.model.sightings import CommentCreated, ReviewSubmitted
from bot.domain.model.signals import Command
from bot.domain.model.text import code
from bot.ports.failures import ForgeFailure
from bot.ports.rows import Applied
from bot.ports.store import Store, Tx

#: Roles for whose sake a mistyped word is answered.
SPEAKING: tuple[Role, ...] = ("builder", "reviewer", "operator")
#: What becomes of 👀 that had not left when the answer was there.
ANSWERED = "not needed: answered"
#: A comment that was heard, and one of which nothing gives authority.
HEARD, DOUBTED = "heard", "heard, and nothing in it gives authority"


class Comments:
    def __init__(
        self, store: Store, transactor: Transactor, router: Router, gatherer: Gatherer, policies: Policies
    ) -> None:
        self._store = store
        self._transactor = transactor
        self._router = router
        self._gatherer = gatherer
        self._policies = policies

    async def hear(
        self, repo: Repo, comment: CommentCreated, *, edited: bool = False, unread: bool = False
    ) -> Brought | Later:
        """Read, apply and answer one comment, once. `edited`: found after somebody changed it, so nobody knows what was
        written first: it decides nothing. `unread`: a list in which older words may stand could not be read, so that nothing
        gives authority yet."""
        if await self.is_heard(repo, comment):
            return Brought(changed=False, detail="heard already")
        key, record = await self._place(repo, comment)
        thread = _thread(comment, key, record)
        try:
            policy = await self._policies.of(repo)
        except ForgeFailure as failure:
            return Later(f"the policy file could not be read: {failure.for_operator()}")
        heard = interpret(comment, thread, policy)
        if unread and not edited and only_gives_authority(heard.items):
            return Later("what was said before it could not be read")
        doubt = None if edited else doubt_at_first(comment, thread.record, heard, unread=unread)
        told = await self._each(repo, key, thread, heard.items, doubt, edited=edited)
        if isinstance(told, Later):
            return told
        outcomes, doubt = told
        in_the_plan = [line.text for line in heard.in_the_plan if line.is_command]
        if in_the_plan and outcomes:
            outcomes[-1] = replying.with_lines_of_the_plan(outcomes[-1], in_the_plan)
        if not outcomes:
            await self._nothing_heard(repo, comment, record)
            return Brought(changed=False, detail="no command")
        await self._answer(repo, key, comment, outcomes, doubt)
        return Brought(changed=True, detail="1 command" if len(outcomes) == 1 else f"{len(outcomes)} commands")

    async def is_heard(self, repo: Repo, comment: CommentCreated) -> bool:
        return await self._store.read(lambda tx: tx.applied.get(repo.id, comment.key)) is not None

    async def may_stop(self, repo: Repo, comment: CommentCreated) -> bool:
        """Whether anything is said in it that may stand against a merge, as it would be heard. Raises ForgeFailure."""
        key, record = await self._place(repo, comment)
        policy = await self._policies.of(repo)
        return may_stop(interpret(comment, _thread(comment, key, record), policy).items)

    async def doubts(self, repo: Repo, review: ReviewSubmitted) -> bool:
        """Whether the body of this review was heard and takes its approval back: they are one text."""
        body = await self._store.read(lambda tx: tx.applied.get(repo.id, comment_key("review", review.review_id)))
        return review.state.lower() == "approved" and body is not None and body.note == DOUBTED

    async def see(self, repo: Repo, comment: CommentCreated) -> None:
        """Show that a command waits for its answer, unless that is there. What is said by rules that were never read may be
        no command: nothing is asked of GitHub for this."""
        ruled = await self._store.read(lambda tx: self._policies.known(tx, repo.id))
        if ruled is None:
            return
        key, record = await self._place(repo, comment)
        if any(map(_is_answered, interpret(comment, _thread(comment, key, record), ruled.policy).items)):
            seen = answers.reaction(comment, "eyes", answers.seen(comment))

            def plan(tx: Tx) -> None:
                if tx.applied.get(repo.id, comment.key) is None:
                    tx.effects.plan(key, repo, seen)

            await self._store.run(plan)

    async def _place(self, repo: Repo, comment: CommentCreated) -> tuple[RecordKey | None, Record | None]:
        """The record that the comment is about, and the one that its thread has."""
        key = await self._router.of_thread(repo, comment.number, is_pull=comment.is_pull)
        record = await self._record(key)
        if record is not None and comment.created_at < governed_since(record, comment):
            return None, record  # the thread had none when this was written, so it is no word about the one it has now
        return key, record

    async def _each(
        self,
        repo: Repo,
        key: RecordKey | None,
        thread: Thread,
        items: Sequence[Command | Misread],
        doubt: Doubt | None,
        *,
        edited: bool,
    ) -> tuple[list[replying.Answered], Doubt | None] | Later:
        """What became of each command, in the order of the text, and whether nothing of it gives authority. Stops come first:
        while one of them waits, all do."""
        outcomes: dict[int, replying.Answered] = {}
        for place, item in stops_first(items):
            contradicted = stopped_by_itself(items, place, doubt)
            if edited:
                outcome: replying.Answered | Later | None = _edited(item)
            elif contradicted is not None:
                outcome = replying.Answered(item.source.text, contradicted)
            else:
                outcome = await self._one(repo, key, thread, item)
            if isinstance(outcome, Later):
                return outcome
            if outcome is not None:
                outcomes[place] = outcome
                doubt = doubt or (None if edited else doubt_after(item, outcome.refusal))
        return [outcomes[place] for place in sorted(outcomes)], doubt

    async def _nothing_heard(self, repo: Repo, comment: CommentCreated, record: Record | None) -> None:
        """In a thread that has a record this is final: an edit makes no command of it. Without one it may be that the start
        is still unknown to us, so the sweep may hear it again."""
        if record is not None and comment.actor.kind == "person":
            await self._store.run(lambda tx: _mark(tx, repo, comment))

    async def _record(self, key: RecordKey | None) -> Record | None:
        if key is None:
            return None
        loaded = await self._store.read(lambda tx: tx.records.load(key))
        return loaded.record if loaded else None

    async def _one(
        self, repo: Repo, key: RecordKey | None, thread: Thread, item: Command | Misread
    ) -> replying.Answered | Later | None:
        if isinstance(item, Misread):
            return await self._misread(repo, thread, item)
        text = item.source.text
        if isinstance(item, AskHelp):
            return await self._help(repo, thread, item)
        if isinstance(item, AskStatus):
            await self._refresh(key)
            return replying.Answered(text)
        target = RecordKey(repo.id, item.issue) if isinstance(item, Link) else key
        if target is None:
            return replying.Answered(text, Refusal(code="no_record", message="No record is kept for this thread."))
        outcome = await self._transactor.apply(repo, target, item)
        if outcome.kind == "no_record":
            return _unrecorded(text, item, (await self._policies.of(repo)).start_label)
        return self._judged(text, outcome, item)

    def _judged(self, text: str, outcome: Outcome, item: Command) -> replying.Answered | Later:
        match outcome.kind:
            case "later":
                return Later(outcome.note or "a fact could not be read")
            case "refused":
                return replying.Answered(text, outcome.refusal)
            case "ignored" if outcome.note not in {None, "nothing changed"}:
                return replying.Answered(text, told=f"Nothing to do for {code(text)}: {outcome.note}. Nothing changed.")
            case _:
                return replying.Answered(text, told=while_blocked(item, outcome.record))

    async def _misread(self, repo: Repo, thread: Thread, item: Misread) -> replying.Answered | Later | None:
        """A slip of the finger may be a stop: while nobody knows whether its writer holds a role, it waits."""
        if item.only_for_role_holders:
            may = await self._able(repo, item.actor.as_person())
            if may is None and item.actor.kind == "person":
                return Later("GitHub did not say what the writer of a mistyped command may do")
            if may is None or may.roles.isdisjoint(SPEAKING):
                return None
            return replying.Answered(item.source.text, sharpened(item, thread, await self._policies.of(repo), may))
        return replying.Answered(item.source.text, await self._without_role(repo, item) or item.refusal)

    async def _without_role(self, repo: Repo, item: Misread) -> Refusal | None:
        """Nobody is taught the arguments of a command that is not for them."""
        if not item.roles or item.actor.kind != "person":
            return None
        may = await self._able(repo, item.actor.as_person())
        if may is None or not may.roles.isdisjoint(item.roles):
            return None
        return lacks(await self._policies.of(repo), item.actor.login, may.level, item.roles).refusal

    async def _help(self, repo: Repo, thread: Thread, item: AskHelp) -> replying.Answered:
        may = await self._able(repo, item.actor.as_person())
        if may is None:
            message = "GitHub did not say what you may do here. Repeat it in a few minutes."
            return replying.Answered(item.source.text, Refusal(code="could_not_verify", message=message))
        told = help_text(thread, may, await self._policies.of(repo), item.actor.id)
        return replying.Answered(item.source.text, told=told)

    async def _able(self, repo: Repo, who: Person) -> Able | None:
        policy = await self._policies.of(repo)
        found = await self._gatherer.until(repo, lambda facts: able(facts.ask, policy, who))
        return None if isinstance(found, Unknown) else found

    async def _refresh(self, key: RecordKey | None) -> None:
        if key is not None:
            await self._store.run(lambda tx: tx.slots.distrust(key))

    async def _answer(
        self,
        repo: Repo,
        key: RecordKey | None,
        comment: CommentCreated,
        outcomes: list[replying.Answered],
        doubt: Doubt | None,
    ) -> None:
        answer = replying.compose(outcomes)
        effects = [answers.reaction(comment, answer.reaction, f"reaction:{comment.key}")]
        hourly = None
        if answer.reply is not None and (is_denial(outcomes) or await self._is_stranger(repo, comment)):
            hourly = quiet(repo, key, comment, outcomes)

        def plan(tx: Tx) -> None:
            tx.effects.withdraw(answers.seen(comment), ANSWERED)
            if answer.reply is not None and not (hourly and hourly.is_told(tx)):
                once = hourly.once if hourly else f"reply:{comment.key}"
                effects.append(answers.reply(comment, answer.reply, once))
            for effect in effects:
                tx.effects.plan(key, repo, effect)
            _mark(tx, repo, comment, HEARD if doubt is None else DOUBTED)

        await self._store.run(plan)

    async def _is_stranger(self, repo: Repo, comment: CommentCreated) -> bool:
        """Whoever may do nothing here cannot make us speak as often as they do, whatever it is that was refused."""
        if comment.actor.kind != "person":
            return False
        may = await self._able(repo, comment.actor.as_person())
        return may is not None and may.roles.isdisjoint(SPEAKING)


def _thread(comment: CommentCreated, key: RecordKey | None, record: Record | None) -> Thread:
    return Thread(comment.number, comment.is_pull, record if key else None)


def _unrecorded(text: str, item: Command, label: str) -> replying.Answered:
    number = item.issue if isinstance(item, Link) else item.source.number
    message = (
        f"No record is kept for #{number}. If that is an issue of this repository, a builder starts one by "
        f"adding the label {code(label)} to it. Nothing changed."
    )
    return replying.Answered(text, Refusal(code="no_record", message=message))


def _is_answered(item: Command | Misread) -> bool:
    """Whatever comes of it, and whoever wrote it."""
    return not (isinstance(item, Misread) and item.only_for_role_holders)


def _mark(tx: Tx, repo: Repo, comment: CommentCreated, how: str = HEARD) -> None:
    """The comment was heard and answered, whoever brings it again."""
    if tx.applied.get(repo.id, comment.key) is None:
        tx.applied.put(repo.id, Applied(key=comment.key, outcome="advanced", note=how))


def _edited(item: Command | Misread) -> replying.Answered | None:
    """Whoever may not be answered for a mistyped word is not answered for an edited one."""
    return replying.Answered(item.source.text, edited_meanwhile()) if _is_answered(item) else None
