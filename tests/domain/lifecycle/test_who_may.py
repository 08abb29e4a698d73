"""Every command, said by everybody, in every state: typed as a comment, read by the grammar, judged by the real `decide`."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.commands.catalogue import COMMANDS
from bot.domain.commands.reading import Misread, Thread, interpret
from bot.domain.lifecycle.results import Advance, NotYet, Refuse
from bot.domain.model.facts import Permission
from bot.domain.model.ids import Actor, Person
from bot.domain.model.policy import STRICT, CommandsRule, RoleRule, Roles
from bot.domain.model.questions import MemberOf, PermissionOf, Question
from bot.domain.model.record import Held, Record
from bot.domain.model.refusals import Refusal
from bot.domain.model.sightings import CommentCreated
from bot.domain.model.signals import Command
from bot.domain.policy.accounts import as_team
from tests.domain.lifecycle import columns
from tests.domain.lifecycle.scene import Scene, gathered
from tests.domain.lifecycle.who_may import PEOPLE, load
from tests.domain.lifecycle.who_may import Command as Row
from tests.kit.cases import MERGE_SHA, NOW, SILENT, answers, evidence, pull_facts
from tests.kit.records import HEAD, NEW_HEAD, at
from tests.kit.records import PEOPLE as KNOWN

#: Roles are held by teams, so that nobody holds two by chance.
TEAMS: dict[str, tuple[str, ...]] = {
    "reader": (),
    "builder": ("builders",),
    "reviewer": ("reviewers",),
    "operator": ("operators",),
    "author": ("builders", "reviewers", "operators"),
    "decider": ("reviewers", "operators"),
    "bot": ("builders", "reviewers", "operators"),
}
ACCOUNTS = {
    **{name: Person(id=number, login=name) for number, name in enumerate(PEOPLE, start=40)},
    "author": KNOWN["ada"],
    "decider": KNOWN["grace"],
}
EVERY_TEAM = ("builders", "reviewers", "operators")
TEAM_IDS = {team: number for number, team in enumerate(EVERY_TEAM, start=1)}
POLICY = STRICT.model_copy(
    update={
        "roles": Roles(**{team: RoleRule(permission=None, teams=(team,)) for team in EVERY_TEAM}),
        "accounts": {as_team(team): number for team, number in TEAM_IDS.items()},
        "commands": CommandsRule(bots=("bot",)),
    }
)
#: The pull request that is to be linked instead of the one that is.
OTHER = 35
#: Whose turn it is, in the words of refusals: a role, whoever was refused, nobody.
WHO_AND_WHAT = (
    *(f" {one}" for one in ("a builder", "a reviewer", "an operator", "an owner of", "somebody else's judgement")),
    *("A builder ", "Repeat it ", "repeat it ", "Everybody revokes", "status comment of", "Nobody needs to do"),
    "should it be heard only now",
)
READ_ONLY = frozenset({"ask_status", "ask_help"})
#: What a command needs to find beside a record in this state, so that it could do something there.
GIVEN: dict[str, Callable[[Record], Record]] = {}


def given(*verbs: str) -> Callable[[Callable[[Record], Record]], Callable[[Record], Record]]:
    def keep(change: Callable[[Record], Record]) -> Callable[[Record], Record]:
        GIVEN.update(dict.fromkeys(verbs, change))
        return change

    return keep


@given("answer")
def _asked(record: Record) -> Record:
    return record.model_copy(update={"questions": (columns.a_question(),)})


@given("unhold")
def _held(record: Record) -> Record:
    return record.model_copy(update={"held": Held(by=ACCOUNTS["reviewer"], since=at("14:00"))})


@given("retry")
def _out_of_budget(record: Record) -> Record:
    if record.blocked is None:
        return record
    spent = record.budgets.model_copy(update={"review_cycles": (3, 3)})
    return record.model_copy(
        update={"blocked": record.blocked.model_copy(update={"cause": "budget"}), "budgets": spent}
    )


@given("merge")
def _complete(record: Record) -> Record:
    complete = record.phase == "submit" and record.merge.state == "none"
    return columns.ready() if complete else record


def _state(verb: str, name: str) -> Record | None:
    if name == "no_record":
        return None
    record = columns.testing(frozen="suspended") if name == "frozen" else columns.column(name)
    prepare = GIVEN.get(verb)
    return prepare(record) if prepare else record


def _said(row: Row, record: Record | None, who: str) -> Command | Misread:
    """What the grammar makes of it. GATE is the gate that is open, if one is."""
    account, pull = ACCOUNTS[who], row.on == "pull request"
    gate = "testing" if record is None or record.phase == "testing" else "submit"
    words = row.typed.replace("GATE", gate).replace("MERGED", MERGE_SHA).replace("SHA", HEAD[:12])
    other = row.verb == "link"
    thread = Thread(OTHER if other else 34 if pull else 12, is_pull=pull, record=None if other else record)
    comment = CommentCreated(
        key="comment:900",
        actor=Actor(kind="bot" if who == "bot" else "person", id=account.id, login=account.login),
        number=thread.number,
        is_pull=pull,
        comment_id=900,
        body=f"/signalbox {words}",
        created_at=NOW + timedelta(minutes=59),
    )
    (item,) = interpret(comment, thread, POLICY).items
    return item


def _world(row: Row, record: Record) -> dict[str, Any]:
    """GitHub agrees with the record and with what is said about the merge, and knows everybody."""
    known: dict[Question[Any], Any] = {}
    for who, account in ACCOUNTS.items():
        may = Permission(user_id=account.id, login=account.login, level="read", is_bot=who == "bot")
        known[PermissionOf(account.id, account.login)] = SILENT if who == "unread" else may
        known |= {MemberOf(team, account.login, TEAM_IDS[team]): team in TEAMS.get(who, ()) for team in EVERY_TEAM}
    known |= {MemberOf(team, "omar", TEAM_IDS[team]): team == "operators" for team in EVERY_TEAM}
    if row.verb == "link":
        linked = record.model_copy(update=columns.PULL | {"pull_request": OTHER, "head": NEW_HEAD})
        known |= answers(linked, pull=pull_facts(record, number=OTHER, head_sha=NEW_HEAD, head_ref="other"))
    unmerged = {"pull_merged": False, "pull_open": True, "on_base": False} if "unmerged" in row.typed else {}
    return {"also": known, "evidence": evidence(record, **unmerged)}


def _says_who_and_what(refusal: Refusal) -> None:
    """Every refusal says what is true now, what to do, who can; what is so already (👍) needs nobody."""
    named = refusal.code == "already_recorded" or any(words in refusal.message for words in WHO_AND_WHAT)
    assert named, f"{refusal.code}: {refusal.message}"


def _outcome(row: Row, state: str, who: str) -> str:
    """Every refusal on the way says who can do what about it."""
    record = _state(row.verb, state)
    item = _said(row, record, who)
    if isinstance(item, Misread):
        _says_who_and_what(item.refusal)
        return item.refusal.code
    if record is None:
        return "no_record"  # `/link` names the issue, and the shell finds nothing there
    scene = Scene(record, item, POLICY, now=NOW + timedelta(hours=1), world=_world(row, record))
    result = gathered(scene)
    assert not isinstance(result, NotYet), result
    if isinstance(result, Advance | Refuse) and result.refusal is not None:
        _says_who_and_what(result.refusal)
        return result.refusal.code
    return "allowed" if isinstance(result, Advance) or item.kind in READ_ONLY else "nothing"


@pytest.mark.parametrize("row", load(), ids=lambda row: row.name)
def test_who_may_what_and_when(row: Row) -> None:
    assert {cell: _outcome(row, *cell) for cell in row.outcomes} == row.outcomes


def test_every_command_is_in_the_table_where_it_works_and_somebody_may_use_it() -> None:
    rows = load()
    assert {(row.verb, row.on) for row in rows} == {
        (spec.name, place)
        for spec in COMMANDS
        for place, where in (("issue", "issue"), ("pull request", "pull"))
        if spec.where in {"both", where}
    }
    assert all("allowed" in row.outcomes.values() for row in rows)


def test_whoever_can_only_read_changes_nothing() -> None:
    """T5: every command of the catalogue, sent by a reader, is denied, but what only shows something."""
    may = {
        row.verb for row in load() for (_, who), code in row.outcomes.items() if (who, code) == ("reader", "allowed")
    }
    assert may == {"status", "help"}
