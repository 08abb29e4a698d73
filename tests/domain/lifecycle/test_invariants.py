"""The invariants of LIFECYCLE.md section 9 that live in the pure core, by name. (What holds of every step of a whole
lifecycle is in test_walk.)"""

from datetime import timedelta
from typing import Any

import pytest

from bot.domain.gates.gate import GATES, authority_complete, counting, plan_approved
from bot.domain.lifecycle.kernel import KernelRefused, check
from bot.domain.lifecycle.results import Advance, Ignore, NotYet
from bot.domain.model import command_signals, own_signals, sightings, signals
from bot.domain.model.effects import MergeReply
from bot.domain.model.facts import BaseRules, CheckFacts, RequiredCheck
from bot.domain.model.merge import MergeState
from bot.domain.model.policy import STRICT, ReviewSplit, RoleRule, Roles
from bot.domain.model.questions import MemberOf, PermissionOf
from bot.domain.model.record import Record
from bot.domain.model.shown import ShownRow
from bot.domain.policy.accounts import NOBODYS, as_team
from tests.domain.lifecycle import columns, marks
from tests.domain.lifecycle.happenings import HAPPENINGS, PENDING, ours, said
from tests.domain.lifecycle.scene import RED, Scene, gathered
from tests.kit.cases import (
    MERGE_SHA,
    NOW,
    REQUIRED,
    SILENT,
    evidence,
    judge,
    order_of,
    permission,
    pull_facts,
    reviews,
    runs,
    showed,
)
from tests.kit.records import GITHUB_ACTIONS, HEAD, NEW_HEAD, PEOPLE, a_pull, approval

BY_TEAM = STRICT.model_copy(
    update={
        "roles": Roles(reviewers=RoleRule(permission=None, teams=("core",))),
        "accounts": {as_team("core"): 7},
    }
)
IN_FLIGHT: tuple[MergeState, ...] = ("requested", "ambiguous", "confirming")
#: Words of an operator, and facts that prove themselves.
MAY_UNBLOCK = frozenset(
    {"resume_planning", "resume_building", "resume_testing", "resume_submit", "retry", "merged_by_other"}
)


def asks(record: Record) -> own_signals.AskMerge:
    merge = record.merge
    return own_signals.AskMerge(
        key="",
        actor=ours(own_signals.TimeCame).actor,
        reservation=merge.id or "",
        attempts=merge.attempts,
        lease_ends=NOW + timedelta(seconds=40),
        window_ends=NOW + timedelta(seconds=940),
        api="sync",
    )


def after(scene: Scene) -> Record:
    return marks.after(scene, gathered(scene))


def permitted(record: Record, signal: signals.Signal, **world: Any) -> bool:
    return order_of(record, judge(record, signal, **world)) is not None


def now_counting(record: Record) -> set[int]:
    return {d.id for gate in GATES for d in counting(record, gate)}


# Merging.


def test_i1_a_request_leaves_only_with_complete_authority_and_checks_that_are_green_from_their_source() -> None:
    reserved = columns.asked("reserved")
    assert permitted(reserved, asks(reserved))
    stranger = tuple(run.model_copy(update={"name": f"{run.name} "}) for run in runs().runs)
    for reported in (
        runs(HEAD, **RED),
        runs(HEAD, **PENDING),
        CheckFacts(head=HEAD, runs=stranger),
        CheckFacts(head=HEAD),
    ):
        assert not permitted(reserved, asks(reserved), checks=reported)
    # By name alone anybody may report what one App must.
    pinned = {"rules": BaseRules(required=tuple(RequiredCheck(name=name, app=GITHUB_ACTIONS) for name in REQUIRED))}
    another = tuple(run.model_copy(update={"app": GITHUB_ACTIONS + 1}) for run in runs().runs)
    assert permitted(reserved, asks(reserved), **pinned)
    assert not permitted(reserved, asks(reserved), checks=CheckFacts(head=HEAD, runs=another), **pinned)
    # Without an approved plan no record is in submit at all.
    for missing in [d for d in reserved.decisions if d.gate != "plan"]:
        rest = tuple(d for d in reserved.decisions if d.id != missing.id)
        lacking = reserved.model_copy(update={"decisions": rest})
        assert not authority_complete(lacking, STRICT)
        assert not permitted(lacking, asks(lacking))


def test_i2_the_request_carries_the_reserved_head_and_another_head_is_never_asked_for_nor_ours() -> None:
    reserved = columns.asked("reserved")
    order = order_of(reserved, judge(reserved, asks(reserved)))
    assert order is not None
    assert order.head == reserved.merge.head == HEAD
    assert not permitted(reserved, asks(reserved), pull=pull_facts(reserved, head_sha=NEW_HEAD))
    asked = columns.asked("requested")
    look = ours(own_signals.MergeLooked, reservation=asked.merge.id or "")
    assert after(Scene(asked, look, world={"evidence": evidence(asked, head=NEW_HEAD)})).merge.external


@pytest.mark.parametrize("state", IN_FLIGHT)
def test_i3_while_a_request_may_land_no_second_one_is_permitted(state: str) -> None:
    asked = columns.asked(state)
    assert not permitted(asked, asks(asked))
    for happening in HAPPENINGS.values():
        scene = happening(state)
        assert order_of(scene.record, gathered(scene)) is None


@pytest.mark.parametrize("state", IN_FLIGHT)
def test_i4_neither_time_nor_a_lost_owner_nor_a_restart_nor_a_blind_look_ends_what_was_asked(state: str) -> None:
    asked = columns.asked(state)
    name = asked.merge.id or ""
    unmerged = evidence(asked, pull_merged=False, pull_open=True, on_base=False)
    for signal, shown in (
        (ours(own_signals.TimeCame), unmerged),
        (ours(own_signals.ReleaseReservation, reservation=name, why="a restart"), unmerged),
        (ours(own_signals.MergeLeaseExpired, attempt="a-1"), unmerged),
        (ours(own_signals.MergeLooked, reservation=name), unmerged),
        (ours(own_signals.MergeLooked, reservation=name), SILENT),
    ):
        assert after(Scene(asked, signal, now=NOW + timedelta(days=30), world={"evidence": shown})).in_flight


def test_i5_done_means_that_both_sides_showed_it() -> None:
    asked = columns.asked("requested")
    yes = MergeReply(api="sync", sent=True, status=200, sha=MERGE_SHA, merged=True)
    told = after(Scene(asked, ours(own_signals.MergeAnswered, attempt="a-1", reply=yes)))
    assert (told.phase, told.merge.state) == ("submit", "confirming")
    look = ours(own_signals.MergeLooked, reservation=asked.merge.id or "")
    for half in ({"on_base": False}, {"on_base": None}, {"pull_merged": False}, {"pull_merged": None}):
        assert after(Scene(told, look, world={"evidence": evidence(told, **half)})).phase == "submit"
    assert after(Scene(told, look, world={"evidence": evidence(told)})).phase == "done"


# Phases.


@pytest.mark.parametrize("event", HAPPENINGS)
def test_i6_done_is_absorbing(event: str) -> None:
    scene = HAPPENINGS[event]("done")
    over = after(scene)
    assert (over.phase, over.merge, over.decisions) == ("done", scene.record.merge, scene.record.decisions)


@pytest.mark.parametrize("event", HAPPENINGS)
def test_i8_a_request_under_way_is_never_left_backward(event: str) -> None:
    for state in IN_FLIGHT:
        result = gathered(HAPPENINGS[event](state))
        for step in result.steps if isinstance(result, Advance) else ():
            assert step.record.phase in {"submit", "done"} or not step.record.in_flight
        asked = columns.asked(state)
        back = asked.model_copy(update={"version": asked.version + 1, "phase": "building"})
        with pytest.raises(KernelRefused, match="nothing moves"):
            check(asked, back, STRICT, event)


@pytest.mark.parametrize(
    "event", ["push", "retarget", "pull_request_closed", "rework", "replan", "check_red", "unlink"]
)
def test_i9_what_was_judged_is_not_current_any_more_once_the_head_goes_back(event: str) -> None:
    scene = HAPPENINGS[event]("submit")
    scene.red = True
    back = after(scene)
    assert back.phase in {"building", "planning"}
    assert not counting(back, "testing")
    assert not counting(back, "submit")


def test_i10_nothing_is_built_on_an_approval_of_another_revision_digest_or_round() -> None:
    ready = columns.column("plan_ready")
    assert ready.plan is not None
    assert plan_approved(ready, STRICT)
    for moved in ({"revision": 3}, {"digest": "sha256:" + "1" * 64}):
        other = ready.model_copy(update={"plan": ready.plan.model_copy(update=moved)})
        assert after(Scene(other, ours(own_signals.PolicyChanged))).phase == "plan_ready"
    later = ready.gates_opened.plan.model_copy(update={"round": ready.gates_opened.plan.round + 1})
    again = ready.model_copy(update={"gates_opened": ready.gates_opened.model_copy(update={"plan": later})})
    assert after(Scene(again, ours(own_signals.PolicyChanged))).phase == "plan_ready"
    assert after(Scene(ready, ours(own_signals.PolicyChanged), world={"checks": runs(HEAD, **RED)})).phase == "building"


# People.


@pytest.mark.parametrize(
    "event", ["checks_overdue", "installation_back", "lease_expired", "resume_testing", "resume_submit", "retry"]
)
@pytest.mark.parametrize("column", [name for name in columns.COLUMNS if name != "done"])
def test_i13_recovery_the_clock_and_resume_never_add_authority(event: str, column: str) -> None:
    scene = HAPPENINGS[event](column)
    assert now_counting(after(scene)) <= now_counting(scene.record)


@pytest.mark.parametrize("event", ["resume_testing", "resume_submit", "installation_back"])
def test_i13_a_resume_brings_nothing_back_that_was_taken_back(event: str) -> None:
    scene = HAPPENINGS[event]("blocked")
    revoked = [d if d.gate == "plan" else d.model_copy(update={"void": "revoked"}) for d in columns.ready().decisions]
    scene.record = columns.blocked(columns.ready(decisions=tuple(revoked)))
    assert not [d for gate in ("testing", "submit") for d in counting(after(scene), gate)]


@pytest.mark.parametrize(
    ("writer", "record"),
    [
        ("ada", columns.testing()),
        ("lin", columns.testing(pull=a_pull(author=PEOPLE["lin"]))),
        ("lin", columns.testing(pull=a_pull(pushers=(PEOPLE["ada"], PEOPLE["lin"])))),
        ("grace", columns.testing()),
    ],
    ids=["the plan's author", "the pull request's author", "a pusher", "the reviewer of this gate"],
)
def test_i15_who_made_it_or_sits_already_opens_no_gate(writer: str, record: Record) -> None:
    gate = said(command_signals.OpenGate, writer, gate="testing", sha=HEAD[:12])
    result = gathered(Scene(record, gate, world={"level": {writer: "maintain"}}))
    assert marks.refusal(result) in {"self_approval", "same_person"}
    assert not marks.given(Scene(record, gate), result)


def test_i16_permission_is_proven_by_numeric_id_when_given() -> None:
    record = columns.without(columns.testing(), "testing", "review")
    approve = said(command_signals.Approve, "grace", gate="testing", sha=HEAD[:12])
    who = PermissionOf(PEOPLE["grace"].id, "grace")
    for answer, code in (
        (permission("grace", "write", user_id=4711), "not_allowed"),
        (permission("grace", "read"), "not_allowed"),
        (SILENT, "could_not_verify"),
    ):
        result = judge(record, approve, also={who: answer})
        assert marks.refusal(result) == code


@pytest.mark.parametrize("name", ["grace", "omar"])
def test_i16_permission_is_proven_again_when_it_is_merged(name: str) -> None:
    reserved = columns.asked("reserved")
    who = PermissionOf(PEOPLE[name].id, name)
    for answer in (permission(name, "admin", user_id=4711), permission(name, "read"), SILENT):
        result = judge(reserved, asks(reserved), also={who: answer})
        assert isinstance(result, Advance)
        assert result.record.merge.state == "none"
        assert result.record.decisions == reserved.decisions, "it waits, and voids nothing"


def test_i16_a_role_by_team_is_proven_when_given_and_again_when_it_is_merged() -> None:
    member = MemberOf("core", "grace", 7)
    bare = columns.without(columns.testing(), "testing", "review")
    approve = said(command_signals.Approve, "grace", gate="testing", sha=HEAD[:12])
    reserved = columns.asked("reserved")
    for is_member in (True, False):
        given = judge(bare, approve, policy=BY_TEAM, also={member: is_member})
        assert marks.refusal(given) == (None if is_member else "not_allowed")
        assert permitted(reserved, asks(reserved), policy=BY_TEAM, also={member: is_member}) is is_member


def test_i16_a_name_that_was_no_teams_has_no_members() -> None:
    bare = columns.without(columns.testing(), "testing", "review")
    approve = said(command_signals.Approve, "grace", gate="testing", sha=HEAD[:12])
    nobodys = BY_TEAM.model_copy(update={"accounts": {as_team("core"): NOBODYS}})
    given = judge(bare, approve, policy=nobodys, also={MemberOf("core", "grace", NOBODYS): True})
    assert marks.refusal(given) == "not_allowed"


def test_i16_an_agent_decides_while_the_policy_lists_it() -> None:
    """And its seat is an agent's: nobody else fills it at the merge."""
    reserved = columns.asked("reserved")
    split = STRICT.gates.submit.model_copy(update={"reviews": ReviewSplit(people=1, agents=1)})
    gates = STRICT.gates.model_copy(update={"submit": split})
    listed = STRICT.model_copy(update={"gates": gates, "agents": {"forge-1": ("reviewer",)}})
    agent = approval(reserved, "submit", "forge-1", NOW, by_agent=True)
    second = approval(reserved, "submit", "lin", NOW)
    with_agent = reserved.model_copy(update={"decisions": (*reserved.decisions, agent)})
    assert permitted(with_agent, asks(with_agent), policy=listed)
    assert not permitted(with_agent, asks(with_agent), policy=listed.model_copy(update={"agents": {}}))
    both = with_agent.model_copy(update={"decisions": (*with_agent.decisions, second)})
    assert not permitted(both, asks(both), policy=listed.model_copy(update={"agents": {}}))


@pytest.mark.parametrize("column", columns.COLUMNS)
def test_i17_a_comment_decides_by_the_command_that_was_read_from_it_and_by_nothing_else(column: str) -> None:
    comment = sightings.CommentCreated(
        key="comment:900",
        actor=said(command_signals.Approve, "grace").actor,
        number=34,
        is_pull=True,
        comment_id=900,
        body=f"/approve testing {HEAD}\n/gate submit {HEAD}",
        created_at=NOW,
    )
    assert isinstance(gathered(Scene(columns.column(column), comment)), Ignore)


@pytest.mark.parametrize("unread", ["pull", "checks", "rules", "twins", "workflows"])
def test_i18_what_cannot_be_read_is_not_a_yes(unread: str) -> None:
    ready = columns.without(columns.ready(), "submit", "operator")
    gate = said(command_signals.OpenGate, "omar", gate="submit", sha=HEAD[:12])
    unreadable: dict[str, Any] = {unread: SILENT}
    result = judge(ready, gate, **unreadable)
    assert isinstance(result, NotYet) or (isinstance(result, Advance) and result.record.merge.state == "none")
    reserved = columns.asked("reserved")
    assert not permitted(reserved, asks(reserved), **unreadable)


def test_i18_a_team_that_cannot_be_read_is_neither_yes_nor_no() -> None:
    bare = columns.without(columns.testing(), "testing", "review")
    approve = said(command_signals.Approve, "grace", gate="testing", sha=HEAD[:12])
    reserved = columns.asked("reserved")
    unread = {MemberOf("core", "grace", 7): SILENT}
    assert marks.refusal(judge(bare, approve, policy=BY_TEAM, also=unread)) == "could_not_verify"
    unseen = BY_TEAM.model_copy(update={"accounts": {}})
    assert marks.refusal(judge(bare, approve, policy=unseen)) == "could_not_verify"
    waits = judge(reserved, asks(reserved), policy=BY_TEAM, also=unread)
    assert isinstance(waits, Advance)
    assert (order_of(reserved, waits), waits.record.merge.reason_code) == (None, "could_not_verify")
    assert waits.record.decisions == reserved.decisions, "it waits, and voids nothing"


def test_i18_a_role_that_github_does_not_name_is_neither_yes_nor_no() -> None:
    bare = columns.without(columns.testing(), "testing", "review")
    approve = said(command_signals.Approve, "grace", gate="testing", sha=HEAD[:12])
    named = STRICT.model_copy(update={"roles": Roles(reviewers=RoleRule(permission=None, custom_roles=("crew",)))})
    who = PermissionOf(PEOPLE["grace"].id, "grace")
    given = {
        name: marks.refusal(
            judge(bare, approve, policy=named, also={who: permission("grace", "write", role_name=name)})
        )
        for name in ("crew", "write", None)
    }
    assert given == {"crew": None, "write": "not_allowed", None: "could_not_verify"}


# Time.


@pytest.mark.parametrize("gate", ["testing", "submit"])
def test_i31_nothing_written_before_a_gate_opened_counts_for_it(gate: Any) -> None:
    record = columns.column(gate)
    bare = columns.without(record, gate, "review")
    opened_at = record.gates_opened.of(gate).opened_at
    assert opened_at is not None
    row: ShownRow = showed(bare, gate, opened_at - timedelta(seconds=9))
    for written in (opened_at - timedelta(seconds=5), opened_at):
        explicit = said(command_signals.Approve, "grace", gate=gate, sha=HEAD[:12])
        for signal in (explicit, said(command_signals.Approve, "grace")):
            early = signal.model_copy(update={"source": signal.source.model_copy(update={"created_at": written})})
            assert marks.refusal(judge(bare, early, shown=(row,))) == "stale_comment"
        native = judge(bare, reviews("grace", written=written), shown=(row,))
        assert isinstance(native, Ignore)


@pytest.mark.parametrize("event", sorted(set(HAPPENINGS) - MAY_UNBLOCK))
def test_i32_blocked_is_left_by_an_operator_or_a_merge_only(event: str) -> None:
    for record in (
        columns.blocked(columns.testing()),
        columns.blocked(columns.ready()),
        columns.blocked(columns.column("building")),
    ):
        scene = HAPPENINGS[event]("blocked")
        scene.record = record
        assert after(scene).phase == "blocked"


@pytest.mark.parametrize("writer", ["ada", "grace", "forge-1"])
def test_i32_only_an_operator_resumes_where_policy_says_human(writer: str) -> None:
    scene = Scene(columns.column("blocked"), said(command_signals.Resume, writer, "issue", phase="testing"))
    assert marks.refusal(gathered(scene)) == "not_allowed"
