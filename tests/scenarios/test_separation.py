"""Separation of duties, key by key and both ways: who may not judge what, and what they are told (I15)."""

from typing import NamedTuple

import pytest
from inline_snapshot import snapshot

from bot.simulator.model.people import User
from tests.kit.change import Change
from tests.kit.in_force import in_force
from tests.kit.town import Town

pytestmark = pytest.mark.anyio

COUNTED = "counted"


class Made(NamedTuple):
    """Who made a change: asked for it with the label, planned it, opened the pull request, pushed to it later. Whoever opens
    it pushes its first head. `forge` is an App."""

    asked: str = "ada"
    planned: str = "ada"
    opened: str = "ada"
    pushed: str | None = None

    async def change(self, town: Town) -> Change:
        change = Change(town, town.world.opens_issue("ada", town.repo, "Retry uploads"))
        town.world.labels(self.asked, change.issue, "signalbox")
        await town.settles()
        await change.on_issue(self.planned, "/plan\nRetry three times.")
        await change.on_issue("lena", "/approve r1")
        await change.opens_pull(_who(town, self.opened))
        if self.pushed is not None:
            await change.pushes(self.pushed)
        assert change.phase == "testing", change.status
        return change


def _who(town: Town, name: str) -> str:
    """The bot of an App stands under its own login."""
    return town.world.another_app(name).bot.login if name == "forge" else name


class Row(NamedTuple):
    """`key` of the policy's `separation`, and what `who` says then: counted, or the code of the refusal."""

    key: str
    made: Made
    who: str
    says: str
    outcome: str


BY_OMAR = Made(opened="omar")
WITH_SAM = Made(pushed="sam")
ASKED_BY_OMAR = Made(asked="omar")
OF_FORGE = Made(asked="omar", opened="forge")

TABLE = (
    # Authors review nothing of their own, unless they may.
    Row("author_may_review: false", BY_OMAR, "omar", "/approve testing", "self_approval"),
    Row("author_may_review: true", BY_OMAR, "omar", "/approve testing", COUNTED),
    Row("author_may_review: false", BY_OMAR, "ada", "/approve testing", "self_approval"),
    Row("author_may_review: true", BY_OMAR, "ada", "/approve testing", COUNTED),
    Row("author_may_review: false", WITH_SAM, "sam", "/approve testing", "self_approval"),
    Row("author_may_review: true", WITH_SAM, "sam", "/approve testing", COUNTED),
    Row("author_may_review: true", BY_OMAR, "omar", "/gate testing", "self_approval"),
    # Authors open no gate of their own, unless they may; and whoever opened the pull request has pushed as well.
    Row("author_may_gate: false, pusher_may_gate: true", BY_OMAR, "omar", "/gate testing", "self_approval"),
    Row("author_may_gate: true, pusher_may_gate: true", BY_OMAR, "omar", "/gate testing", COUNTED),
    Row("author_may_gate: true, pusher_may_gate: false", BY_OMAR, "omar", "/gate testing", "self_approval"),
    Row("author_may_gate: true, pusher_may_gate: true", BY_OMAR, "omar", "/approve testing", "self_approval"),
    # Pushers open no gate.
    Row("pusher_may_gate: false", WITH_SAM, "sam", "/gate testing", "self_approval"),
    Row("pusher_may_gate: true", WITH_SAM, "sam", "/gate testing", COUNTED),
    # Whoever asked for it may open the gate, may not, or may unless an agent did the work.
    Row("requester_may_gate: people", ASKED_BY_OMAR, "omar", "/gate testing", COUNTED),
    Row("requester_may_gate: true", ASKED_BY_OMAR, "omar", "/gate testing", COUNTED),
    Row("requester_may_gate: false", ASKED_BY_OMAR, "omar", "/gate testing", "self_approval"),
    Row("requester_may_gate: false", ASKED_BY_OMAR, "sam", "/gate testing", COUNTED),
    Row("requester_may_gate: false", ASKED_BY_OMAR, "omar", "/approve testing", COUNTED),
    Row("requester_may_gate: people", OF_FORGE, "omar", "/gate testing", "self_approval"),
    Row("requester_may_gate: true", OF_FORGE, "omar", "/gate testing", COUNTED),
    Row("requester_may_gate: false", OF_FORGE, "omar", "/gate testing", "self_approval"),
    Row("requester_may_gate: people", OF_FORGE, "omar", "/approve testing", COUNTED),
    # One person, one seat of a gate.
    Row("distinct_people: true", Made(), "omar", "/approve testing, /gate testing", "same_person"),
    Row("distinct_people: true", Made(), "omar", "/gate testing, /approve testing", "same_person"),
    Row("distinct_people: false", Made(), "omar", "/approve testing, /gate testing", COUNTED),
    Row("distinct_people: false", Made(), "omar", "/gate testing, /approve testing", COUNTED),
)


async def code(change: Change) -> str:
    """Of the last refusal; counted where nothing was refused."""
    refused = (await change.record())["last_refusal"]
    return str(refused["code"]) if refused else COUNTED


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.key}: {row.who} of {row.made.opened} says {row.says}")
async def test_who_may_not_judge_a_change(town: Town, row: Row) -> None:
    """threats.md, T7."""
    town.policy = in_force(
        town.world, f"separation: {{{row.key}}}\nroles: {{builders: {{permission: write, apps: []}}}}\n"
    )
    listed(town)
    change = await row.made.change(town)

    for words in row.says.split(", "):
        said = await change.on_pull(row.who, f"{words} {change.head}")
        change.notices()

    assert change.reaction(said) == ("+1" if row.outcome == COUNTED else "confused")
    assert await code(change) == row.outcome
    seat = {"/approve": "Review", "/gate": "Human gate"}[words.split()[0]]
    if change.phase == "testing":
        assert change.row(seat).startswith("✅" if row.outcome == COUNTED else "⏳")


def listed(town: Town) -> None:
    """lena writes, and does nothing but approve plans; forge is an App whose pull requests are a builder's."""
    town.world.sets_permission("lena", town.repo, "write")
    bot = town.world.another_app("forge").bot
    assert town.policy is not None
    builders = town.policy.roles.builders.model_copy(update={"apps": ("forge",)})
    roles = town.policy.roles.model_copy(update={"builders": builders})
    accounts = {**town.policy.accounts, bot.login: bot.id}
    town.policy = town.policy.model_copy(update={"roles": roles, "accounts": accounts})


@pytest.mark.parametrize(("key", "outcome"), [("false", "self_approval"), ("true", COUNTED)])
async def test_who_wrote_a_plan_approves_it_only_where_authors_may(town: Town, key: str, outcome: str) -> None:
    town.policy = in_force(town.world, f"separation: {{author_may_review: {key}}}\n")
    change = Change(town, town.world.opens_issue("ada", town.repo, "Retry uploads"))
    town.world.labels("omar", change.issue, "signalbox")
    await town.settles()
    await change.on_issue("ada", "/plan\nRetry three times.")

    said = await change.on_issue("ada", "/approve r1")

    told = change.reply(said)
    assert change.phase == ("building" if outcome == COUNTED else "plan_ready")
    if outcome != COUNTED:
        assert await code(change) == outcome
        assert told == snapshot("""\
Not counted: `/approve r1`.
The plan is by `ada`, and the policy asks for somebody else's judgement.
Nothing changed.\
""")


@pytest.mark.parametrize(
    ("key", "who", "outcome"),
    [("true", "omar", "same_person"), ("true", "sam", COUNTED), ("false", "omar", COUNTED)],
)
async def test_the_gates_are_opened_by_different_operators_where_the_policy_says_so(
    town: Town, key: str, who: str, outcome: str
) -> None:
    town.policy = in_force(town.world, f"separation: {{distinct_gates: {key}}}\n")
    listed(town)
    change = await Made().change(town)
    await change.passes("testing")
    change.notices()

    said = await change.on_pull(who, f"/gate submit {change.head}")

    told = change.reply(said)
    if outcome == COUNTED:
        assert change.row("Human gate").startswith("✅")
    else:
        assert (await code(change), told) == (
            outcome,
            snapshot("""\
Not counted: `/gate submit c1`.
`omar` opened the gate *testing*, and the policy asks for another operator at *submit*.
Nothing changed.
Waiting for an operator other than `ada` and `omar`.\
"""),
        )
        assert change.row("Human gate") == snapshot(
            "⏳ Human gate: 0 of 1 · an operator other than `ada` and `omar`: comment `/gate submit c1`"
        )
    change.notices()


@pytest.mark.parametrize(
    ("key", "who", "says", "outcome"),
    [
        ("unknown_pusher: refuse", "grace", "/approve testing", "unknown_pusher"),
        ("unknown_pusher: refuse", "omar", "/gate testing", "unknown_pusher"),
        ("unknown_pusher: author", "grace", "/approve testing", COUNTED),
        ("unknown_pusher: author", "omar", "/gate testing", COUNTED),
        ("unknown_pusher: author", "lena", "/approve testing", "self_approval"),
        ("unknown_pusher: author", "sam", "/gate testing", "self_approval"),
        ("unknown_pusher: author, author_may_gate: true", "sam", "/gate testing", "self_approval"),
        ("unknown_pusher: author, author_may_gate: true, pusher_may_gate: true", "sam", "/gate testing", COUNTED),
    ],
)
async def test_while_nobody_knows_who_pushed_the_author_may_have(
    town: Town, key: str, who: str, says: str, outcome: str
) -> None:
    """sam's pull request comes from a fork, where pushes cannot be read; its commits name lena."""
    town.policy = in_force(town.world, f"separation: {{{key}}}\n")
    listed(town)
    change = Change(town, town.world.opens_issue("ada", town.repo, "Retry uploads"))
    town.world.labels("ada", change.issue, "signalbox")
    await town.settles()
    await change.on_issue("ada", "/plan\nRetry three times.")
    await change.on_issue("lena", "/approve r1")
    fork = town.world.forks("sam", town.repo)
    town.heads.append(town.world.pushes("sam", fork, "retry"))
    commit = town.world.commits[town.heads[-1]]
    object.__setattr__(commit, "author", town.world.user("lena"))  # anybody may write any name into a commit
    change.linked = town.world.opens_pull(
        "sam", town.repo, "Retry", head="sam:retry", body=f"Closes #{change.issue.number}"
    )
    change.check_run()
    await town.settles()

    said = await change.on_pull(who, f"{says} {change.head}")
    change.notices()

    assert change.reaction(said) == ("+1" if outcome == COUNTED else "confused")
    assert await code(change) == outcome


@pytest.mark.parametrize("says", ["/approve testing", "/gate testing"])
async def test_no_program_fills_a_seat_even_where_its_comments_are_read(town: Town, says: str) -> None:
    """threats.md, T7."""
    town.policy = in_force(town.world, "commands: {bots: ['helper[bot]']}\n")
    listed(town)
    change = await Made().change(town)
    helper: User = town.world.another_app("helper").bot
    town.repo.grants[helper.id] = town.repo.grants[town.world.user("sam").id]

    said = town.world.comments(helper, change.pull, town.spelled(f"{says} {change.head}"))
    await town.settles()

    assert (change.reply(said) or "").splitlines()[1].startswith("Only a person can do this")
    assert await code(change) == "not_allowed"


async def test_a_refusal_says_what_of_it_is_true(town: Town) -> None:
    town.policy = in_force(town.world, "separation: {requester_may_gate: false}\n")
    listed(town)
    change = await Made(asked="omar", planned="omar", pushed="sam").change(town)

    asked = await change.on_pull("omar", "/gate testing c2")
    pushed = await change.on_pull("sam", "/gate testing c2")

    assert change.reply(asked) == snapshot("""\
Not counted: `/gate testing c2`.
`omar` wrote the plan and asked for the change, and the policy asks for somebody else's judgement of `c2`.
Nothing changed.
Waiting for an operator other than `omar`, `ada` and `sam`.\
""")
    assert change.reply(pushed) == snapshot("""\
Not counted: `/gate testing c2`.
`sam` pushed commits, and the policy asks for somebody else's judgement of `c2`.
Nothing changed.
Waiting for an operator other than `omar`, `ada` and `sam`.\
""")
