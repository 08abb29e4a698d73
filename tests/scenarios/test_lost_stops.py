"""What takes authority away and whose webhook was lost: it is read again before GitHub is asked to merge (LIFECYCLE.md 5)."""

import json
from collections.abc import Callable

import httpx
import pytest

from bot.github.facts import polled
from bot.simulator.model.threads import Review
from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


def requests_changes(change: Change, _: Review) -> None:
    change.town.world.reviews("sam", change.pull, "CHANGES_REQUESTED", "this loses data")


def requests_changes_on_no_commit(change: Change, _: Review) -> None:
    """GitHub documents the commit of a review as nullable."""
    change.town.world.reviews("sam", change.pull, "CHANGES_REQUESTED", "this loses data").commit = None  # type: ignore[assignment]


def says(words: str) -> Callable[[Change, Review], None]:
    def in_a_review(change: Change, _: Review) -> None:
        change.town.world.reviews("sam", change.pull, "COMMENTED", words)

    return in_a_review


def dismisses(change: Change, approval: Review) -> None:
    change.town.world.dismisses_review("omar", approval)


def goes_and_comes_back(change: Change, _: Review) -> None:
    change.town.world.pushes("ada", change.pull)
    change.town.world.clock.advance(3)
    change.town.world.force_pushes("ada", change.pull, sha=change.town.heads[0])


def aims_it_elsewhere(change: Change, _: Review) -> None:
    change.town.world.branches("ada", change.town.repo, "other")
    change.town.world.retargets("ada", change.pull, "other")


def comments(who: str, words: str, where: str) -> Callable[[Change, Review], None]:
    def in_a_thread(change: Change, _: Review) -> None:
        change.town.world.comments(who, change.issue if where == "issue" else change.pull, words)

    return in_a_thread


def remarks_on_a_line(change: Change, _: Review) -> None:
    change.town.world.comments_on_line("sam", change.pull, "/hold not today")


#: Whatever may end a reservation (LIFECYCLE.md 2.2, column "merge reserved"), and wherever words may stand.
LOST: dict[str, Callable[[Change, Review], object]] = {
    "issue closed": lambda change, _: change.town.world.closes("ada", change.issue),
    "label removed": lambda change, _: change.town.world.unlabels("ada", change.issue, "signalbox"),
    "issue deleted": lambda change, _: change.town.world.deletes_issue("octo", change.issue),
    "pull request closed": lambda change, _: change.town.world.closes("ada", change.pull),
    "retargeted": aims_it_elsewhere,
    "draft": lambda change, _: change.town.world.converts_to_draft("ada", change.pull),
    "push": lambda change, _: change.town.world.pushes("ada", change.pull),
    "push there and back": goes_and_comes_back,
    "check red": lambda change, _: change.check_run(conclusion="failure"),
    "changes requested": requests_changes,
    "changes requested on no commit": requests_changes_on_no_commit,
    "review dismissed": dismisses,
    "hold in a review": says("/signalbox hold not today"),
    "hold in a review, oddly written": says("/H\u200bold not today"),
    "hold on a line": remarks_on_a_line,
    "hold in the issue": comments("sam", "/hold not today", "issue"),
    "cancel in the issue": comments("ada", "/cancel not needed", "issue"),
    "revoke in the issue": comments("grace", "/revoke", "issue"),
    "reject": comments("grace", "/reject it is slow", "pull"),
    "unlink": comments("ada", "/unlink", "pull"),
}


@pytest.mark.parametrize("lost", LOST.values(), ids=LOST)
async def test_a_stop_whose_webhook_was_lost_is_found_before_the_merge(
    town: Town, lost: Callable[[Change, Review], object]
) -> None:
    change = await begun(town, "submit")
    town.world.clock.advance(3)
    approval = town.world.reviews("grace", change.pull, "APPROVED")
    await town.settles()
    town.world.drops_webhooks(logged=False)
    town.world.clock.advance(3)
    lost(change, approval)
    await town.settles()
    town.world.heals()

    await change.merges(seconds=60)

    assert (town.merges(), town.asked("merge", "merge_async")) == ([], 0)
    change.notices()


async def test_while_github_does_not_show_the_reviews_nothing_is_merged_and_then_it_is(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.fails("reviews", 502, times=None)
    await change.merges(seconds=60)
    assert (town.merges(), town.asked("merge", "merge_async")) == ([], 0)

    town.world.heals()
    await town.later(minutes=3, stride=30)
    assert town.merges() == ["c1 by signalbox[bot]"]


async def test_a_stop_is_found_though_github_cannot_show_the_log_of_another_issue(town: Town) -> None:
    """It was cancelled and still wears its label, so every sweep reads its log."""
    change = await begun(town, "testing")
    other = Change(town, town.world.opens_issue("ada", town.repo, "Another"))
    town.world.labels("ada", other.issue, "signalbox")
    await town.settles()
    await other.on_issue("ada", "/cancel not needed")
    await town.later(minutes=6, stride=60)
    inner = town.road.handle_async_request

    async def poisoned(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith(f"/issues/{other.issue.number}/events"):
            return httpx.Response(500, json={"message": "Server Error"}, request=request)
        return await inner(request)

    town.road.handle_async_request = poisoned  # type: ignore[method-assign]
    town.world.drops_webhooks(logged=False)
    await change.on_pull("grace", "/hold not today")
    town.world.edits("ada", other.issue, title="Another title")
    await town.settles()
    town.world.heals()
    await town.later(minutes=6, stride=60)

    assert (await change.record())["held"]


async def test_a_hold_is_heard_though_older_comments_are_edited_while_the_list_is_read(town: Town) -> None:
    """The webhook of /hold is lost. While the sweep reads the list of comments, older ones are edited (as our own status comments
    are all the time), which moves them to the end, so that the /hold slips from the page to come to one that was read."""
    change = await begun(town, "testing")
    old = [await change.on_issue("lin", f"I wonder {number}") for number in range(3)]
    town.world.clock.advance(3)
    town.world.drops_webhooks(logged=False)
    hold = await change.on_pull("grace", "/hold not today", heard=False)
    await town.hears()
    town.world.heals()
    town.world.clock.advance(3)
    await change.on_issue("lin", "I see")
    inner = town.road.handle_async_request
    pages: list[list[int]] = []
    edits = old[:2]

    async def read(request: httpx.Request) -> list[int]:
        answer = await inner(request)
        return [one["id"] for one in json.loads(await answer.aread())] if answer.status_code == 200 else []

    async def shifts(request: httpx.Request) -> httpx.Response:
        if not request.url.path.endswith("/issues/comments"):
            return await inner(request)
        request.url = request.url.copy_set_param("per_page", 2)
        if edits and pages and hold.id in await read(request) and not any(hold.id in page for page in pages):
            while edits:
                town.world.edits_comment("lin", edits.pop(), "I wondered")
        pages.append(await read(request))
        return await inner(request)

    town.road.handle_async_request = shifts  # type: ignore[method-assign]
    await town.later(minutes=6, stride=60)
    assert not edits
    change.notices()
    assert (await change.record())["held"], "grace's /hold is not heard"


async def test_a_hold_behind_more_comments_than_one_sweep_reads_is_heard_by_the_next_ones(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(polled, "PIECE", 2)
    monkeypatch.setattr(polled, "PER_PAGE", 5)
    change = await begun(town, "almost")
    town.world.drops_webhooks(logged=False)
    for number in range(30):
        town.world.comments("mallory", change.issue, f"I wonder {number}")
        town.world.clock.advance(3)
    town.world.comments("grace", change.pull, "/hold not today")
    await town.settles()
    town.world.heals()

    await change.merges(seconds=60)
    assert town.merges() == [], "not every word was read again"
    told = []
    for _ in range(16):
        await town.later(minutes=1, stride=60)
        told.append((await town.store.read(lambda tx: tx.sweeps.state(town.repo.id))).problem)
    change.notices()
    assert (await change.record())["held"]
    assert any("there are many comments" in (one or "") for one in told)
    assert told[-1] is None


async def held_on_a_line_of_what_a_lost_word_linked(town: Town) -> Change:
    """Until GitHub's webhooks come again, several sweeps look."""
    change, world = await begun(town, "building"), town.world
    world.drops_webhooks(logged=False)
    world.branches("ada", town.repo, "elsewhere")
    town.heads.append(world.pushes("ada", town.repo, "elsewhere", message="A change"))
    change.linked = world.opens_pull("ada", town.repo, "A change", head="elsewhere", body="")
    change.check_run()
    await town.later(seconds=20)
    await change.on_pull("ada", f"/link #{change.issue.number}", heard=False)
    world.clock.advance(10)
    world.comments_on_line("sam", change.pull, "/hold this loses data")
    await town.later(minutes=3)
    world.comments("lin", change.issue, "I see")
    await town.later(minutes=6, stride=30)
    world.heals()
    return change


async def test_a_hold_on_a_line_of_what_a_lost_word_linked_is_heard(town: Town) -> None:
    change = await held_on_a_line_of_what_a_lost_word_linked(town)
    held = (await change.record())["held"]
    assert (held or {}).get("why") == "this loses data"


async def test_a_hold_on_a_line_of_what_a_lost_word_linked_is_not_merged_over(town: Town) -> None:
    change = await held_on_a_line_of_what_a_lost_word_linked(town)
    await change.passes("testing")
    await change.on_pull("grace", f"/approve submit {change.head}")
    change.notices()
    await change.merges(seconds=60)
    assert town.merges() == []
