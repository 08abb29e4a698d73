"""The rules of a repository, as `.github/signalbox.yml` says them (INTERFACE.md section 5). Built in: preset strict."""

from typing import Literal

from bot.domain.model.facts import Level, RequiredCheck
from bot.domain.model.ids import Value
from bot.domain.model.record import GateName

Role = Literal["builder", "reviewer", "operator", "product_owner", "engineering_manager"]


class RoleRule(Value):
    permission: Level = "write"


class Roles(Value):
    builders: RoleRule = RoleRule(permission="write")
    reviewers: RoleRule = RoleRule(permission="write")
    operators: RoleRule = RoleRule(permission="maintain")
    product_owners: RoleRule = RoleRule(permission="maintain")
    engineering_managers: RoleRule = RoleRule(permission="maintain")

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


class Separation(Value):
    author_may_review: bool = False
    author_may_gate: bool = False
    pusher_may_gate: bool = False
    unknown_pusher: Literal["author", "refuse"] = "author"
    distinct_people: bool = True
    distinct_gates: bool = False
    requester_may_gate: bool | Literal["people"] = "people"


class GateRule(Value):
    reviews: int = 1
    operators: int = 0
    verification: Literal["checks", "contract", "both"] = "checks"


class GateRules(Value):
    plan: GateRule = GateRule(reviews=1)
    testing: GateRule = GateRule(reviews=1, operators=1)
    submit: GateRule = GateRule(reviews=1, operators=1)

    def of(self, gate: GateName) -> GateRule:
        match gate:
            case "plan":
                return self.plan
            case "testing":
                return self.testing
            case "submit":
                return self.submit


class Reviews(Value):
    native: bool = True


class Checks(Value):
    """`required` "auto" = what rulesets and protection name. `none`: what to do when nothing is required."""

    required: Literal["auto"] | tuple[RequiredCheck, ...] = "auto"
    none: Literal["observed", "refuse", "allow"] = "observed"
    accept: tuple[str, ...] = ("success",)
    timeout_minutes: int = 60
    settle_seconds: float = 60.0


class MergeRule(Value):
    method: Literal["merge", "squash", "rebase"] = "squash"
    trigger: Literal["auto", "command"] = "auto"
    delete_branch: bool = True
    title: str = "{title} (#{number})"
    body: str = "{summary}"


class BudgetRule(Value):
    check_retries: int = 20
    review_cycles: int = 3
    dispatches: int = 6


class CommandsRule(Value):
    bare: bool | tuple[str, ...] = True
    bots: tuple[str, ...] = ()


class Policy(Value):
    """`sha` is the commit of the file in force, or `builtin`."""

    sha: str = "builtin"
    preset: Literal["strict", "lean", "solo"] = "strict"
    start_label: str = "signalbox"
    roles: Roles = Roles()
    separation: Separation = Separation()
    gates: GateRules = GateRules()
    reviews: Reviews = Reviews()
    checks: Checks = Checks()
    merge: MergeRule = MergeRule()
    recheck_at_merge: bool = True
    blocked_recovery: Literal["human", "builder"] = "human"
    external_merge: Literal["record", "block"] = "record"
    budgets: BudgetRule = BudgetRule()
    commands: CommandsRule = CommandsRule()
    notify: tuple[str, ...] = ()


STRICT = Policy()
