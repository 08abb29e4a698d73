"""Every row of the tables of answers to a merge request (GitHub's REST documentation and what was seen in the field): what
people read, and how often GitHub was asked.
"""

from collections.abc import Callable
from typing import Any, Literal

import pytest
from inline_snapshot import snapshot

from bot.simulator.edge import Fault
from bot.simulator.refusal import HttpError
from bot.simulator.verbs.merging import MergeCall
from tests.kit.change import Change, begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio

SYNC = pytest.mark.parametrize("merge_api", ["sync"])
ASYNC = pytest.mark.parametrize("merge_api", ["async"])
UNKNOWN = "Waiting for **an operator**: it is not known whether GitHub merged this (evidence)."
#: 405: a rule of the repository. Shown in GitHub's own words, asked once.
RULES = [
    'Required status check "lint" is expected.',
    "3 of 3 required status checks are expected.",
    "At least 1 approving review is required by reviewers with write access.",
    "Waiting on code owner review: review is required from octo/owners.",
    "Changes must be made through the merge queue",
    "Changes must be made through a pull request.",
    "Pull Request is in the merge queue",
    "Squash merges are not allowed on this repository.",
    "Merge commits are not allowed on this repository.",
    "Rebase merges are not allowed on this repository.",
    "This branch must have a linear history.",
    "This branch cannot be rebased safely.",
    "Pull Request is still a draft",
    "Pull Request is still a work in progress.",
    "You're not authorized to push to this protected branch.",
    "Repository rule violations found",
    "All unresolved conversations on the code must be resolved.",
    "Commits must have signed, verified signatures.",
]
#: Other statuses that say no: this request did nothing and will do nothing.
NOES = [
    (403, "Resource not accessible by integration"),
    (403, "Merging stacked PRs via this endpoint is not supported"),
    (403, "Repository was archived so is read-only."),
    (403, "Resource protected by organization SAML enforcement."),
    (404, "Not Found"),
    (422, "Validation Failed"),
]
#: What is not known to be a no: it may have happened, or may still happen.
OPEN_ENDS = [
    (405, "Merge already in progress"),
    (405, "A sentence nobody has seen before"),
    (409, "A conflict nobody has seen before"),
    (418, "I'm a teapot"),
    (500, "Server Error"),
    (502, "Server Error"),
    (503, "Service unavailable"),
    (504, "We couldn't respond to your request in time. Sorry about that."),
]


def answer(town: Town, status: int, effect: Literal["now", "never"] = "never", **body: Any) -> None:
    """The next merge request gets exactly this body."""
    error = HttpError(status, "", extra={"status": str(status), **body})
    town.world.edge.add(Fault("merge", 1, effect, error=error))


async def asked_once(town: Town, change: Change, seconds: float = 40) -> str:
    """Nothing landed and one request left, however long we wait; what people are shown."""
    await change.merges()
    await town.later(seconds=seconds, stride=20)
    assert (town.merges(), town.asked("merge", "merge_async"), change.phase) == ([], 1, "submit")
    return change.waits


@SYNC
@pytest.mark.parametrize("text", RULES)
async def test_a_rule_is_shown_in_github_s_own_words_and_asked_for_once(town: Town, text: str) -> None:
    """known-faults.md, rows 98 and 100."""
    change = await begun(town, "almost")
    town.world.fails("merge", 405, message=text, times=None)

    shown = await asked_once(town, change)

    assert shown.replace("`", "").rstrip(".") == f"Waiting for **an operator**: GitHub refused: {text}".rstrip(".")
    assert change.check == "action_required · submit: an operator must act, GitHub refused the merge"


@SYNC
@pytest.mark.parametrize(("status", "text"), NOES)
async def test_a_definitive_no_is_shown_and_not_repeated(town: Town, status: int, text: str) -> None:
    """known-faults.md, rows 98 and 104."""
    change = await begun(town, "almost")
    town.world.fails("merge", status, message=text, times=None)

    shown = await asked_once(town, change)

    assert shown.replace("`", "").rstrip(".") == f"Waiting for **an operator**: GitHub refused: {text}".rstrip(".")
    assert len(change.notices()) == ("not accessible" in text)  # a missing permission calls an operator


@pytest.mark.parametrize(
    ("merge_api", "status", "text"),
    [("sync", *end) for end in OPEN_ENDS] + [("async", *end) for end in OPEN_ENDS[1:6:2]],
)
async def test_an_answer_that_is_no_known_no_is_unknown_and_never_repeated(town: Town, status: int, text: str) -> None:
    """known-faults.md, row 94."""
    change = await begun(town, "almost")
    town.world.fails("merge", status, message=text, times=None)

    shown = await asked_once(town, change)

    assert (shown, await change.merge_state(), len(change.notices())) == (UNKNOWN, "ambiguous", 1)
    assert change.check == "action_required · submit: it is not known whether GitHub merged c1"


@SYNC
async def test_not_mergeable_is_a_no_where_both_sides_show_no_merge(town: Town) -> None:
    """known-faults.md, row 102."""
    change = await begun(town, "almost")
    town.just_before("/merge", lambda: town.world.conflicts(change.pull))

    assert await asked_once(town, change) == snapshot(
        "Waiting for **an operator**: GitHub refused: Pull Request is not mergeable."
    )


@SYNC
async def test_not_mergeable_is_settled_as_merged_where_somebody_merged_it_before(town: Town) -> None:
    """known-faults.md, row 54."""
    change = await begun(town, "almost")
    town.just_before("/merge", lambda: town.world.merges_by_hand("sam", change.pull))

    await change.merges(seconds=30)

    assert (town.merges(), town.asked("merge"), change.phase, change.says) == snapshot(
        (["c1 by sam"], 1, "done", "**done** · merged outside Signalbox by `sam` as `m1`")
    )
    change.notices()


@SYNC
async def test_a_success_without_a_merge_is_unknown(town: Town) -> None:
    """known-faults.md, row 94; threats.md, T18."""
    change = await begun(town, "almost")
    answer(town, 200, merged=False, message="?")

    assert await asked_once(town, change) == UNKNOWN
    change.notices()


@SYNC
async def test_an_unreadable_success_that_landed_is_found_by_reading(town: Town) -> None:
    change = await begun(town, "almost")
    answer(town, 200, "now", surprise=True)

    await change.merges(seconds=30)

    assert (town.merges(), town.asked("merge"), change.phase) == (["c1 by signalbox[bot]"], 1, "done")
    change.notices()


@pytest.mark.parametrize("merge_api", ["sync", "async"])
@pytest.mark.parametrize("status", [301, 307, 308])
async def test_a_redirect_is_not_followed_and_did_nothing(town: Town, status: int) -> None:
    change = await begun(town, "almost")
    town.world.fails("merge", status, message="Moved", headers={"Location": "https://api.github.com/elsewhere"})

    await change.merges(seconds=60)

    assert town.world.findings == []
    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")


@pytest.mark.parametrize("merge_api", ["sync", "async"])
@pytest.mark.parametrize("status", [403, 429])
async def test_a_rate_limit_did_nothing_and_is_waited_out(town: Town, status: int) -> None:
    change = await begun(town, "almost")
    town.world.fails("merge", status, headers={"retry-after": "60"})
    await change.merges(seconds=50)
    assert (town.merges(), town.asked("merge", "merge_async")) == ([], 1)

    await town.later(minutes=2)

    assert (change.phase, town.asked("merge", "merge_async")) == ("done", 2)


@pytest.mark.parametrize("merge_api", ["sync", "async"])
async def test_a_token_that_expired_did_nothing_and_the_merge_is_asked_for_again(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.fails("merge", 401, message="Bad credentials")

    await change.merges(seconds=60)

    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")


@pytest.mark.parametrize("merge_api", ["sync", "async"])
async def test_a_connection_that_was_refused_never_carried_the_request(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.unreachable("merge")

    await change.merges(seconds=60)

    assert (town.merges(), change.phase) == (["c1 by signalbox[bot]"], "done")


@pytest.mark.parametrize("merge_api", ["sync", "async"])
async def test_a_timeout_after_the_bytes_left_is_unknown(town: Town) -> None:
    """known-faults.md, row 94."""
    change = await begun(town, "almost")
    town.world.loses_answer_to("merge", landed=False, how="timeout")

    assert await asked_once(town, change) == UNKNOWN
    change.notices()


@ASYNC
async def test_an_asynchronous_merge_that_was_merged_already_is_settled(town: Town) -> None:
    change = await begun(town, "almost")
    town.just_before("/merge-async", lambda: town.world.merges_by_hand("sam", change.pull))

    await change.merges(seconds=30)

    assert (town.asked("merge_async"), change.phase, change.says) == snapshot(
        (1, "done", "**done** · merged outside Signalbox by `sam` as `m1`")
    )
    change.notices()


@ASYNC
async def test_an_asynchronous_merge_that_sits_in_a_queue_is_not_a_merge(town: Town) -> None:
    change = await begun(town, "almost")
    town.world.edge.add(
        Fault("merge", 1, "never", error=HttpError(200, "", extra={"status": "enqueued", "details": {}}))
    )

    assert await asked_once(town, change) == UNKNOWN
    change.notices()


FAILURES: dict[str, Callable[[Change], object]] = {
    "closed": lambda change: change.town.world.closes("ada", change.pull),
    "a draft": lambda change: change.town.world.converts_to_draft("ada", change.pull),
}


@ASYNC
@pytest.mark.parametrize("why", FAILURES)
async def test_an_asynchronous_merge_that_failed_at_once_is_a_no(town: Town, why: str) -> None:
    change = await begun(town, "almost")
    town.just_before("/merge-async", lambda: FAILURES[why](change))

    await change.merges(seconds=30)

    assert (town.merges(), town.asked("merge_async")) == ([], 1)
    assert change.phase == {"closed": "building", "a draft": "submit"}[why]


@ASYNC
async def test_our_own_request_that_runs_already_is_watched_and_not_repeated(town: Town) -> None:
    """As after a restored database: an earlier process of ours had asked for exactly this already, and GitHub says so."""
    town.world.merge_async_seconds = 20
    change = await begun(town, "almost")
    earlier = MergeCall(change.pull.head, "squash", action="direct_merge")
    town.just_before("/merge-async", lambda: town.world.merge_async(town.world.bot, change.pull, earlier))
    await change.merges(seconds=5)
    key = await town.store.read(lambda tx: tx.records.by_name("octo/app", change.issue.number))
    assert key is not None
    (attempt,) = await town.store.read(lambda tx: tx.attempts.of(key))
    (reply,) = attempt.replies
    merge = (await change.record())["merge"]
    assert (reply.status, merge["uuid"], merge["state"]) == (409, *change.pull.requests, "ambiguous")

    await town.later(minutes=1)

    assert (town.merges(), town.asked("merge_async"), change.phase) == (["c1 by signalbox[bot]"], 1, "done")
    change.notices()


@pytest.mark.parametrize("status", [400, 422, 500])
async def test_only_a_404_of_the_asynchronous_endpoint_leads_to_the_other_one(town: Town, status: int) -> None:
    change = await begun(town, "almost")
    town.world.fails("merge_async", status, message="No.", times=None)

    await change.merges(seconds=60)

    assert (town.asked("merge_async"), town.asked("merge")) == (1, 0)
    change.notices()
