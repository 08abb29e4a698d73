"""What somebody may do in the repository, and who is in a team."""

from bot.domain.model.facts import LEVELS, Answer, Level, Permission
from bot.domain.model.ids import Person
from bot.domain.model.questions import AccountOf, MemberOf, PermissionOf, TeamOf
from bot.github.absence import surely
from bot.github.api import Api, segment
from bot.github.reply import Reply
from bot.github.shapes import Id, Part, Text
from bot.ports.failures import Forbidden, Gone, Unreachable

#: GitHub's words for the booleans, highest first. They tell the base level of custom roles too.
BOOLEANS: tuple[tuple[str, Level], ...] = (
    ("admin", "admin"),
    ("maintain", "maintain"),
    ("push", "write"),
    ("triage", "triage"),
    ("pull", "read"),
)


class _User(Part):
    id: Id
    login: Text
    type: Text = ""
    permissions: dict[str, bool] | None = None


class _Permission(Part):
    """`permission` reports maintain as write and triage as read."""

    permission: Text
    role_name: Text | None = None
    user: _User | None


class _Account(Part):
    id: Id
    login: Text
    type: Text = ""


class _Repository(Part):
    owner: _Account


class _Membership(Part):
    state: Text


class _Team(Part):
    id: Id


async def permission(api: Api, question: PermissionOf) -> Answer[Permission]:
    """Of the account that was asked for, whatever it is called by now; whoever has its old login gives it no right."""
    found, reply = await _under(api, question.login)
    if found is None or found.user_id != question.user_id:
        account = await _present(api, question)
        if account is not None and account.login.lower() != question.login.lower():
            found, reply = await _under(api, account.login)
        if account is not None and found is None:
            await _is_outside(api, account)
    return reply.answer(found or Permission(user_id=question.user_id, login=question.login, level="none"))


async def _under(api: Api, login: str) -> tuple[Permission | None, Reply]:
    """The permission of whoever has this login now; None where nobody has one."""
    path = _permission_of(login)
    try:
        reply = await surely(api, lambda: api.get(path))
    except Gone:  # it also hides a repository that is gone
        return None, await api.still_there()
    api.gateway.contradictions.is_over(f"{api.repo.id}{path}")
    read = reply.read(_Permission)
    if read.user is None:
        raise Unreachable("unreadable answer: a permission of nobody")
    found = Permission(
        user_id=read.user.id,
        login=read.user.login,
        level=_level(read),
        role_name=read.role_name,
        is_bot=read.user.type != "User",
    )
    return found, reply


def _permission_of(login: str) -> str:
    return f"/collaborators/{segment(login)}/permission"


async def _is_outside(api: Api, account: _Account) -> None:
    """GitHub says "none" of a person who may do nothing here. 404 for one whose account is there contradicts that, and says
    nothing of them until it lasts. Bots and organizations are no collaborators, so of them it is true. Raises Unreachable."""
    path = _permission_of(account.login)
    lasts = api.gateway.contradictions.lasts(f"{api.repo.id}{path}", api.gateway.clock.monotonic())
    if account.type == "User" and not lasts:
        raise Unreachable(f"GET {path}: 404, and the account is there")


async def _present(api: Api, question: PermissionOf) -> _Account | None:
    """The account as it is called now; None for one that is no more."""
    try:
        reply = await surely(api, lambda: api.get_outside(f"/user/{question.user_id}"))
    except Gone:
        return None
    account = reply.read(_Account)
    return account if account.id == question.user_id else None


async def account(api: Api, question: AccountOf) -> Answer[Person | None]:
    try:
        reply = await surely(api, lambda: api.get_outside(f"/users/{segment(question.login)}"))
    except Gone:
        return (await api.still_there()).answer(None)
    found = reply.read(_Account)
    return reply.answer(Person(id=found.id, login=found.login))


async def team(api: Api, question: TeamOf) -> Answer[int | None]:
    found, reply = await _of_team(api, question.team)
    return reply.answer(reply.read(_Team).id if found else None)


async def member(api: Api, question: MemberOf) -> Answer[bool]:
    """Of the team with this number: whichever has its name by now gives nobody anything. That is asked last, and only where it
    matters."""
    found, reply = await _of_team(api, question.team, f"/memberships/{segment(question.login)}")
    if found and reply.read(_Membership).state == "active":
        found, reply = await _of_team(api, question.team)
        return reply.answer(found and reply.read(_Team).id == question.number)
    return reply.answer(value=False)


async def _of_team(api: Api, name: str, below: str = "") -> tuple[bool, Reply]:
    """What stands there, if anything. GitHub answers 404 for who is no member and for a team that we may not see."""
    before, _, slug = name.rpartition("/")
    organization = before or api.owner
    try:
        path = f"/orgs/{segment(organization)}/teams/{segment(slug)}{below}"
        return True, await surely(api, lambda: api.get_outside(path))
    except Forbidden:  # perhaps by a token from before it was granted
        if "members" in await api.permissions() or not await api.may_by_now("members"):
            raise
        return await _of_team(api, name, below)
    except Gone:
        return False, await _in_sight(api, organization)


async def _in_sight(api: Api, organization: str) -> Reply:
    """Nothing is there, if the teams of this organization can be seen at all. Who is no organization has no teams."""
    reply = await api.still_there()
    owner = reply.read(_Repository).owner
    if owner.type != "User" and owner.login.lower() != organization.lower():
        raise Forbidden(f"teams of {organization}: this App is installed in {owner.login}")
    if owner.type != "User" and not await api.may_by_now("members"):
        raise Forbidden(f"teams of {organization}: this App lacks the permission Members: read")
    return reply


def _level(read: _Permission) -> Level:
    booleans = read.user.permissions if read.user else None
    if booleans is not None:
        return next((level for word, level in BOOLEANS if booleans.get(word)), "none")
    for level in LEVELS:
        if level == read.permission:
            return level
    raise Unreachable("unreadable answer: permission")
