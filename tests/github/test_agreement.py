"""What the adapter says over HTTP is what the simulation's Forge says on the same world, question by question.

The scenario tests and the simulation use the second; this is why they are true for the first.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.model import facts, policy_file, questions, sweeping
from bot.domain.model.questions import (
    AccountOf,
    AsyncMergeOf,
    ChecksOn,
    CoAuthorsOf,
    CommentOf,
    CommentsOn,
    CommitAuthorsOf,
    Contains,
    DescriptionEdited,
    EditedByOthers,
    IssueOf,
    LabelsOn,
    MemberOf,
    MergeEvidenceOf,
    OpenPullsAt,
    OpenPullsBelow,
    OwnChecksOn,
    PermissionOf,
    PullOf,
    PushesTo,
    Question,
    RulesOf,
    TeamOf,
    WorkflowFilesIn,
)
from bot.domain.model.sweeping import (
    CommentsSince,
    EventsOf,
    LabelledIssues,
    LineCommentsSince,
    Polled,
    PullsSince,
    ReviewsOf,
)
from bot.github.facts.pulls import MOST_COMMITS
from bot.github.facts.readers import READERS
from bot.ports.failures import Forbidden, ForgeFailure, Unreachable
from bot.simulator.model.threads import Pull
from bot.simulator.verbs.merging import MergeCall
from bot.simulator.world import World
from tests.github.conftest import START, Setting, setting
from tests.github.policy_stories import POLICY_STORIES

pytestmark = pytest.mark.anyio

Story = Callable[[Setting], Question[Any]]


def person(login: str) -> Story:
    def ask(here: Setting) -> Question[Any]:
        return PermissionOf(here.world.user(login).id, login)

    return ask


def nobody(_: Setting) -> Question[Any]:
    return PermissionOf(99, "nobody-at-all")


def stranger(here: Setting) -> Question[Any]:
    return PermissionOf(here.world.person("eve").id, "eve")


def renamed_login(here: Setting) -> Question[Any]:
    old = here.world.user("grace").id
    here.world.renames_user("grace", "grace-2")
    here.world.person("grace")
    return PermissionOf(old, "grace")


def gone_account(here: Setting) -> Question[Any]:
    old = here.world.user("grace")
    del here.world.users[old.id]
    return PermissionOf(old.id, "grace")


def account(login: str) -> Story:
    return lambda _: AccountOf(login)


def team_member(who: str, team: str = "core", *, allowed: bool = True) -> Story:
    """core: ada, with grace in the team below it and an invitation to lin."""

    def ask(here: Setting) -> Question[Any]:
        core = here.world.team("core", "ada")
        here.world.team("inner", "grace", above=core)
        here.world.invites_to_team("lin", core)
        here.world.team("core", "omar", organization=here.world.somebody("evil"))
        if allowed:
            here.world.allows_teams()
        return MemberOf(team, who, core.id)

    return ask


def team_of_a_person(here: Setting) -> Question[Any]:
    here.world.allows_teams()
    here.repository.owner.type = "User"
    return MemberOf("core", "ada", 7)


def member_of_another_team(here: Setting) -> Question[Any]:
    """It took the name over from the one that was meant."""
    meant = here.world.team("core", "ada")
    here.world.allows_teams()
    here.world.renames_team(meant, "inner")
    here.world.team("core", "ada")
    return MemberOf("core", "ada", meant.id)


def team(name: str, *, allowed: bool = True) -> Story:
    def ask(here: Setting) -> Question[Any]:
        here.world.team("core")
        here.world.team("core", organization=here.world.somebody("evil"))
        if allowed:
            here.world.allows_teams()
        return TeamOf(name)

    return ask


def issue(here: Setting) -> Question[Any]:
    opened = here.world.opens_issue("ada", here.repository, "Greet people", body="Hello")
    here.world.labels("ada", opened, "signalbox")
    return IssueOf(opened.number)


def closed_issue(here: Setting) -> Question[Any]:
    opened = here.world.opens_issue("ada", here.repository, "Greet people")
    here.world.closes("ada", opened)
    return IssueOf(opened.number)


def issue_that_is_a_pull(here: Setting) -> Question[Any]:
    return IssueOf(here.world.opens_pull("ada", here.repository).number)


def missing_issue(_: Setting) -> Question[Any]:
    return IssueOf(404)


def transferred_issue(here: Setting) -> Question[Any]:
    other = here.world.repository("octo/other", members={"ada": "admin"})
    opened = here.world.opens_issue("ada", here.repository, "Greet people")
    here.world.transfers_issue("ada", opened, other)
    return IssueOf(opened.number)


def labels(here: Setting) -> Question[Any]:
    opened = here.world.opens_issue("ada", here.repository, "Greet people")
    here.world.labels("ada", opened, "signalbox", "bug")
    return LabelsOn(opened.number)


def pull(here: Setting) -> Question[Any]:
    return PullOf(here.world.opens_pull("ada", here.repository, "Retry", body="Closes #1", draft=True).number)


def pull_of_a_deleted_fork(here: Setting) -> Question[Any]:
    fork = here.world.forks("eve", here.repository)
    opened = here.world.opens_pull("eve", here.repository, head=f"{fork.owner.login}:feature")
    here.world.deletes_fork("eve", opened)
    return PullOf(opened.number)


def merged_pull(here: Setting) -> Question[Any]:
    opened = here.world.opens_pull("ada", here.repository)
    here.world.merges_by_hand("ada", opened)
    return PullOf(opened.number)


def three_in_a_stack(here: Setting) -> tuple[Pull, Pull]:
    """The lowest and the one in the middle."""
    bottom = here.world.opens_pull("ada", here.repository, head="one")
    middle = here.world.opens_pull("ada", here.repository, head="two", base="one")
    here.world.stacks(bottom, middle, here.world.opens_pull("ada", here.repository, head="three", base="two"))
    return bottom, middle


def stacked_pull(here: Setting) -> Question[Any]:
    return PullOf(three_in_a_stack(here)[1].number)


def stacked_pull_that_lists_do_not_show_so(here: Setting) -> Question[Any]:
    _, middle = three_in_a_stack(here)
    here.world.lists_without_stack(middle)
    return PullOf(middle.number)


def stacked_pull_whose_lower_one_lists_do_not_show_so(here: Setting) -> Question[Any]:
    bottom, middle = three_in_a_stack(here)
    here.world.lists_without_stack(bottom)
    return PullOf(middle.number)


def stacked_pull_above_a_closed_one(here: Setting) -> Question[Any]:
    bottom, middle = three_in_a_stack(here)
    here.world.closes("ada", bottom)
    return PullOf(middle.number)


def missing_pull(here: Setting) -> Question[Any]:
    return PullOf(here.world.opens_issue("ada", here.repository, "Not a pull request").number)


def comment(here: Setting) -> Question[Any]:
    opened = here.world.opens_issue("ada", here.repository, "Greet people")
    return CommentOf(here.world.comments("grace", opened, "/approve r1").id)


def edited_comment(here: Setting) -> Question[Any]:
    opened = here.world.opens_issue("ada", here.repository, "Greet people")
    written = here.world.comments("grace", opened, "nice")
    here.world.edits_comment("grace", written, "/approve r1")
    return CommentOf(written.id)


def missing_comment(_: Setting) -> Question[Any]:
    return CommentOf(404)


def line_comment(here: Setting) -> Question[Any]:
    opened = here.world.opens_pull("ada", here.repository)
    written = here.world.comments_on_line("grace", opened, "/hold")
    return CommentOf(written.id, "review_comment", opened.number)


def review(here: Setting) -> Question[Any]:
    opened = here.world.opens_pull("ada", here.repository)
    return CommentOf(here.world.reviews("grace", opened, "APPROVED", "/hold").id, "review", opened.number)


def missing_review(here: Setting) -> Question[Any]:
    return CommentOf(404, "review", here.world.opens_pull("ada", here.repository).number)


def own_comments(here: Setting) -> Question[Any]:
    opened = here.world.opens_issue("ada", here.repository, "Greet people")
    for n in range(205):
        here.world.comments(here.world.bot if n % 100 == 0 else "grace", opened, f"comment {n}")
    return CommentsOn(opened.number)


def checks(here: Setting) -> Question[Any]:
    opened = here.world.opens_pull("ada", here.repository)
    run = here.world.check_run("ci", opened, "build", "in_progress")
    here.world.completes(run, here.repository, "failure")
    here.world.check_run("ci", opened, "build", "queued")
    here.world.check_run(here.world.app, opened, "signalbox", external_id="a:1:2:3")
    here.world.status("ada", opened, "ci/lint", "pending")
    here.world.status("ada", opened, "ci/lint", "success")
    return ChecksOn(opened.head)


def no_checks(here: Setting) -> Question[Any]:
    return ChecksOn(here.world.opens_pull("ada", here.repository).head)


def many_checks(here: Setting) -> Question[Any]:
    opened = here.world.opens_pull("ada", here.repository)
    for n in range(130):
        here.world.check_run("ci", opened, f"shard {n}")
    return ChecksOn(opened.head)


def own_checks(here: Setting) -> Question[Any]:
    opened = here.world.opens_pull("ada", here.repository)
    here.world.check_run("ci", opened, "signalbox")
    here.world.check_run(here.world.app, opened, "signalbox", "in_progress", external_id="a:1:2:3", title="Waiting")
    here.world.check_run(here.world.app, opened, "signalbox", external_id="a:1:2:4", title="Complete")
    return OwnChecksOn(opened.head)


def unguarded(_: Setting) -> Question[Any]:
    return RulesOf("main")


def ruled(here: Setting) -> Question[Any]:
    here.world.requires(here.repository, "build", "lint", app=here.world.another_app("ci"), strict=True)
    here.world.requires(here.repository, "docs")
    return RulesOf("main")


def queue_and_bypass(here: Setting) -> Question[Any]:
    here.world.ruleset(here.repository, merge_queue=True, bypass="always", methods=("squash",))
    return RulesOf("main")


def protected(here: Setting) -> Question[Any]:
    rules = here.world.requires(here.repository, "build")
    here.world.protects(here.repository, required=rules.required, strict=True)
    return RulesOf("main")


def protected_and_readable(here: Setting) -> Question[Any]:
    here.world.app.permissions["administration"] = "read"
    return protected(here)


def branch_with_a_slash(here: Setting) -> Question[Any]:
    here.world.branches("ada", here.repository, "release/1.0")
    here.world.requires(here.repository, "build", branch="release/1.0")
    return RulesOf("release/1.0")


def two_pulls_at_one_head(here: Setting) -> Question[Any]:
    opened = here.world.opens_pull("ada", here.repository)
    here.world.branches("ada", here.repository, "dev")
    here.world.opens_pull("grace", here.repository, head="feature", base="dev")
    here.world.opens_pull("grace", here.repository, head="other")
    return OpenPullsAt(opened.head)


def two_pulls_at_a_head_that_the_default_branch_has(here: Setting) -> Question[Any]:
    here.world.branches("ada", here.repository, "dev")
    opened = here.world.opens_pull("ada", here.repository, base="dev")
    here.world.force_pushes("grace", here.repository, "twin", sha=opened.head)
    here.world.force_pushes("grace", here.repository, "main", sha=opened.head)
    here.world.opens_pull("grace", here.repository, head="twin", base="dev")
    return OpenPullsAt(opened.head)


def no_open_pull_at_a_merged_head(here: Setting) -> Question[Any]:
    opened = here.world.opens_pull("ada", here.repository)
    here.world.merges_by_hand("ada", opened)
    return OpenPullsAt(opened.head)


def pulls_below(here: Setting) -> Question[Any]:
    """One at an older commit of it; not the twin, nor what is meant for another base."""
    here.world.branches("ada", here.repository, "dev")
    opened = here.world.opens_pull("ada", here.repository)
    for name in ("lower", "closed"):
        here.world.branches("grace", here.repository, name, opened.head_ref)
        lower = here.world.opens_pull("grace", here.repository, head=name)
    here.world.closes("grace", lower)
    here.world.opens_pull("grace", here.repository, head="lower", base="dev")
    here.world.pushes("ada", opened)
    here.world.branches("grace", here.repository, "twin", opened.head_ref)
    here.world.opens_pull("grace", here.repository, head="twin")
    return OpenPullsBelow(opened.number)


def pulls_below_one_of_many_commits(here: Setting) -> Question[Any]:
    question = more_commits_than_are_listed(here)
    assert isinstance(question, CommitAuthorsOf)
    pull = here.repository.threads[question.pull]
    assert isinstance(pull, Pull)
    here.world.branches("grace", here.repository, "lower", pull.head_ref)
    here.world.opens_pull("grace", here.repository, head="lower")
    here.world.pushes("ada", pull)
    return OpenPullsBelow(pull.number)


def commit_authors(here: Setting) -> Question[Any]:
    opened = here.world.opens_pull("ada", here.repository)
    here.world.pushes("grace", opened)
    return CommitAuthorsOf(opened.number)


def co_authors(here: Setting) -> Question[Any]:
    opened = here.world.opens_pull("ada", here.repository)
    trailers = (
        "omar <4242+omar@users.noreply.github.com>",
        "sam <sam@example.com>",
        "x <1+x@users.noreply.example.com>",
    )
    said = "\n".join(f"Co-authored-by: {one}" for one in trailers)
    here.world.pushes(
        "grace", opened, message=f"Greet\n\n{said}\nnot Co-authored-by: lin <9+lin@users.noreply.github.com>"
    )
    return CoAuthorsOf(opened.number)


def more_commits_than_are_listed(here: Setting) -> Question[Any]:
    opened = here.world.opens_pull("ada", here.repository)
    for _ in range(MOST_COMMITS):
        here.world.pushes("grace", opened)
    return CommitAuthorsOf(opened.number)


def pushes_to_a_branch(here: Setting) -> Question[Any]:
    opened = here.world.opens_pull("ada", here.repository)
    here.world.pushes("grace", opened)
    here.world.force_pushes("ada", opened)
    here.world.pushes("grace", here.repository, "feature-of-another")
    return PushesTo(opened.head_ref)


def pushes_to_a_restored_branch(here: Setting) -> Question[Any]:
    here.world.pushes("ada", here.repository, "retry")
    here.world.deletes_branch("ada", here.repository, "retry")
    here.world.branches("grace", here.repository, "retry")
    return PushesTo("retry")


def pushes_on_several_pages(here: Setting) -> Question[Any]:
    """Two hundred: the second page is full, and no third one follows."""
    for _ in range(100):
        here.world.branches("grace", here.repository, "retry")
        here.world.deletes_branch("ada", here.repository, "retry")
    return PushesTo("retry")


def pushes_to_no_branch(_: Setting) -> Question[Any]:
    return PushesTo("nowhere")


def workflow_files(here: Setting) -> Question[Any]:
    here.world.pushes("ada", here.repository, "feature", files={".github/workflows/ci.yml": "on: push\n"})
    return WorkflowFilesIn(here.world.opens_pull("ada", here.repository).number)


def allowed_workflow_files(here: Setting) -> Question[Any]:
    here.world.app.permissions["workflows"] = "write"
    return workflow_files(here)


def other_files(here: Setting) -> Question[Any]:
    return WorkflowFilesIn(here.world.opens_pull("ada", here.repository).number)


def description_as_opened(here: Setting) -> Question[Any]:
    opened = here.world.opens_pull("ada", here.repository)
    here.world.edits("ada", opened, title="Greet everybody")
    return DescriptionEdited(opened.node_id)


def edited_description(here: Setting) -> Question[Any]:
    opened = here.world.opens_pull("ada", here.repository)
    here.world.edits("ada", opened, body="Closes #1")
    return DescriptionEdited(opened.node_id)


def comments_edited_by_whom(here: Setting) -> Question[Any]:
    """One by nobody, one by its author after somebody else, one by somebody else."""
    world, opened = here.world, here.world.opens_issue("ada", here.repository, "Greet people")
    never, ours, theirs = (world.comments(world.bot, opened, f"comment {n}") for n in range(3))
    for who, comment in (("grace", ours), (world.bot, ours), (world.bot, theirs), ("grace", theirs)):
        world.edits_comment(who, comment, "another text")
    return EditedByOthers(tuple(one.node_id for one in (never, ours, theirs)))


def head_that_has_the_base(here: Setting) -> Question[Any]:
    return Contains(here.world.opens_pull("ada", here.repository).head, "main")


def head_that_is_behind(here: Setting) -> Question[Any]:
    opened = here.world.opens_pull("ada", here.repository)
    here.world.pushes("ada", here.repository, "main")
    return Contains(opened.head, "main")


def base_that_was_set_back(here: Setting) -> Question[Any]:
    before = here.repository.branches["main"]
    pushed = here.world.pushes("ada", here.repository, "main")
    here.world.force_pushes("ada", here.repository, "main", sha=before)
    return Contains("main", pushed)


def base_that_went_on(here: Setting) -> Question[Any]:
    before = here.repository.branches["main"]
    here.world.pushes("ada", here.repository, "main")
    return Contains("main", before)


def commit_that_is_nowhere(_: Setting) -> Question[Any]:
    return Contains("main", "f" * 40)


def not_merged(here: Setting) -> Question[Any]:
    opened = here.world.opens_pull("ada", here.repository)
    here.world.pushes("ada", here.repository, "main")
    return MergeEvidenceOf(opened.number, opened.head, "main")


def merged_by(who: str, method: str, *, known: bool = False) -> Story:
    def ask(here: Setting) -> Question[Any]:
        opened = here.world.opens_pull("ada", here.repository)
        here.world.pushes("ada", opened)
        head = opened.head
        here.world.pushes("grace", here.repository, "main")
        actor = here.world.bot if who == "us" else here.world.user(who)
        here.world.merge(actor, opened, MergeCall(head, method, "Title", None, "default"))
        here.world.pushes("grace", here.repository, "main")
        return MergeEvidenceOf(opened.number, head, "main", opened.merge_commit if known else None)

    return ask


def a_wrong_commit_is_named(here: Setting) -> Question[Any]:
    question = merged_by("us", "squash")(here)
    assert isinstance(question, MergeEvidenceOf)
    return replace(question, sha=here.world.tip(here.repository, "main"))


def an_unknown_commit_is_named(here: Setting) -> Question[Any]:
    question = merged_by("us", "merge")(here)
    assert isinstance(question, MergeEvidenceOf)
    return replace(question, sha="0" * 40)


def pushed_to_the_base(here: Setting) -> Question[Any]:
    opened = here.world.opens_pull("ada", here.repository)
    here.world.force_pushes("ada", here.repository, "main", sha=opened.head)
    return MergeEvidenceOf(opened.number, opened.head, "main")


def on_release(here: Setting) -> Pull:
    here.world.branches("ada", here.repository, "release")
    return here.world.opens_pull("ada", here.repository, base="release")


def pushed_to_the_base_in_part(here: Setting) -> Question[Any]:
    opened = on_release(here)
    part = opened.head
    here.world.pushes("ada", opened)
    here.world.force_pushes("ada", here.repository, "release", sha=part)
    return MergeEvidenceOf(opened.number, opened.head, "release", part)


def base_that_was_deleted(here: Setting) -> Question[Any]:
    opened = on_release(here)
    here.world.deletes_branch("ada", here.repository, "release")
    return MergeEvidenceOf(opened.number, opened.head, "release")


def base_whose_name_a_tag_has(here: Setting) -> Question[Any]:
    here.repository.tags["main"] = here.world.tip(here.repository, "main")
    return merged_by("us", "squash")(here)


def async_merge(seconds: float) -> Story:
    def ask(here: Setting) -> Question[Any]:
        opened = here.world.opens_pull("ada", here.repository)
        call = MergeCall(opened.head, "squash", "Title", None, "direct_merge")
        uuid = here.world.merge_async(here.world.bot, opened, call).body["details"]["uuid"]
        here.world.clock.advance(seconds)
        return AsyncMergeOf(opened.number, uuid)

    return ask


def failed_async_merge(here: Setting) -> Question[Any]:
    question = async_merge(0.0)(here)
    assert isinstance(question, AsyncMergeOf)
    here.world.pushes("ada", here.repository.threads[question.pull])  # type: ignore[arg-type]  # it is a pull request
    here.world.clock.advance(5)
    return question


LONG_AGO = START - timedelta(days=1)


def talk(here: Setting, count: int = 2) -> Pull:
    """An issue, a pull request, and comments on both, one of them edited and one by our App."""
    opened = here.world.opens_issue("ada", here.repository, "Greet people")
    pull = here.world.opens_pull("ada", here.repository)
    for number in range(count):
        here.world.comments("grace", opened, f"/plan {number}")
    here.world.edits_comment("grace", opened.comments[0], "/plan another")
    here.world.comments("grace", pull, "/approve")
    here.world.comments(here.world.bot, pull, "Noted.")
    here.world.comments_on_line("grace", pull, "why?")
    return pull


def comments_edited_within_a_second(here: Setting) -> Question[Any]:
    opened = here.world.opens_issue("ada", here.repository, "Talk")
    said = [here.world.comments("grace", opened, text) for text in ("/hold", "fine", "I will look.")]
    here.world.edits_comment("ada", said[2], "/approve r1")
    said[2].updated_at = said[2].created_at
    return CommentsSince(said[0].created_at)


def comments_since(here: Setting) -> Question[Any]:
    talk(here)
    return CommentsSince(LONG_AGO)


def comments_in_a_repository_that_is_called_pull(here: Setting) -> Question[Any]:
    here.world.renames_repository("octo", here.repository, "pull")
    return comments_since(here)


def newer_comments_only(here: Setting) -> Question[Any]:
    return CommentsSince(talk(here).comments[0].created_at)


def more_comments_than_a_page(here: Setting) -> Question[Any]:
    talk(here, 120)
    return CommentsSince(LONG_AGO)


def comments_on_lines(here: Setting) -> Question[Any]:
    return LineCommentsSince(talk(here).number, LONG_AGO)


def reviews_of_a_pull(here: Setting) -> Question[Any]:
    pull = talk(here)
    here.world.reviews("grace", pull, "APPROVED", "/approve")
    here.world.edits_review("grace", here.world.reviews("grace", pull, "CHANGES_REQUESTED", "no"), "/hold")
    here.world.dismisses_review("ada", here.world.reviews("grace", pull, "APPROVED"))
    return ReviewsOf(pull.number)


def no_reviews(here: Setting) -> Question[Any]:
    return ReviewsOf(talk(here).number)


def pulls_since(here: Setting) -> Question[Any]:
    talk(here)
    here.world.closes("ada", here.world.opens_pull("ada", here.repository, head="b"))
    newest = here.world.opens_pull("ada", here.repository, head="c")
    here.world.opens_pull("ada", here.repository, head="d")
    return PullsSince(newest.updated_at)


def open_pulls(here: Setting) -> Question[Any]:
    talk(here)
    here.world.closes("ada", here.world.opens_pull("ada", here.repository, head="b"))
    return PullsSince(None)


def labelled_issues(here: Setting) -> Question[Any]:
    pull = talk(here)
    for number in range(3):
        here.world.opens_issue("ada", here.repository, f"Issue {number}", labels=["signalbox", "bug"])
    here.world.labels("ada", pull, "signalbox")
    here.world.closes("ada", here.repository.threads[pull.number + 1])
    return LabelledIssues("signalbox")


def events_of_an_issue(here: Setting) -> Question[Any]:
    opened = here.world.opens_issue("ada", here.repository, "Greet people", labels=["signalbox"])
    here.world.unlabels("lin", opened, "signalbox")
    here.world.closes("ada", opened)
    here.world.reopens("grace", opened)
    return EventsOf(opened.number)


def events_of_a_pull(here: Setting) -> Question[Any]:
    pull = here.world.opens_pull("ada", here.repository)
    here.world.pushes("ada", pull)
    here.world.force_pushes("grace", pull)
    return EventsOf(pull.number)


STORIES: dict[str, Story] = {
    **POLICY_STORIES,
    **{f"{level} of {who}": person(who) for who, level in (("ada", "maintain"), ("grace", "write"))},
    **{f"{level} of {who}": person(who) for who, level in (("lin", "triage"), ("omar", "read"))},
    "permission of nobody": nobody,
    "permission of a stranger": stranger,
    "permission of a reused login": renamed_login,
    **{f"account of {who}": account(who) for who in ("Ada", "signalbox[bot]", "nobody-at-all")},
    "permission of an account that is gone": gone_account,
    **{f"{who} in a team": team_member(who) for who in ("ada", "grace", "lin", "omar", "nobody-at-all")},
    "a team by its whole name": team_member("ada", "Octo/core"),
    "a team that is not there": team_member("ada", "gone"),
    "a team of a person": team_of_a_person,
    "in another team of that name": member_of_another_team,
    **{f"which team is {name}": team(name) for name in ("core", "Octo/Core", "gone")},
    "merge not done": not_merged,
    **{f"{method} by us": merged_by("us", method) for method in ("merge", "squash", "rebase")},
    **{f"{method} by ada": merged_by("ada", method) for method in ("merge", "squash", "rebase")},
    **{f"{method} by us, sha known": merged_by("us", method, known=True) for method in ("merge", "squash", "rebase")},
    "async merge pending": async_merge(0.0),
    "async merge merged": async_merge(5.0),
    "async merge forgotten": async_merge(100_000.0),
    **{
        story.__name__.replace("_", " "): story
        for story in (
            *(issue, closed_issue, issue_that_is_a_pull, missing_issue, transferred_issue, labels),
            *(pull, pull_of_a_deleted_fork, merged_pull, stacked_pull, missing_pull),
            *(stacked_pull_that_lists_do_not_show_so, stacked_pull_whose_lower_one_lists_do_not_show_so),
            *(stacked_pull_above_a_closed_one,),
            *(comment, edited_comment, missing_comment, line_comment, review, missing_review, own_comments),
            *(checks, no_checks, many_checks, own_checks),
            *(unguarded, ruled, queue_and_bypass, protected, protected_and_readable, branch_with_a_slash),
            *(two_pulls_at_one_head, two_pulls_at_a_head_that_the_default_branch_has, no_open_pull_at_a_merged_head),
            *(pulls_below, pulls_below_one_of_many_commits),
            *(pushes_to_a_branch, pushes_to_a_restored_branch, pushes_on_several_pages, pushes_to_no_branch),
            *(
                commit_authors,
                co_authors,
                more_commits_than_are_listed,
                workflow_files,
                allowed_workflow_files,
                other_files,
            ),
            *(description_as_opened, edited_description, comments_edited_by_whom),
            *(head_that_has_the_base, head_that_is_behind, base_that_was_set_back, base_that_went_on),
            commit_that_is_nowhere,
            *(
                comments_since,
                comments_edited_within_a_second,
                comments_in_a_repository_that_is_called_pull,
                newer_comments_only,
                more_comments_than_a_page,
                comments_on_lines,
            ),
            *(reviews_of_a_pull, no_reviews, pulls_since, open_pulls, labelled_issues),
            *(events_of_an_issue, events_of_a_pull),
            *(a_wrong_commit_is_named, an_unknown_commit_is_named, pushed_to_the_base, failed_async_merge),
            *(pushed_to_the_base_in_part, base_that_was_deleted, base_whose_name_a_tag_has),
        )
    },
}


def comparable(value: Any) -> Any:
    """Order is nobody's business where the domain picks the newest itself; only one REST version tells merge commits."""
    match value:
        case facts.CheckFacts():
            parts = {name: tuple(sorted(getattr(value, name), key=lambda one: one.id)) for name in ("runs", "statuses")}
            return value.model_copy(update=parts)
        case facts.BaseRules():
            return value.model_copy(update={"required": tuple(sorted(value.required, key=str))})
        case policy_file.PolicyFile():
            return value.model_copy(update={"etag": None})
        case Polled():
            return replace(value, etag="some" if value.etag else None)
        case facts.PullFacts():
            return value.model_copy(update={"merge_sha": None})
        case _:
            return value


@pytest.mark.parametrize("name", STORIES)
async def test_both_forges_say_the_same(either: Setting, name: str) -> None:
    question = STORIES[name](either)
    expected = await either.simulated.read(either.repo, question)
    answer = await either.forge.read(either.repo, question)
    assert comparable(answer.value) == comparable(expected.value)
    assert answer.date == expected.date
    assert either.world.findings == []


def test_every_question_has_a_reader_and_a_story() -> None:
    nouns = [*vars(questions).values(), *vars(sweeping).values(), *vars(policy_file).values()]
    asked = {one for one in nouns if isinstance(one, type) and issubclass(one, Question)} - {Question}
    assert set(READERS) == asked
    assert {type(story(setting(World(START)))) for story in STORIES.values()} == asked


@pytest.mark.parametrize(
    "question",
    [IssueOf(1), PullOf(1), PermissionOf(1, "ada"), ChecksOn("a" * 40), RulesOf("main"), CommentOf(1), LabelsOn(1)],
    ids=lambda one: type(one).__name__,
)
@pytest.mark.parametrize("what", ["uninstalls", "suspends", "removes_repository"])
async def test_what_is_out_of_our_sight_is_a_failure_and_never_a_deleted_thing(
    here: Setting, question: Question[Any], what: str
) -> None:
    arguments = (here.repository,) if what == "removes_repository" else ()
    getattr(here.world, what)(*arguments)
    with pytest.raises(ForgeFailure) as ours:
        await here.forge.read(here.repo, question)
    with pytest.raises(ForgeFailure) as simulated:
        await here.simulated.read(here.repo, question)
    assert type(ours.value) is type(simulated.value)


@pytest.mark.parametrize("face", ["forge", "simulated"])
@pytest.mark.parametrize(
    "story",
    [
        team_member("ada", allowed=False),
        team_member("omar", "evil/core"),
        team("core", allowed=False),
        team("evil/core"),
    ],
    ids=["not allowed", "of another", "which, not allowed", "which, of another"],
)
async def test_a_team_that_is_not_for_us_to_see_is_no_answer(here: Setting, face: str, story: Story) -> None:
    with pytest.raises(Forbidden):
        await getattr(here, face).read(here.repo, story(here))


@pytest.mark.parametrize("face", ["forge", "simulated"])
async def test_an_account_keeps_its_permission_under_a_new_name_and_its_old_name_gives_nobody_any(
    here: Setting, face: str
) -> None:
    grace = here.world.user("grace")
    here.world.renames_user(grace, "grace-2")
    taker = here.world.person("grace")

    kept = (await getattr(here, face).read(here.repo, PermissionOf(grace.id, "grace"))).value
    taken = (await getattr(here, face).read(here.repo, PermissionOf(taker.id, "grace"))).value

    assert (kept.user_id, kept.login, kept.level) == (grace.id, "grace-2", "write")
    assert (taken.user_id, taken.level) == (taker.id, "read")


@pytest.mark.parametrize("face", ["forge", "simulated"])
async def test_somebody_whose_present_name_cannot_be_read_is_not_known_to_have_nothing(
    here: Setting, face: str
) -> None:
    question = renamed_login(here)
    here.world.fails("user_by_id", 500, times=None)
    with pytest.raises(Unreachable):
        await getattr(here, face).read(here.repo, question)


POLLED = {
    "comments": comments_since,
    "reviews": reviews_of_a_pull,
    "pulls": pulls_since,
    "labelled issues": labelled_issues,
}


@pytest.mark.parametrize("name", POLLED)
@pytest.mark.parametrize("face", ["forge", "simulated"])
async def test_what_did_not_change_costs_nothing_to_ask_again(here: Setting, name: str, face: str) -> None:
    forge = getattr(here, face)
    question: Any = POLLED[name](here)
    first = await forge.read(here.repo, question)
    assert first.requests >= 1
    assert first.limit == 5000

    again = await forge.read(here.repo, replace(question, etag=first.value.etag))

    assert (again.value.unchanged, again.value.items, again.requests) == (True, (), 0)
    assert here.world.requests[-1].status == 304


@pytest.mark.parametrize("face", ["forge", "simulated"])
async def test_a_change_is_told_although_an_etag_was_given(here: Setting, face: str) -> None:
    forge, question = getattr(here, face), LabelledIssues("signalbox")
    before = await forge.read(here.repo, question)
    here.world.opens_issue("ada", here.repository, "Greet people", labels=["signalbox"])

    after = await forge.read(here.repo, replace(question, etag=before.value.etag))

    assert [one.title for one in after.value.items] == ["Greet people"]
