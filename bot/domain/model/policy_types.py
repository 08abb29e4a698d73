"""What the policy file may say in one place: names, numbers and templates, with the words that explain them."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from bot.domain.model.ids import Value


class Rules(Value):
    """A part of the policy file. The text below each field is its meaning in docs/policy.md."""

    model_config = ConfigDict(frozen=True, extra="forbid")


@dataclass(frozen=True, slots=True)
class Words:
    """How a value is called in a finding and in the table of keys; it validates nothing."""

    text: str


@dataclass(frozen=True, slots=True)
class Internal:
    """Set by the program: no key of the file."""


#: Base permissions that a role may rest on. With less, on a public repository everybody would hold it.
RoleLevel = Literal["triage", "write", "maintain", "admin"]
AgentRole = Literal["builder", "reviewer", "verifier"]
Conclusion = Literal["success", "neutral", "skipped"]

_NAME = r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}"
Login = Annotated[str, Field(pattern=rf"^{_NAME}$"), Words("a login, such as `ada`")]
Team = Annotated[
    str, Field(pattern=r"^(?:[A-Za-z0-9_-]+/)?[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$"), Words("a team, such as `core`")
]
CustomRole = Annotated[
    str,
    Field(pattern=r"^[^\s,](?:[^,\r\n]{0,98}[^\s,])?$"),
    Words("the name of a custom role of the organization, such as `release-captain`"),
]
AppSlug = Annotated[str, Field(pattern=rf"^{_NAME}$"), Words("an App, as in its address: `renovate`")]
BotName = Annotated[str, Field(pattern=rf"^{_NAME}(?:\[bot\])?$"), Words("a bot, such as `renovate[bot]`")]
Called = Annotated[
    str,
    Field(pattern=rf"^@?{_NAME}(?:/[A-Za-z0-9_][A-Za-z0-9._-]{{0,99}})?$"),
    Words("a login or a team, such as `ada` or `octo/core`"),
]
AgentName = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"), Words("the name of a token, such as `forge-1`")
]
Verb = Annotated[str, Field(pattern=r"^/?[A-Za-z]{1,20}$"), Words("a command, such as `approve`")]
Label = Annotated[
    str,
    Field(pattern=r"^[^\s,](?:[^,\r\n]{0,48}[^\s,])?$"),
    Words("the name of a label, at most 50 characters and without a comma"),
]
Kebab = Annotated[
    str, Field(pattern=r"^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$", max_length=60), Words("a name like `code-review`")
]
TitleText = Annotated[
    str, Field(pattern=r"^[^\r\n]*[^\s][^\r\n]*$", max_length=200), Words("one line of at most 200 characters")
]
BodyText = Annotated[str, Field(max_length=4000), Words("text of at most 4,000 characters")]
RelativePath = Annotated[
    str,
    Field(pattern=r"^\.?[A-Za-z0-9_-][A-Za-z0-9._-]*(?:/\.?[A-Za-z0-9_-][A-Za-z0-9._-]*)*$", max_length=200),
    Words("a path inside the repository, without `..`"),
]
Argument = Annotated[str, Field(min_length=1, max_length=1000), Words("text of at most 1,000 characters")]
Seats = Annotated[int, Field(ge=0, le=10)]
Seconds = Annotated[int, Field(ge=1, le=86_400)]
