"""People, repositories and the installation."""

from collections.abc import Mapping

from bot.domain.model.facts import Level
from bot.simulator.model.people import Grant, User
from bot.simulator.model.repositories import Repository
from bot.simulator.verbs.commits import CommitVerbs
from bot.simulator.verbs.state import Where, Who
from bot.simulator.wire import people as wire
from bot.simulator.wire import repositories as wire_repositories


class PeopleVerbs(CommitVerbs):
    def repository(
        self,
        full_name: str,
        *,
        members: Mapping[str, Level] | None = None,
        private: bool = False,
        default_branch: str = "main",
        files: Mapping[str, str] | None = None,
        installed: bool = True,
    ) -> Repository:
        """A repository with one commit. `members` by login. The owner's account is made if missing: an organization,
        unless a person of that name exists."""
        login, _, name = full_name.partition("/")
        owner = next((u for u in self.users.values() if u.login == login), None)
        owner = owner or self._new_user(login, "Organization")
        repo = Repository(next(self._ids), owner, name, self.clock.stamp(), default_branch, private)
        self.repositories[repo.id] = repo
        repo.branches[default_branch] = self._commit((), files or {"README.md": "# hello\n"}, "Initial commit", owner)
        for member, level in (members or {}).items():
            repo.grants[self.person(member).id] = Grant(level)
        if installed:
            self.installation.repositories.add(repo.id)
        return repo

    def forks(self, who: Who, where: Where) -> Repository:
        """A public fork owned by `who`, without our App."""
        user, origin = self._acts(who), self.repository_at(where)
        fork = Repository(next(self._ids), user, origin.name, self.clock.stamp(), origin.default_branch)
        fork.fork_of = origin
        fork.branches = dict(origin.branches)
        self.repositories[fork.id] = fork
        return fork

    def sets_permission(self, who: Who, where: Where, level: Level, role_name: str | None = None) -> None:
        """Grant `level` (or take it away with none); `role_name` for a custom role on top of it. No webhook."""
        self.repository_at(where).grants[self.somebody(who).id] = Grant(level, role_name)

    def renames_user(self, who: Who, login: str) -> User:
        """The id stays; the old login is free for anybody. No webhook."""
        user = self._acts(who)
        user.login = login
        return user

    def renames_repository(self, who: Who, where: Where, name: str) -> Repository:
        repo = self.repository_at(where)
        user = self._acts(who, repo, "admin")
        before = repo.name
        self.former_names[repo.full_name.lower()] = repo.id
        repo.name = name
        self._emit(repo, "repository", user, "renamed", changes={"repository": {"name": {"from": before}}})
        return repo

    def archives(self, who: Who, where: Where) -> None:
        repo = self.repository_at(where)
        user = self._acts(who, repo, "admin")
        repo.archived = True
        self._emit(repo, "repository", user, "archived")

    def unarchives(self, who: Who, where: Where) -> None:
        """Done in the settings by an admin of the repository, the one thing that can be written there."""
        repo = self.repository_at(where)
        repo.archived = False
        self._emit(repo, "repository", self._acts(who, repo, "admin"), "unarchived")

    def suspends(self, who: Who | None = None) -> None:
        """The account's owner suspends our App: requests answer 403, webhooks of repositories stop."""
        user = self._acts(who or self.account)
        self.installation.suspended_at, self.installation.suspended_by = self.clock.stamp(), user
        self._emit_installation("suspend", user)

    def unsuspends(self, who: Who | None = None) -> None:
        user = self._acts(who or self.account)
        self.installation.suspended_at = self.installation.suspended_by = None
        self._emit_installation("unsuspend", user)

    def installs(self, who: Who | None = None) -> None:
        """Installed (again) on every repository of the account: the event that names them. Each time it has a new number."""
        user = self._acts(who or self.account)
        if self.installation.deleted:
            self.installation.id += 1000
        self.installation.deleted = False
        self._emit_installation("created", user)

    def uninstalls(self, who: Who | None = None) -> None:
        user = self._acts(who or self.account)
        self._emit_installation("deleted", user)
        self.installation.deleted = True

    def accepts_permissions(self, who: Who | None = None, **permissions: str) -> None:
        """An owner grants our App what it asked for anew. Tokens that are out keep what they had."""
        self.app.permissions.update(permissions)
        self._emit_installation("new_permissions_accepted", self._acts(who or self.account))

    def adds_repository(self, where: Where, who: Who | None = None) -> None:
        """The App is installed on one more repository."""
        self._changes_selection(where, who, added=True)

    def removes_repository(self, where: Where, who: Who | None = None) -> None:
        """The App loses access to one repository: 404 from now on."""
        self._changes_selection(where, who, added=False)

    def _changes_selection(self, where: Where, who: Who | None, *, added: bool) -> None:
        user, repo = self._acts(who or self.account), self.repository_at(where)
        chosen = self.installation.repositories
        (chosen.add if added else chosen.discard)(repo.id)
        brief = [_brief(repo)]
        payload = {
            "action": "added" if added else "removed",
            "repository_selection": "selected",
            "repositories_added": brief if added else [],
            "repositories_removed": [] if added else brief,
            "requester": None,
            "installation": wire.installation(self.installation),
            "sender": wire.user(user),
        }
        self.hooks.emit("installation_repositories", payload)

    def _emit_installation(self, action: str, sender: User) -> None:
        chosen = [_brief(self.repositories[one]) for one in sorted(self.installation.repositories)]
        payload: dict[str, object] = {
            "action": action,
            "repositories": chosen,
            "installation": wire.installation(self.installation),
            "sender": wire.user(sender),
        }
        if action in ("created", "suspend"):
            payload["requester"] = None
        self.hooks.emit("installation", payload)


def _brief(repo: Repository) -> dict[str, object]:
    full = wire_repositories.minimal(repo)
    return {key: full[key] for key in ("id", "node_id", "name", "full_name", "private")}
