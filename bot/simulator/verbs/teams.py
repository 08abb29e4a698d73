"""Teams of organizations and collaborators of repositories, with the webhooks that Apps with Members: read are sent."""

from typing import Any

from bot.domain.model.facts import Level
from bot.simulator.model.people import Grant, Team, User
from bot.simulator.verbs.state import State, Where, Who
from bot.simulator.wire import people as wire
from bot.simulator.wire import teams as wire_teams

#: The optional group of app.yml.
TEAM_EVENTS = ("member", "membership", "organization", "team", "team_add")


class TeamVerbs(State):
    def allows_teams(self) -> None:
        """An owner accepted Members: read, with its events."""
        self.app.permissions["members"] = "read"
        self.app.events = tuple(dict.fromkeys((*self.app.events, *TEAM_EVENTS)))

    def team(self, slug: str, *members: Who, organization: User | None = None, above: Team | None = None) -> Team:
        """A team of the account in which our App is installed, unless another is named."""
        made = Team(next(self._ids), organization or self.account, slug)
        made.members = {self.somebody(one).id: "active" for one in members}
        self.teams[made.id] = made
        if above is not None:
            above.below.append(made)
        return made

    def joins_team(self, who: Who, team: Team) -> None:
        user = self._acts(who)
        team.members[user.id] = "active"
        self._tell(team, "membership", "added", scope="team", member=wire.user(user), team=wire_teams.team(team))

    def invites_to_team(self, who: Who, team: Team) -> None:
        """Pending until it is accepted; nothing is sent."""
        team.members[self.somebody(who).id] = "pending"

    def leaves_team(self, who: Who, team: Team) -> None:
        user = self._acts(who)
        team.members.pop(user.id, None)
        self._tell(team, "membership", "removed", scope="team", member=wire.user(user), team=wire_teams.team(team))

    def renames_team(self, team: Team, slug: str) -> None:
        """The id stays; the old slug is free for another team."""
        before, team.slug = team.slug, slug
        self._tell(team, "team", "edited", team=wire_teams.team(team), changes={"name": {"from": before}})

    def deletes_team(self, team: Team) -> None:
        del self.teams[team.id]
        self._tell(team, "team", "deleted", team=wire_teams.team(team))

    def leaves_organization(self, who: Who) -> None:
        """Out of all its teams at once."""
        user = self._acts(who)
        for team in self.teams.values():
            if team.organization is self.account:
                team.members.pop(user.id, None)
        self._tell_all("organization", "member_removed", user, membership=wire_teams.left(self.account, user))

    def gives_team(self, team: Team, where: Where) -> None:
        """The team gets access to the repository."""
        repo = self.repository_at(where)
        if "team_add" in self.app.events:
            self._emit(repo, "team_add", self.account, None, team=wire_teams.team(team))

    def changes_collaborator(self, who: Who, where: Where, level: Level) -> None:
        """As `sets_permission`, and the repository's administrators made it in the open: with the webhook."""
        repo, user = self.repository_at(where), self.somebody(who)
        had = repo.grants.get(user.id, Grant("none")).level
        repo.grants[user.id] = Grant(level)
        action = "removed" if level == "none" else "added" if had == "none" else "edited"
        changes = {"changes": {"old_permission": {"from": had}}} if action == "edited" else {}
        if "member" in self.app.events:
            self._emit(repo, "member", self.account, action, member=wire.user(user), **changes)

    def _tell(self, team: Team, event: str, action: str, /, **parts: Any) -> None:
        if team.organization is self.account:
            self._tell_all(event, action, self.account, **parts)

    def _tell_all(self, event: str, action: str, sender: User, /, **parts: Any) -> None:
        """A webhook of the organization: it names no repository."""
        if event not in self.app.events or self.installation.suspended_at is not None or self.installation.deleted:
            return
        payload: dict[str, Any] = {
            "action": action,
            **parts,
            "organization": wire.organization(self.account),
            "sender": wire.user(sender),
            "installation": {"id": self.installation.id, "node_id": f"MDI{self.installation.id}"},
        }
        self.hooks.emit(event, payload)
