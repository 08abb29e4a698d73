"""What GitHub says is not there, and what that proves (docs/decisions/nothing-there.md)."""

from datetime import UTC, datetime
from typing import Any

import pytest

from bot.domain.model.policy_file import ABSENT, PATH, PolicyFileNow, PolicyFileOf, ProposedFileIn
from bot.domain.model.questions import (
    AccountOf,
    CommentOf,
    CommentsOn,
    Contains,
    IssueOf,
    MemberOf,
    PermissionOf,
    PullOf,
    Question,
    RulesOf,
)
from bot.domain.model.sweeping import CommentsSince, EventsOf, LabelledIssues, LineCommentsSince, PullsSince, ReviewsOf
from bot.ports.failures import Forbidden, Gone, Unreachable
from tests.github.conftest import Setting
from tests.github.policy_stories import written

pytestmark = pytest.mark.anyio
LONG_AGO = datetime(2025, 1, 1, tzinfo=UTC)


async def reads(here: Setting, question: Question[Any]) -> Any:
    """What is answered; a word where it is none."""
    try:
        return (await here.forge.read(here.repo, question)).value
    except Unreachable:
        return "unknown"
    except Gone:
        return "gone"
    except Forbidden:
        return "refused"


async def test_one_answer_that_something_is_not_there_is_asked_once_more(here: Setting) -> None:
    world = here.world
    core = world.team("core", "ada")
    world.allows_teams()
    opened = world.opens_pull("ada", here.repository)
    said = world.comments("ada", opened, "Hello")
    ada, tip = world.user("ada").id, here.repository.branches["main"]
    questions: dict[str, Question[Any]] = {
        "issue": IssueOf(opened.number),
        "pull": PullOf(opened.number),
        "comment": CommentOf(said.id),
        "permission": PermissionOf(ada, "ada"),
        "user_by_login": AccountOf("ada"),
        "team_membership": MemberOf("core", "ada", core.id),
        "compare": Contains("main", tip),
    }
    known = {name: await reads(here, question) for name, question in questions.items()}
    for name, question in questions.items():
        world.fails(name, 404)
        assert await reads(here, question) == known[name], name


async def test_a_list_of_a_thread_that_is_there_is_not_known_to_be_gone(here: Setting) -> None:
    opened = here.world.opens_pull("ada", here.repository)
    lists: dict[str, Question[Any]] = {
        "issue_events": EventsOf(opened.number),
        "comments": CommentsOn(opened.number),
        "reviews": ReviewsOf(opened.number),
        "review_comments": LineCommentsSince(opened.number, LONG_AGO),
        "pull": PullOf(opened.number),
    }
    for name, question in lists.items():
        here.world.fails(name, 404, times=None)
        assert await reads(here, question) == "unknown"
    here.world.heals()
    del here.repository.threads[opened.number]
    for name, question in lists.items():
        assert await reads(here, question) == (None if name == "pull" else "gone"), name


async def test_an_issue_is_no_pull_request_though_it_is_there(here: Setting) -> None:
    assert await reads(here, PullOf(here.world.opens_issue("ada", here.repository, "A question").number)) is None


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("repository_comments", CommentsSince(LONG_AGO)),
        ("pulls", PullsSince(None)),
        ("issues", LabelledIssues("signalbox")),
    ],
)
async def test_a_list_of_a_repository_that_is_there_is_not_gone(here: Setting, name: str, question: Any) -> None:
    here.world.fails(name, 404, times=None)
    assert await reads(here, question) == "unknown"


async def test_a_person_who_is_there_has_no_permission_only_once_github_says_so_for_a_minute(here: Setting) -> None:
    """GitHub says "none" of an outsider; should it say 404 of one, they get an answer all the same."""
    eve = PermissionOf(here.world.person("eve").id, "eve")
    here.world.fails("permission", 404, times=None)
    for seconds in (0, 59, 3700):
        here.world.clock.advance(seconds)
        assert await reads(here, eve) == "unknown"
    here.world.clock.advance(60)
    assert "level='none'" in repr(await reads(here, eve))

    here.world.heals()
    await reads(here, eve)
    here.world.fails("permission", 404, times=None)
    assert await reads(here, eve) == "unknown"


async def test_a_bot_has_no_permission_at_once(here: Setting) -> None:
    """GitHub answers 404 of every bot."""
    here.world.fails("permission", 404, times=None)
    assert "level='none'" in repr(await reads(here, PermissionOf(here.world.bot.id, here.world.bot.login)))


@pytest.mark.parametrize("status", [403, 404])
async def test_protection_that_the_branch_tells_of_and_that_is_not_shown_may_let_us_bypass_it(
    here: Setting, status: int
) -> None:
    here.world.app.permissions["administration"] = "read"
    here.world.protects(here.repository, reviews=1, bypassing=(here.world.app,))
    assert (await reads(here, RulesOf("main"))).bypass is True
    here.world.fails("protection", status, times=None)
    assert await reads(here, RulesOf("main")) == "unknown"


@pytest.mark.parametrize("question", [PolicyFileOf(), PolicyFileNow()], ids=lambda one: type(one).__name__)
async def test_a_file_is_absent_only_where_the_last_commit_of_its_log_took_it_away(
    here: Setting, question: Question[Any]
) -> None:
    written(here)
    here.world.fails("contents", 404, times=None)
    assert await reads(here, question) == "unknown"
    here.world.pushes("ada", here.repository, "main", files={PATH: None})
    found = await reads(here, question)
    assert (found if isinstance(question, PolicyFileNow) else found.blob) == ABSENT


@pytest.mark.parametrize(
    ("status", "message", "found"),
    [
        (409, "Git Repository is empty.", ABSENT),
        (403, "Resource not accessible by integration", "refused"),
        (409, "Conflict", "refused"),
    ],
)
async def test_a_log_that_is_refused_says_of_no_repository_that_it_is_empty(
    here: Setting, status: int, message: str, found: str
) -> None:
    here.world.fails("commits", status, times=None, message=message)
    here.world.fails("contents", 404, times=None)
    file = await reads(here, PolicyFileOf())
    assert (file if isinstance(file, str) else file.blob) == found


async def test_a_pull_request_takes_the_file_away_only_where_its_files_say_so(here: Setting) -> None:
    here.world.branches("ada", here.repository, "rules")
    here.world.pushes("ada", here.repository, "rules", files={PATH: "preset: lean\n"})
    opened = here.world.opens_pull("ada", here.repository, head="rules")
    here.world.fails("contents", 404, times=None)
    assert await reads(here, ProposedFileIn(opened.number, opened.head)) == "unknown"
