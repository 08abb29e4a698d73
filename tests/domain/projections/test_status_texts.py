"""The status comment says exactly what the documentation says, phase by phase."""

from datetime import datetime

from bot.domain.model.record import (
    Budgets,
    Record,
    Work,
)
from bot.domain.projections.status_comment import full
from tests.kit.blocked_record import blocked
from tests.kit.records import (
    OLD_HEAD,
    PEOPLE,
    a_plan,
    a_record,
    at,
    decided,
    in_submit,
    in_testing,
    linked,
    merged,
    planned,
)
from tests.kit.shows import plain, show

REASON = "https://github.com/octo/app/pull/34#issuecomment-1010"


def text(record: Record, as_of: datetime) -> str:
    return plain(full(show(record, as_of)))


def rejected() -> Record:
    return linked(
        head=OLD_HEAD,
        rejected_heads=(OLD_HEAD,),
        feedback_by=PEOPLE["grace"],
        feedback_url=REASON,
        phase_since=at("10:11"),
    )


def test_planning_asks_a_builder_for_a_plan() -> None:
    assert (
        text(a_record(), at("09:12"))
        == """\
**planning** · no plan yet
Waiting for **a builder** to submit a plan.

| Needed for plan_ready | Who and how |
|---|---|
| ⬜ Plan: none | a builder: start a comment with `/plan` and write the plan below it |

[Why and history](https://signalbox.example/lifecycles/octo/app/12) · as of 30 Nov 2026, 09:12 UTC"""
    )


def test_plan_ready_asks_a_reviewer_who_did_not_write_it() -> None:
    assert (
        text(planned(), at("09:31"))
        == """\
**plan_ready** · plan [r2](https://github.com/octo/app/issues/12#issuecomment-1002) by `ada`, [changed since r1](https://signalbox.example/lifecycles/octo/app/12#plan-r1..r2)
Waiting for **a reviewer**.

| Needed for building | Who and how |
|---|---|
| ⏳ Plan r2: 0 of 1 approved | a reviewer other than `ada`: comment `/approve r2`, or `/reject r2` and why |

[Why and history](https://signalbox.example/lifecycles/octo/app/12) · as of 30 Nov 2026, 09:31 UTC"""
    )


def test_plan_rejected_names_who_rejected_it_and_links_the_reason() -> None:
    record = a_record(
        phase="plan_rejected",
        plan=a_plan(revision=1),
        feedback_by=PEOPLE["grace"],
        feedback_url="https://github.com/octo/app/issues/12#issuecomment-1001",
    )
    assert (
        text(record, at("09:24"))
        == """\
**plan_rejected** · plan r1 was rejected by `grace` ([reason](https://github.com/octo/app/issues/12#issuecomment-1001))
Waiting for **a builder** to submit plan r2.

| Needed for plan_ready | Who and how |
|---|---|
| ⬜ Plan r2: none | a builder: start a comment with `/plan` and write the whole plan below it |

[Why and history](https://signalbox.example/lifecycles/octo/app/12) · as of 30 Nov 2026, 09:24 UTC"""
    )


def test_building_after_a_rejection_asks_for_a_new_commit() -> None:
    record = rejected().model_copy(
        update={
            "work": Work(task={"status": "addressing", "holder": "forge-1"}),
            "budgets": Budgets(review_cycles=(1, 3)),
        }
    )
    assert (
        text(record, at("10:11"))
        == """\
**building** · plan r2 · last head [`51d0c7e`](https://github.com/octo/app/commit/51d0c7e) was rejected by `grace` ([reason](https://github.com/octo/app/pull/34#issuecomment-1010))
Waiting for **a builder** to push a new commit.

| Needed for testing | Who and how |
|---|---|
| ✅ Plan r2: approved | `grace` |
| ✅ Pull request: into `main` | [#34](https://github.com/octo/app/pull/34) |
| ⏳ Task: addressing the rejection, 1 of 3 review cycles used | `forge-1` |
| ⬜ New head: none since 10:11 UTC | a builder: push to `signalbox/12-retry` |

[Why and history](https://signalbox.example/lifecycles/octo/app/12) · as of 30 Nov 2026, 10:11 UTC"""
    )


def test_testing_offers_the_explicit_form_and_shows_what_a_decision_is_bound_to() -> None:
    refusal = {
        "code": "not_allowed",
        "message": "Only an operator opens a gate, and not for a head they pushed.",
        "command": "/gate",
        "by": {"id": 11, "login": "ada"},
        "at": "2026-11-30T13:58:00Z",
    }
    assert (
        plain(full(show(in_testing(), at("12:06"), last_refusal=refusal)))
        == """\
**testing** · head [`3f2a91c`](https://github.com/octo/app/commit/3f2a91c84e07d5b1f0c2a9e86b4d7713c05a2f9e) · plan r2 · round 5
Waiting for **a reviewer** and **an operator**. Checks are green.

| Needed for submit | Who and how |
|---|---|
| ✅ Checks: 4 of 4 green | GitHub Actions |
| ⏳ Review: 0 of 1 | a reviewer other than `ada`: comment `/approve testing 3f2a91c84e07` |
| ⏳ Human gate: 0 of 1 | an operator other than `ada`: comment `/gate testing 3f2a91c84e07` |

<details><summary>Other commands, and what a decision is bound to</summary>

- A bare `/approve` or `/gate` means the gate and head shown above. If either moves first, nothing is stored and you are told.
- To send it back: comment `/reject` and why (reviewer), or `/rework` and why (reviewer, operator).
- To stop the merge only: comment `/hold`. To see what *you* can do: comment `/help`.
- Bound to head `3f2a91c84e07d5b1f0c2a9e86b4d7713c05a2f9e` (epoch 3), base `main`, plan r2 `8c1f20b7`, round 5, policy `9d1c44e`.

</details>

Last refused: `/gate` by `ada`, 13:58 UTC. Only an operator opens a gate, and not for a head they pushed.
[Why and history](https://signalbox.example/lifecycles/octo/app/12) · as of 30 Nov 2026, 13:58 UTC"""
    )


def test_submit_keeps_satisfied_rows_and_excludes_who_sits_already() -> None:
    record = decided(in_submit(), ("submit", "review", "grace", at("14:20")))
    assert (
        text(record, at("14:20"))
        == """\
**submit** · head [`3f2a91c`](https://github.com/octo/app/commit/3f2a91c84e07d5b1f0c2a9e86b4d7713c05a2f9e) · plan r2 · round 6
Waiting for **an operator**. Signalbox merges when every row is done.

| Needed for the merge | Who and how |
|---|---|
| ✅ Checks: 4 of 4 green | GitHub Actions |
| ✅ Review: 1 of 1 | `grace`, 14:20 UTC |
| ⏳ Human gate: 0 of 1 | an operator other than `ada` and `grace`: comment `/gate submit 3f2a91c84e07` |
| ⬜ Merge: squash into `main` | Signalbox |

[Why and history](https://signalbox.example/lifecycles/octo/app/12) · as of 30 Nov 2026, 14:20 UTC"""
    )


def test_done_lists_what_authorised_the_merge() -> None:
    assert (
        text(merged(), at("14:31"))
        == """\
**done** · merged as [`b81d0e2`](https://github.com/octo/app/commit/b81d0e2) into `main`, 30 Nov 2026, 14:31 UTC
Nothing is awaited.

| Authorised by | Who |
|---|---|
| Plan r2 | `grace` |
| Testing, `3f2a91c` | review `grace`, gate `omar`, 4 checks |
| Submit, `3f2a91c` | review `grace`, gate `omar`, 4 checks |

[History](https://signalbox.example/lifecycles/octo/app/12)"""
    )


def test_blocked_shows_question_evidence_and_the_way_out() -> None:
    assert (
        text(blocked(), at("10:05"))
        == """\
**blocked** in building since 30 Nov 2026, 10:05 UTC · asked by `forge-1`
Waiting for **an operator** to answer one question.

> `Which key store holds the old signing key?`

| What | |
|---|---|
| Blocker | the task cannot read the old key |
| Evidence | [run 52, last lines](https://signalbox.example/lifecycles/octo/app/18#v7) |
| To answer | an operator: comment `/answer` and the text |
| To go on | an operator: comment `/resume building` (head and plan unchanged: evidence would still hold) |

[Why and history](https://signalbox.example/lifecycles/octo/app/18) · as of 30 Nov 2026, 10:05 UTC"""
    )
