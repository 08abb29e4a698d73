"""The few fields of GitHub's payloads that Signalbox reads. Everything else is ignored, unknown values are accepted."""

from typing import Annotated

from pydantic import Field

from bot.github.shapes import App, FullName, Id, Moment, Part, Text, User


class Installation(Part):
    id: Id


class Repository(Part):
    id: Id
    full_name: FullName


class Envelope(Part):
    """What nearly every payload has."""

    repository: Repository | None = None
    installation: Installation | None = None
    sender: User | None = None


class Label(Part):
    """`id` is 0 where GitHub names a label that is no more."""

    id: int = 0
    name: Text


class Issue(Part):
    id: Id
    number: Id
    title: Text = ""
    user: User | None = None
    pull_request: dict[str, object] | None = None
    updated_at: Moment


class Comment(Part):
    id: Id
    node_id: Text = ""
    body: Text | None = None
    html_url: Text = ""
    user: User | None = None
    performed_via_github_app: App | None = None
    original_commit_id: Text | None = None
    created_at: Moment
    updated_at: Moment | None = None


class Branch(Part):
    ref: Text


class Pull(Part):
    number: Id
    user: User | None = None
    base: Branch
    updated_at: Moment


class NumberedPull(Part):
    number: Id
    user: User | None = None


class Review(Part):
    id: Id
    node_id: Text = ""
    body: Text | None = None
    html_url: Text = ""
    state: Text
    commit_id: Text | None = None
    user: User | None = None
    submitted_at: Moment | None = None


class CheckSuiteOfRun(Part):
    updated_at: Moment | None = None


class CheckRun(Part):
    id: Id
    name: Text = ""
    head_sha: Text
    status: Text
    conclusion: Text | None = None
    started_at: Moment | None = None
    completed_at: Moment | None = None
    app: App | None = None
    check_suite: CheckSuiteOfRun | None = None


class CheckSuite(Part):
    id: Id
    head_sha: Text
    status: Text | None = None
    conclusion: Text | None = None
    updated_at: Moment
    app: App | None = None


class Change(Part):
    from_: Annotated[Text, Field(alias="from")]
