"""From a comment to its commands: what is heard in this thread, and what each line means or why it means nothing."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from bot.domain.commands import plan
from bot.domain.commands.catalogue import BY_NAME
from bot.domain.commands.grammar import LONG_FORM, Invocation, Reading, read
from bot.domain.commands.offers import closest, here_now, one_letter_off
from bot.domain.commands.sentences import MOST_COMMANDS, mail_footer, no_record, too_many, wrong_place
from bot.domain.commands.spec import CommandSpec, Said, Thread
from bot.domain.lifecycle.roles import Able
from bot.domain.model.ids import Actor
from bot.domain.model.policy import Policy, Role
from bot.domain.model.refusals import Refusal
from bot.domain.model.sightings import CommentCreated
from bot.domain.model.signal_origin import Source
from bot.domain.model.signals import Command
from bot.domain.model.text import visible

__all__ = ["Interpretation", "Misread", "Thread", "interpret", "may_speak", "sharpened"]

#: Characters of a command as written that a reply repeats.
_WRITTEN_LIMIT = 80
_APP_SUFFIX = "[bot]"


@dataclass(frozen=True, slots=True)
class Misread:
    """A line that was meant as a command and is none. `key` and `source` are as of a signal. `only_for_role_holders`:
    answer it only if its writer holds a role of the repository; otherwise it was never a command. `meant`: the command that
    it is, or misses by a letter. `roles`: those of a command whose arguments were not understood; whoever holds none of them
    is told that first."""

    refusal: Refusal
    key: str
    actor: Actor
    source: Source
    only_for_role_holders: bool = False
    meant: str | None = None
    roles: tuple[Role, ...] = ()


class InThePlan(NamedTuple):
    """A line as written that is text of a plan. `meant`: the command that it would be, or misses by a letter."""

    text: str
    meant: str | None
    is_command: bool


@dataclass(frozen=True, slots=True)
class Interpretation:
    """The commands of one comment, in order. Empty = nothing to do and nothing to answer. `in_the_plan`: lines that would be
    commands, or were meant as such, and are text of the plan that the last item submits or was to submit."""

    items: tuple[Command | Misread, ...] = ()
    in_the_plan: tuple[InThePlan, ...] = ()


@dataclass(frozen=True, slots=True)
class _Heard:
    """`index` counts the lines of the comment that begin with `/word`, heard or not: it depends on the text only, so the
    content key is the same whatever the policy says by then. `spec` None = no such command; then `meant` is the command
    that a bare word misses by a letter."""

    index: int
    invocation: Invocation
    spec: CommandSpec | None
    meant: str | None = None

    @property
    def name(self) -> str | None:
        if self.spec is not None:
            return self.spec.name
        return closest(self.invocation.verb) if self.invocation.long else self.meant


@dataclass(frozen=True, slots=True)
class _Comment:
    """The comment and everything its lines are judged by."""

    created: CommentCreated
    reading: Reading
    thread: Thread
    policy: Policy
    able: Able | None

    def said(self, heard: _Heard, until: int | None = None) -> Said:
        """The command with its source; `until` is the line at which its text ends."""
        call, text = heard.invocation, ""
        if heard.spec and heard.spec.takes != "words":
            text = self.reading.text_of(call, None if heard.spec.takes == "everything" else until)
        return Said(
            verb=call.verb,
            words=tuple(call.rest.split()),
            text=text,
            thread=self.thread,
            policy=self.policy,
            key=f"{self.created.key}:{heard.index}",
            actor=self.created.actor,
            delivery=self.created.delivery,
            at=self.created.created_at,
            source=self._source(heard),
        )

    def _source(self, heard: _Heard) -> Source:
        created = self.created
        return Source(
            comment_id=created.comment_id,
            comment_kind=created.comment_kind,
            node_id=created.node_id,
            index=heard.index,
            thread=self.thread.place,
            number=self.thread.number,
            url=created.url,
            created_at=created.created_at,
            text=_written(heard),
            commit=created.commit,
        )


def interpret(comment: CommentCreated, thread: Thread, policy: Policy, able: Able | None = None) -> Interpretation:
    """`able` is what the writer may do if it is known already; it only sharpens the hint after an unknown command."""
    if not may_speak(comment, policy):
        return Interpretation()
    reading = read(comment.body)
    heard, in_the_plan = _up_to_the_plan(_heard(reading, thread, policy))
    certain = [one for one in heard if one.spec or one.invocation.long]
    here = _Comment(comment, reading, thread, policy, able)
    if reading.footer or len(heard) > MOST_COMMANDS:
        return Interpretation(tuple(_whole(here, one, len(heard)) for one in certain[:1]))
    ends = [*(one.invocation.line for one in heard[1:]), reading.separator]
    first = certain[0] if certain else None
    return Interpretation(
        tuple(_item(here, one, end, first=one is first) for one, end in zip(heard, ends, strict=False)),
        tuple(InThePlan(_written(one), one.name, one.spec is not None) for one in in_the_plan),
    )


def _whole(here: _Comment, heard: _Heard, count: int) -> Misread:
    """One answer to a comment of which nothing is run, given at its first command."""
    said = here.said(heard)
    return _misread(said, mail_footer(said) if here.reading.footer else too_many(said, count))


def may_speak(comment: CommentCreated, policy: Policy) -> bool:
    """People may, by their own hand: what an App says in a person's name is never heard, whatever is listed. Bots may only
    where the policy lists them, so that no two of them ever talk to each other."""
    if comment.actor.kind != "bot":
        return comment.actor.kind == "person" and comment.app_id is None
    listed = {name.lower().removesuffix(_APP_SUFFIX) for name in policy.commands.bots}
    return comment.actor.login.lower().removesuffix(_APP_SUFFIX) in listed


def _heard(reading: Reading, thread: Thread, policy: Policy) -> list[_Heard]:
    """The lines that are commands or were meant as such."""
    heard: list[_Heard] = []
    for index, call in enumerate(reading.invocations):
        spec = BY_NAME.get(call.verb)
        if call.long:
            heard.append(_Heard(index, call, spec))
        elif spec:
            if not thread.hears_bare(call.verb, policy):
                continue
            heard.append(_Heard(index, call, spec))
        elif (meant := one_letter_off(call.verb)) and thread.hears_bare(meant, policy):
            heard.append(_Heard(index, call, None, meant))
    return heard


def _up_to_the_plan(heard: list[_Heard]) -> tuple[list[_Heard], list[_Heard]]:
    """A plan takes the rest of the comment, so nothing that follows it is a command."""
    ends = (at for at, one in enumerate(heard, 1) if one.spec is not None and one.spec.takes == "everything")
    end = next(ends, len(heard))
    return heard[:end], heard[end:]


def _item(here: _Comment, heard: _Heard, end: int | None, *, first: bool) -> Command | Misread:
    said = here.said(heard, end)
    if heard.spec is None:
        meant = heard.name
        return _misread(said, _unknown(here, said, meant), meant, only_for_role_holders=not heard.invocation.long)
    outcome = _parsed(here, said, heard.spec, first=first)
    if not isinstance(outcome, Refusal):
        return outcome
    roles = heard.spec.allowed(here.policy) if outcome.code == "bad_argument" else None
    return replace(_misread(said, outcome, heard.spec.name), roles=roles or ())


def _parsed(here: _Comment, said: Said, spec: CommandSpec, *, first: bool) -> Command | Refusal:
    if here.thread.record is None and not (spec.name == "link" and here.thread.is_pull):
        return no_record(said)
    if spec.where not in {"both", here.thread.place}:
        return wrong_place(said, spec.bound)
    if spec.takes == "everything":
        if not first:
            return plan.not_first(said)
        if here.reading.separator is not None:
            return plan.quotes_mail(said, here.reading.separator + 1)
    return spec.parse(said)


def _misread(said: Said, refusal: Refusal, meant: str | None = None, *, only_for_role_holders: bool = False) -> Misread:
    return Misread(refusal, said.key, said.actor, said.source, only_for_role_holders, meant)


def _unknown(here: _Comment, said: Said, meant: str | None) -> Refusal:
    return said.refusal("unknown_command", _guess(here.thread, here.policy, meant, here.able, said.actor.id))


def sharpened(item: Misread, thread: Thread, policy: Policy, able: Able) -> Refusal:
    """What is answered to a word that is no command, once it is known what its writer may do."""
    return item.refusal.model_copy(update={"message": _guess(thread, policy, item.meant, able, item.actor.id)})


def _guess(thread: Thread, policy: Policy, meant: str | None, able: Able | None, writer: int | None) -> str:
    hint = here_now(thread, policy, able, writer)
    return f"Did you mean {thread.typed(meant, policy)}?\n{hint}" if meant else hint


def _written(heard: _Heard) -> str:
    """The command as written, in one line and without a text."""
    call = heard.invocation
    verb = f"/{LONG_FORM} {call.verb}".rstrip() if call.long else f"/{call.verb}"
    words = "" if heard.spec is None or heard.spec.takes != "words" else call.rest
    written = " ".join(visible(f"{verb} {words}").split())
    return written if len(written) <= _WRITTEN_LIMIT else written[: _WRITTEN_LIMIT - 1].rstrip() + "…"
