"""What GitHub tells: an event, or what the sweep found in its place. Only hints; what counts is read again."""

from datetime import datetime
from typing import Literal

from bot.domain.model.facts import CommentKind
from bot.domain.model.signal_origin import SignalBase


class CommentCreated(SignalBase):
    """A comment, review comment or review body, before the grammar has read it. Never edits. `app_id` is the App that
    wrote it, if one did; `commit` what a review or a comment on a line stands on."""

    kind: Literal["comment_created"] = "comment_created"
    number: int
    is_pull: bool
    comment_id: int
    comment_kind: CommentKind = "issue"
    node_id: str = ""
    body: str
    created_at: datetime
    updated_at: datetime | None = None
    url: str = ""
    app_id: int | None = None
    commit: str | None = None
    issue_author_id: int | None = None


class StartLabelAdded(SignalBase):
    """Some label was added; the domain compares `label` with the policy's start label. `title`, `issue_id` for a new record."""

    kind: Literal["start_label_added"] = "start_label_added"
    issue: int
    issue_id: int
    title: str
    label: str


class LabelRemoved(SignalBase):
    kind: Literal["label_removed"] = "label_removed"
    issue: int
    label: str


class LabelsTouched(SignalBase):
    """Somebody else changed a label of ours (or all were lost): the projection looks again."""

    kind: Literal["labels_touched"] = "labels_touched"
    issue: int | None = None
    pull: int | None = None


class WordsChanged(SignalBase):
    """A comment or review was edited or deleted. `words` is its content key. It never commands anything."""

    kind: Literal["words_changed"] = "words_changed"
    issue: int | None = None
    pull: int | None = None
    words: str
    how: Literal["edited", "deleted"]


class IssueClosed(SignalBase):
    kind: Literal["issue_closed"] = "issue_closed"
    issue: int


class IssueReopened(SignalBase):
    kind: Literal["issue_reopened"] = "issue_reopened"
    issue: int


class IssueGone(SignalBase):
    """Transferred, deleted or converted to a discussion."""

    kind: Literal["issue_gone"] = "issue_gone"
    issue: int
    how: Literal["transferred", "deleted", "converted"]


class PullOpened(SignalBase):
    """A pull request that is linked to no record, seen anew. `pushed`: the head that the actor pushed, if that is the news."""

    kind: Literal["pull_opened"] = "pull_opened"
    pull: int
    pushed: str | None = None


class HeadPushed(SignalBase):
    """`pull_request.synchronize`: `before` and `after` as the event says; the head that counts is read. `before` None: GitHub's
    log of the pull request tells of a forced push, and not from where."""

    kind: Literal["head_pushed"] = "head_pushed"
    pull: int
    before: str | None
    after: str


class BranchPushed(SignalBase):
    """A `push` event: only a hint to read the pull requests whose head is `branch`. `touches_policy`: it is the default
    branch, and the policy file may be among what changed."""

    kind: Literal["branch_pushed"] = "branch_pushed"
    branch: str
    after: str
    touches_policy: bool = False


class PullRetargeted(SignalBase):
    """The branches as the event names them; None where GitHub's log of the pull request tells of it without them."""

    kind: Literal["pull_retargeted"] = "pull_retargeted"
    pull: int
    before: str | None = None
    after: str | None = None


class PullClosed(SignalBase):
    """Closed, merged or not: the read says which."""

    kind: Literal["pull_closed"] = "pull_closed"
    pull: int


class PullReopened(SignalBase):
    kind: Literal["pull_reopened"] = "pull_reopened"
    pull: int


class DraftChanged(SignalBase):
    kind: Literal["draft_changed"] = "draft_changed"
    pull: int
    draft: bool


class AutoMergeSwitched(SignalBase):
    """Somebody asked GitHub to merge by itself once its own rules are met, or took that back: the read says which."""

    kind: Literal["auto_merge_switched"] = "auto_merge_switched"
    pull: int


class ReviewSubmitted(SignalBase):
    """A native review. `commit` is what it was submitted on; None = GitHub does not say: requested changes then are about the
    present head. Its body arrives as CommentCreated beside it."""

    kind: Literal["review_submitted"] = "review_submitted"
    pull: int
    review_id: int
    state: str
    commit: str | None
    url: str = ""
    submitted_at: datetime
    reason: str = ""


class ReviewDismissed(SignalBase):
    kind: Literal["review_dismissed"] = "review_dismissed"
    pull: int
    review_id: int


class ChecksChanged(SignalBase):
    """A check run, suite or status of `head` changed."""

    kind: Literal["checks_changed"] = "checks_changed"
    head: str
    name: str = ""
    mine: bool = False


class RerunRequested(SignalBase):
    """Somebody asked to re-run our own check: the same as `/status`."""

    kind: Literal["rerun_requested"] = "rerun_requested"
    head: str


class MergeGroupFormed(SignalBase):
    """A merge queue wants checks for `head`, which is nobody's pull request."""

    kind: Literal["merge_group_formed"] = "merge_group_formed"
    head: str


class InstallationChanged(SignalBase):
    """`repositories` are the numeric ids touched; empty = all of the installation. `state` what is true since. `listed`: GitHub,
    asked as this installation, lists these repositories by their numbers."""

    kind: Literal["installation_changed"] = "installation_changed"
    installation_id: int
    state: Literal["present", "suspended", "gone"]
    repositories: tuple[int, ...] = ()
    listed: bool = False


class RolesChanged(SignalBase):
    """Somebody joined or left a team, an organization or a repository, or a team itself changed. Which roles they hold now is
    read again where it counts. `repositories` are the numeric ids touched; empty = all of the installation. `rules`: what
    changed are the rules of branches, which are read again as well."""

    kind: Literal["roles_changed"] = "roles_changed"
    installation_id: int
    repositories: tuple[int, ...] = ()
    rules: bool = False


class RepositoryRenamed(SignalBase):
    kind: Literal["repository_renamed"] = "repository_renamed"
    full_name: str


Sighting = (
    CommentCreated
    | StartLabelAdded
    | LabelRemoved
    | LabelsTouched
    | WordsChanged
    | IssueClosed
    | IssueReopened
    | IssueGone
    | PullOpened
    | HeadPushed
    | BranchPushed
    | PullRetargeted
    | PullClosed
    | PullReopened
    | DraftChanged
    | AutoMergeSwitched
    | ReviewSubmitted
    | ReviewDismissed
    | ChecksChanged
    | RerunRequested
    | MergeGroupFormed
    | InstallationChanged
    | RolesChanged
    | RepositoryRenamed
)
