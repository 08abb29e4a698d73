"""What a head has shown, and what a base asks for."""

from bot.domain.model.facts import (
    BaseRules,
    CheckFacts,
    CheckRunFacts,
    OwnCheck,
    RequiredCheck,
    StatusFacts,
    SuiteFacts,
    WorkflowFiles,
)
from bot.simulator.model.checks import CheckRun
from bot.simulator.model.repositories import Repository
from bot.simulator.model.threads import Pull
from bot.simulator.wire.places import WEB
from bot.simulator.world import World


def on_head(world: World, repo: Repository, head: str) -> CheckFacts:
    statuses = [one for one in repo.statuses if one.sha == head]
    return CheckFacts(
        head=head,
        runs=tuple(_run(world, repo, one) for one in repo.runs if one.head == head),
        statuses=tuple(
            StatusFacts(
                id=one.id,
                context=one.context,
                creator=one.creator.id,
                state=one.state,
                url=one.target_url,
                created_at=one.created_at,
                updated_at=one.updated_at,
            )
            for one in reversed(statuses)
        ),
        suites=tuple(
            SuiteFacts(
                id=one.id,
                app=one.app.id,
                status=one.status,
                conclusion=one.conclusion,
                runs=len(one.runs),
                created_at=one.created_at,
                updated_at=one.updated_at,
            )
            for one in repo.suites
            if one.head == head
        ),
    )


def own(world: World, repo: Repository, head: str, name: str) -> tuple[OwnCheck, ...]:
    """Newest first."""
    mine = [r for r in repo.runs if r.head == head and r.app is world.app and r.name == name]
    return tuple(
        OwnCheck(
            id=one.id,
            head=one.head,
            status=one.status,
            conclusion=one.conclusion,
            title=one.title or "",
            external_id=one.external_id or None,
            started_at=one.started_at,
            updated_at=one.completed_at or one.started_at,
        )
        for one in reversed(mine)
    )


def rules(world: World, repo: Repository, base: str) -> BaseRules:
    """Rulesets and classic protection together; protection without administration rights is not read."""
    world.tip(repo, base)
    rulesets = repo.rules_on(base)
    required = [one for rules in rulesets for one in rules.required]
    strict = any(one.strict and one.required for one in rulesets)
    classic, read, passes = repo.protections.get(base), False, False
    if classic is not None:
        required += classic.required
        read = "administration" in world.app.permissions
        passes = read and classic.reviews > 0 and world.app in classic.bypassing
        strict = strict or (classic.strict and read)
    methods = tuple(m for m in repo.methods if all(m in one.methods for one in rulesets))
    return BaseRules(
        required=tuple(dict.fromkeys(RequiredCheck(name=one.context, app=one.app) for one in required)),
        merge_queue=any(one.merge_queue for one in rulesets),
        strict=strict,
        bypass=passes or any(one.bypass != "never" for one in rulesets),
        protected=classic is not None or bool(rulesets),
        classic_unread=classic is not None and not read,
        tip=world.tip(repo, base),
        methods=methods,
    )


def contains(world: World, repo: Repository, tip: str, commit: str) -> bool:
    have = world.commit_at(repo, tip).sha
    return world.contains(have, repo.branches.get(commit, commit))


def forbidden_workflows(world: World, pull: Pull) -> WorkflowFiles:
    touched = world.touches_workflows(pull) and world.app.permissions.get("workflows") != "write"
    return "touched" if touched else "none"


def _run(world: World, repo: Repository, one: CheckRun) -> CheckRunFacts:
    return CheckRunFacts(
        id=one.id,
        name=one.name,
        app=one.app.id,
        suite=one.suite.id,
        status=one.status,
        conclusion=one.conclusion,
        external_id=one.external_id or None,
        url=f"{WEB}/{repo.full_name}/runs/{one.id}",
        started_at=one.started_at,
        completed_at=one.completed_at,
        mine=one.app is world.app,
    )
