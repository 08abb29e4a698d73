"""Names of things, and the base class of every stored value."""

from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """An immutable value. Unknown fields are refused: what is stored is exactly what the code knows."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class RecordKey(NamedTuple):
    """A record is named by numbers that survive renames: the repository's numeric id and the issue's number."""

    repository_id: int
    issue: int

    def __str__(self) -> str:
        return f"{self.repository_id}#{self.issue}"


class Repo(Value):
    """A repository as an installation of the App sees it. `id` decides; `owner` and `name` are labels."""

    installation_id: int
    id: int
    owner: str
    name: str

    @property
    def full_name(self) -> str:
        return f"{self.owner}/{self.name}"


class Person(Value):
    """Somebody on GitHub. Decisions compare `id`; `login` is only ever shown."""

    id: int
    login: str


#: Numbers that stand for no account: of an account that GitHub does not name, and of its stand-in for deleted ones, `ghost`.
NOBODY = frozenset({0, 10137})

ActorKind = Literal["person", "agent", "app", "bot", "cli"]


class Actor(Value):
    """Who caused a signal. `id` is GitHub's numeric id for people and bots, the token's id for agents, 0 for us."""

    kind: ActorKind
    id: int
    login: str

    def as_person(self) -> Person:
        return Person(id=self.id, login=self.login)


SIGNALBOX = Actor(kind="bot", id=0, login="signalbox")
