"""All surfaces tell the same story, whatever the record."""

from hypothesis import given

from bot.domain.explain.offers import ROLE
from bot.domain.explain.tree import awaited, explain, flat, sentence, waiting_on
from bot.domain.gates.gate import authority_complete
from bot.domain.model.policy import Policy
from bot.domain.model.record import Record
from bot.domain.projections.check_run import TITLE_LIMIT, check_runs
from bot.domain.projections.desired import desired
from bot.domain.projections.headline import second_line
from bot.domain.projections.plan import LastWritten, plan
from bot.domain.projections.status_comment import MAX_ROWS, full, status_comments
from tests.kit.records import OLD_HEAD, at
from tests.kit.shows import show
from tests.kit.some_records import policies, records

PEOPLE = ("builders", "reviewers", "operators")
#: Conclusions whose title names a cause instead of who is awaited; the summary below it says both.
BY_CAUSE = frozenset({"failure", "action_required", "cancelled", "success"})


@given(records(), policies())
def test_comment_check_and_tree_agree_on_who_is_awaited(record: Record, policy: Policy) -> None:
    who = waiting_on(record, policy)
    explanation = explain(record, policy, at("14:00"))
    assert awaited(explanation) == who
    line = second_line(show(record, at("14:00"), policy), explanation)
    on_hold = any("which stops the merge only" in row.text for row in flat(explanation.reasons))
    assert ("which stops the merge only" in line) == on_hold
    for role in PEOPLE:
        told = ROLE[role] in line.split("To start again")[0]  # type: ignore[index]  # PEOPLE are roles
        assert told == (role in who), (role, line, who)
    for run in check_runs(show(record, at("14:00"), policy)):
        assert line in run.summary.split("\n")
        if run.conclusion not in BY_CAUSE:
            assert all((ROLE[role] in run.title) == (role in who) for role in PEOPLE)  # type: ignore[index]  # as above


@given(records(), policies())
def test_the_full_comment_and_the_summary_begin_alike(record: Record, policy: Policy) -> None:
    looked_at = show(record, at("14:00"), policy)
    two_lines = full(looked_at).split("\n")[:2]
    for comment in status_comments(looked_at):
        assert comment.body.split("\n")[:2] == two_lines
    for run in check_runs(looked_at):
        assert run.summary.split("\n")[:2] == two_lines


@given(records(), policies())
def test_success_is_never_shown_without_complete_authority(record: Record, policy: Policy) -> None:
    for run in check_runs(show(record, at("14:00"), policy, watched_heads=(OLD_HEAD,))):
        if run.conclusion != "success":
            continue
        assert run.head == (record.merge.head if record.phase == "done" else record.head)
        assert not record.withdrawn or record.phase == "done"
        if record.phase == "done":
            assert not record.merge.external
            assert not record.merge.missing
        else:
            assert record.phase == "submit"
            assert authority_complete(record, policy)
            assert record.held is None
            assert record.frozen is None
            assert record.merge.state != "ambiguous"


@given(records(), policies())
def test_nothing_is_neutral_on_a_governed_head(record: Record, policy: Policy) -> None:
    assert all(run.conclusion != "neutral" for run in check_runs(show(record, at("14:00"), policy)))


@given(records(), policies())
def test_the_same_record_gives_the_same_bytes_and_writes_nothing_twice(record: Record, policy: Policy) -> None:
    looked_at = show(record, at("14:00"), policy, watched_heads=(OLD_HEAD,), watched_pulls=(30,))
    wants = desired(looked_at)
    assert wants == desired(looked_at)
    slots: dict[str, LastWritten] = {}
    for number, step in enumerate(plan(wants, slots), start=1):
        slots[step.slot] = LastWritten(remote_id=number, digest=step.digest, extra=step.extra)
    assert plan(desired(looked_at), slots) == ()


@given(records(), policies())
def test_texts_stay_within_their_limits(record: Record, policy: Policy) -> None:
    for want in status_comments(show(record, at("14:00"), policy)):
        visible = want.body.split("<details>", maxsplit=1)[0].rstrip().split("\n")
        assert len(want.body) <= 20_000
        assert sum(line.startswith("|") for line in visible) <= MAX_ROWS + 2
        assert len(visible) <= 25
    for run in check_runs(show(record, at("14:00"), policy)):
        assert len(run.title) <= TITLE_LIMIT
        assert len(run.text) <= 60_000
        assert len(run.summary) <= 60_000


@given(records(), policies())
def test_whoever_is_awaited_is_told_what_to_do(record: Record, policy: Policy) -> None:
    for row in flat(explain(record, policy).reasons):
        if row.waiting_on in PEOPLE:
            assert row.who_could
            assert row.how or record.phase == "blocked"
        assert "\n" not in sentence(row)
