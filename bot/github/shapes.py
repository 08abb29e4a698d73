"""The small types that GitHub's payloads and answers share. Unknown fields are ignored, unknown values accepted."""

from typing import Annotated

from pydantic import AfterValidator, AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field

from bot.domain.model.ids import Actor


def clean(value: object) -> object:
    """Text that every database stores: a lone surrogate or NUL becomes the replacement character."""
    if not isinstance(value, str):
        return value
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").replace("\0", "\ufffd")


def whole(name: str) -> str:
    owner, slash, repository = name.partition("/")
    if not (owner and slash and repository) or "/" in repository:
        raise ValueError("not owner/name")
    return name


Id = Annotated[int, Field(strict=True, gt=0, lt=2**63)]
Text = Annotated[str, BeforeValidator(clean)]
FullName = Annotated[Text, AfterValidator(whole)]
Moment = AwareDatetime


class Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class User(Part):
    """`type` is User, Bot, Organization or Mannequin; only User is a person."""

    id: Id
    login: Text = "ghost"
    type: Text = ""


def as_actor(user: User) -> Actor:
    """Whoever is not plainly a person counts as a bot, so that no gate opens for an unknown kind of account."""
    return Actor(kind="person" if user.type == "User" else "bot", id=user.id, login=user.login)


class App(Part):
    id: Id


class Object(Part):
    """One of git's, as GraphQL names it."""

    oid: Text


class Ref(Part):
    target: Object
