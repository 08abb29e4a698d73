"""An issue, its pull request and the people who comment on them."""

from datetime import UTC, datetime

from bot.domain.commands.reading import Misread, Thread, interpret
from bot.domain.lifecycle.roles import ROLES, Able
from bot.domain.model.facts import Level
from bot.domain.model.ids import Actor, Person
from bot.domain.model.policy import STRICT, CommandsRule, Policy
from bot.domain.model.record import MachineRef, Phase, Plan, Question, Record
from bot.domain.model.sightings import CommentCreated
from bot.domain.model.signals import Command
from bot.domain.policy.seats import Someone, holds_role

AT = datetime(2026, 11, 30, 14, 2, tzinfo=UTC)
HEAD = "3f2a91c84e07d5b1f0c2a9e86b4d7713c05a2f9e"
ADA = Actor(kind="person", id=1, login="ada")
GRACE = Actor(kind="person", id=2, login="grace")
PLAN_R2 = Plan(
    revision=2, digest="sha256:" + "0" * 64, text="the plan", author=Person(id=1, login="ada"), submitted_at=AT, round=1
)


def a_record(phase: Phase = "testing", **fields: object) -> Record:
    known: dict[str, object] = {
        "repository": "octo/app",
        "repository_id": 7,
        "installation_id": 70,
        "issue": 12,
        "issue_id": 1200,
        "version": 3,
        "phase": phase,
        "plan": PLAN_R2,
        "head": HEAD,
        "pull_request": 34,
        "requester": Person(id=1, login="ada"),
        "machine": MachineRef(hash="m"),
        "started_at": AT,
        "phase_since": AT,
    }
    return Record.model_validate(known | fields)


def a_question(id: str, answer: str | None = None) -> Question:
    return Question(id=id, text="which key?", asked_by=Person(id=1, login="ada"), answer=answer)


def issue(record: Record | None = None, *, without: bool = False) -> Thread:
    """Issue 12; at plan_ready unless a record says otherwise."""
    return Thread(12, is_pull=False, record=None if without else record or a_record("plan_ready"))


def pull(record: Record | None = None, *, without: bool = False) -> Thread:
    """Pull request 34; at testing unless a record says otherwise."""
    return Thread(34, is_pull=True, record=None if without else record or a_record())


def a_comment(body: str, thread: Thread, *, actor: Actor = GRACE, app_id: int | None = None) -> CommentCreated:
    kind = "pull" if thread.is_pull else "issues"
    return CommentCreated(
        key="comment:900",
        actor=actor,
        delivery="d-1",
        at=AT,
        number=thread.number,
        is_pull=thread.is_pull,
        comment_id=900,
        node_id="C_900",
        body=body,
        created_at=AT,
        url=f"https://github.com/octo/app/{kind}/{thread.number}#issuecomment-900",
        app_id=app_id,
    )


def able(level: Level, policy: Policy = STRICT) -> Able:
    """Somebody who has this permission, and whatever roles it brings."""
    someone = Someone(id=2, login="grace", level=level)
    return Able(level, frozenset(role for role in ROLES if holds_role(policy.roles.of(role), someone)))


def hear(
    body: str, thread: Thread, policy: Policy = STRICT, *, level: Level | None = None
) -> tuple[Command | Misread, ...]:
    return interpret(a_comment(body, thread), thread, policy, able(level, policy) if level else None).items


def only(items: tuple[Command | Misread, ...]) -> Command | Misread:
    assert len(items) == 1, items
    return items[0]


def refused(body: str, thread: Thread, policy: Policy = STRICT) -> Misread:
    """The one misread line of a comment."""
    item = only(hear(body, thread, policy))
    assert isinstance(item, Misread), item
    return item


def bare(setting: bool | tuple[str, ...]) -> Policy:
    return STRICT.model_copy(update={"commands": CommandsRule(bare=setting)})
