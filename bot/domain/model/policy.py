"""The rules of a repository, as `.github/signalbox.yml` says them (INTERFACE.md section 5). Built in: preset strict."""

from typing import Annotated, Literal

from pydantic import Field

from bot.domain.model.effects import OWN_CHECK, POLICY_CHECK
from bot.domain.model.facts import RequiredCheck
from bot.domain.model.policy_types import (
    AgentName,
    AgentRole,
    AppSlug,
    BodyText,
    BotName,
    Called,
    Conclusion,
    CustomRole,
    Internal,
    Label,
    Login,
    RoleLevel,
    Rules,
    Seats,
    Team,
    TitleText,
    Verb,
)
from bot.domain.model.policy_work import BudgetRule, ContractRule, MachinesRule, VerificationRule, WorkflowRule
from bot.domain.model.record import GateName

#: Names of check runs that are ours; nobody's result under these names is evidence.
OWN_NAMES = frozenset({OWN_CHECK, POLICY_CHECK})
#: Prefixes of the labels that we write and people read (INTERFACE.md section 8).
_OWN_LABELS = ("signalbox/", "board/")
Role = Literal["builder", "reviewer", "operator", "product_owner", "engineering_manager"]


class RoleRule(Rules):
    """Whoever has the permission holds the role, and so does whoever is named. `permission` None = only those named."""

    permission: RoleLevel | None = "write"
    """The base permission that is enough. A role that names somebody and has no `permission` is held by those named alone.
    On personal repositories `maintain` means admin."""
    custom_roles: tuple[CustomRole, ...] = ()
    """Custom repository roles of the organization whose holders hold the role, by their exact names. A custom role that is not
    named here counts by its base permission, whatever it is called."""
    teams: tuple[Team, ...] = ()
    """Teams whose active members hold the role."""
    users: tuple[Login, ...] = ()
    """People who hold the role."""
    apps: tuple[AppSlug, ...] = ()
    """Apps whose pull requests are linked by themselves; only builders can be Apps."""


class Roles(Rules):
    builders: RoleRule = RoleRule(permission="write")
    """Who plans and codes."""
    reviewers: RoleRule = RoleRule(permission="write")
    """Who judges plans, code and evidence. Whom `users` and `teams` name is asked by GitHub's review request, five at most."""
    operators: RoleRule = RoleRule(permission="maintain")
    """Who opens the human gates, answers blocked prompts and settles merges."""
    product_owners: RoleRule = RoleRule(permission="maintain")
    """Who judges requirements first."""
    engineering_managers: RoleRule = RoleRule(permission="maintain")
    """Who judges requirements last."""

    def of(self, role: Role) -> RoleRule:
        match role:
            case "builder":
                return self.builders
            case "reviewer":
                return self.reviewers
            case "operator":
                return self.operators
            case "product_owner":
                return self.product_owners
            case "engineering_manager":
                return self.engineering_managers


class Separation(Rules):
    author_may_review: bool = False
    """Whether authors and pushers may review their own work."""
    author_may_gate: bool = False
    """Whether an author may open the human gate for their own work."""
    pusher_may_gate: bool = False
    """Whether somebody who pushed to the pull request may open the human gate."""
    unknown_pusher: Literal["author", "refuse"] = "author"
    """While it is not known who pushed: the author and whom the commits name count as pushers, or nobody decides."""
    distinct_people: bool = True
    """Whether nobody may fill two seats of one gate."""
    distinct_gates: bool = False
    """Whether the operators of `testing` and `submit` must be different people."""
    requester_may_gate: bool | Literal["people"] = "people"
    """Whether whoever added the start label may open the human gate: `people` = for people's pull requests, not for an
    agent's."""


class ReviewSplit(Rules):
    people: Seats = 0
    """Reviews by people."""
    agents: Seats = 0
    """Reviews by agents."""


class GateRule(Rules):
    reviews: ReviewSplit | Seats = 1
    """Reviews that are needed: a number, or how many by people and how many by agents."""
    operators: Seats = 0
    """Operators that must open the human gate."""
    verification: Literal["checks", "contract", "both"] = "checks"
    """What must be green: GitHub's checks, the dispatched `verification`, or both."""

    @property
    def judges(self) -> int:
        """How many reviews are needed, whoever gives them."""
        return self.reviews if isinstance(self.reviews, int) else self.reviews.people + self.reviews.agents


class GateRules(Rules):
    plan: GateRule = GateRule(reviews=1)
    """The gate before building."""
    testing: GateRule = GateRule(reviews=1, operators=1)
    """The gate between a head that is ready and the last judgement."""
    submit: GateRule = GateRule(reviews=1, operators=1)
    """The gate before the merge."""

    def of(self, gate: GateName) -> GateRule:
        match gate:
            case "plan":
                return self.plan
            case "testing":
                return self.testing
            case "submit":
                return self.submit


class Reviews(Rules):
    native: bool = True
    """Whether GitHub's own reviews fill reviewer seats, as `/approve` and `/reject` do."""


class Checks(Rules):
    required: Literal["auto"] | Annotated[tuple[RequiredCheck, ...], Field(max_length=100)] = "auto"
    """Checks that must be green: those that rulesets and protection name, or this list instead."""
    none: Literal["observed", "refuse", "allow"] = "observed"
    """What counts where nothing is required: everything that reports, at least one, settled for a while (`observed`);
    nothing (`refuse`); or no check is needed (`allow`)."""
    accept: Annotated[tuple[Conclusion, ...], Field(min_length=1)] = ("success",)
    """Conclusions of a check that are green."""
    timeout_minutes: Annotated[int, Field(ge=1, le=10_080)] = 60
    """Minutes after which a check that has not ended blocks the record."""
    settle_seconds: Annotated[float, Internal()] = 60.0


class MergeRule(Rules):
    method: Literal["merge", "squash", "rebase"] = "squash"
    """How GitHub merges."""
    trigger: Literal["auto", "command"] = "auto"
    """Whether a complete record merges by itself or at `/merge`."""
    delete_branch: bool = True
    """Whether the merged branch is deleted."""
    title: TitleText = "{title} (#{number})"
    """Title of the commit. It may name `{title}`, `{number}`, `{issue}` and `{summary}`."""
    body: BodyText = "{summary}"
    """Text of the commit, with the same names. Below it a squashed commit names as co-authors who else pushed, and whom
    the commits themselves name as co-author or as having signed them off."""


class CommandsRule(Rules):
    bare: bool | tuple[Verb, ...] = True
    """Whether `/approve` works as well as `/signalbox approve`: for all commands, for none, or for these."""
    bots: tuple[BotName, ...] = ()
    """Bots whose comments are read as well. They hold no role and fill no seat: only `/status` and `/help` do
    something for them."""


class Policy(Rules):
    """`sha` is the commit of the file in force, or `builtin`. `accounts`: the number of the account or team that each name
    in it meant when the file came into force, 0 for nobody's; names in lower case, Apps as `renovate[bot]`, teams as `@core`."""

    sha: Annotated[str, Internal()] = "builtin"
    version: Literal[1] = 1
    """The version of this file's form."""
    preset: Literal["strict", "lean", "solo"] = "strict"
    """The rules that hold where the file says nothing."""
    start_label: Label = "signalbox"
    """The label that starts a lifecycle when a builder adds it to an issue."""
    requirement_label: Label = "requirement"
    """The label that makes an issue a requirement."""
    roles: Roles = Roles()
    """Who holds which role."""
    accounts: Annotated[dict[str, int], Internal()] = {}
    agents: dict[AgentName, Annotated[tuple[AgentRole, ...], Field(min_length=1)]] = {}
    """Agents whose tokens count here, and as what."""
    verification: Annotated[tuple[VerificationRule, ...], Field(max_length=20)] = ()
    """Programs that verifying agents run when a head enters `testing`."""
    separation: Separation = Separation()
    """Who may not judge whose work."""
    gates: GateRules = GateRules()
    """What each gate needs."""
    reviews: Reviews = Reviews()
    """What GitHub's own reviews mean."""
    checks: Checks = Checks()
    """What a verified head is."""
    merge: MergeRule = MergeRule()
    """How a complete record merges."""
    recheck_at_merge: bool = True
    """Whether permissions of those who decided are read again at the merge."""
    blocked_recovery: Literal["human", "builder"] = "human"
    """Who may `/resume` blocked work: operators (`human`), or builders too."""
    external_merge: Literal["record", "block"] = "record"
    """What a merge by somebody else leads to: it is recorded as done, or the record is blocked."""
    ungoverned: Literal["ignore", "neutral", "require"] = "ignore"
    """What our check says on pull requests without a record: nothing, neutral, or that a record is needed."""
    budgets: BudgetRule = BudgetRule()
    """Tries before a person is asked."""
    contracts: ContractRule = ContractRule()
    """How long agents' requests to each other live."""
    workflow: WorkflowRule = WorkflowRule()
    """Phases inside `building`."""
    machines: MachinesRule = MachinesRule()
    """Which state machines run."""
    commands: CommandsRule = CommandsRule()
    """How comments are read."""
    notify: Annotated[tuple[Called, ...], Field(max_length=20)] = ()
    """People and teams that are mentioned when an operator is needed; the first five."""


STRICT = Policy()


def is_our_label(name: str) -> bool:
    """GitHub compares the names of labels without regard to case."""
    return name.casefold().startswith(_OWN_LABELS)
