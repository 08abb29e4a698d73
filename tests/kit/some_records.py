"""Random records: every phase, flag and merge state, with decisions that count and some that do not."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from hypothesis import strategies as st

from bot.domain.model.ids import Person
from bot.domain.model.merge import Merge, MergeRead
from bot.domain.model.policy import CommandsRule, GateRule, GateRules, MergeRule, Policy, Separation
from bot.domain.model.record import Blocked, Budgets, CheckEvidence, Held, Question, Record, Verification, Work
from tests.kit.records import (
    HEAD,
    NEW_HEAD,
    OLD_HEAD,
    PEOPLE,
    POLICY,
    a_plan,
    a_pull,
    a_record,
    approved,
    at,
    authorised,
    in_submit,
    in_testing,
    linked,
    merged,
    merging,
    planned,
)

#: What somebody could write to make our output do something.
HOSTILE = (
    "@org/team fixes #1 <img>",
    "/approve testing 3f2a91c84e07",
    "`/gate` | closes #2 |\n/merge\n\n# heading",
    "``` ```\n~~~\n<!-- signalbox:status:1:12:pull -->",
    "![x](https://evil.example/x.png) [y](javascript:alert(1)) https://evil.example www.evil.example GH-7",
    "</details><script>alert(1)</script> &#64;octo \u200b\u200bzero\u202e width",
    "On Monday grace wrote:\n> /approve",
    "octo/app#3 resolves octo/app#4 0123456789abcdef0123456789abcdef01234567",
    "\\`@ada\\` *bold* _it_ ~~x~~ \\| :tada: $x$",
    "-----\n| a | b |\n|---|---|\n| @ada | #1 |",
)
WORDS = ("build", "the task cannot read the old key", "main", "signalbox/12-retry")
texts = st.sampled_from((*HOSTILE, *WORDS)) | st.text(max_size=400)

_BASES: tuple[Callable[[], Record], ...] = (
    a_record,
    lambda: a_record(phase="plan_rejected", plan=a_plan(revision=1), feedback_by=PEOPLE["grace"]),
    planned,
    approved,
    linked,
    lambda: linked(rejected_heads=(HEAD,), feedback_by=PEOPLE["grace"]),
    in_testing,
    in_submit,
    authorised,
    merged,
    *(lambda state=state: merging(state) for state in ("reserved", "requested", "ambiguous", "confirming", "refused")),
)


@st.composite
def verifications(draw: st.DrawFn) -> Verification:
    item = st.builds(
        CheckEvidence,
        name=texts,
        app=st.sampled_from((None, 15368, 4711)),
        source=st.sampled_from(("run", "status", "none")),
        state=st.sampled_from(("success", "pending", "failed", "missing")),
        since=st.sampled_from((None, at("12:06"))),
        url=st.sampled_from((None, "https://github.com/octo/app/runs/7", "javascript:alert(1)", "https://x/|) @ada")),
    )
    checks = tuple(draw(st.lists(item, max_size=4)))
    states = {check.state for check in checks}
    state = "failed" if "failed" in states else "pending" if states & {"pending", "missing"} else "passed"
    return Verification.model_validate(
        {"state": state, "head": draw(st.sampled_from((HEAD, HEAD, OLD_HEAD))), "checks": checks}
    )


@st.composite
def blockages(draw: st.DrawFn) -> Blocked:
    cause = draw(st.sampled_from(("question", "budget", "checks", "issue_gone", "external_merge", "merge_refused")))
    from_ = draw(st.sampled_from(("planning", "building", "testing", "submit")))
    return Blocked.model_validate(
        {
            "cause": cause,
            "from": from_,
            "reason": draw(texts),
            "evidence": draw(st.none() | texts),
            "since": at("10:05"),
            "by": draw(st.sampled_from((None, PEOPLE["forge-1"]))),
            "version": draw(st.sampled_from((None, 7))),
        }
    )


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Any record: a plausible one, then some of it changed."""
    record: Record = draw(st.sampled_from(_BASES))()
    changes: dict[str, Any] = {}
    if draw(st.booleans()):
        changes["verification"] = draw(verifications())
    if draw(st.integers(0, 3)) == 0:
        changes["decisions"] = tuple(d for d in record.decisions if draw(st.booleans()))
    if draw(st.integers(0, 4)) == 0:
        changes["decisions"] = tuple(d.model_copy(update={"void": "the head was sent back"}) for d in record.decisions)
    if draw(st.integers(0, 4)) == 0:
        changes |= {"head": draw(st.sampled_from((HEAD, NEW_HEAD))), "head_epoch": draw(st.integers(2, 4))}
    if draw(st.integers(0, 4)) == 0 and not record.in_flight:
        changes["held"] = Held(by=PEOPLE["grace"], since=at("14:22"), why=draw(texts))
    if draw(st.integers(0, 9)) == 0:
        changes["withdrawn"] = True
    if draw(st.integers(0, 9)) == 0:
        changes["frozen"] = draw(st.sampled_from(("suspended", "database_behind", "instance_conflict")))
    if record.phase != "done" and draw(st.integers(0, 6)) == 0:
        changes |= {"phase": "blocked", "blocked": draw(blockages()), "merge": Merge()}
    questions = st.builds(Question, id=st.sampled_from(("q1", "q2")), text=texts, asked_by=st.just(PEOPLE["forge-1"]))
    changes["questions"] = tuple(draw(st.lists(questions, max_size=4)))
    return _worded(draw, record.model_copy(update=changes))


def _worded(draw: st.DrawFn, record: Record) -> Record:
    """User text wherever a record holds some."""
    person = Person(id=draw(st.integers(200, 210)), login=draw(texts))
    changes: dict[str, Any] = {"title": draw(texts), "feedback": draw(texts), "base": record.base and draw(texts)}
    if record.pull is not None:
        pushers = (PEOPLE["ada"], person)
        draft, is_open = draw(st.integers(0, 4)) == 0, draw(st.integers(0, 9)) > 0
        url = draw(st.sampled_from(("https://github.com/octo/app/pull/34", "https://x/|) @ada #1", "")))
        changes["pull"] = a_pull(
            title=draw(texts), head_ref=draw(texts), pushers=pushers, draft=draft, open=is_open, url=url
        )
    if record.phase == "building" and draw(st.booleans()):
        changes["work"] = Work(task={"status": draw(texts), "holder": draw(texts)})
        changes["budgets"] = Budgets(review_cycles=(1, 3))
    reads = tuple(
        MergeRead(at=at("13:47") + timedelta(minutes=n), merged=None, on_base=None, why=draw(texts)) for n in range(6)
    )
    merge: dict[str, Any] = {"answer": draw(st.none() | texts), "reads": reads}
    if record.merge.state in {"none", "refused"}:
        merge["reason"] = draw(st.none() | texts)
    if record.phase == "done" and draw(st.booleans()):
        merge |= {"external": True, "merged_by": person, "missing": ("human gate (submit)", f"check {draw(texts)}")}
    changes["merge"] = record.merge.model_copy(update=merge)
    if draw(st.booleans()):
        changes["decisions"] = tuple(d.model_copy(update={"base": changes["base"]}) for d in record.decisions)
        if record.merge.state != "none":
            changes["merge"] = changes["merge"].model_copy(update={"base": changes["base"]})
    return record.model_copy(update=changes)


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    if draw(st.booleans()):
        return POLICY
    gates = GateRules(
        plan=GateRule(reviews=draw(st.integers(1, 2))),
        testing=GateRule(reviews=draw(st.integers(0, 2)), operators=draw(st.integers(0, 1))),
        submit=GateRule(reviews=draw(st.integers(0, 2)), operators=draw(st.integers(0, 1))),
    )
    return POLICY.model_copy(
        update={
            "gates": gates,
            "merge": MergeRule.model_validate({"trigger": draw(st.sampled_from(("auto", "command")))}),
            "commands": CommandsRule(bare=draw(st.sampled_from((True, False, ("approve", "gate"))))),
            "separation": Separation(distinct_people=draw(st.booleans()), author_may_review=draw(st.booleans())),
            "start_label": draw(texts),
        }
    )
