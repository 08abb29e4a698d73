"""What a command is, and what its parser is given."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeVar

from bot.domain.model.command_signals import CommandBase
from bot.domain.model.ids import Actor
from bot.domain.model.policy import Policy, Role
from bot.domain.model.record import GateName, Record
from bot.domain.model.refusals import Refusal, RefusalCode
from bot.domain.model.signal_origin import Source
from bot.domain.model.signals import Command
from bot.domain.model.text import code

C = TypeVar("C", bound=CommandBase)
Where = Literal["issue", "pull", "both"]
#: Why a command works on a pull request only: there is the commit that it judges.
OF_A_COMMIT = "is bound to a commit"
GATE_OF_PHASE: dict[str, GateName] = {"plan_ready": "plan", "testing": "testing", "submit": "submit"}


@dataclass(frozen=True, slots=True)
class Thread:
    """An issue or pull request. `record` is the one it belongs to, by issue or as the linked pull request."""

    number: int
    is_pull: bool
    record: Record | None

    @property
    def place(self) -> Literal["issue", "pull"]:
        return "pull" if self.is_pull else "issue"

    @property
    def open_gate(self) -> GateName | None:
        """The gate that waits for decisions of this thread; None while nothing here can be decided."""
        record = self.record
        if record is None or record.withdrawn or record.frozen or record.in_flight:
            return None
        gate = GATE_OF_PHASE.get(record.phase)
        return gate if (gate == "plan") is not self.is_pull else None

    @property
    def active(self) -> Record | None:
        """The record while people may stop it or send it somewhere: not over, withdrawn or frozen, and not while GitHub
        may be merging it."""
        record = self.record
        if record is None or record.phase == "done" or record.withdrawn or record.frozen or record.in_flight:
            return None
        return record

    def hears_bare(self, verb: str, policy: Policy) -> bool:
        """Whether `/verb` without `/signalbox` is a command here. `/link` must work before there is a record."""
        listed = policy.commands.bare
        heard = listed if isinstance(listed, bool) else verb in {name.lower().lstrip("/") for name in listed}
        return heard and (self.record is not None or (verb == "link" and self.is_pull))

    def typed(self, words: str, policy: Policy) -> str:
        """The command as it works when typed here, as a code span: the long form where bare verbs are off."""
        verb = words.partition(" ")[0]
        return code(f"/{words}" if self.hears_bare(verb, policy) else f"/signalbox {words}")


@dataclass(frozen=True, slots=True)
class Said:
    """One command as somebody said it. `words` follow the verb on its line; `text` goes on below it, where the command
    takes text. `source.text` is the command as written, in one line, without a text."""

    verb: str
    words: tuple[str, ...]
    text: str
    thread: Thread
    policy: Policy
    key: str
    actor: Actor
    delivery: str | None
    at: datetime
    source: Source

    def signal(self, kind: type[C], **fields: Any) -> C:
        return kind(key=self.key, actor=self.actor, delivery=self.delivery, at=self.at, source=self.source, **fields)

    def refusal(self, why: RefusalCode, message: str) -> Refusal:
        return Refusal(code=why, message=message, command=self.source.text)

    def typed(self, words: str) -> str:
        return self.thread.typed(words, self.policy)


@dataclass(frozen=True, slots=True)
class Offer:
    """A command as it is useful in a thread right now: `words` after the slash, and what is said behind it. `owners` are
    the only people (numeric ids) for whom it is, besides holders of the role `others`; None = for everybody."""

    words: str
    tail: str = ""
    owners: frozenset[int] | None = None
    others: Role | None = None


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """One command. `arguments` as shown; `pull_arguments` where a pull request takes others. `who`: any of these roles,
    empty = anyone who can read; `who_by_policy` overrules it where the policy has a say, and its None = nobody;
    `who_in_words` where no role says it. `summary` finishes "This command …". `bound` finishes "The command …, so it works
    on the pull request only". `takes`: `words` = what follows on the line; `text` = up to the next command; `everything` =
    the rest of the comment. `group`: a `step` leads on, a `stop` holds up or sends back. `rare` ones are listed by `/help`
    only. `examples` pair a place with what is typed there; they run as tests."""

    name: str
    arguments: str
    where: Where
    who: tuple[Role, ...]
    summary: str
    examples: tuple[tuple[Literal["issue", "pull"], str], ...]
    parse: Callable[[Said], Command | Refusal]
    offer: Callable[[Thread], Offer | None]
    takes: Literal["words", "text", "everything"] = "words"
    pull_arguments: str | None = None
    bound: str = ""
    group: Literal["step", "stop", "other"] = "step"
    rare: bool = False
    who_by_policy: Callable[[Policy], tuple[Role, ...] | None] | None = None
    who_in_words: str = ""

    def allowed(self, policy: Policy) -> tuple[Role, ...] | None:
        """The roles that may use it under this policy. Empty = anyone who can read, None = nobody."""
        return self.who if self.who_by_policy is None else self.who_by_policy(policy)

    def usage(self, place: Literal["issue", "pull"]) -> str:
        """`/approve [rN]`, as a list of commands shows it."""
        arguments = self.arguments if place == "issue" or self.pull_arguments is None else self.pull_arguments
        return f"/{self.name} {arguments}".rstrip()
