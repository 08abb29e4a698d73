"""Everything people can say and do, in any order, in any weather: all commands by everybody, also by a stranger and a robot;
pushes by people who judge, old heads again, retargets, twins, reviews and their dismissal, permissions that come and go.

Most of the time people do what the work needs, so that it gets somewhere; in the merge section they act more often.
"""

from collections.abc import Callable
from typing import Any

from bot.domain.model.record import Record
from bot.simulator.model.threads import Pull, Thread
from bot.simulator.refusal import HttpError
from tests.simulation.chaos import Chaos
from tests.simulation.ledger import makers
from tests.simulation.storm_oracle import StormOracle
from tests.simulation.weather import StormStage, Weather

BUILDER, REVIEWER, OPERATOR = ("ada",), ("grace", "lin"), ("omar", "sam")
LEVELS: dict[str, Any] = {"ada": "write", "grace": "write", "lin": "write", "omar": "maintain", "sam": "maintain"}
EVERYBODY = (*LEVELS, "mallory")
QUIET = frozenset({"none", "merged"})
#: One word each, as people may say it anywhere. `{}` is something they name.
WORDS = (
    "/hold for now",
    "/unhold",
    "/block may we?",
    "/answer yes",
    "/rework please",
    "/reject not yet",
    "/replan anew",
    "/revoke",
    "/merge",
    "/priority 3",
    "/retry",
    "/unlink",
    "/candidate",
    "/status",
    "/help",
)


class Storm(Chaos):
    stage: StormStage
    oracle: StormOracle

    def __post_init__(self) -> None:
        super().__post_init__()
        self.oracle = self.stage.oracle = StormOracle(self.world, self.pull, self.stage.store)
        self.ledger = self.oracle.ledger
        self.issue: Thread = self.golden.issue
        self.robot = self.world.another_app("renovate").bot
        for comment in self.issue.comments:
            if comment.app is None:
                self.ledger.said(comment.author.login, comment)
        self.ledger.moved()
        if self.rng.random() < 0.5:
            self.world.requires(self.golden.repo, "build")
        self.trouble = self.rng.choice((0.01, 0.03, 0.12))
        self.cruelty = self.rng.choice((0.0, 0.1, 0.4))
        self.weather = Weather(self.stage, self.told)
        self.oracle.checks()  # the gates that are open before anybody says anything

    def built(self) -> StormStage:
        return StormStage(self.rng)

    @property
    def now(self) -> Record:
        return self.stage.record("octo/app", self.issue.number)

    def tick(self) -> None:
        if self.now.merge.state not in QUIET and self.rng.random() < self.cruelty:
            self.works(self.rng.randint(0, 6))
            self.human()
        else:
            super().tick()

    def human(self) -> None:
        under_way = self.now.merge.state not in QUIET
        disturbs = self.rng.random() < (self.cruelty if under_way else self.trouble)
        act = self.rng.choice(self.disturbing if disturbs else self.wanted)
        try:
            act()
        except HttpError as no:
            self.told(f"GitHub refused {act.__name__}: {no.status}")

    @property
    def disturbing(self) -> list[Callable[[], None]]:
        once = [self.says_anything] * 10
        moves = [self.pushes, self.pushes_back, self.retargets, self.closes, self.drafts, self.by_hand, self.twin]
        seldom = [self.plans, self.cancels, self.unlabels, self.closes_issue, self.settles, self.links, self.resumes]
        return [*once, *moves, *seldom, self.affirms, self.flaps, self.dismisses, self.edits, self.robot_speaks]

    @property
    def wanted(self) -> list[Callable[[], None]]:
        judging = [self.approves, self.gates] * 2
        return [*judging, self.checks_report, self.reviews, self.repairs, self.repairs]

    # What people say.

    def says(self, who: Any, text: str, thread: Thread | None = None) -> None:
        thread = thread or self.pull
        self.world.clock.advance(self.rng.choice((0, 1, 3)))
        name = who if isinstance(who, str) else who.login
        self.told(f"{name} on #{thread.number}: {text}")
        comment = self.world.comments(who, thread, text)
        if text.startswith("/"):
            self.ledger.said(name, comment)

    def anybody(self) -> str:
        return self.rng.choice(EVERYBODY)

    def somewhere(self) -> Thread:
        return self.rng.choice((self.pull, self.issue))

    def approves(self) -> None:
        """By whoever wrote none of it, if people look; by anybody now and then."""
        able = [who for who in (*REVIEWER, "omar") if who not in makers(self.world, self.pull)]
        who = self.rng.choice(able) if able and self.rng.random() < 0.8 else self.anybody()
        self.says(who, f"/approve{self.named(self.gate_now())}")

    def gates(self) -> None:
        self.says(self.rng.choice(("omar", "sam", "sam", "sam", "grace")), f"/gate{self.named(self.gate_now())}")

    def says_anything(self) -> None:
        self.says(self.anybody(), self.rng.choice(WORDS), self.somewhere())

    def robot_speaks(self) -> None:
        self.says(self.robot, self.rng.choice(("/approve", "/gate", "/merge", "/hold", "/resume submit")))

    def plans(self) -> None:
        self.says(self.rng.choice(("ada", "lin")), f"/plan\nPlan {self.rng.random()}", self.issue)

    def affirms(self) -> None:
        plan = self.now.plan
        self.says(self.anybody(), f"/approve r{plan.revision if plan else 1}", self.somewhere())

    def cancels(self) -> None:
        self.says(self.rng.choice(("ada", "omar", "mallory")), "/cancel no more", self.somewhere())

    def settles(self) -> None:
        shas = [self.pull.head, self.world.tip(self.golden.repo, "main"), self.rng.choice(list(self.world.commits))]
        text = "unmerged I looked" if self.rng.random() < 0.6 else f"merged {self.rng.choice(shas)}"
        self.says(self.rng.choice(("omar", "sam", "grace")), f"/settle {text}")

    def links(self) -> None:
        self.says(self.rng.choice(("ada", "mallory")), f"/link #{self.issue.number}")

    def resumes(self) -> None:
        phase = self.rng.choice(("planning", "building", "testing", "submit", "submit"))
        self.says(self.rng.choice(("omar", "sam", "grace")), f"/resume {phase}", self.somewhere())

    def edits(self) -> None:
        """Somebody makes a command of what they once said harmlessly."""
        self.says("lin", "I have read it.")
        self.world.edits_comment("lin", self.pull.comments[-1], f"/approve {self.gate_now()} {self.pull.head[:12]}")
        self.told("lin makes an approval of it")

    def reviews(self) -> None:
        who = self.rng.choice((*REVIEWER, "mallory"))
        state = self.rng.choice(("APPROVED", "APPROVED", "COMMENTED", "CHANGES_REQUESTED"))
        self.told(f"{who} reviews: {state}")
        self.ledger.reviewed(who, self.world.reviews(who, self.pull, state))  # type: ignore[arg-type]  # one of the states

    def dismisses(self) -> None:
        standing = [review for review in self.pull.reviews if review.state in {"APPROVED", "CHANGES_REQUESTED"}]
        if standing:
            review = self.rng.choice(standing)
            before = len(self.world.hooks.log)
            self.world.dismisses_review("omar", review)
            self.told(f"omar dismisses a review of {review.author.login}")
            guids = [hook.guid for hook in self.world.hooks.log[before:]]
            self.ledger.dismissals.append((next(self.ledger.seq), review.id, guids))

    # What people do.

    def checks_report(self) -> None:
        conclusion = "success" if self.rng.random() > self.trouble else self.rng.choice(("failure", "cancelled"))
        self.told(f"build: {conclusion}")
        self.world.check_run("actions", self.pull, "build", conclusion=conclusion)

    def pushes(self) -> None:
        """Also people who could have judged it."""
        who = self.rng.choice(("ada", "ada", "grace", "lin"))
        self.told(f"{who} pushes")
        self.heads.append(self.world.pushes(who, self.pull))
        self.ledger.moved()

    def pushes_back(self) -> None:
        old = self.rng.choice(self.heads)
        if old != self.pull.head:
            self.told(f"ada pushes back to {old[:7]}")
            self.world.force_pushes("ada", self.pull, sha=old)
            self.ledger.moved()

    def retargets(self) -> None:
        super().retargets()
        self.ledger.moved()

    def closes(self) -> None:
        super().closes()
        self.ledger.moved()

    def unlabels(self) -> None:
        self._withdraws("ada takes the label away", lambda: self.world.unlabels("ada", self.issue, "signalbox"))

    def closes_issue(self) -> None:
        if self.issue.open:
            self._withdraws("ada closes the issue", lambda: self.world.closes("ada", self.issue))

    def _withdraws(self, words: str, act: Callable[[], object]) -> None:
        before = len(self.world.hooks.log)
        self.told(words)
        act()
        self.ledger.withdrawals.append((next(self.ledger.seq), [hook.guid for hook in self.world.hooks.log[before:]]))

    def twin(self) -> None:
        """Another pull request at the same head comes, or goes."""
        twins = [t for t in self.golden.repo.threads.values() if isinstance(t, Pull) and t is not self.pull and t.open]
        if twins:
            self.told("the twin is closed")
            self.world.closes("ada", twins[0])
            return
        name = f"twin-{self.rng.randrange(10**6)}"
        self.world.branches("ada", self.golden.repo, name)
        self.world.force_pushes("ada", self.golden.repo, name, sha=self.pull.head)
        self.told("a twin is opened")
        self.world.opens_pull("ada", self.golden.repo, "Twin", head=name, body="")

    def flaps(self) -> None:
        """Somebody loses the right to judge, or has it again."""
        who = self.rng.choice((*REVIEWER, *OPERATOR))
        if self.ledger.lost_at.pop(who, None) is not None:
            self.told(f"{who} is back")
            self.world.sets_permission(who, self.golden.repo, LEVELS[who])
            return
        self.told(f"{who} loses write")
        self.world.sets_permission(who, self.golden.repo, "read")
        self.ledger.lost_at[who] = len(self.world.requests)

    def repairs(self) -> None:
        """What would get the work moving again."""
        record = self.now
        if record.merge.state == "ambiguous" and self.rng.random() < 0.3:
            self.says("sam", "/settle unmerged I looked")
        elif record.held and self.rng.random() < 0.7:
            self.says("sam", "/unhold")
        elif record.withdrawn:
            self._revives()
        elif record.blocked is not None:
            came_from = record.blocked.from_
            target = came_from if came_from in {"building", "testing", "submit"} else "planning"
            self.says("sam", "/retry" if record.blocked.cause == "budget" else f"/resume {target}")
        elif record.phase in {"planning", "plan_rejected"}:
            self.says("ada", f"/plan\nPlan {self.rng.random()}", self.issue)
        elif record.phase == "plan_ready" and record.plan is not None:
            self.says(self.rng.choice(REVIEWER), f"/approve r{record.plan.revision}", self.issue)
        elif record.pull_request is None:
            self.says("ada", f"/link #{self.issue.number}")
        elif self.ledger.lost_at and self.rng.random() < 0.5:
            self.flaps()
        else:
            super().repairs()

    def _revives(self) -> None:
        if not self.issue.open:
            self.world.reopens("ada", self.issue)
        elif self.issue.labels and any(label.name == "signalbox" for label in self.issue.labels):
            self.world.unlabels("ada", self.issue, "signalbox")
        else:
            self.world.labels("ada", self.issue, "signalbox")

    def fault(self) -> None:
        self.weather.changes()

    def heals(self) -> None:
        self.weather.clears()
