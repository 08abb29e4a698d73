"""What GitHub does not say, cuts short or says of something else is never an answer that helps a merge."""

from typing import Any

import pytest

from bot.domain.model.credits import Credits, Trailer
from bot.domain.model.facts import AsyncMergeFacts, BaseRules, Permission
from bot.domain.model.ids import Person
from bot.domain.model.questions import AsyncMergeOf, CoAuthorsOf, PermissionOf, RulesOf
from bot.ports.failures import Gone, Unreachable
from tests.github.test_client import REPO
from tests.github.test_evidence import answering

pytestmark = pytest.mark.anyio

HEAD, TIP = "a" * 40, "b" * 40
HERE = {"id": 1, "full_name": "octo/app"}


def somebody(**user: Any) -> dict[str, Any]:
    return {"permission": "admin", "user": {"id": 2, "login": "grace"} | user}


async def permission(told: dict[str, Any]) -> Permission:
    bodies = {"/collaborators/grace/permission": told, "": HERE}
    return (await answering(bodies).forge.read(REPO, PermissionOf(2, "grace"))).value


async def test_a_permission_that_names_nobody_is_not_known_to_be_none() -> None:
    with pytest.raises(Unreachable):
        await permission({"permission": "none", "user": None})


async def test_only_an_account_that_is_said_to_be_a_users_is_a_persons() -> None:
    said = [somebody(type="User"), somebody(type="Bot"), somebody(type="Organization"), somebody()]
    assert [(await permission(one)).is_bot for one in said] == [False, True, True, True]


async def credited(author: Any, name: str = "Sue", email: str = "sue@example.org", says: str = "x") -> Credits | None:
    """None where it could not be read."""
    by = {"name": name, "email": email}
    commits = [{"sha": HEAD, "author": author, "committer": {}, "commit": {"message": says, "author": by}}]
    try:
        return (await answering({"/pulls/34/commits": commits, "": HERE}).forge.read(REPO, CoAuthorsOf(34))).value
    except Unreachable:
        return None


@pytest.mark.parametrize("nobody", [None, {}])
async def test_who_made_a_commit_and_has_no_account_is_credited_by_name_and_address(nobody: Any) -> None:
    """known-faults.md, row 104."""
    sue = Trailer(kind="Co-authored-by", name="Sue", address="sue@example.org")
    assert await credited(nobody) == Credits(trailers=(sue,))
    assert await credited(nobody, says="x\n\nCo-authored-by: S <sue@example.org>") == Credits(
        trailers=(sue.model_copy(update={"name": "S"}),)
    )
    assert await credited(nobody, name="x\nSigned-off-by: y", email="a@b.example>\nFixes: #3 <c@d.example") == Credits()
    assert await credited({"id": 2, "login": "grace"}) == Credits(people=(Person(id=2, login="grace"),))


async def rules(told: dict[str, Any] | None, **rule: Any) -> BaseRules:
    """What is read of a base with one rule of a ruleset that says this of us."""
    bodies: dict[str, Any] = {
        "/branches/main": {"commit": {"sha": TIP}, "protected": False},
        "": HERE,
        "/rules/branches/main": [{"type": "required_linear_history"} | rule],
    }
    ruleset = {"/rulesets/9": told} if told is not None else {}
    return (await answering(bodies | ruleset).forge.read(REPO, RulesOf("main"))).value


async def test_a_ruleset_that_does_not_say_that_we_never_bypass_it_may_be_bypassed() -> None:
    assert (await rules({"current_user_can_bypass": "never"}, ruleset_id=9)).bypass is False
    assert (await rules({}, ruleset_id=9)).bypass is None
    assert (await rules(None, ruleset_id=9)).bypass is None


async def test_a_rule_that_names_no_ruleset_may_be_bypassed() -> None:
    assert (await rules({"current_user_can_bypass": "never"})).bypass is None


async def test_a_request_is_forgotten_only_where_its_repository_is_still_there() -> None:
    asks = AsyncMergeOf(34, "3f0e")
    forgotten = await answering({"": HERE}).forge.read(REPO, asks)
    assert forgotten.value == AsyncMergeFacts(status="gone")
    with pytest.raises(Gone):
        await answering({"": HERE | {"id": 2}}).forge.read(REPO, asks)
    with pytest.raises(Gone):
        await answering({}).forge.read(REPO, asks)
