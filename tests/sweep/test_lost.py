"""What no webhook told, one thing at a time: found within one sweep, brought once."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from bot.domain.gates.gate import counting
from bot.domain.model.record import Decision
from bot.simulator.model.threads import Comment
from tests.kit.sweeping import INTERVAL, SweepingStage
from tests.simulation.golden import Golden

Happens = Callable[[Golden], object]


@dataclass
class Swept(Golden):
    """A golden path whose bot sweeps."""

    stage: SweepingStage = field(default_factory=SweepingStage)


def waits(golden: Golden, seconds: float) -> None:
    golden.stage.settles()
    golden.stage.later(seconds, stride=30)


def under_way(acts: int) -> Swept:
    """A golden path with its webhooks, as far as `acts`; the sweep has seen the repository."""
    golden = Swept()
    for act in golden.acts[:acts]:
        act()
        golden.rest()
    waits(golden, 2 * INTERVAL)
    return golden


def reached(acts: int) -> Swept:
    """From here on no webhook arrives."""
    golden = under_way(acts)
    golden.stage.world.drops_webhooks(logged=False)
    return golden


def swept(golden: Golden) -> Golden:
    """One sweep later, and what follows from it."""
    waits(golden, INTERVAL + 30)
    return golden


def record(golden: Golden):  # type: ignore[no-untyped-def]  # the record, for short
    return golden.stage.record("octo/app", golden.issue.number)


def answers(golden: Golden, comment: Comment) -> list[str]:
    marker = f"signalbox:reply:comment:issue:{comment.id} "
    return [one.body for one in comment.thread.comments if marker in one.body]


def reactions(comment: Comment) -> list[str]:
    return [one.content for one in comment.reactions]


def test_a_label_starts_in_the_name_of_who_added_it() -> None:
    golden = Swept()
    golden.stage.world.drops_webhooks(logged=False)
    golden.stage.world.labels("ada", golden.issue, "signalbox")
    waits(golden, 2 * INTERVAL)
    assert (record(golden).phase, record(golden).requester.login) == ("planning", "ada")


def test_a_label_by_somebody_without_the_right_starts_nothing_and_is_answered_once() -> None:
    golden = Swept()
    golden.stage.world.drops_webhooks(logged=False)
    golden.stage.world.sets_permission("lin", golden.repo, "triage")
    golden.stage.world.labels("lin", golden.issue, "signalbox")
    waits(golden, 4 * INTERVAL)
    (told,) = golden.issue.comments
    assert told.body.startswith("Not started: the label needs a builder")


def test_a_command_written_right_after_a_lost_label_is_heard_too() -> None:
    golden = Swept()
    golden.stage.world.drops_webhooks(event="issues", logged=False)
    golden.stage.world.labels("ada", golden.issue, "signalbox")
    golden.says("ada", golden.issue, "/plan\nRetry three times.")
    waits(golden, 2 * INTERVAL)
    assert record(golden).phase == "plan_ready"


def test_a_command_is_applied_and_answered_once_however_often_it_is_swept() -> None:
    """known-faults.md, row 110."""
    golden = reached(4)
    golden.says("grace", golden.issue, "/hold wait for the design")
    golden.says("grace", golden.issue, "/approve")
    swept(golden)
    hold, refused = [one for one in golden.issue.comments if one.app is None][-2:]
    first = record(golden).version
    waits(golden, 4 * INTERVAL)

    assert record(golden).held is not None
    assert (reactions(hold), reactions(refused)) == (["+1"], ["confused"])
    assert len(answers(golden, refused)) == 1
    assert record(golden).version == first


@pytest.mark.parametrize("text", ["/hold", "/approve r1", "/plan\nAnother plan."])
@pytest.mark.parametrize("seconds", [None, 0], ids=["later", "in the same second"])
def test_i17_a_comment_that_was_edited_before_the_sweep_saw_it_decides_nothing(text: str, seconds: int | None) -> None:
    """threats.md, T4. GitHub's times have whole seconds."""
    golden = reached(2)
    before = record(golden)
    comment = golden.stage.world.comments("grace", golden.issue, "I will read it.")
    golden.stage.world.edits_comment("grace", comment, text)
    if seconds is not None:
        comment.updated_at = comment.created_at
    waits(golden, 2 * INTERVAL)

    assert record(golden) == before
    (answer,) = answers(golden, comment)
    assert "This comment was edited before it was read" in answer
    assert reactions(comment) == ["confused"]


def test_a_comment_whose_webhook_came_is_not_heard_again_when_it_is_edited() -> None:
    """known-faults.md, row 6."""
    golden = reached(2)
    golden.stage.world.heals()
    comment = golden.stage.world.comments("grace", golden.issue, "I will read it.")
    golden.rest()
    golden.stage.world.edits_comment("grace", comment, "/approve r1")
    waits(golden, 2 * INTERVAL)
    assert answers(golden, comment) == []
    assert record(golden).phase == "plan_ready"


def test_a_pull_request_is_linked() -> None:
    golden = reached(3)
    golden.opens_pull()
    swept(golden)
    assert record(golden).pull_request == golden.pull.number


def test_a_push_is_seen_and_what_was_decided_on_the_old_head_is_void() -> None:
    golden = reached(6)
    assert counting(record(golden), "testing") != ()
    head = golden.stage.world.pushes("ada", golden.pull)
    swept(golden)
    assert record(golden).head == head
    assert tuple(counting(record(golden), "testing")) == ()


def test_a_head_that_went_away_and_came_back_is_a_new_head() -> None:
    golden = reached(6)
    epoch, head = record(golden).head_epoch, golden.pull.head
    golden.stage.world.pushes("ada", golden.pull)
    golden.stage.world.force_pushes("ada", golden.pull, sha=head)
    swept(golden)
    assert record(golden).head == head
    assert record(golden).head_epoch > epoch
    assert tuple(counting(record(golden), "testing")) == ()


def test_a_red_check_sends_it_back() -> None:
    golden = reached(6)
    golden.stage.world.check_run("actions", golden.pull, "build", conclusion="failure")
    swept(golden)
    assert record(golden).phase == "building"


def approved(golden: Golden) -> list[Decision]:
    return [one for one in counting(record(golden), "testing") if one.kind == "review"]


def test_a_native_review_counts_and_its_dismissal_takes_it_away() -> None:
    golden = reached(5)
    review = golden.stage.world.reviews("grace", golden.pull, "APPROVED")
    swept(golden)
    assert [one.by.login for one in approved(golden)] == ["grace"]
    golden.stage.world.dismisses_review("omar", review)
    swept(golden)
    assert approved(golden) == []


def test_a_command_in_a_review_counts_and_in_an_edited_one_it_does_not() -> None:
    golden = reached(5)
    golden.stage.world.reviews("grace", golden.pull, "COMMENTED", "/hold wait")
    swept(golden)
    assert record(golden).held is not None
    review = golden.stage.world.reviews("grace", golden.pull, "COMMENTED", "thanks")
    golden.stage.world.edits_review("grace", review, "/unhold")
    waits(golden, 2 * INTERVAL)
    assert record(golden).held is not None


def test_a_command_on_a_line_of_the_diff_counts() -> None:
    """known-faults.md, row 14."""
    golden = reached(5)
    golden.stage.world.comments_on_line("grace", golden.pull, "/hold this line")
    swept(golden)
    assert record(golden).held is not None


def closes(golden: Golden) -> None:
    golden.stage.world.closes("ada", golden.issue)


def unlabels(golden: Golden) -> None:
    golden.stage.world.unlabels("ada", golden.issue, "signalbox")


@pytest.mark.parametrize("happens", [closes, unlabels])
def test_work_is_withdrawn_and_revived(happens: Happens) -> None:
    golden = reached(3)
    happens(golden)
    swept(golden)
    assert record(golden).withdrawn
    if happens is closes:
        golden.stage.world.reopens("ada", golden.issue)
    else:
        golden.stage.world.labels("ada", golden.issue, "signalbox")
    swept(golden)
    assert (record(golden).withdrawn, record(golden).phase) == (False, "planning")


def test_a_label_that_still_hangs_on_cancelled_work_does_not_revive_it() -> None:
    golden = reached(3)
    golden.says("ada", golden.issue, "/cancel not needed")
    waits(golden, 4 * INTERVAL)
    assert record(golden).withdrawn


def test_somebody_without_the_right_who_takes_the_label_away_sees_it_put_back() -> None:
    golden = reached(3)
    golden.stage.world.sets_permission("lin", golden.repo, "triage")
    golden.stage.world.unlabels("lin", golden.issue, "signalbox")
    waits(golden, 3 * INTERVAL)
    assert "signalbox" in [label.name for label in golden.issue.labels]
    assert not record(golden).withdrawn


def test_an_issue_that_is_gone_blocks() -> None:
    golden = reached(3)
    golden.stage.world.sets_permission("sam", golden.repo, "admin")
    golden.stage.world.deletes_issue("sam", golden.issue)
    swept(golden)
    assert (record(golden).phase, record(golden).issue_gone) == ("blocked", "deleted")


def test_what_others_did_to_our_comment_and_labels_is_put_right() -> None:
    golden = reached(4)
    comment = next(one for one in golden.pull.comments if "signalbox:status" in one.body)
    right = comment.body
    golden.stage.world.edits_comment("grace", comment, "All good, merge it.")
    label = f"signalbox/{record(golden).phase}"
    golden.stage.world.unlabels("grace", golden.issue, label)
    waits(golden, 3 * INTERVAL)
    assert comment.body == right
    assert label in [one.name for one in golden.issue.labels]


def our_runs(golden: Golden) -> list[tuple[str, str | None]]:
    return [(run.status, run.conclusion) for run in golden.repo.runs if run.name == "signalbox"]


def test_a_check_run_that_stands_open_for_ten_days_is_made_anew_before_it_is_stale() -> None:
    golden = reached(5)
    assert our_runs(golden) == [("in_progress", None)]
    golden.stage.world.clock.advance(9 * 86_400)
    waits(golden, 2 * INTERVAL)
    assert our_runs(golden) == [("in_progress", None)]
    golden.stage.world.clock.advance(86_400)
    waits(golden, 2 * INTERVAL)
    assert our_runs(golden) == [("in_progress", None), ("in_progress", None)]


def test_comparing_writes_nothing_where_everything_is_right() -> None:
    golden = reached(4)
    before = len(golden.stage.world.requests)
    waits(golden, 6 * INTERVAL)
    assert [one.operation for one in golden.stage.world.requests[before:] if one.method != "GET"] == []


@pytest.mark.parametrize("acts", range(1, 9))
def test_i13_a_sweep_of_what_is_known_changes_nothing_and_gives_no_authority(acts: int) -> None:
    """Twice is as once."""
    golden = reached(acts)
    before = (record(golden), golden.stage.authority("octo/app", golden.issue.number))
    golden.stage.restarts()
    waits(golden, 3 * INTERVAL)
    assert (record(golden), golden.stage.authority("octo/app", golden.issue.number)) == before


@pytest.mark.parametrize("seconds", [6 * 3600 + 600])
def test_a_full_sweep_repeats_nothing(seconds: int) -> None:
    golden = reached(7)
    before = record(golden)
    comments = len(golden.issue.comments) + len(golden.pull.comments)
    golden.stage.later(seconds, stride=60)
    assert record(golden) == before
    assert len(golden.issue.comments) + len(golden.pull.comments) == comments
