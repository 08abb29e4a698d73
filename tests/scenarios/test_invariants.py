"""Invariants of LIFECYCLE.md section 9 that show on GitHub's side of the wire, by their ids."""

from collections.abc import AsyncIterator, Sequence
from functools import partial

import pytest
from inline_snapshot import snapshot

from bot.domain.model.effects import CreateComment
from bot.domain.model.ids import RecordKey
from bot.domain.model.policy import STRICT, MergeRule
from bot.ports.rows import HistoryRow, Loaded
from bot.ports.store import Tx
from bot.simulator.edge import Request
from bot.store.chain import verify
from tests.kit.change import Change, begun
from tests.kit.town import SECRET, Town

pytestmark = pytest.mark.anyio

BY_COMMAND = STRICT.model_copy(update={"merge": MergeRule(trigger="command")})
LOSSES = ["a push", "a hold", "a reject", "a red check", "a closed pull request", "a cancel"]


async def key_of(town: Town, change: Change) -> RecordKey:
    found = await town.store.read(lambda tx: tx.records.by_name("octo/app", change.issue.number))
    assert found is not None
    return found


def stored(key: RecordKey, tx: Tx) -> tuple[Sequence[HistoryRow], Loaded | None]:
    return tx.records.history(key), tx.records.load(key)


def successes(requests: list[Request]) -> list[Request]:
    """Our check written as success or neutral."""
    checks = {"create_check_run", "update_check_run"}
    return [one for one in requests if one.operation in checks and one.body.get("conclusion") in {"success", "neutral"}]


async def walks(town: Town) -> AsyncIterator[Change]:
    """A whole change with detours, one human act after the other."""
    change = await begun(town, "submit")
    yield change
    await change.on_pull("grace", "/reject Not yet.")
    yield change
    await change.pushes("ada")
    await change.passes("testing")
    yield change
    await change.on_pull("grace", f"/approve submit {change.head}")
    await change.on_pull("ada", "/gate submit c2")
    yield change
    town.world.loses_answer_to("merge")
    await change.merges(seconds=60)
    yield change
    change.notices()


async def test_i23_every_effect_ends_ok_refused_or_unknown_and_in_order(town: Town) -> None:
    town.expected_errors.add("effect_refused")
    async for change in walks(town):
        town.world.fails("create_comment", 502)
        town.world.fails("react", 403)
        await town.later(minutes=3, stride=60)
        key = await key_of(town, change)

    await two_answers_of_which_the_first_is_delayed(town, change)
    rows = await town.store.read(lambda tx: tx.effects.of(key))

    assert {row.state for row in rows} <= {"ok", "refused", "unknown"}
    written = [row.effect.write for row in rows if row.state == "ok" and isinstance(row.effect.write, CreateComment)]
    for thread in (change.issue, change.pull):
        planned = [write.marker for write in written if write.number == thread.number]
        landed = [one for comment in thread.comments for one in planned if one in comment.body]
        assert landed == planned
        assert thread is change.issue or len(landed) >= 3


async def two_answers_of_which_the_first_is_delayed(town: Town, change: Change) -> None:
    await change.on_pull("lin", "/approve submit", heard=False)
    await change.on_pull("sam", "/approve submit", heard=False)
    await town.hears()
    town.world.heals()
    town.world.fails("create_comment", 502)  # the first only
    await town.later(minutes=3, stride=5)
    answers = [change.reply(comment) for comment in change.pull.comments[-4:-2]]
    assert [(text or "").splitlines()[0] for text in answers] == ["Not counted: `/approve submit`."] * 2


async def test_i24_success_is_never_written_before_authority_is_complete(town: Town) -> None:
    change = await begun(town, "almost")
    assert successes(town.world.requests) == []

    await change.merges()

    written = successes(town.world.requests)
    gate = next(one for one in change.pull.comments if one.body.startswith("/gate submit"))
    assert written
    assert all(one.at >= gate.created_at for one in written)


@pytest.mark.parametrize("loss", LOSSES)
async def test_i24_the_first_write_after_a_loss_takes_success_away(town: Town, loss: str) -> None:
    town.policy = BY_COMMAND
    change = await begun(town, "almost")
    await change.on_pull("omar", "/gate submit c1")
    assert change.check == "success · submit: all gates complete for c1"
    before = len(town.world.requests)
    await loses(town, change, loss)

    await town.settles()

    first = next(one for one in town.world.requests[before:] if not one.reads)
    assert (first.operation, first.body.get("conclusion") == "success") == ("update_check_run", False)
    assert not change.check_on("c1").startswith("success")


async def writes_without_the_publisher(town: Town) -> list[str]:
    before = len(town.world.requests)
    await town.hears()
    while await town.steps_once("effector"):
        pass
    return [one.operation for one in town.world.requests[before:] if not one.reads]


@pytest.mark.parametrize("loss", ["a hold", "a reject", "a cancel"])
async def test_i24_no_reaction_and_no_reply_goes_before_the_success_that_must_go(town: Town, loss: str) -> None:
    town.policy = BY_COMMAND
    change = await begun(town, "almost")
    await change.on_pull("omar", "/gate submit c1")
    await loses(town, change, loss)

    early = await writes_without_the_publisher(town)
    await town.settles()

    assert (early, change.check_on("c1").startswith("success")) == ([], False)
    assert change.pull.comments[-1].reactions or change.reply(change.pull.comments[-1])


async def test_i24_where_success_may_stay_people_are_answered_at_once(town: Town) -> None:
    town.policy = BY_COMMAND
    change = await begun(town, "almost")
    await change.on_pull("omar", "/gate submit c1")
    said = await change.on_pull("omar", "/gate submit c1", heard=False)

    assert (await writes_without_the_publisher(town), change.check_on("c1").startswith("success")) == (["react"], True)
    assert said.reactions


async def loses(town: Town, change: Change, loss: str) -> None:
    world = town.world
    match loss:
        case "a push":
            await change.pushes("ada", heard=False)
        case "a hold":
            await change.on_pull("grace", "/hold", heard=False)
        case "a reject":
            await change.on_pull("grace", "/reject No.", heard=False)
        case "a red check":
            change.check_run(conclusion="failure")
        case "a closed pull request":
            world.closes("ada", change.pull)
        case "a cancel":
            await change.on_pull("ada", "/cancel No.", heard=False)


async def test_i26_no_secret_in_logs_comments_or_answers(town: Town) -> None:
    change = await begun(town, "testing")
    for operation, status in (("pull", 401), ("permission", 500), ("comment", 403), ("check", 422)):
        town.world.fails(operation, status, times=None)
        await change.on_pull("grace", "/approve testing c1")
        await town.later(minutes=2, stride=30)
        town.world.heals(operation)
    await town.later(minutes=10, stride=60)
    change.notices()
    tokens = {one for one in town.road.shown if one}

    answers = [str(await town.api(f"{change.repo_path}{part}")) for part in ("", "/history", "/explain")]
    comments = [one.body for thread in (change.issue, change.pull) for one in thread.comments]
    checks = [f"{one.title}{one.summary}{one.text}{one.external_id}" for one in town.repo.runs]

    told = {event for level, event, _ in town.log.lines if level == "warning"}
    assert {"fact_unread", "projection_refused"} <= told
    said = "".join([str(town.log.lines), *answers, *comments, *checks])
    assert len(tokens) >= 2
    assert [secret for secret in (SECRET, *town.private_key.splitlines()[1:3], *tokens) if secret in said] == []


@pytest.mark.parametrize("lists", ["show it", "are late"])
async def test_i28_a_stack_is_never_merged(town: Town, lists: str) -> None:
    change = await begun(town, "almost")
    town.world.pushes("ada", town.repo, "lower")
    lower = town.world.opens_pull("ada", town.repo, "The lower one", head="lower")
    await change.reserved()
    town.world.stacks(lower, change.pull)
    if lists == "are late":
        town.world.lists_without_stack(lower)

    await town.later(minutes=10, stride=60)

    assert (town.merges(), town.asked("merge", "merge_async"), lower.merged) == ([], 0, False)


async def test_i28_a_merge_commit_lands_no_other_open_pull_request(town: Town) -> None:
    """GitHub takes a pull request for merged whose head reaches its base, whoever made it, stacks or none."""
    town.policy = STRICT.model_copy(update={"merge": MergeRule(method="merge")})
    change = await begun(town, "building")
    await change.opens_pull()
    town.world.branches("grace", town.repo, "lower", change.pull.head_ref)
    await change.pushes()
    lower = town.world.opens_pull("grace", town.repo, "The lower one", head="lower")
    await change.passes("testing")
    await change.approved_by("grace")

    await change.merges()
    assert (town.merges(), lower.merged) == ([], False)
    assert change.row("Merge") == snapshot(
        "❌ Merge: `merging it would merge #3 as well, whose head is among its commits` · a builder: merge or close the lower one first, or take this one off it"
    )

    town.world.closes("grace", lower)
    await town.later(minutes=6, stride=60)
    assert town.merges() == ["c2 by signalbox[bot]"]


async def test_i30_the_hash_chain_verifies_after_every_step(town: Town) -> None:
    versions = []
    async for change in walks(town):
        key = await key_of(town, change)
        rows, loaded = await town.store.read(partial(stored, key))
        assert loaded is not None
        assert verify(rows, loaded.record.model_dump(mode="json")) == []
        versions.append(len(rows))

    assert len(versions) == 5
    assert versions == sorted(set(versions))
