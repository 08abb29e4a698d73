"""One issue from its label to a confirmed merge: a question that a maintainer answers, a stale approval that is refused, and a
merge whose answer is lost."""

from collections.abc import Callable, Mapping

from bot.bootstrap.demo.screen import Narrator
from bot.bootstrap.demo.watch import Disappointed, Watch
from bot.domain.model.facts import Level
from bot.domain.model.record import Record
from bot.simulator.model.threads import Comment, Pull, Thread
from bot.simulator.world import World

REPOSITORY = "octo/app"
ADA, GRACE, OMAR, LIN = "ada", "grace", "omar", "lin"
MEMBERS: Mapping[str, Level] = {ADA: "write", GRACE: "write", OMAR: "maintain", LIN: "read"}
Expected = Callable[[Record], bool]


class Story:
    """ada builds, grace reviews, omar opens the human gates. `play` raises Disappointed where it should have gone on."""

    def __init__(self, world: World, watch: Watch, narrator: Narrator) -> None:
        self._world = world
        self._watch = watch
        self._tell = narrator
        self._repo = world.repository(REPOSITORY, members=MEMBERS)
        self.issue = world.opens_issue(ADA, self._repo, "Retry uploads that fail")
        self.pull: Pull

    async def play(self) -> Record:
        """The record at the end: done."""
        await self._plans()
        await self._asks()
        await self._builds()
        await self._approves_too_late()
        await self._judges()
        return await self._merges()

    async def _plans(self) -> None:
        await self._tell.act(ADA, f'adds the label signalbox to issue #{self.issue.number} "{self.issue.title}"')
        self._world.labels(ADA, self.issue, "signalbox")
        await self._answered("the lifecycle", self.issue, _in("planning"))
        await self._says(ADA, self.issue, "/plan\nTry three times, a second apart.", "the plan", _in("plan_ready"))
        await self._says(GRACE, self.issue, "/approve r1", "the approval of the plan", _in("building"))

    async def _asks(self) -> None:
        """Nothing goes on until a person answers and says where to go on. An answer alone leads nowhere."""
        what = "/block Is it safe to send an upload twice?"
        await self._says(ADA, self.issue, what, "the question", _in("blocked"))
        self._tell.say(f"      Blocked: {OMAR} is called, and nobody else can let it go on.", "yellow")
        yes = "/answer Yes: the server drops what it has already."
        await self._says(
            OMAR, self.issue, yes, "the answer", lambda r: r.phase == "blocked" and _answered_by(r) == OMAR
        )
        await self._says(OMAR, self.issue, "/resume building", "the resumption", _in("building"))

    async def _builds(self) -> None:
        branch = f"signalbox/{self.issue.number}-retry"
        await self._tell.act(ADA, f"pushes the branch {branch} and opens a pull request from it")
        self._world.pushes(ADA, self._repo, branch, message="Try three times")
        body = f"Closes #{self.issue.number}"
        self.pull = self._world.opens_pull(ADA, self._repo, "Retry uploads", head=branch, body=body)
        await self._answered("the candidate", self.pull, _in("testing"))
        await self._ci_is_green()

    async def _approves_too_late(self) -> None:
        """The head moves between reading and approving."""
        read = self.pull.head
        await self._tell.act(ADA, f"pushes one more commit while {GRACE} still reads {read[:7]}")
        self._world.pushes(ADA, self.pull, message="Wait a second between the tries")
        await self._answered("the new head", self.pull, lambda r: r.phase == "testing" and r.head == self.pull.head)
        comment = await self._says(
            GRACE, self.pull, f"/approve testing {read[:12]}", "the refusal", lambda r: r.phase == "testing"
        )
        record = await self._watch.until("the refusal", lambda r: r.phase == "testing")
        refused = [reaction.content for reaction in comment.reactions] == ["confused"]
        if not refused or any(decision.gate == "testing" for decision in record.decisions):
            raise Disappointed("the approval of a head that was replaced was not refused")
        self._tell.say("      The approval was for a head that is gone: refused, nothing was stored.", "yellow")

    async def _judges(self) -> None:
        await self._ci_is_green()
        head = self.pull.head[:12]
        await self._says(GRACE, self.pull, f"/approve testing {head}", "the review", _in("testing"))
        await self._says(OMAR, self.pull, f"/gate testing {head}", "the human gate", _in("submit"))
        await self._says(GRACE, self.pull, f"/approve submit {head}", "the second review", _in("submit"))

    async def _merges(self) -> Record:
        """GitHub merges and nobody hears of it: unknown is not failed, and it is not asked a second time."""
        self._world.loses_answer_to("merge_async")
        comment = f"/gate submit {self.pull.head[:12]}"
        await self._tell.act(OMAR, f"comments on #{self.pull.number}: {comment}")
        self._world.comments(OMAR, self.pull, comment)
        self._tell.say("      GitHub merges, and the connection breaks before Signalbox has the answer.", "yellow")
        await self._answered("the merge", self.pull, lambda r: r.merge.state == "ambiguous" or r.phase == "done")
        await self._answered("the confirmed merge", self.pull, _in("done"))
        return await self._watch.until("the confirmed merge", _in("done"))

    async def _ci_is_green(self) -> None:
        await self._tell.act("CI", f"reports build as green on {self.pull.head[:7]}")
        self._world.check_run("actions", self.pull, "build")
        await self._answered("the green check", self.pull, lambda record: record.verification.state == "passed")

    async def _says(self, who: str, thread: Thread, text: str, what: str, expected: Expected) -> Comment:
        """A comment with a command, and what came of it."""
        await self._tell.act(who, f"comments on #{thread.number}: {' / '.join(text.splitlines())}")
        comment = self._world.comments(who, thread, text)
        await self._watch.until(what, lambda record: bool(comment.reactions) and expected(record))
        await self._tell.answer([*self._watch.reaction(comment), *self._watch.changes(thread)])
        return comment

    async def _answered(self, what: str, thread: Thread, expected: Expected) -> None:
        await self._watch.until(what, expected)
        await self._tell.answer(self._watch.changes(thread))


def _answered_by(record: Record) -> str | None:
    by = record.questions[-1].answered_by
    return by.login if by is not None else None


def _in(phase: str) -> Expected:
    return lambda record: record.phase == phase
