"""Each command is offered where it makes sense now, and nowhere else."""

import pytest

from bot.domain.commands.catalogue import BY_NAME
from bot.domain.commands.spec import Thread
from bot.domain.model.merge import Merge, MergeState
from bot.domain.model.policy import STRICT
from bot.domain.model.record import Work
from tests.domain.commands.kit import HEAD, a_question, a_record, issue, pull
from tests.domain.commands.moments import BY_BUILDERS, COMMAND, HELD, ambiguous, blocked, decided, told

OFFERED = [
    (pull(a_record("testing")), "rework", "`/rework` and why"),
    (pull(a_record("submit")), "rework", "`/rework` and why"),
    (pull(a_record("building")), "rework", None),
    (issue(a_record("testing")), "rework", None),
    (issue(a_record("planning")), "replan", None),
    (issue(a_record("plan_ready")), "replan", "`/replan` and why"),
    (pull(a_record("submit")), "replan", "`/replan` and why"),
    (issue(blocked()), "replan", None),
    (issue(a_record("building")), "hold", "`/hold`"),
    (issue(a_record("building", held=HELD)), "hold", None),
    (issue(a_record("building", held=HELD)), "unhold", "`/unhold`"),
    (issue(a_record("building")), "unhold", None),
    (issue(a_record("building")), "block", "`/block` and a question"),
    (issue(blocked()), "block", "`/block` and a question"),
    (issue(blocked()), "cancel", "`/cancel` and why"),
    (issue(a_record("building", withdrawn=True)), "cancel", None),
    (issue(a_record("done")), "block", None),
    (issue(a_record("planning")), "answer", None),
    (issue(a_record("planning", questions=(a_question("q1"),))), "answer", "`/answer` and the text"),
    (issue(a_record("planning", questions=(a_question("q1", "yes"),))), "answer", None),
    (issue(a_record("done", questions=(a_question("q1"),))), "answer", None),
    (pull(blocked(questions=(a_question("q1"), a_question("q2")))), "answer", "`/answer q1` and the text"),
    (issue(a_record("planning", withdrawn=True, questions=(a_question("q1"),))), "answer", "`/answer` and the text"),
    (issue(blocked()), "resume", "`/resume testing`"),
    (pull(blocked("checks", "submit")), "resume", "`/resume submit`"),
    (issue(blocked("merge_refused", "submit")), "resume", "`/resume submit`"),
    (
        issue(blocked(from_="plan_ready")),
        "resume",
        "`/resume planning` (plan r2 and its approvals are given up)",
    ),
    (issue(blocked(from_="plan_rejected")), "resume", "`/resume planning`"),
    (issue(blocked("budget")), "resume", None),
    (issue(blocked("issue_gone")), "resume", None),
    (issue(blocked("external_merge")), "resume", None),
    (issue(blocked(withdrawn=True)), "resume", None),
    (issue(a_record("building")), "resume", None),
    (issue(blocked("budget")), "retry", "`/retry`"),
    (issue(blocked()), "retry", None),
    (issue(a_record("building")), "retry", None),
    (issue(a_record("building", work=Work(task={"status": "failed"}))), "retry", "`/retry`"),
    (issue(a_record("building", work=Work(task={"status": "executing"}))), "retry", None),
    (pull(a_record("building")), "unlink", "`/unlink`"),
    (pull(a_record("building", pull_request=35)), "unlink", None),
    (issue(a_record("building")), "unlink", None),
    (pull(ambiguous()), "unlink", None),
    (issue(a_record("building")), "priority", "`/priority` and a number from 0 to 100"),
    (issue(a_record("done")), "priority", None),
    (pull(a_record("submit")), "settle", None),
    (issue(ambiguous()), "settle", None),
    (
        pull(ambiguous()),
        "settle",
        "`/settle` with merged and the 40-digit merge commit, or with unmerged and why (from 30 Nov 2026, 14:02:00 UTC on)",
    ),
    (pull(a_record("submit", merge=Merge(state="confirming"))), "settle", None),
    (pull(blocked("external_merge")), "settle", "`/settle merged` and the 40-digit merge commit"),
    (pull(blocked("external_merge", merge=Merge(state="merged", sha=HEAD))), "settle", f"`/settle merged {HEAD}`"),
    (pull(decided("testing", "testing")), "revoke", "`/revoke`"),
    (pull(decided("testing", "testing", round=7)), "revoke", None),
    (issue(decided("testing", "testing")), "revoke", None),
    (issue(decided("building", "plan")), "revoke", "`/revoke`"),
    (pull(decided("building", "plan")), "revoke", None),
    (issue(decided("done", "plan")), "revoke", None),
]


@pytest.mark.parametrize(("thread", "name", "shown"), OFFERED)
def test_a_command_is_offered_where_it_makes_sense(thread: Thread, name: str, shown: str | None) -> None:
    offer = BY_NAME[name].offer(thread)
    assert (offer and thread.typed(offer.words, STRICT) + offer.tail) == shown
    assert shown is None or shown in told(thread, "admin")


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_nothing_but_a_look_is_offered_while_a_record_is_frozen(name: str) -> None:
    record = blocked("budget", frozen="suspended", held=HELD, questions=(a_question("q1"),))
    for thread in (issue(record), pull(record)):
        assert (BY_NAME[name].offer(thread) is not None) == (name in {"status", "help"})


@pytest.mark.parametrize("state", ["requested", "ambiguous", "confirming"])
@pytest.mark.parametrize("name", ["hold", "rework", "replan", "block", "cancel", "revoke", "unlink", "merge", "retry"])
def test_no_stop_is_offered_while_github_may_be_merging(state: MergeState, name: str) -> None:
    record = decided("submit", "submit").model_copy(update={"merge": Merge(state=state)})
    assert BY_NAME[name].offer(pull(record)) is None
    assert BY_NAME[name].offer(pull(record.model_copy(update={"merge": Merge()}))) is not None or name == "retry"


@pytest.mark.parametrize("state", ["none", "refused", "reserved"])
def test_a_merge_is_offered_where_the_policy_waits_for_the_word(state: MergeState) -> None:
    submit = pull(a_record("submit", merge=Merge(state=state)))
    assert ("`/merge`" in told(submit, "maintain", COMMAND)) == (state != "reserved")
    assert "`/merge`" not in told(submit, "maintain")
    assert "`/merge`" not in told(submit, "write", COMMAND)
    assert "`/merge`" not in told(pull(a_record("testing")), "maintain", COMMAND)
    assert "`/merge`" not in told(pull(a_record("submit", held=HELD)), "maintain", COMMAND)


def test_builders_are_offered_to_go_on_where_the_policy_lets_them() -> None:
    assert "`/resume testing`" in told(issue(blocked()), "write", BY_BUILDERS)
    assert "`/resume testing`" not in told(issue(blocked()), "write")
