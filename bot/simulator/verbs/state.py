"""What all verbs stand on: who exists, the time, the commits, and how a change becomes a webhook."""

from datetime import datetime
from itertools import count
from typing import Any

from bot.simulator.clock import WorldClock
from bot.simulator.edge import Edge, Request
from bot.simulator.hooks import HookQueue
from bot.simulator.model.landing import Landing
from bot.simulator.model.people import App, Grant, Installation, Team, User
from bot.simulator.model.repositories import Commit, Repository
from bot.simulator.model.threads import Comment, Pull, Review
from bot.simulator.refusal import HttpError, not_found
from bot.simulator.wire import people as wire_people
from bot.simulator.wire import repositories as wire_repositories

Who = User | str
Where = Repository | str

#: App permissions of app.yml's core.
CORE_PERMISSIONS = {
    "checks": "write",
    "contents": "write",
    "issues": "write",
    "metadata": "read",
    "pull_requests": "write",
    "statuses": "read",
}
CORE_EVENTS = (
    *("check_run", "check_suite", "issue_comment", "issues", "label", "pull_request", "pull_request_review"),
    *("pull_request_review_comment", "push", "repository", "status"),
)


class State:
    """`merge_async_seconds`: how long GitHub takes over a merge-async request. `rate_limit`: requests
    of an hour, as the headers say it. `landed`: every merge, in order.
    `findings`: requests the simulator does not understand; a test must end with none."""

    def __init__(
        self,
        now: datetime,
        *,
        app_id: int = 4711,
        slug: str = "signalbox",
        account: str = "octo",
        beside: "State | None" = None,
    ) -> None:
        """`beside`: the same GitHub and App in another account: one time, and no number twice."""
        self.clock: WorldClock = WorldClock(now) if beside is None else beside.clock
        self.hooks = HookQueue(self.clock)
        self.edge = Edge(self.clock)
        self.users: dict[int, User] = {}
        self.repositories: dict[int, Repository] = {}
        self.teams: dict[int, Team] = {}
        self.commits: dict[str, Commit] = {}
        self.introduced: dict[str, Pull] = {}
        self.comments_by_id: dict[int, Comment] = {}
        self.reviews_by_id: dict[int, Review] = {}
        self.former_names: dict[str, int] = {}
        self.landed: list[Landing] = []
        self.merge_async_seconds = 1.0
        self.rate_limit = 5000
        self.findings: list[str] = []
        self._ids: count[int] = count(1001) if beside is None else beside._ids  # noqa: SLF001 - another of its own kind
        self._commit_numbers = count(1)
        self.account = self._new_user(account, "Organization")
        bot = self._new_user(f"{slug}[bot]", "Bot")
        self.app = App(app_id, slug, self.account, bot, self.clock.stamp(), permissions=dict(CORE_PERMISSIONS))
        self.app.events = CORE_EVENTS
        self.installation = Installation(next(self._ids), self.app, self.account, self.clock.stamp())
        self.apps: dict[str, App] = {slug: self.app}

    @property
    def requests(self) -> list[Request]:
        return self.edge.requests

    @property
    def bot(self) -> User:
        """The account our App acts as."""
        return self.app.bot

    def person(self, login: str) -> User:
        """The account with this login, created when nobody has it."""
        return next((u for u in self.users.values() if u.login == login), None) or self._new_user(login)

    def another_app(self, slug: str) -> App:
        """Some other App that reports checks (CI); created on first mention."""
        if slug not in self.apps:
            owner, bot = self.person(f"{slug}-owner"), self._new_user(f"{slug}[bot]", "Bot")
            self.apps[slug] = App(next(self._ids), slug, owner, bot, self.clock.stamp())
        return self.apps[slug]

    def somebody(self, who: Who) -> User:
        """Who acts; a login mentioned for the first time is a new account."""
        return who if isinstance(who, User) else self.person(who)

    def user(self, who: Who) -> User:
        """Find an account by its present login, case aside."""
        if isinstance(who, User):
            return who
        found = next((u for u in self.users.values() if u.login.lower() == who.lower()), None)
        if found is None:
            raise not_found()
        return found

    def team_at(self, organization: str, slug: str) -> Team:
        """Find a team by the present names of its organization and of itself."""
        wanted = (organization.lower(), slug.lower())
        found = next((t for t in self.teams.values() if (t.organization.login.lower(), t.slug) == wanted), None)
        if found is None:
            raise not_found()
        return found

    def repository_at(self, where: Where) -> Repository:
        """Find a repository by its present full name."""
        if isinstance(where, Repository):
            return where
        found = next((r for r in self.repositories.values() if r.full_name.lower() == where.lower()), None)
        if found is None:
            raise not_found()
        return found

    def visible(self, repository: Repository) -> bool:
        """Does our App see it?"""
        return repository.id in self.installation.repositories and not self.installation.deleted

    def grant(self, user: User, repository: Repository) -> Grant:
        """The highest grant: owner, collaborator, or what the public may do."""
        if user is self.bot:
            return Grant("write" if self.visible(repository) else "none")
        if user is repository.owner:
            return Grant("admin")
        return repository.grants.get(user.id, Grant("none" if repository.private else "read"))

    def _new_user(self, login: str, type: Any = "User") -> User:
        user = User(next(self._ids), login, type)
        self.users[user.id] = user
        return user

    def _acts(self, who: Who, repository: Repository | None = None, needs: str = "read") -> User:
        """Somebody does something: a person's act takes at least a second; without the right GitHub refuses it."""
        user = self.somebody(who)
        if user.type != "Bot":
            self.clock.advance(1)
        if repository is not None:
            self._may(user, repository, needs)
        return user

    def _may(self, user: User, repository: Repository, needs: Any) -> None:
        if repository.archived:
            raise HttpError(403, "Repository was archived so is read-only.")
        grant = self.grant(user, repository)
        if user.type != "Bot" and not grant.allows(needs):
            raise HttpError(403, f"Must have {needs} rights to {repository.full_name}.")

    def _emit(self, repository: Repository, event: str, sender: User, action: str | None = None, **parts: Any) -> None:
        """Send a repository's webhook, if our App is installed there and not suspended."""
        if not self.visible(repository) or self.installation.suspended_at is not None:
            return
        payload: dict[str, Any] = {"action": action} if action is not None else {}
        payload |= parts
        shape = wire_repositories.pushed_repository if event == "push" else wire_repositories.repository
        payload["repository"] = shape(repository)
        if repository.owner.type == "Organization":
            payload["organization"] = wire_people.organization(repository.owner)
        payload["sender"] = wire_people.user(sender)
        payload["installation"] = {"id": self.installation.id, "node_id": f"MDI{self.installation.id}"}
        self.hooks.emit(event, payload)
