"""Accounts, the App and its installation."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from bot.domain.model.facts import LEVELS, Level

AccountType = Literal["User", "Bot", "Organization"]


@dataclass(eq=False)
class User:
    """An account. The login may change and be taken by somebody else; the id never."""

    id: int
    login: str
    type: AccountType = "User"

    @property
    def node_id(self) -> str:
        return f"{'O' if self.type == 'Organization' else 'U'}_{self.id}"


@dataclass(eq=False)
class Team:
    """A team of an organization. `members` by account number, with what GitHub calls the state of a membership. The slug may
    change and be taken by another team; the id never. Members of `below` are members too."""

    id: int
    organization: User
    slug: str
    members: dict[int, Literal["active", "pending"]] = field(default_factory=dict)
    below: "list[Team]" = field(default_factory=list)

    @property
    def node_id(self) -> str:
        return f"T_{self.id}"

    def state(self, user: User) -> Literal["active", "pending"] | None:
        states = {self.members.get(user.id), *(team.state(user) for team in self.below)}
        return "active" if "active" in states else "pending" if "pending" in states else None


@dataclass(eq=False)
class App:
    """A GitHub App; its bot account is what acts. `public_key` (PEM) verifies the App's own tokens."""

    id: int
    slug: str
    owner: User
    bot: User
    created_at: datetime
    public_key: str | None = None
    client_id: str = ""
    permissions: dict[str, str] = field(default_factory=dict)
    events: tuple[str, ...] = ()

    @property
    def node_id(self) -> str:
        return f"A_{self.id}"


@dataclass(eq=False)
class Installation:
    """Where the App is installed. `repositories` are numeric ids."""

    id: int
    app: App
    account: User
    created_at: datetime
    repositories: set[int] = field(default_factory=set)
    suspended_at: datetime | None = None
    suspended_by: User | None = None
    deleted: bool = False


@dataclass(frozen=True, slots=True)
class Grant:
    """What somebody may do in a repository. `role_name` is set only for a custom role on top of `level`."""

    level: Level
    role_name: str | None = None

    def allows(self, level: Level) -> bool:
        return LEVELS.index(self.level) >= LEVELS.index(level)
