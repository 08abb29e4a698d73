"""Both sides of a merge when one of them cannot be read."""

from dataclasses import replace
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any

import httpx
import pytest

from bot.domain.model.effects import MarkReady
from bot.domain.model.questions import CommentsOn, DescriptionEdited, MergeEvidenceOf, PullOf, RulesOf, WorkflowFilesIn
from bot.ports.failures import ForgeFailure, Gone, RateLimited, Unreachable
from bot.simulator.model.threads import Pull
from bot.simulator.verbs.merging import MergeCall
from tests.github.conftest import Setting
from tests.github.test_client import REPO, Scripted

pytestmark = pytest.mark.anyio

DATE = {"date": format_datetime(datetime(2026, 1, 1, 12, tzinfo=UTC), usegmt=True)}


def merged(here: Setting) -> Pull:
    pull = here.world.opens_pull("ada", here.repository)
    here.world.merge(here.world.bot, pull, MergeCall(pull.head, "squash", "Title", None, "default"))
    return pull


def question(pull: Pull) -> MergeEvidenceOf:
    return MergeEvidenceOf(pull.number, pull.head, "main")


async def test_an_unreadable_pull_request_leaves_the_base_side(here: Setting) -> None:
    since = here.world.tip(here.repository, "main")
    pull = merged(here)
    here.world.fails("pull", 502, times=None)
    found = (await here.forge.read(here.repo, replace(question(pull), since=since))).value
    assert (found.pull_merged, found.pull_open, found.head, found.on_base) == (None, None, None, True)
    assert found.merge_sha == pull.merge_commit


async def test_an_unreadable_base_leaves_the_side_of_the_pull_request(here: Setting) -> None:
    pull = merged(here)
    here.world.fails("compare", 502, times=None)
    found = (await here.forge.read(here.repo, question(pull))).value
    assert (found.pull_merged, found.merged_by_us, found.on_base) == (True, True, None)


async def test_without_both_sides_there_is_no_answer(here: Setting) -> None:
    pull = merged(here)
    here.world.fails("read", 502, times=None)
    with pytest.raises(Unreachable):
        await here.forge.read(here.repo, question(pull))


async def test_a_rate_limit_on_both_sides_says_until_when(here: Setting) -> None:
    pull = merged(here)
    here.world.fails("read", 403, times=None, headers={"retry-after": "30"})
    with pytest.raises(RateLimited):
        await here.forge.read(here.repo, question(pull))


async def test_who_merged_is_compared_by_number_and_not_known_means_not_read(here: Setting) -> None:
    pull = merged(here)
    here.world.fails("user_by_login", 502, times=None)
    found = (await here.forge.read(here.repo, question(pull))).value
    assert (found.pull_merged, found.merged_by_us, found.on_base) == (None, False, None)


async def test_our_own_account_is_learnt_from_what_our_app_wrote(here: Setting) -> None:
    pull = merged(here)
    here.world.comments(here.world.bot, pull, "done")
    await here.forge.read(here.repo, CommentsOn(pull.number))
    found = (await here.forge.read(here.repo, question(pull))).value
    assert (found.merged_by_us, here.asked("user_by_login"), here.asked("app")) == (True, 0, 0)


@pytest.mark.parametrize("how", ["a person", "another App"])
async def test_whoever_else_wrote_is_not_us(here: Setting, how: str) -> None:
    """Our App may have written for a person, and another App's bot is none of ours."""
    pull = merged(here)
    if how == "a person":
        here.world.comments("ada", pull, "done").app = here.world.app
    else:
        here.world.comments(here.world.another_app("merge-bot").bot, pull, "done")
    await here.forge.read(here.repo, CommentsOn(pull.number))
    assert here.gateway.bot_id is None


async def test_somebody_with_our_login_is_not_us(here: Setting) -> None:
    pull = here.world.opens_pull("ada", here.repository)
    here.world.merges_by_hand(here.world.another_app("merge-bot").bot, pull)
    assert not (await here.forge.read(here.repo, question(pull))).value.merged_by_us


async def test_the_look_begins_before_the_first_request(here: Setting) -> None:
    pull = merged(here)
    before = here.world.clock.now()
    assert (await here.forge.read(here.repo, question(pull))).value.began_at == before


def answering(bodies: dict[str, Any]) -> Scripted:
    def answer(request: httpx.Request) -> httpx.Response:
        body = bodies.get(request.url.path.removeprefix("/repos/octo/app"))
        return httpx.Response(404 if body is None else 200, json=body, headers=DATE)

    return Scripted(answer)


async def test_a_pull_request_of_another_repository_under_the_same_name_is_gone() -> None:
    side = {"ref": "main", "sha": "a" * 40, "repo": {"id": 2}}
    pull = {"number": 34, "node_id": "x", "title": "x", "state": "open", "merged": False, "head": side, "base": side}
    other = {"id": 2, "full_name": "octo/app"}
    github = answering({"/pulls/34": pull | {"updated_at": "2026-01-01T00:00:00Z"}, "": other})
    with pytest.raises(Gone):
        await github.forge.read(REPO, PullOf(34))


async def test_a_ruleset_that_does_not_say_whether_we_may_bypass_it_is_not_a_no(here: Setting) -> None:
    here.world.requires(here.repository, "build")
    here.world.fails("ruleset", 404, times=None)
    assert (await here.forge.read(here.repo, RulesOf("main"))).value.bypass is None


async def test_a_ruleset_that_may_be_bypassed_beats_one_that_does_not_say(here: Setting) -> None:
    here.world.requires(here.repository, "build")
    here.world.ruleset(here.repository, bypass="pull_requests_only", merge_queue=True)
    here.world.fails("ruleset", 403, times=1)
    assert (await here.forge.read(here.repo, RulesOf("main"))).value.bypass is True


async def test_a_list_of_files_that_github_cut_may_hide_a_workflow() -> None:
    files = [{"filename": f"src/{n}.py"} for n in range(3000)]

    def answer(request: httpx.Request) -> httpx.Response:
        page, size = (int(request.url.params[name]) for name in ("page", "per_page"))
        more = {"link": '<x>; rel="next"'} if page * size < len(files) else {}
        return httpx.Response(200, json=files[(page - 1) * size : page * size], headers=DATE | more)

    assert (await Scripted(answer).forge.read(REPO, WorkflowFilesIn(34))).value == "unlisted"


async def test_a_workflow_renamed_away_is_touched() -> None:
    moved = [{"filename": "old.yml", "previous_filename": ".github/workflows/ci.yml", "status": "renamed"}]
    assert (await answering({"/pulls/34/files": moved}).forge.read(REPO, WorkflowFilesIn(34))).value == "touched"


@pytest.mark.parametrize(
    ("nodes", "edited"),
    [
        ([{"id": "PR_34", "lastEditedAt": None}], False),
        ([{"id": "PR_34", "lastEditedAt": "2026-01-01T11:00:00Z"}], True),
        ([{"id": "PR_34"}], True),
        ([None], True),
    ],
    ids=["as it was", "edited", "not said", "not seen"],
)
async def test_a_description_of_which_github_does_not_say_whether_it_was_edited_counts_as_edited(
    nodes: list[Any], edited: bool
) -> None:
    github = answering({"/graphql": {"data": {"nodes": nodes}}})
    assert (await github.forge.read(REPO, DescriptionEdited("PR_34"))).value is edited


@pytest.mark.parametrize("kind", ["RATE_LIMIT", "RATE_LIMITED"])
@pytest.mark.parametrize("asking", [True, False], ids=["a question", "a change"])
@pytest.mark.parametrize(
    ("headers", "seconds", "named"),
    [
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "3000"}, 3000, True),
        ({"retry-after": "30"}, 30, True),
        ({}, 60, False),
    ],
)
async def test_a_limit_that_graphql_tells_of_is_waited_for_until_its_headers_say(
    kind: str, asking: bool, headers: dict[str, str], seconds: int, named: bool
) -> None:
    def answer(_request: httpx.Request) -> httpx.Response:
        now = int(github.gateway.clock.now().timestamp())
        told = {k: str(now + int(v)) if k == "x-ratelimit-reset" else v for k, v in headers.items()}
        return httpx.Response(200, json={"data": None, "errors": [{"type": kind}]}, headers=DATE | told)

    github = Scripted(answer)
    change = MarkReady(pull=34, node_id="PR_34")
    asked = github.forge.read(REPO, DescriptionEdited("PR_34")) if asking else github.forge.perform(REPO, change)
    with pytest.raises(ForgeFailure) as failed:
        await asked
    limited = failed.value
    assert isinstance(limited, RateLimited)
    assert round((limited.until - github.gateway.clock.now()).total_seconds()) == seconds
    assert limited.named is named
