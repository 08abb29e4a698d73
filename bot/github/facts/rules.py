"""What guards a base branch: rulesets, classic protection, and the repository's merge methods."""

from typing import Any

from bot.domain.model.facts import Answer, BaseRules, RequiredCheck
from bot.domain.model.questions import Contains, RulesOf
from bot.github.absence import surely
from bot.github.api import Api, segment
from bot.github.shapes import Id, Part, Text
from bot.ports.failures import Forbidden, Gone, Unreachable

METHODS = ("merge", "squash", "rebase")
ANY_APP = -1


class _Check(Part):
    """`integration_id` in rulesets, `app_id` in protection; -1 and null mean any source."""

    context: Text
    integration_id: int | None = None
    app_id: int | None = None

    def required(self) -> RequiredCheck:
        app = self.integration_id if self.integration_id is not None else self.app_id
        return RequiredCheck(name=self.context, app=None if app == ANY_APP else app)


class _Parameters(Part):
    required_status_checks: tuple[_Check, ...] = ()
    strict_required_status_checks_policy: bool = False
    allowed_merge_methods: tuple[Text, ...] | None = None


class _Rule(Part):
    type: Text
    ruleset_id: int | None = None
    parameters: _Parameters | None = None


class _Ruleset(Part):
    """always, pull_requests_only, exempt or never; missing when it is not told."""

    current_user_can_bypass: Text | None = None


class _Checks(Part):
    strict: bool = False
    contexts: tuple[Text, ...] = ()
    checks: tuple[_Check, ...] | None = None

    def required(self) -> tuple[RequiredCheck, ...]:
        if self.checks is not None:
            return tuple(check.required() for check in self.checks)
        return tuple(RequiredCheck(name=context) for context in self.contexts)


class _Summary(Part):
    """Of classic protection only."""

    enabled: bool = False
    required_status_checks: _Checks = _Checks()


class _Tip(Part):
    sha: Text


class _Branch(Part):
    commit: _Tip
    protected: bool
    protection: _Summary = _Summary()


class _Switch(Part):
    enabled: bool = False


class _App(Part):
    id: Id


class _Allowed(Part):
    apps: tuple[_App, ...] = ()


class _Reviews(Part):
    bypass_pull_request_allowances: _Allowed = _Allowed()


class _Protection(Part):
    required_pull_request_reviews: _Reviews = _Reviews()
    required_status_checks: _Checks | None = None
    required_linear_history: _Switch = _Switch()


class _Compared(Part):
    status: Text


class Settings(Part):
    """Missing when the token may not see the settings: then every method may be allowed."""

    allow_merge_commit: bool = True
    allow_squash_merge: bool = True
    allow_rebase_merge: bool = True


async def rules(api: Api, question: RulesOf) -> Answer[BaseRules]:
    return await rules_in(api, question, (await api.get("")).read(Settings))


async def rules_in(api: Api, question: RulesOf, repository: Settings) -> Answer[BaseRules]:
    """Where the repository's own settings were read already."""
    base = segment(question.base)
    branch = (await api.get(f"/branches/{base}")).read(_Branch)
    known = await _protection(api, base, branch.protection) if branch.protected else None
    protection = known or _Protection()
    of_rulesets, reply = await api.rows(f"/rules/branches/{base}", _Rule)
    classic = protection.required_status_checks or branch.protection.required_status_checks
    parameters = [rule.parameters for rule in of_rulesets if rule.parameters is not None]
    required = [check.required() for found in parameters for check in found.required_status_checks]
    found = BaseRules(
        required=tuple(dict.fromkeys([*required, *classic.required()])),
        merge_queue=any(rule.type == "merge_queue" for rule in of_rulesets),
        strict=classic.strict or any(one.strict_required_status_checks_policy for one in parameters),
        bypass=_on_the_list(protection, api.app_id) or await _bypass(api, {rule.ruleset_id for rule in of_rulesets}),
        protected=branch.protected,
        classic_unread=branch.protection.enabled and known is None,
        tip=branch.commit.sha,
        methods=_methods(repository, protection, of_rulesets),
    )
    return reply.answer(found)


async def contains(api: Api, question: Contains) -> Answer[bool]:
    """GitHub has no comparison of what has no common ancestor; where the tip is there, that is a no."""
    tip = segment(question.tip)
    path = f"/compare/{segment(question.commit)}...{tip}"
    try:
        reply = await surely(api, lambda: api.get(path))
    except Gone:
        return (await api.get(f"/commits/{tip}")).answer(False)
    return reply.answer(reply.read(_Compared).status in {"ahead", "identical"})


async def _protection(api: Api, base: str, summary: _Summary) -> _Protection | None:
    """None: it is readable only with administration rights; the branch's summary names its checks without them. With them, one
    that the summary calls enabled and that is not shown is not known."""
    if "administration" not in await api.permissions():
        return None
    try:
        return (await api.get(f"/branches/{base}/protection")).read(_Protection)
    except (Forbidden, Gone) as hidden:
        if summary.enabled:
            raise Unreachable(f"{hidden.detail}, and the branch says that it is protected") from hidden
        return None


def _on_the_list(protection: _Protection, app: int) -> bool:
    """Whether classic protection lets us merge without what it asks of pull requests."""
    return app in {one.id for one in protection.required_pull_request_reviews.bypass_pull_request_allowances.apps}


async def _bypass(api: Api, rulesets: set[int | None]) -> bool | None:
    """True when any ruleset lets us pass; None when one does not say."""
    answers = [await _may_bypass(api, ruleset) for ruleset in sorted(rulesets, key=str)]
    if True in answers:
        return True
    return None if None in answers else False


async def _may_bypass(api: Api, ruleset: int | None) -> bool | None:
    if ruleset is None:
        return None
    try:
        told = (await api.get(f"/rulesets/{ruleset}")).read(_Ruleset).current_user_can_bypass
    except (Forbidden, Gone):
        return None
    return None if told is None else told != "never"


def _methods(repository: Settings, protection: _Protection, rules: tuple[_Rule, ...]) -> tuple[str, ...]:
    """Those that every layer allows, in GitHub's order."""
    settings: dict[str, Any] = {
        "merge": repository.allow_merge_commit,
        "squash": repository.allow_squash_merge,
        "rebase": repository.allow_rebase_merge,
    }
    linear = protection.required_linear_history.enabled or any(rule.type == "required_linear_history" for rule in rules)
    lists = [rule.parameters.allowed_merge_methods for rule in rules if rule.parameters is not None]
    return tuple(
        method
        for method in METHODS
        if settings[method]
        and not (linear and method == "merge")
        and all(allowed is None or method in allowed for allowed in lists)
    )
