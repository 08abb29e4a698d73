"""The main job: one labelled issue goes to a confirmed merge, whatever endpoint, method and rules the repository has."""

import pytest
from inline_snapshot import snapshot

from bot.domain.model.policy import STRICT, MergeRule
from tests.kit.change import begun
from tests.kit.town import Town

pytestmark = pytest.mark.anyio


async def test_one_labelled_issue_goes_to_a_confirmed_merge(town: Town) -> None:
    change = await begun(town, "almost")

    await change.merges()

    assert town.merges() == ["c1 by signalbox[bot]"]
    assert (change.phase, change.check) == snapshot(("done", "success · done: merged as m1"))
    assert change.status == snapshot("""\
**done** · merged as `m1` into `main`, 30 Nov 2024, hh:mm UTC
Nothing is awaited.

| Authorised by | Who |
|---|---|
| Plan r1 | `grace` |
| Testing, `c1` | review `grace`, gate `omar`, 1 check |
| Submit, `c1` | review `grace`, gate `omar`, 1 check |

History\
""")


@pytest.mark.parametrize("merge_api", ["async", "sync"])
async def test_either_merge_endpoint_is_asked_once_for_the_head_that_was_judged(town: Town) -> None:
    change = await begun(town, "almost")

    await change.merges()

    assert (change.phase, town.merges()) == ("done", ["c1 by signalbox[bot]"])
    asked = [one for one in town.world.requests if one.method == "PUT"]
    endpoint = "merge_async" if town.merge_api == "async" else "merge"
    assert [(one.operation, town.shown(one.body["sha"])) for one in asked] == [(endpoint, "c1")]


@pytest.mark.parametrize("method", ["squash", "merge", "rebase"])
async def test_the_base_gets_the_commit_that_the_policy_asks_for(town: Town, method: str) -> None:
    town.policy = STRICT.model_copy(update={"merge": MergeRule.model_validate({"method": method})})
    change = await begun(town, "almost")

    await change.merges()

    tip = town.world.commits[town.repo.branches["main"]]
    assert change.phase == "done"
    assert (len(tip.parents), change.pull.head in tip.parents) == ((2, True) if method == "merge" else (1, False))
    assert tip.message.splitlines()[0] == ("A change" if method == "rebase" else "Retry uploads (#2)")


async def test_the_squashed_commit_says_who_authorised_it(town: Town) -> None:
    change = await begun(town, "almost")

    await change.merges()

    assert town.shown(town.world.commits[town.repo.branches["main"]].message) == snapshot("""\
Retry uploads (#2)

Plan r1 by ada, approved by grace.
Testing of c1: review grace, gate omar.
Submit: review grace, gate omar.
Signalbox record octo/app issue 1.\
""")
    assert change.pull.head_ref not in town.repo.branches


async def test_whom_the_commits_credit_is_a_co_author_of_the_squashed_commit(town: Town) -> None:
    """known-faults.md, row 104: though everybody who pushed is known."""
    change = await begun(town, "building")
    by_address = "Co-authored-by: Sue <sue@example.org>\nSigned-off-by: Ada <ada@example.org>"
    await change.opens_pull(says=f"Retry\n\nCo-authored-by: sam <4242+sam@users.noreply.github.com>\n{by_address}")
    await change.passes("testing")
    await change.approved_by("grace")

    await change.merges()

    message = town.world.commits[town.repo.branches["main"]].message
    assert message.splitlines()[-4:] == [
        "",
        "Co-authored-by: sam <4242+sam@users.noreply.github.com>",
        *by_address.splitlines(),
    ]


async def test_our_own_merge_closes_the_issue_and_does_not_withdraw_it(town: Town) -> None:
    change = await begun(town, "almost")

    await change.merges()

    assert not change.issue.open
    assert change.issue_says == change.says
    assert change.says.startswith("**done** · merged as `m1` into `main`")


async def test_a_base_that_requires_our_own_check_does_not_wait_for_itself(town: Town) -> None:
    """known-faults.md, row 84."""
    town.world.requires(town.repo, "signalbox", app=town.world.app)
    change = await begun(town, "almost")

    await change.merges()

    assert town.merges() == ["c1 by signalbox[bot]"]


async def test_where_nothing_is_required_every_reported_check_must_have_settled(town: Town) -> None:
    town.repo.rulesets.clear()
    change = await begun(town, "testing")
    assert change.row("Checks") == snapshot("⏳ Checks: 1 of 1 green, settled at hh:mm UTC · app actions")

    await town.later(minutes=2)

    assert change.row("Checks") == snapshot("✅ Checks: 1 of 1 green · app actions")


async def test_the_api_tells_the_same_story_as_the_threads(town: Town) -> None:
    change = await begun(town, "almost")
    await change.merges()

    record, history = await town.api(change.repo_path), await town.api(f"{change.repo_path}/history")

    assert (record["phase"], record["merge"]["state"], record["merge"]["external"]) == ("done", "merged", False)
    assert [f"{row['from']} > {row['to']} {row['signal']}" for row in history["items"]] == snapshot(
        [
            "None > planning started",
            "planning > plan_ready plan_submitted",
            "plan_ready > building plan_approved",
            "building > testing candidate",
            "testing > testing approve",
            "testing > submit gate_complete",
            "submit > submit approve",
            "submit > submit open_gate",
            "submit > submit reserved",
            "submit > submit merge_requested",
            "submit > submit merge_answered",
            "submit > submit merge_looked",
            "submit > done merge_confirmed",
        ]
    )
    assert town.shown((await town.api(f"{change.repo_path}/explain"))["verdict"]) == snapshot("Merged as `m1`.")


async def test_a_call_for_an_operator_is_settled_when_one_came(town: Town) -> None:
    change = await begun(town, "testing")
    await change.on_pull("grace", "/approve testing c1")
    (called,) = town.unread(change.pull)
    assert town.reads(called) == snapshot("""\
**Ready for the human gate:** everything else for `c1` is done (plan r1, 1 check, review by `grace`).
An operator other than `ada` and `grace` opens it with `/gate testing c1` after looking at the change.\
""")

    await change.on_pull("omar", "/gate testing c1")

    assert town.reads(called).splitlines()[0] == snapshot(
        "**Settled**: `omar` opened the human gate, 30 Nov 2024, hh:mm UTC."
    )
