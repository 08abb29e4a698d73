"""One governed change in a town: an issue, the pull request made for it, what people do to them and what they see."""

from dataclasses import dataclass
from typing import Any

from bot.simulator.model.checks import CheckRun
from bot.simulator.model.threads import Comment, Pull, ReviewState, Thread
from tests.kit.town import Town, sentences

#: How far `begun` can take a change; each is the state in which the next human act is awaited. `almost` = only the
#: human gate of submit is missing.
STAGES = ("planning", "plan_ready", "building", "testing", "submit", "almost")


async def begun(town: Town, until: str = "planning", title: str = "Retry uploads") -> "Change":
    """ada opens an issue and adds the label; everything else goes well until the stage is reached."""
    change = Change(town, town.world.opens_issue("ada", town.repo, title))
    town.world.labels("ada", change.issue, "signalbox")
    await town.settles()
    for stage in STAGES[1 : STAGES.index(until) + 1]:
        await change.reaches(stage)
    return change


@dataclass
class Change:
    """Every act lets the bot come to rest afterwards, unless `heard=False`: then it has not heard of it yet."""

    town: Town
    issue: Thread
    linked: Pull | None = None

    @property
    def pull(self) -> Pull:
        assert self.linked is not None, "no pull request was opened"
        return self.linked

    @property
    def repo_path(self) -> str:
        return f"/lifecycles/{self.town.repo.full_name}/{self.issue.number}"

    async def on_issue(self, who: str, text: str, *, heard: bool = True) -> Comment:
        return await self._says(who, self.issue, text, heard)

    async def on_pull(self, who: str, text: str, *, heard: bool = True) -> Comment:
        return await self._says(who, self.pull, text, heard)

    async def _says(self, who: str, thread: Thread, text: str, heard: bool) -> Comment:
        comment = self.town.world.comments(who, thread, self.town.spelled(text))
        await self._heard(heard)
        return comment

    async def opens_pull(
        self, who: str = "ada", *, draft: bool = False, heard: bool = True, says: str = "A change"
    ) -> None:
        """From the branch `signalbox/N-…`, with a closing keyword, its check green already."""
        world, branch = self.town.world, f"signalbox/{self.issue.number}-retry"
        world.branches(who, self.town.repo, branch)
        self.town.heads.append(world.pushes(who, self.town.repo, branch, message=says))
        body = f"Closes #{self.issue.number}"
        self.linked = world.opens_pull(who, self.town.repo, self.issue.title, head=branch, body=body, draft=draft)
        self.check_run()
        await self._heard(heard)

    async def pushes(self, who: str = "ada", *, green: bool = True, heard: bool = True) -> None:
        """A new head; its check is green at once unless told otherwise."""
        self.town.heads.append(self.town.world.pushes(who, self.pull))
        if green:
            self.check_run()
        await self._heard(heard)

    async def pushes_back(self, who: str, name: str) -> None:
        """Force-push the branch to an earlier head."""
        self.town.world.force_pushes(who, self.pull, sha=self.town.heads[int(name[1:]) - 1])
        await self.town.settles()

    def check_run(self, name: str = "build", conclusion: str = "success") -> CheckRun:
        return self.town.world.check_run("actions", self.pull, name, conclusion=conclusion)

    async def check_ends(self, conclusion: str) -> None:
        """The required check reports again on the present head."""
        self.check_run(conclusion=conclusion)
        await self.town.settles()

    async def review(self, who: str, state: ReviewState, body: str = "") -> None:
        self.town.world.reviews(who, self.pull, state, body)
        await self.town.settles()

    async def reaches(self, stage: str) -> None:
        """The shortest way from the stage before. Notices on the way are read."""
        match stage:
            case "plan_ready":
                await self.on_issue("ada", "/plan\nRetry three times.")
            case "building":
                await self.on_issue("grace", "/approve r1")
            case "testing":
                await self.opens_pull()
            case "submit":
                await self.passes("testing")
            case "almost":
                await self.on_pull("grace", f"/approve submit {self.head}")
                self.notices()
        assert self.phase == stage.replace("almost", "submit"), self.status

    async def passes(self, gate: str) -> None:
        """Review by grace, human gate by omar."""
        await self.on_pull("grace", f"/approve {gate} {self.head}")
        self.notices()
        await self.on_pull("omar", f"/gate {gate} {self.head}")

    async def merges(self, seconds: float = 10) -> None:
        """The last gate is opened, and GitHub is given the time it needs."""
        await self.on_pull("omar", f"/gate submit {self.head}")
        await self.town.later(seconds=seconds)

    async def approved_by(self, who: str) -> None:
        """Submit is reviewed; only its human gate is missing."""
        await self.on_pull(who, f"/approve submit {self.head}")
        self.notices()

    async def reserved(self) -> None:
        """The last gate is opened and decided, and GitHub is not asked yet."""
        await self.on_pull("omar", f"/gate submit {self.head}", heard=False)
        await self.town.hears()
        assert await self.merge_state() == "reserved"

    async def unknown(self) -> None:
        """The merge was asked for, never arrived, and nobody knows that."""
        self.town.world.loses_answer_to("merge", landed=False)
        await self.merges()
        assert await self.merge_state() == "ambiguous"
        self.notices()

    async def asked(self, seconds: float = 30) -> None:
        """GitHub merges in the background, which takes it this long."""
        self.town.world.merge_async_seconds = seconds
        await self.on_pull("omar", f"/gate submit {self.head}")
        assert await self.merge_state() == "requested"

    async def record(self) -> Any:
        return await self.town.api(self.repo_path)

    async def merge_state(self) -> str:
        return str((await self.record())["merge"]["state"])

    async def _heard(self, heard: bool) -> None:
        if heard:
            await self.town.settles()

    @property
    def head(self) -> str:
        return self.town.shown(self.pull.head)

    @property
    def status(self) -> str:
        """The status comment that has everything: the pull request's, else the issue's."""
        return self.town.status_of(self.linked or self.issue)

    @property
    def says(self) -> str:
        """Line 1: what is true now."""
        return self.status.splitlines()[0]

    @property
    def waits(self) -> str:
        """Line 2: who is awaited."""
        return self.status.splitlines()[1]

    @property
    def issue_says(self) -> str:
        return self.town.status_of(self.issue).splitlines()[0]

    def row(self, name: str) -> str:
        """The row of the status comment's table that begins with this need."""
        rows = [line for line in self.status.splitlines() if line.startswith("| ") and f" {name}" in line.split(":")[0]]
        assert len(rows) == 1, self.status
        return rows[0].strip("| ").replace(" | ", " · ")

    @property
    def refused_last(self) -> str:
        """The line of the status comment about the last refusal; empty when there is none."""
        found = [line for line in self.status.splitlines() if line.startswith("Last refused")]
        return sentences(found[0]) if found else ""

    @property
    def phase(self) -> str:
        """The one phase label, the same on both threads."""
        threads = (self.issue, self.linked) if self.linked and self.pull.labels else (self.issue,)
        shown = {tuple(label.name for label in one.labels if label.name.startswith("signalbox/")) for one in threads}
        ((label,),) = shown
        return label.removeprefix("signalbox/")

    @property
    def check(self) -> str:
        """Our check run on the present head: "success · submit: merging c1"."""
        return self.check_on(self.head)

    def check_on(self, name: str) -> str:
        run = self._run_on(name)
        return f"{run.conclusion or run.status} · {self.town.shown(run.title or '')}"

    @property
    def check_summary(self) -> str:
        """What stands below the title of our check run on the present head."""
        return self.town.shown(self._run_on(self.head).summary or "")

    @property
    def check_text(self) -> str:
        """The long text of our check run: the tree, and what a locked thread did not take."""
        return self.town.shown(self._run_on(self.head).text or "")

    def _run_on(self, name: str) -> CheckRun:
        """Our one check run on a head; a second one would leave the first standing."""
        head = self.town.heads[int(name[1:]) - 1]
        (run,) = [one for one in self.town.repo.runs if one.head == head and one.name == "signalbox"]
        return run

    def reply(self, to: Comment) -> str | None:
        """Our answer below a comment; None when there is none, as for everything that was simply done."""
        found = [one for one in self.town.ours(to.thread) if f"signalbox:reply:comment:issue:{to.id} " in one.body]
        assert len(found) <= 1, "answered twice"
        return self.town.reads(found[0]) if found else None

    def reaction(self, to: Comment) -> str:
        return ", ".join(one.content for one in to.reactions)

    def notices(self) -> list[str]:
        """New comments of ours on both threads since somebody looked."""
        threads: tuple[Thread, ...] = (self.issue, self.linked) if self.linked else (self.issue,)
        return [self.town.reads(one) for thread in threads for one in self.town.unread(thread)]
