"""The status comment says exactly what the documentation says."""

from datetime import datetime

from bot.domain.model.ids import Person
from bot.domain.model.policy import CommandsRule, MergeRule
from bot.domain.model.record import (
    Blocked,
    Budgets,
    CheckEvidence,
    Held,
    Merge,
    Question,
    Record,
    Verification,
    Work,
)
from bot.domain.projections.status_comment import full, short, status_comments
from tests.kit.records import (
    HEAD,
    OLD_HEAD,
    PEOPLE,
    POLICY,
    a_plan,
    a_pull,
    a_record,
    approved,
    at,
    authorised,
    decided,
    green,
    in_submit,
    in_testing,
    linked,
    merged,
    merging,
    planned,
)
from tests.kit.shows import plain, show

REASON = "https://github.com/octo/app/pull/34#issuecomment-1010"


def text(record: Record, as_of: datetime) -> str:
    return plain(full(show(record, as_of)))


def line(record: Record, number: int, as_of: datetime | None = None) -> str:
    return plain(full(show(record, as_of))).split("\n")[number]


def rejected() -> Record:
    return linked(
        head=OLD_HEAD,
        rejected_heads=(OLD_HEAD,),
        feedback_by=PEOPLE["grace"],
        feedback_url=REASON,
        phase_since=at("10:11"),
    )


def test_planning_asks_a_builder_for_a_plan():
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


def test_plan_ready_asks_a_reviewer_who_did_not_write_it():
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


def test_plan_rejected_names_who_rejected_it_and_links_the_reason():
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


def test_building_after_a_rejection_asks_for_a_new_commit():
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


def test_building_without_a_pull_request_says_how_to_link_one():
    row = "| ⬜ Pull request: none linked | a builder: open one from a branch `signalbox/12-…`, or comment `/link #12` on it |"
    assert row in text(approved(), at("10:11"))
    assert line(approved(), 1) == "Waiting for **a builder** to open a pull request."


def test_building_with_red_checks_names_the_check_and_links_its_log():
    red = CheckEvidence(name="build", app=15368, state="failed", url="https://github.com/octo/app/runs/7")
    record = linked(verification=Verification(state="failed", head=HEAD, checks=(red,)), red_head=HEAD)
    body = text(record, at("12:10"))
    assert (
        "last head [`3f2a91c`](https://github.com/octo/app/commit/3f2a91c) failed check `build`" in body.split("\n")[0]
    )
    assert "| ❌ Checks: `build` failed | a builder: push a fix ([log](https://github.com/octo/app/runs/7)) |" in body


def test_building_with_a_draft_asks_for_ready_or_an_explicit_candidate():
    body = text(linked(pull=a_pull(draft=True)), at("12:10"))
    assert body.split("\n")[1] == "Waiting for **a builder** to mark the pull request as ready for review."
    assert "or comment `/candidate 3f2a91c84e07` on it" in body


def test_testing_offers_the_explicit_form_and_shows_what_a_decision_is_bound_to():
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


def test_a_refusal_older_than_the_last_change_is_not_shown():
    refusal = {"code": "not_allowed", "message": "No.", "command": "/gate", "by": "ada", "at": at("13:58")}
    assert "Last refused" not in full(show(in_testing(), at("13:59"), last_refusal=refusal))
    assert "Last refused" not in full(show(in_testing(), at("12:06"), last_refusal=refusal | {"version": 10}))
    assert "Last refused" in full(show(in_testing(), at("13:59"), last_refusal=refusal | {"version": 11}))


def checks_row(verification: Verification, policy=POLICY) -> str:
    body = plain(full(show(in_testing(verification=verification), at("13:58"), policy)))
    return next(row for row in body.split("\n") if " Checks: " in row)


def test_the_checks_row_says_which_check_is_running_since_when():
    running = CheckEvidence(name="build", app=15368, state="pending", since=at("13:56"))
    checks = (*green(("lint", "unit", "types")).checks, running)
    row = checks_row(Verification(state="pending", head=HEAD, checks=checks))
    assert row == "| ⏳ Checks: 3 of 4 green, `build` running since 13:56 UTC | GitHub Actions |"


def test_the_checks_row_says_which_required_check_has_not_reported():
    missing = CheckEvidence(name="build", source="none", state="missing")
    row = checks_row(Verification(state="pending", head=HEAD, checks=(missing,)))
    assert row.startswith("| ⬜ Checks: `build` is required and has not reported |")


def test_the_checks_row_asks_an_operator_where_nothing_is_required():
    policy = POLICY.model_copy(update={"checks": POLICY.checks.model_copy(update={"none": "refuse"})})
    row = checks_row(Verification(state="pending", head=HEAD, note="none is required"), policy)
    assert row == "| ❌ Checks: none is required | an operator: set `checks` in the policy |"


def test_the_checks_row_never_shows_green_for_another_head():
    assert checks_row(green(head=OLD_HEAD)).startswith("| ⬜ Checks: not read yet for this head |")


def test_submit_keeps_satisfied_rows_and_excludes_who_sits_already():
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


def test_while_github_is_asked_nobody_needs_to_do_anything():
    first, second = (line(merging("requested"), number, at("14:30:05")) for number in (0, 1))
    assert (
        first
        == "**submit** · merging [`3f2a91c`](https://github.com/octo/app/commit/3f2a91c) into `main` since 14:30 UTC"
    )
    assert second == (
        "Nobody needs to do anything. Commands that would change the outcome are refused until GitHub has answered."
    )


def test_an_ambiguous_merge_asks_an_operator_and_links_the_evidence():
    second = line(merging("ambiguous"), 1)
    assert second == (
        "Waiting for **an operator**: it is not known whether GitHub merged this "
        "([evidence](https://signalbox.example/merges#r-39))."
    )


def test_a_held_record_says_who_lifts_the_hold():
    held = authorised(held=Held(by=PEOPLE["grace"], since=at("14:22")))
    assert (
        line(held, 1, at("14:22"))
        == "Held by `grace` since 14:22 UTC. To go on, `grace` or an operator comments `/unhold`."
    )


def test_a_hold_does_not_hide_who_else_is_awaited():
    held = in_submit(held=Held(by=PEOPLE["grace"], since=at("14:22")))
    assert line(held, 1).endswith("comments `/unhold`. Also waiting for **a reviewer** and **an operator**.")


def test_a_merge_on_command_waits_for_the_command():
    policy = POLICY.model_copy(update={"merge": MergeRule(trigger="command")})
    body = plain(full(show(authorised(), at("14:29"), policy)))
    assert "| ⏳ Merge: waits for the command | an operator: comment `/merge` |" in body
    assert body.split("\n")[1] == "Waiting for **an operator** to comment `/merge`."


def test_what_github_refused_stands_in_the_merge_row():
    record = merging("refused", reason="Required status check is expected.")
    assert "| ❌ Merge: GitHub refused: Required status check is expected. | an operator: " in text(record, at("14:31"))


def test_a_draft_in_submit_waits_for_a_builder():
    record = authorised(pull=a_pull(draft=True))
    assert "| ❌ Merge: the pull request is a draft | a builder: mark it as ready for review |" in text(
        record, at("14:31")
    )


def test_the_wait_for_the_base_is_nobodys_duty():
    merge = Merge(reason="another merge into main is under way", reason_code="base_taken")
    record = authorised(merge=merge)
    assert "| ⏳ Merge: another merge into main is under way | Signalbox |" in text(record, at("14:31"))
    assert line(record, 1).startswith("Nobody needs to do anything.")


def test_done_lists_what_authorised_the_merge():
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


def test_a_merge_outside_lists_what_was_missing_and_invents_nothing():
    outside = Merge(
        state="merged",
        external=True,
        merged_by=PEOPLE["lin"],
        sha="c0ffee1" + "0" * 33,
        merged_at=at("14:40"),
        missing=("human gate (submit)", "check `build`"),
    )
    red = Verification(state="pending", head=HEAD, checks=(CheckEvidence(name="build", state="pending"),))
    record = in_submit(phase="done", merge=outside, verification=red)
    lines = text(record, at("14:40")).split("\n")
    assert (
        lines[0]
        == "**done** · merged outside Signalbox by `lin` as [`c0ffee1`](https://github.com/octo/app/commit/c0ffee1)"
    )
    assert lines[1] == "Missing at that moment: human gate (submit), check `build`."
    assert "| Testing, `3f2a91c` | review `grace`, gate `omar` |" in lines
    assert not any(row.startswith("| Submit") for row in lines)


def test_withdrawn_says_how_to_start_again():
    body = text(linked(withdrawn=True, withdrawn_by=PEOPLE["ada"]), at("12:10"))
    assert body.startswith(
        "**withdrawn** in building by `ada`\n"
        "Nothing is awaited. To start again, a builder reopens the issue or adds the label again.\n\n[Why"
    )


def blocked(**changes) -> Record:
    why = Blocked(
        reason="the task cannot read the old key",
        evidence="run 52, last lines",
        from_="building",
        since=at("10:05"),
        version=7,
    )
    question = Question(id="q1", text="Which key store holds the old signing key?", asked_by=PEOPLE["forge-1"])
    fields = {"issue": 18, "phase": "blocked", "blocked": why, "questions": (question,)}
    return approved(**(fields | changes))


def test_blocked_shows_question_evidence_and_the_way_out():
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


def test_blocked_does_not_promise_evidence_for_a_head_that_moved():
    moved = blocked(pull_request=34, pull=a_pull(head_since=at("10:30")), head=HEAD, base="main")
    assert "| To go on | an operator: comment `/resume building` |" in text(moved, at("10:30"))


def test_work_blocked_by_a_budget_goes_on_with_retry():
    why = Blocked(reason="the checks were run again 20 times", from_="building", since=at("10:05"), cause="budget")
    body = text(blocked(blocked=why, questions=()), at("10:05"))
    assert "| To go on | an operator: comment `/retry` |" in body
    assert body.split("\n")[1] == "Waiting for **an operator** to allow more tries."


def test_the_issues_comment_shrinks_when_a_pull_request_is_linked():
    issue, pull = status_comments(show(in_testing(), at("12:06")))
    assert (
        plain(issue.body)
        == """\
**testing** · head [`3f2a91c`](https://github.com/octo/app/commit/3f2a91c84e07d5b1f0c2a9e86b4d7713c05a2f9e) · plan r2 · round 5
Waiting for **a reviewer** and **an operator**. Checks are green.

Plan [r2](https://github.com/octo/app/issues/12#issuecomment-1002) by `ada`, approved by `grace`.

Everything else is on [#34](https://github.com/octo/app/pull/34). [Why and history](https://signalbox.example/lifecycles/octo/app/12) · as of 30 Nov 2026, 12:06 UTC

<!-- signalbox:status:1:12:issue -->"""
    )
    assert (pull.slot, pull.number, pull.marker) == ("comment:pull:34", 34, "<!-- signalbox:status:1:12:pull -->")
    assert pull.body.endswith(f"\n{pull.marker}")


def test_the_short_form_keeps_open_questions():
    record = blocked(pull_request=34, pull=a_pull(), head=HEAD, base="main")
    assert "> `Which key store holds the old signing key?`" in short(show(record, at("10:05")))


def test_a_plan_is_judged_in_the_issue_also_when_a_pull_request_is_linked():
    record = planned(pull_request=34, pull=a_pull(), head=HEAD, base="main")
    issue, pull = status_comments(show(record, at("09:31")))
    assert "`/approve r2`" in issue.body
    assert "/approve" not in pull.body
    assert "Plans are judged in [#12](https://github.com/octo/app/issues/12)." in pull.body


def test_a_pull_request_that_was_replaced_says_so():
    comments = status_comments(show(in_testing(), at("12:06"), watched_pulls=(34, 30)))
    old = next(comment for comment in comments if comment.number == 30)
    assert old.body.startswith("**not linked** · this pull request is not the one of [#12](")
    assert [comment.number for comment in comments] == [12, 34, 30]


def test_where_bare_commands_are_off_the_long_form_is_offered():
    policy = POLICY.model_copy(update={"commands": CommandsRule(bare=False)})
    body = full(show(in_testing(), at("12:06"), policy))
    assert "comment `/signalbox approve testing 3f2a91c84e07`" in body
    assert "`/approve" not in body


def test_a_list_of_bare_verbs_makes_only_those_bare():
    policy = POLICY.model_copy(update={"commands": CommandsRule(bare=("approve",))})
    body = full(show(in_testing(), at("12:06"), policy))
    assert "comment `/approve testing 3f2a91c84e07`" in body
    assert "comment `/signalbox gate testing 3f2a91c84e07`" in body


def test_many_names_are_counted_not_listed():
    pushers = tuple(Person(id=100 + n, login=f"p{n}") for n in range(9))
    body = text(in_testing(pull=a_pull(pushers=pushers)), at("12:06"))
    assert "a reviewer other than `ada`, `p0`, `p1` and 7 more: comment" in body
