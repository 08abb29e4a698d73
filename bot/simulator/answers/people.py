"""Who may do what."""

from bot.domain.model.facts import Permission
from bot.domain.model.questions import PermissionOf
from bot.simulator.model.repositories import Repository
from bot.simulator.refusal import HttpError
from bot.simulator.world import World


def permission(world: World, repo: Repository, question: PermissionOf) -> Permission:
    """Of whoever has the login now: the id in the answer says who that is. A 404 is level none."""
    try:
        user = world.user(question.login)
    except HttpError:
        return Permission(user_id=question.user_id, login=question.login, level="none")
    grant = world.grant(user, repo)
    role = grant.role_name or grant.level
    return Permission(user_id=user.id, login=user.login, level=grant.level, role_name=role, is_bot=user.type == "Bot")
