"""Rows and lines of the status comment in all their variants."""

from datetime import datetime

from bot.domain.model.ids import Person
from bot.domain.model.merge import Merge
from bot.domain.model.policy import CommandsRule, GateRule, MergeRule, Policy, ReviewSplit
from bot.domain.model.record import Blocked, CheckEvidence, Held, Record, Verification
from bot.domain.projections.status_comment import full, short, status_comments
from tests.kit.blocked_record import blocked
from tests.kit.records import (
    HEAD,
    OLD_HEAD,
    PEOPLE,
    POLICY,
    a_pull,
    approved,
    at,
    authorised,
    green,
    in_submit,
    in_testing,
    linked,
    merging,
    planned,
)
from tests.kit.shows import SEAL, plain, show


def text(record: Record, as_of: datetime) -> str:
    return plain(full(show(record, as_of)))


def line(record: Record, number: int, as_of: datetime | None = None) -> str:
    return plain(full(show(record, as_of))).split("\n")[number]


def test_building_without_a_pull_request_says_how_to_link_one() -> None:
    row = "| ⬜ Pull request: none linked | a builder: open one from a branch `signalbox/12-…`, or comment `/link #12` on it |"
    assert row in text(approved(), at("10:11"))
    assert line(approved(), 1) == "Waiting for **a builder** to open a pull request."


def test_building_with_red_checks_names_the_check_and_links_its_log() -> None:
    red = CheckEvidence(name="build", app=15368, state="failed", url="https://github.com/octo/app/runs/7")
    record = linked(verification=Verification(state="failed", head=HEAD, checks=(red,)), red_head=HEAD)
    body = text(record, at("12:10"))
    assert (
        "last head [`3f2a91c`](https://github.com/octo/app/commit/3f2a91c) failed check `build`" in body.split("\n")[0]
    )
    assert "| ❌ Checks: `build` failed | a builder: push a fix ([log](https://github.com/octo/app/runs/7)) |" in body


def test_a_gate_that_waits_for_an_agent_asks_no_person_to_approve_and_says_who_can_change_that() -> None:
    """A reviewer was asked for `/approve`, which filled no seat; the verification was awaited from the verification."""
    rule = GateRule(reviews=ReviewSplit(people=0, agents=1), verification="contract")
    policy = POLICY.model_copy(update={"gates": POLICY.gates.model_copy(update={"testing": rule})})
    body = plain(full(show(in_testing(), at("13:58"), policy)))
    rows = [one for one in body.split("\n") if one.startswith("| ❌")]
    gate = (
        "nobody is left who may | an operator: ask for {} alone under `gates.testing.{}` in `.github/signalbox.yml` |"
    )
    assert rows == [
        f"| ❌ Verification: no result for this head, and {gate.format('`checks`', 'verification')}",
        f"| ❌ Review: 0 of 1, and {gate.format('people', 'reviews')}",
    ]
    assert "/approve testing" not in body


def test_building_with_a_draft_asks_for_ready_or_an_explicit_candidate() -> None:
    body = text(linked(pull=a_pull(draft=True)), at("12:10"))
    assert body.split("\n")[1] == "Waiting for **a builder** to mark the pull request as ready for review."
    assert "or comment `/candidate 3f2a91c84e07` on it" in body


def test_a_refusal_older_than_the_last_change_is_not_shown() -> None:
    refusal = {"code": "not_allowed", "message": "No.", "command": "/gate", "by": "ada", "at": at("13:58")}
    assert "Last refused" not in full(show(in_testing(), at("13:59"), last_refusal=refusal))
    assert "Last refused" not in full(show(in_testing(), at("12:06"), last_refusal=refusal | {"version": 10}))
    assert "Last refused" in full(show(in_testing(), at("13:59"), last_refusal=refusal | {"version": 11}))


def checks_row(verification: Verification, policy: Policy = POLICY) -> str:
    body = plain(full(show(in_testing(verification=verification), at("13:58"), policy)))
    return next(row for row in body.split("\n") if " Checks: " in row)


def test_the_checks_row_says_which_check_is_running_since_when() -> None:
    running = CheckEvidence(name="build", app=15368, state="pending", since=at("13:56"))
    checks = (*green(("lint", "unit", "types")).checks, running)
    row = checks_row(Verification(state="pending", head=HEAD, checks=checks))
    assert row == "| ⏳ Checks: 3 of 4 green, `build` running since 13:56 UTC | GitHub Actions |"


def test_the_checks_row_says_which_required_check_has_not_reported() -> None:
    missing = CheckEvidence(name="build", source="none", state="missing")
    row = checks_row(Verification(state="pending", head=HEAD, checks=(missing,)))
    assert row.startswith("| ⬜ Checks: `build` is required and has not reported |")


def test_the_checks_row_asks_an_operator_where_nothing_is_required() -> None:
    policy = POLICY.model_copy(update={"checks": POLICY.checks.model_copy(update={"none": "refuse"})})
    row = checks_row(Verification(state="pending", head=HEAD, note="none is required"), policy)
    assert row == "| ❌ Checks: none is required | an operator: set `checks` in the policy |"


def test_the_checks_row_never_shows_green_for_another_head() -> None:
    assert checks_row(green(head=OLD_HEAD)).startswith("| ⬜ Checks: not read yet for this head |")


def test_while_github_is_asked_nobody_needs_to_do_anything() -> None:
    first, second = (line(merging("requested"), number, at("14:30:05")) for number in (0, 1))
    assert (
        first
        == "**submit** · merging [`3f2a91c`](https://github.com/octo/app/commit/3f2a91c) into `main` since 14:30 UTC"
    )
    assert second == (
        "Nobody needs to do anything. Commands that would change the outcome are refused until GitHub has answered."
    )


def test_an_ambiguous_merge_asks_an_operator_and_links_the_evidence() -> None:
    second = line(merging("ambiguous"), 1)
    assert second == (
        "Waiting for **an operator**: it is not known whether GitHub merged this "
        "([evidence](https://signalbox.example/merges#r-39))."
    )


def test_a_held_record_says_who_lifts_the_hold() -> None:
    held = authorised(held=Held(by=PEOPLE["grace"], since=at("14:22")))
    assert (
        line(held, 1, at("14:22"))
        == "Held by `grace` since 14:22 UTC. To go on, `grace` or an operator comments `/unhold`."
    )


def test_a_hold_does_not_hide_who_else_is_awaited() -> None:
    held = in_submit(held=Held(by=PEOPLE["grace"], since=at("14:22")))
    assert line(held, 1).endswith("comments `/unhold`. Also waiting for **a reviewer** and **an operator**.")


def test_a_merge_on_command_waits_for_the_command() -> None:
    policy = POLICY.model_copy(update={"merge": MergeRule(trigger="command")})
    body = plain(full(show(authorised(), at("14:29"), policy)))
    assert "| ⏳ Merge: waits for the command | an operator: comment `/merge` |" in body
    assert body.split("\n")[1] == "Waiting for **an operator** to comment `/merge`."


def test_what_github_refused_stands_in_the_merge_row() -> None:
    record = merging("refused", reason="Required status check is expected.")
    assert "| ❌ Merge: GitHub refused: Required status check is expected. | an operator: " in text(record, at("14:31"))


def test_a_draft_in_submit_waits_for_a_builder() -> None:
    record = authorised(pull=a_pull(draft=True))
    assert "| ❌ Merge: the pull request is a draft | a builder: mark it as ready for review |" in text(
        record, at("14:31")
    )


def test_the_wait_for_the_base_is_nobodys_duty() -> None:
    merge = Merge(reason="another merge into main is under way", reason_code="base_taken")
    record = authorised(merge=merge)
    assert "| ⏳ Merge: another merge into main is under way | Signalbox |" in text(record, at("14:31"))
    assert line(record, 1).startswith("Nobody needs to do anything.")


def test_a_merge_outside_lists_what_was_missing_and_invents_nothing() -> None:
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


def test_withdrawn_says_how_to_start_again() -> None:
    body = text(linked(withdrawn=True, withdrawn_by=PEOPLE["ada"]), at("12:10"))
    assert body.startswith(
        "**withdrawn** in building by `ada`\n"
        "Nothing is awaited. To start again, a builder reopens the issue, or adds the label `signalbox` again "
        "(taking it off first where it is still on).\n\n[Why"
    )


def test_blocked_does_not_promise_evidence_for_a_head_that_moved() -> None:
    moved = blocked(pull_request=34, pull=a_pull(head_since=at("10:30")), head=HEAD, base="main")
    assert "| To go on | an operator: comment `/resume building` |" in text(moved, at("10:30"))


def test_work_blocked_by_a_budget_goes_on_with_retry() -> None:
    why = Blocked(reason="the checks were run again 20 times", from_="building", since=at("10:05"), cause="budget")
    body = text(blocked(blocked=why, questions=()), at("10:05"))
    assert "| To go on | an operator: comment `/retry` |" in body
    assert body.split("\n")[1] == "Waiting for **an operator** to allow more tries."


def test_the_issues_comment_shrinks_when_a_pull_request_is_linked() -> None:
    issue, pull = status_comments(show(in_testing(), at("12:06")))
    two_lines, plan, more, marker = plain(issue.body).split("\n\n")
    assert two_lines == plain(pull.body).split("\n\n", 1)[0]
    assert plan == "Plan [r2](https://github.com/octo/app/issues/12#issuecomment-1002) by `ada`, approved by `grace`."
    assert more.startswith("Everything else is on [#34](https://github.com/octo/app/pull/34). [Why and history](https:")
    said = "i-1:1#12:v11:0123456789abcdef"
    assert marker == f"<!-- signalbox:written:{said}:{SEAL.of(said)} -->\n{issue.marker}"
    assert issue.marker == "<!-- signalbox:status:1:12:issue -->"
    assert (pull.slot, pull.number, pull.marker) == ("comment:pull:34", 34, "<!-- signalbox:status:1:12:pull -->")
    assert pull.body.endswith(f"\n{pull.marker}")


def test_the_short_form_keeps_open_questions() -> None:
    record = blocked(pull_request=34, pull=a_pull(), head=HEAD, base="main")
    assert "> `Which key store holds the old signing key?`" in short(show(record, at("10:05")))


def test_a_plan_is_judged_in_the_issue_also_when_a_pull_request_is_linked() -> None:
    record = planned(pull_request=34, pull=a_pull(), head=HEAD, base="main")
    issue, pull = status_comments(show(record, at("09:31")))
    assert "`/approve r2`" in issue.body
    assert "/approve" not in pull.body
    assert "Plans are judged in [#12](https://github.com/octo/app/issues/12)." in pull.body


def test_a_pull_request_that_was_replaced_says_so() -> None:
    comments = status_comments(show(in_testing(), at("12:06"), watched_pulls=(34, 30)))
    old = next(comment for comment in comments if comment.number == 30)
    assert old.body.startswith("**not linked** · this pull request is not the one of [#12](")
    assert "any more; [#34](" in old.body
    assert "a builder comments `/link #12` on it." in old.body
    # Words vanished there without an answer, below a comment that looked as if they were heard.
    assert "Until then no other command is heard here without `signalbox` in it: `/hold` stops nothing." in old.body
    assert [comment.number for comment in comments] == [12, 34, 30]


def test_where_bare_commands_are_off_the_long_form_is_offered() -> None:
    policy = POLICY.model_copy(update={"commands": CommandsRule(bare=False)})
    body = full(show(in_testing(), at("12:06"), policy))
    assert "comment `/signalbox approve testing 3f2a91c84e07`" in body
    assert "`/approve" not in body


def test_a_list_of_bare_verbs_makes_only_those_bare() -> None:
    policy = POLICY.model_copy(update={"commands": CommandsRule(bare=("approve",))})
    body = full(show(in_testing(), at("12:06"), policy))
    assert "comment `/approve testing 3f2a91c84e07`" in body
    assert "comment `/signalbox gate testing 3f2a91c84e07`" in body


def test_many_names_are_counted_not_listed() -> None:
    pushers = tuple(Person(id=100 + n, login=f"p{n}") for n in range(9))
    body = text(in_testing(pull=a_pull(pushers=pushers)), at("12:06"))
    assert "a reviewer other than `ada`, `p0`, `p1` and 7 more: comment" in body
