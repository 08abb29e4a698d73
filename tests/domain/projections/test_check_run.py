"""The check run: its title, its conclusion, and its text as the documentation has them."""

import pytest

from bot.domain.model.merge import Merge
from bot.domain.model.policy import STRICT, GateRule, GateRules
from bot.domain.model.record import (
    Blocked,
    CheckEvidence,
    CheckState,
    Held,
    Question,
    Record,
    Verification,
    VerificationState,
)
from bot.domain.projections.check_run import TEXT_LIMIT, TITLE_LIMIT, check_runs
from tests.kit.records import (
    HEAD,
    NEW_HEAD,
    OLD_HEAD,
    PEOPLE,
    a_pull,
    approval,
    at,
    authorised,
    decided,
    green,
    in_submit,
    in_testing,
    linked,
    merged,
    merging,
)
from tests.kit.shows import check, show


def one_check(state: CheckState, verification: VerificationState) -> Verification:
    build = CheckEvidence(name="build", app=15368, state=state)
    return Verification(state=verification, head=HEAD, checks=(build,))


def judged_and_running() -> Record:
    """In testing with every seat filled, `build` still running."""
    running = in_testing(verification=one_check("pending", "pending"))
    return decided(running, ("testing", "review", "grace", at("13:40")), ("testing", "operator", "omar", at("13:50")))


def blocked() -> Record:
    question = Question(id="q1", text="Which key?", asked_by=PEOPLE["forge-1"])
    why = Blocked(reason="no key", from_="building", since=at("10:05"))
    return linked(phase="blocked", blocked=why, questions=(question,))


def outside(*missing: str) -> Record:
    merge = Merge(
        state="merged",
        external=True,
        merged_by=PEOPLE["lin"],
        sha="c0ffee1" + "0" * 33,
        head=HEAD,
        missing=missing,
    )
    return in_submit(phase="done", merge=merge)


ROWS: list[tuple[Record, str | None, str]] = [
    (in_testing(), None, "testing: waiting for a reviewer and an operator"),
    (judged_and_running(), None, "testing: waiting for check build"),
    (linked(pull=a_pull(draft=True)), None, "building: waiting for a builder"),
    (
        linked(rejected_heads=(HEAD,), feedback_by=PEOPLE["grace"]),
        "failure",
        "building: rejected by grace",
    ),
    (linked(verification=one_check("failed", "failed")), "failure", "building: check build failed"),
    (blocked(), "action_required", "blocked: an operator must answer one question"),
    (merging("ambiguous"), "action_required", "submit: it is not known whether GitHub merged 3f2a91c"),
    (authorised(), "success", "submit: all gates complete for 3f2a91c"),
    (merging("reserved"), "success", "submit: all gates complete for 3f2a91c"),
    (merging("requested"), "success", "submit: merging 3f2a91c"),
    (merging("confirming"), "success", "submit: merging 3f2a91c"),
    (merged(), "success", "done: merged as b81d0e2"),
    (authorised(held=Held(by=PEOPLE["grace"], since=at("14:22"))), "action_required", "submit: held by grace"),
    (linked(withdrawn=True), "cancelled", "withdrawn in building"),
    (outside("human gate (submit)"), "cancelled", "done: merged outside by lin"),
    (merging("refused", reason="no"), "action_required", "submit: an operator must act, GitHub refused the merge"),
    (
        merging("refused", reason="settled as unmerged by `omar`: `I looked`", reason_code="settled_unmerged"),
        "action_required",
        "submit: an operator must open the gate, the merge was settled as unmerged",
    ),
    (
        merging("refused", reason="proven unmerged by two reads until 14:20 UTC", reason_code="proven_unmerged"),
        "action_required",
        "submit: an operator must act, the merge is proven unmerged",
    ),
    (
        merging("refused", reason="the request was never sent: no route", reason_code="not_sent"),
        None,
        "submit: waiting for GitHub",
    ),
    (authorised(twins=(35,)), "action_required", "submit: another open pull request, #35, has this head"),
    (in_testing(twins=(35, 36)), "action_required", "testing: another open pull request, #35, has this head"),
    (authorised(frozen="instance_conflict"), "action_required", "submit: frozen, another Signalbox writes here"),
]


@pytest.mark.parametrize(("record", "conclusion", "title"), ROWS, ids=[row[2] for row in ROWS])
def test_conclusion_and_title(record: Record, conclusion: str | None, title: str) -> None:
    run = check(record)
    assert (run.conclusion, run.title) == (conclusion, title)
    assert run.status == ("in_progress" if conclusion is None else "completed")
    assert len(run.title) <= TITLE_LIMIT


def without(record: Record, gate: str) -> Record:
    return record.model_copy(update={"decisions": tuple(d for d in record.decisions if d.gate != gate)})


INCOMPLETE: dict[str, Record] = {
    "the plan's approval is gone": without(authorised(), "plan"),
    "testing's decisions are gone": without(authorised(), "testing"),
    "submit's decisions are gone": without(authorised(), "submit"),
    "the head moved": authorised(head=NEW_HEAD),
    "the head was pushed again": authorised(head_epoch=4),
    "the base moved": authorised(base="next"),
    "checks are of another head": authorised(verification=green(head=OLD_HEAD)),
    "a check is red": authorised(verification=one_check("failed", "failed")),
    "a draft": authorised(pull=a_pull(draft=True)),
    "a closed pull request": authorised(pull=a_pull(open=False)),
    "held": authorised(held=Held(by=PEOPLE["grace"], since=at("14:22"))),
    "withdrawn": authorised(withdrawn=True),
    "frozen": authorised(frozen="database_behind"),
    "another open pull request has the head": authorised(twins=(35,)),
    "another open pull request had the head": authorised(merge=Merge(reason="#35 has the same head")),
    "another open pull request has the head while GitHub is asked": merging("requested").model_copy(
        update={"twins": (35,)}
    ),
    "reserved for another head": merging("reserved", head=OLD_HEAD),
    "policy changed while GitHub was asked": without(merging("requested"), "submit"),
    "merged outside with everything complete": outside(),
    "our merge landed after it was settled as unmerged": merged(missing=("human gate (submit)",)),
}


EVERYBODY = tuple(decision.id for decision in authorised().decisions)
STRICTER = STRICT.model_copy(update={"gates": GateRules(submit=GateRule(reviews=1, operators=2))})


def under_stricter_rules(record: Record) -> str | None:
    return next(run.conclusion for run in check_runs(show(record, at("14:00"), STRICTER)) if run.head == HEAD)


@pytest.mark.parametrize("state", ["requested", "confirming"])
def test_what_github_was_asked_stays_a_success_by_the_rules_of_the_request(state: str) -> None:
    assert under_stricter_rules(merging(state, authority=EVERYBODY)) == "success"


@pytest.mark.parametrize(
    "record",
    [
        merging("requested"),
        without(merging("requested", authority=EVERYBODY), "submit"),
        merging("ambiguous", authority=EVERYBODY),
        merging("reserved", authority=EVERYBODY),
        merging("refused", authority=EVERYBODY),
        authorised(),
    ],
    ids=["by unknown decisions", "by a decision that is gone", "ambiguous", "reserved", "refused", "not asked"],
)
def test_stricter_rules_take_every_other_success_away(record: Record) -> None:
    assert under_stricter_rules(record) != "success"


@pytest.mark.parametrize("record", INCOMPLETE.values(), ids=INCOMPLETE.keys())
def test_no_success_where_anything_is_missing(record: Record) -> None:
    assert check(record).conclusion != "success"


def test_the_text_is_the_explain_tree() -> None:
    record = in_testing()
    old = {"verdict": "reject", "head": OLD_HEAD, "epoch": 2}
    rejection = approval(record, "testing", "grace", at("10:11"), **old)
    record = record.model_copy(update={"decisions": (*record.decisions, rejection)})
    assert (
        check(record, as_of=at("13:50")).text
        == """\
Signalbox will not merge `3f2a91c84e07` because **two** needs of *testing* are open.

- ✅ **Plan r2** approved by `grace`, 29 Nov 2026, 18:40 UTC
- ⏳ **testing**
  - ✅ **Checks** 4 of 4 from their expected sources
    - ✅ `build`, `lint`, `unit`, `types` from GitHub Actions (app 15368)
  - ⏳ **Review** 0 of 1. Waiting for a reviewer other than `ada`
    - ❌ `grace` rejected `51d0c7e`: does not count, the head moved
  - ⏳ **Human gate** 0 of 1. Waiting for an operator other than `ada`
- ⬜ **submit** one review, one human gate, then the merge (squash into `main`)
- ✅ Nothing else is in the way: not held, not a draft, not stacked, no foreign queue, base unchanged"""
    )


def test_the_summary_is_the_beginning_of_the_status_comment() -> None:
    run = check(in_testing(), as_of=at("12:06"))
    lines = run.summary.split("\n")
    assert lines[1] == "Waiting for **a reviewer** and **an operator**. Checks are green."
    assert lines[3] == "| Needed for submit | Who and how |"
    assert "details" not in run.summary
    assert run.details_url == "https://signalbox.example/lifecycles/octo/app/12#why"
    assert run.external_id == "i-1:1#12:v11:e3:0123456789abcdef"


def test_every_old_head_is_cancelled_and_names_its_successor() -> None:
    record = in_testing(head=NEW_HEAD)
    runs = check_runs(show(record, watched_heads=(OLD_HEAD, HEAD, NEW_HEAD)))
    assert [(run.head, run.conclusion, run.title) for run in runs[:2]] == [
        (OLD_HEAD, "cancelled", "replaced by 9be04d1"),
        (HEAD, "cancelled", "replaced by 9be04d1"),
    ]
    assert [run.final for run in runs] == [True, True, False]


def test_an_unlinked_pull_request_loses_its_check() -> None:
    (run,) = check_runs(show(linked(pull_request=None, pull=None), watched_heads=(HEAD,)))
    assert (run.conclusion, run.title) == ("cancelled", "not linked any more")


def test_many_checks_stay_within_githubs_limits() -> None:
    names = tuple(f"{'very long name of a check ' * 8}{number}" for number in range(900))
    checks = tuple(CheckEvidence(name=name, app=number, state="pending") for number, name in enumerate(names))
    run = check(in_testing(verification=Verification(state="pending", head=HEAD, checks=checks)))
    assert len(run.text) < TEXT_LIMIT
    assert "and 880 checks more" in run.text
    assert len(run.title) <= TITLE_LIMIT


@pytest.mark.parametrize("code", ["settled_unmerged", "proven_unmerged", "not_sent"])
def test_nothing_that_github_did_not_refuse_is_called_refused_by_github(code: str) -> None:
    refused = merging("refused", reason="why", reason_code=code, refused_since=at("14:00"))
    stopped = refused.model_copy(update={"phase": "blocked", "blocked": blocked().blocked})
    assert stopped.blocked is not None
    stopped = stopped.model_copy(update={"blocked": stopped.blocked.model_copy(update={"cause": "merge_refused"})})
    for record in (refused, stopped):
        run = check(record)
        assert "GitHub refuse" not in f"{run.title} {run.summary} {run.text}"
