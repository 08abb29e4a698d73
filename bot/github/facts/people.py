"""What somebody may do in the repository."""

from bot.domain.model.facts import LEVELS, Answer, Level, Permission
from bot.domain.model.questions import PermissionOf
from bot.github.api import Api, Reply, segment
from bot.github.shapes import Id, Part, Text
from bot.ports.failures import Gone, Unreachable

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


async def permission(api: Api, question: PermissionOf) -> Answer[Permission]:
    """The id is the answer's, so that a login that now belongs to somebody else gives nobody a right."""
    try:
        reply = await api.get(f"/collaborators/{segment(question.login)}/permission")
    except Gone:
        return await _nobody(api, question)
    read = reply.read(_Permission)
    if read.user is None:
        return _none(reply, question)
    found = Permission(
        user_id=read.user.id,
        login=read.user.login,
        level=_level(read),
        role_name=read.role_name,
        is_bot=read.user.type == "Bot",
    )
    return reply.answer(found)


async def _nobody(api: Api, question: PermissionOf) -> Answer[Permission]:
    """404 also hides a repository that is gone; only in one that is still there it means no permission."""
    return _none(await api.still_there(), question)


def _none(reply: Reply, question: PermissionOf) -> Answer[Permission]:
    return reply.answer(Permission(user_id=question.user_id, login=question.login, level="none"))


def _level(read: _Permission) -> Level:
    booleans = read.user.permissions if read.user else None
    if booleans is not None:
        return next((level for word, level in BOOLEANS if booleans.get(word)), "none")
    for level in LEVELS:
        if level == read.permission:
            return level
    raise Unreachable("unreadable answer: permission")
