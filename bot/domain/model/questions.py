"""What GitHub can be asked. A question is a small frozen value; its type parameter is the answer's type.

One class here, one reader in `bot.github.facts` and one in the simulator make one fact. What it answers: `facts`.
"""

from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.domain.model.credits import Credits
from bot.domain.model.effects import OWN_CHECK
from bot.domain.model.facts import (
    AsyncMergeFacts,
    BaseRules,
    CheckFacts,
    CommentFacts,
    CommentKind,
    IssueFacts,
    MergeEvidence,
    OwnCheck,
    Permission,
    PullFacts,
    PullSummary,
    Push,
    WorkflowFiles,
)
from bot.domain.model.ids import Person

T_co = TypeVar("T_co", covariant=True)


class Question(Generic[T_co]):
    """Base of every question. Subclasses are frozen dataclasses, so they can be keys."""


@dataclass(frozen=True, slots=True)
class PermissionOf(Question[Permission]):
    """What the account with this number may do. `login` is where to look first: an account that was renamed is found under
    its new name. A 404 answers level none; other failures are Unknown."""

    user_id: int
    login: str


@dataclass(frozen=True, slots=True)
class MemberOf(Question[bool]):
    """Whether whoever has this login is an active member of a team, itself or through a team below it; an invitation is not
    enough. `team` by slug, with its organization's name or of the repository's owner; `number` says which team it has to be,
    whoever bears the name now. A team that the App cannot see is Unknown."""

    team: str
    login: str
    number: int


@dataclass(frozen=True, slots=True)
class TeamOf(Question[int | None]):
    """The number of the team that has this name now. None = none has; one that the App cannot see is Unknown."""

    team: str


@dataclass(frozen=True, slots=True)
class AccountOf(Question[Person | None]):
    """Whose login this is now. None = nobody's."""

    login: str


@dataclass(frozen=True, slots=True)
class IssueOf(Question[IssueFacts | None]):
    """None = transferred, deleted or converted (404, 410 or another repository id)."""

    number: int


@dataclass(frozen=True, slots=True)
class PullOf(Question[PullFacts | None]):
    number: int


@dataclass(frozen=True, slots=True)
class CommentOf(Question[CommentFacts | None]):
    """None = deleted. `pull` is needed for reviews (`GET /pulls/{n}/reviews`)."""

    id: int
    kind: CommentKind = "issue"
    pull: int | None = None


@dataclass(frozen=True, slots=True)
class CommentsOn(Question[tuple[CommentFacts, ...]]):
    """All issue comments of a thread that our own App wrote, oldest first. For finding lost comments again."""

    number: int


@dataclass(frozen=True, slots=True)
class LabelsOn(Question[tuple[str, ...]]):
    number: int


@dataclass(frozen=True, slots=True)
class ChecksOn(Question[CheckFacts]):
    head: str


@dataclass(frozen=True, slots=True)
class OwnChecksOn(Question[tuple[OwnCheck, ...]]):
    """Check runs of this name that our App owns on a head, newest first."""

    head: str
    name: str = OWN_CHECK


@dataclass(frozen=True, slots=True)
class RulesOf(Question[BaseRules]):
    base: str


@dataclass(frozen=True, slots=True)
class Contains(Question[bool]):
    """Whether the history of `tip` has `commit`; each is a branch of the repository or a full SHA."""

    tip: str
    commit: str


@dataclass(frozen=True, slots=True)
class OpenPullsAt(Question[tuple[PullSummary, ...]]):
    """Open pull requests of this repository whose head is this commit."""

    head: str


@dataclass(frozen=True, slots=True)
class OpenPullsBelow(Question[tuple[int, ...]]):
    """Other open pull requests into the same base whose head this one contains: a merge commit of it merges them too."""

    pull: int


@dataclass(frozen=True, slots=True)
class WorkflowFilesIn(Question[WorkflowFiles]):
    """Whether the pull request touches `.github/workflows/`, where the App may not merge such changes. `unlisted`: GitHub does
    not list all of its files, so nobody knows."""

    pull: int


@dataclass(frozen=True, slots=True)
class DescriptionEdited(Question[bool]):
    """Whether the description of this pull request, by its node id, was edited after it was opened; True also where GitHub does
    not say."""

    node_id: str


@dataclass(frozen=True, slots=True)
class EditedByOthers(Question[frozenset[str]]):
    """Which of these comments, by node id, somebody else than their author edited last. One of which GitHub does
    not say who it was is not among them."""

    node_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CommitAuthorsOf(Question[tuple[Person, ...] | None]):
    """Accounts that GitHub maps the pull request's commits to; None where it has more than GitHub lists. Free text of whoever
    pushed: it may only ever bar people."""

    pull: int


@dataclass(frozen=True, slots=True)
class CoAuthorsOf(Question[Credits]):
    """Whom the pull request's commits, as many as GitHub lists, credit. Free text of whoever pushed, for the text of a commit and
    nothing else."""

    pull: int


@dataclass(frozen=True, slots=True)
class PushesTo(Question[tuple[Push, ...]]):
    """What moved this branch of the repository, newest first, as far as one page goes."""

    branch: str


@dataclass(frozen=True, slots=True)
class MergeEvidenceOf(Question[MergeEvidence]):
    """Pull request first, then the base branch. `sha`: the merge commit when it is already known. `since`: a commit that the
    base had before GitHub was asked."""

    pull: int
    head: str
    base: str
    sha: str | None = None
    since: str | None = None


@dataclass(frozen=True, slots=True)
class AsyncMergeOf(Question[AsyncMergeFacts]):
    pull: int
    uuid: str
