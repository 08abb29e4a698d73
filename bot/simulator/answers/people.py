"""Who may do what, and who is in a team: one request each, as the adapter sends them."""

from bot.domain.model.facts import Permission
from bot.domain.model.ids import Person
from bot.domain.model.questions import MemberOf, TeamOf
from bot.simulator.model.people import Team
from bot.simulator.model.repositories import Repository
from bot.simulator.refusal import HttpError, not_found
from bot.simulator.world import World


def permission(world: World, repo: Repository, login: str) -> Permission:
    """Of whoever has the login now: the id in the answer says who that is."""
    user = world.user(login)
    grant = world.grant(user, repo)
    role = grant.role_name or grant.level
    is_bot = user.type != "User"
    return Permission(user_id=user.id, login=user.login, level=grant.level, role_name=role, is_bot=is_bot)


def account(world: World, login: str) -> Person:
    """Whose login it is now."""
    user = world.user(login)
    return Person(id=user.id, login=user.login)


def present_login(world: World, number: int) -> str:
    """What the account is called now."""
    found = world.users.get(number)
    if found is None:
        raise not_found()
    return found.login


def membership(world: World, repo: Repository, question: MemberOf) -> bool:
    """Who was never asked in is 404, like a team that is not there or not for us to see."""
    state = _visible(world, repo, question).state(world.user(question.login))
    if state is None:
        raise not_found()
    return state == "active"


def team(world: World, repo: Repository, question: TeamOf | MemberOf) -> int:
    """Which team has the name now."""
    return _visible(world, repo, question).id


def _visible(world: World, repo: Repository, question: TeamOf | MemberOf) -> Team:
    if "members" not in world.app.permissions:
        raise HttpError(403, "Resource not accessible by integration")
    found = world.team_at(*team_of(repo, question))
    if found.organization is not world.account:
        raise not_found()
    return found


def hides_teams(repo: Repository, question: TeamOf | MemberOf) -> bool:
    """Whether a 404 says nothing, because the team is of another organization. A person's account has no teams."""
    return repo.owner.type != "User" and repo.owner.login.lower() != team_of(repo, question)[0].lower()


def team_of(repo: Repository, question: TeamOf | MemberOf) -> tuple[str, str]:
    organization, _, slug = question.team.rpartition("/")
    return organization or repo.owner.login, slug
