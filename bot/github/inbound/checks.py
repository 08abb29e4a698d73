"""`check_run`, `check_suite`, `merge_group`, `status` and `push` events: something about a commit or a branch changed."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import AliasPath, Field

from bot.domain.model.content import stamp
from bot.domain.model.policy_file import PATH
from bot.domain.model.sightings import BranchPushed, ChecksChanged, MergeGroupFormed, RerunRequested
from bot.github.inbound.occurrence import Occurrence, Translated
from bot.github.inbound.payload import CheckRun, CheckSuite
from bot.github.shapes import Id, Moment, Part, Text

BRANCH = "refs/heads/"
#: A push that names so many commits may have had more.
MOST_COMMITS = 20


class RunEvent(Part):
    check_run: CheckRun


class SuiteEvent(Part):
    check_suite: CheckSuite


class MergeGroup(Part):
    head_sha: Text


class MergeGroupEvent(Part):
    merge_group: MergeGroup


class StatusEvent(Part):
    id: Id
    sha: Text
    context: Text
    updated_at: Moment | None = None


class PushedCommit(Part):
    """The files it names; lists that are missing say nothing."""

    added: tuple[Text, ...] | None = None
    modified: tuple[Text, ...] | None = None
    removed: tuple[Text, ...] | None = None


class PushEvent(Part):
    """`pushed_at` is seconds since 1970 here, unlike in every other payload."""

    ref: Text
    before: Text
    after: Text
    deleted: bool = False
    forced: bool = False
    created: bool = False
    commits: tuple[PushedCommit, ...] = ()
    default_branch: Annotated[Text | None, Field(validation_alias=AliasPath("repository", "default_branch"))] = None
    pushed_at: Annotated[Text | int | None, Field(validation_alias=AliasPath("repository", "pushed_at"))] = None


def run_changed(seen: Occurrence) -> Translated:
    run = seen.read(RunEvent).check_run
    return (
        ChecksChanged(
            key=f"check_run:{run.id}:{run.status}:{run.conclusion}:{stamp(run.started_at)}:{stamp(run.completed_at)}",
            actor=seen.actor,
            delivery=seen.guid,
            at=run.completed_at or run.started_at,
            head=run.head_sha,
            name=run.name,
            mine=seen.is_ours(run.app.id if run.app else None),
        ),
    )


def run_rerequested(seen: Occurrence) -> Translated:
    """GitHub sends this only to the App that owns the run."""
    run = seen.read(RunEvent).check_run
    asked_at = run.check_suite.updated_at if run.check_suite else None
    key = f"check_run:{run.id}:rerequested:{stamp(run.completed_at)}:{stamp(asked_at)}"
    return (RerunRequested(key=key, actor=seen.actor, delivery=seen.guid, at=asked_at, head=run.head_sha),)


def suite_completed(seen: Occurrence) -> Translated:
    suite = seen.read(SuiteEvent).check_suite
    return (
        ChecksChanged(
            key=f"check_suite:{suite.id}:{suite.status}:{suite.conclusion}:{stamp(suite.updated_at)}",
            actor=seen.actor,
            delivery=seen.guid,
            at=suite.updated_at,
            head=suite.head_sha,
            mine=seen.is_ours(suite.app.id if suite.app else None),
        ),
    )


def suite_rerequested(seen: Occurrence) -> Translated:
    """GitHub sends this only to the App that owns the suite."""
    suite = seen.read(SuiteEvent).check_suite
    key = f"check_suite:{suite.id}:rerequested:{stamp(suite.updated_at)}"
    return (RerunRequested(key=key, actor=seen.actor, delivery=seen.guid, at=suite.updated_at, head=suite.head_sha),)


def group_formed(seen: Occurrence) -> Translated:
    head = seen.read(MergeGroupEvent).merge_group.head_sha
    return (MergeGroupFormed(key=f"merge_group:{head}", actor=seen.actor, delivery=seen.guid, head=head),)


def status_posted(seen: Occurrence) -> Translated:
    status = seen.read(StatusEvent)
    return (
        ChecksChanged(
            key=f"status:{status.id}",
            actor=seen.actor,
            delivery=seen.guid,
            at=status.updated_at,
            head=status.sha,
            name=status.context,
        ),
    )


def pushed(seen: Occurrence) -> Translated:
    push = seen.read(PushEvent)
    if not push.ref.startswith(BRANCH):
        return "not a branch"
    if push.deleted:
        return "the branch was deleted"
    return (
        BranchPushed(
            key=f"push:{push.ref}:{push.before}:{push.after}:{push.pushed_at}",
            actor=seen.actor,
            delivery=seen.guid,
            at=_moment(push.pushed_at),
            branch=push.ref.removeprefix(BRANCH),
            after=push.after,
            touches_policy=_touches_policy(push),
        ),
    )


def _touches_policy(push: PushEvent) -> bool:
    """Only a push that lists all its files, and not this one, is passed over. GitHub cuts long lists short, and what a
    forced push took away stands in none."""
    if push.default_branch is not None and push.ref != f"{BRANCH}{push.default_branch}":
        return False
    if push.forced or push.created or not push.commits or len(push.commits) >= MOST_COMMITS:
        return True
    lists = [files for one in push.commits for files in (one.added, one.modified, one.removed)]
    return any(files is None or PATH in files for files in lists)


def _moment(seconds: str | int | None) -> datetime | None:
    try:
        return datetime.fromtimestamp(seconds, UTC) if isinstance(seconds, int) else None
    except (OverflowError, OSError, ValueError):  # a year that no clock shows
        return None
