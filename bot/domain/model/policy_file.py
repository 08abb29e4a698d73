"""The policy file as GitHub has it: what is asked, and what is answered.

A pull request never configures its own gate, so what is in force is asked of the default branch alone.
"""

from dataclasses import dataclass

from bot.domain.model.ids import Value
from bot.domain.model.questions import Question

PATH = ".github/signalbox.yml"
#: Git's name of a file's content, where GitHub has proved that there is no file.
ABSENT = ""


class PolicyFile(Value):
    """The file of the default branch. `commit` changed it last, None where there never was one. `blob` is git's name of its
    content. `is_file` False: something else stands there. `unchanged`: it is what it was when GitHub gave the ETag that was
    asked with, and the rest is empty."""

    commit: str | None = None
    blob: str = ABSENT
    raw: bytes = b""
    is_file: bool = True
    etag: str | None = None
    unchanged: bool = False


class ProposedFile(Value):
    """The file at the head of a pull request that changes it; `blob` ABSENT where it takes the file away."""

    blob: str = ABSENT
    raw: bytes = b""
    is_file: bool = True


@dataclass(frozen=True, slots=True)
class PolicyFileOf(Question[PolicyFile]):
    """The file and the commit that changed it last. A file that cannot be fetched is a failure, never ABSENT."""

    etag: str | None = None


@dataclass(frozen=True, slots=True)
class PolicyFileNow(Question[str]):
    """Git's name of the content at the newest commit of the default branch; ABSENT where there is provably none."""


@dataclass(frozen=True, slots=True)
class ProposedFileIn(Question[ProposedFile | None]):
    """None where the pull request does not change the file."""

    pull: int
    head: str
