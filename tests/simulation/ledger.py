"""What the world saw people do, in its own order. It knows no record and no rule of the product."""

from dataclasses import dataclass, field
from itertools import count

from bot.simulator.model.threads import Comment, Pull, Review
from bot.simulator.world import World

REVIEWERS = frozenset({"grace", "lin", "omar", "sam"})
OPERATORS = frozenset({"omar", "sam"})
#: Words about the plan or the head, by what they fill.
FILLS = {"approve": "review", "gate": "operator"}


@dataclass(frozen=True)
class Act:
    """A command or a native review. `key` is how GitHub names it; `head` what was there when it was written."""

    seq: int
    who: str
    verb: str
    rest: tuple[str, ...]
    on_pull: bool
    key: str
    head: str | None
    review: int | None = None

    @property
    def about_plan(self) -> bool:
        first = self.rest[0] if self.rest else ""
        return not self.on_pull or (first[:1] == "r" and first[1:].isdigit())

    @property
    def gate(self) -> str | None:
        """The gate it names in its explicit form."""
        return self.rest[0] if len(self.rest) == 2 else None

    def fits(self, head: str) -> bool:
        named = self.rest[1] if len(self.rest) == 2 else None
        return self.head == head and (named is None or head.startswith(named))


@dataclass
class Seen:
    """The pull request as one request of one lane saw it, and when it had last moved then."""

    moved_at: int
    open: bool
    draft: bool
    head: str
    base: str


@dataclass
class Ledger:
    world: World
    pull: Pull
    seq: "count[int]" = field(default_factory=lambda: count(1))
    acts: list[Act] = field(default_factory=list)
    moved_at: int = 0
    withdrawals: list[tuple[int, list[str]]] = field(default_factory=list)
    dismissals: list[tuple[int, int, list[str]]] = field(default_factory=list)
    lost_at: dict[str, int] = field(default_factory=dict)
    pulls: dict[str, Seen] = field(default_factory=dict)
    green: dict[str, bool] = field(default_factory=dict)
    alone: dict[str, bool] = field(default_factory=dict)

    def said(self, who: str, comment: Comment) -> None:
        verb, *rest = comment.body.lstrip("/").split()
        on_pull = comment.thread is self.pull
        key = f"comment:issue:{comment.id}:0"
        self.acts.append(Act(next(self.seq), who, verb, tuple(rest), on_pull, key, self.pull.head))

    def reviewed(self, who: str, review: Review) -> None:
        verb = {"APPROVED": "approve", "CHANGES_REQUESTED": "reject"}.get(review.state, "comment")
        self.acts.append(
            Act(
                next(self.seq),
                who,
                verb,
                (),
                True,
                f"review:{review.id}:{review.state.lower()}",
                review.commit,
                review.id,
            )
        )

    def moved(self) -> None:
        """The head, its base, or whether it is open: nothing said before is about what is there now."""
        self.moved_at = next(self.seq)

    def by(self, *verbs: str) -> list[Act]:
        return [act for act in self.acts if act.verb in verbs]

    def reads(self, operation: str, lane: str) -> None:
        """A request of this lane has just been answered."""
        request = self.world.requests[-1]
        if request.operation != operation or request.status is None or request.status >= 400:
            return
        pull = self.pull
        if operation == "pull" and request.path.endswith(f"/pulls/{pull.number}"):
            self.pulls[lane] = Seen(self.moved_at, pull.open, pull.draft, pull.head, pull.base_ref)
        elif operation == "check_runs":
            self.green[lane] = is_green(self.world, self.pull)
        elif operation == "pulls":
            self.alone[lane] = not set(self.world.open_pulls_at(pull.repository, pull.head)) - {pull}


def makers(world: World, pull: Pull) -> set[str]:
    """The pull request's author and whoever brought one of its commits: they judge none of it (I15)."""
    return {pull.author.login, *(world.commits[sha].author.login for sha in world.commits_of(pull))}


def is_green(world: World, pull: Pull) -> bool:
    """Every required check that others reported on the head is a success, and there is one at least; where none is required,
    every check."""
    required = {one.context for one in world.required_on(pull)}
    runs = [run for run in world.latest_runs(pull.repository, pull.head) if run.name != "signalbox"]
    wanted = [run for run in runs if not required or run.name in required]
    return bool(wanted) and all(run.conclusion == "success" for run in wanted)
