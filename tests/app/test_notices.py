"""Notices on GitHub: created once, edited to their last text and hidden, never written again; a locked thread loses nothing."""

import pytest

from bot.domain.model.policy import STRICT
from bot.simulator.model.threads import Comment, Thread
from tests.kit.stage import Stage, run
from tests.simulation.golden import Golden

CALLING = STRICT.model_copy(update={"notify": ("octo/release",)})


def building(stage: Stage | None = None, acts: int = 3) -> Golden:
    """The golden path as far as these acts; after three of them the plan is approved."""
    golden = Golden(stage or Stage(policy=CALLING))
    for act in golden.acts[:acts]:
        act()
        golden.rest()
    return golden


def says(golden: Golden, who: str, text: str, thread: Thread | None = None) -> None:
    golden.says(who, thread or golden.issue, text)
    golden.stage.settles()


def notices(thread: Thread) -> list[Comment]:
    return [each for each in thread.comments if "<!-- signalbox:notice:" in each.body]


def first_lines(thread: Thread) -> list[str]:
    return [each.body.splitlines()[0] for each in notices(thread)]


def checks_say(golden: Golden) -> str:
    (run_,) = [each for each in golden.repo.runs if each.name == "signalbox" and each.head == golden.pull.head]
    return run_.text or ""


def test_a_question_calls_operators_once_and_its_answer_only_edits() -> None:
    golden = building()
    says(golden, "ada", "/block Which key store?")
    (notice,) = notices(golden.issue)
    assert "> `Which key store?`" in notice.body
    assert "For @octo/release" in notice.body

    says(golden, "omar", "/answer vault-2")
    assert first_lines(golden.issue) == [
        "**An operator is needed: every question is answered, and the work waits for the word to go on.**"
    ]
    assert notice.minimized is None


def test_a_notice_that_is_over_is_edited_and_hidden_and_the_next_block_is_told_anew() -> None:
    golden = building()
    says(golden, "ada", "/block Which key store?")
    says(golden, "omar", "/resume building")
    (first,) = notices(golden.issue)
    assert first.body.startswith("**Settled**: `omar` resumed it in **building**; q1 still open then.\n")
    assert first.minimized == "resolved"

    says(golden, "ada", "/block And which region?")
    assert [each.minimized for each in notices(golden.issue)] == ["resolved", None]


def test_a_second_question_is_told_by_a_second_notice() -> None:
    golden = building()
    says(golden, "ada", "/block Which key store?")
    says(golden, "grace", "/block And which region?")
    assert first_lines(golden.issue) == [
        "**Settled**: `grace` asked another question, and a newer notice lists all that are open.",
        "**An operator is needed: two questions are open, and the work waits for the answers.**",
    ]


def test_on_the_pull_request_one_line_says_where_operators_are_called() -> None:
    golden = building(acts=5)
    says(golden, "ada", "/block Which key store?")
    (status,) = [each for each in golden.pull.comments if "signalbox:status:" in each.body]
    assert f"Operators are called in [#{golden.issue.number}](" in status.body
    assert notices(golden.pull) == []
    assert len(notices(golden.issue)) == 1


def test_a_settled_notice_is_left_alone_whatever_people_do_to_it() -> None:
    golden = building()
    says(golden, "ada", "/block Which key store?")
    says(golden, "omar", "/resume building")
    (notice,) = notices(golden.issue)
    golden.stage.world.edits_comment("ada", notice, "Nothing happened here.")
    says(golden, "ada", "/status")
    assert notice.body == "Nothing happened here."
    assert notices(golden.issue) == []


def test_a_notice_that_somebody_edits_is_restored_while_it_stands() -> None:
    golden = building()
    says(golden, "ada", "/block Which key store?")
    (notice,) = notices(golden.issue)
    before = notice.body
    golden.stage.world.edits_comment("ada", notice, "Nothing is asked.")
    golden.stage.settles()
    assert notice.body == before


@pytest.mark.parametrize("heard", [True, False], ids=["its deletion was heard of", "its deletion was lost"])
def test_a_deleted_notice_never_comes_back(heard: bool) -> None:
    golden = building()
    says(golden, "ada", "/block Which key store?")
    golden.stage.world.deletes_comment("ada", notices(golden.issue)[0])
    if not heard:
        golden.stage.world.hooks.take()
    golden.stage.settles()
    says(golden, "omar", "/answer vault-2")
    says(golden, "ada", "/status")
    says(golden, "omar", "/resume building")
    golden.rest()
    assert notices(golden.issue) == []
    assert golden.stage.record("octo/app", golden.issue.number).phase == "building"


def test_what_was_published_once_is_not_written_again() -> None:
    """known-faults.md, row 90."""
    golden = building()
    says(golden, "ada", "/block Which key store?")
    key = golden.stage.record("octo/app", golden.issue.number).key
    golden.stage.world.requests.clear()
    run(golden.stage.store.run(lambda tx: tx.records.mark_dirty(key)))
    run(golden.stage.work.publisher.publish(key))
    assert golden.stage.world.requests == []

    run(golden.stage.store.run(lambda tx: tx.slots.distrust(key)))
    run(golden.stage.work.publisher.publish(key))
    assert {request.method for request in golden.stage.world.requests} == {"GET"}
    golden.stage.world.requests.clear()
    run(golden.stage.work.publisher.publish(key))
    assert golden.stage.world.requests == [], "what was looked at is certain again"


def test_a_lost_answer_to_a_notice_makes_no_second_one() -> None:
    golden = building()
    golden.stage.world.loses_answer_to("create_comment")
    says(golden, "ada", "/block Which key store?")
    golden.rest()
    assert len(notices(golden.issue)) == 1


def test_a_locked_issue_loses_no_question_because_the_check_run_carries_it() -> None:
    golden = building(acts=5)
    golden.stage.world.locks("omar", golden.issue)
    golden.says("ada", golden.pull, "/block Which key store?")
    golden.stage.settles()
    assert notices(golden.issue) == []
    told = checks_say(golden)
    assert told.startswith("GitHub did not take this comment on [#1](https://github.com/octo/app/issues/1):")
    assert "> `Which key store?`" in told
    assert "@" not in told

    golden.says("omar", golden.pull, "/resume testing")
    golden.stage.settles()
    assert "GitHub did not take" not in checks_say(golden)
    golden.stage.world.locks("omar", golden.issue, locked=False)
    golden.rest()
    assert notices(golden.issue) == [], "its cause is over"


def test_a_status_comment_that_a_locked_thread_refuses_stands_in_the_check_run() -> None:
    golden = building()
    golden.stage.world.fails("create_comment", 403, times=None)
    golden.opens_pull()
    golden.rest()
    assert [each for each in golden.pull.comments if each.app] == []
    assert f"GitHub did not take this comment on [#{golden.pull.number}](" in checks_say(golden)

    golden.stage.world.heals()
    golden.stage.world.check_run("actions", golden.pull, "build")
    golden.rest()
    assert len([each for each in golden.pull.comments if "signalbox:status:" in each.body]) == 1
    assert "GitHub did not take" not in checks_say(golden)


def test_a_gone_issue_is_told_on_the_pull_request_and_nothing_is_written_on_it() -> None:
    golden = building(acts=5)
    golden.stage.world.sets_permission("omar", golden.repo, "admin")
    golden.stage.world.deletes_issue("omar", golden.issue)
    golden.rest()
    (told,) = first_lines(golden.pull)
    assert told.startswith("**This pull request cannot go on: the issue was deleted** (evidence: [GitHub said so ")
    assert told.endswith("](https://github.com/octo/app/issues/1)).")
    (status,) = [each for each in golden.pull.comments if "signalbox:status:" in each.body]
    assert status.body.startswith("**blocked** in testing")
    assert [line for line in golden.stage.log.lines if line[1] == "publishing_paused"] == []


def test_the_turn_of_the_human_gate_ends_with_who_opened_it() -> None:
    golden = building(acts=6)
    assert [line[:29] for line in first_lines(golden.pull)] == ["**Ready for the human gate:**"]
    golden.acts[6]()
    golden.rest()
    (notice,) = notices(golden.pull)
    assert notice.body.startswith("**Settled**: `omar` opened the human gate, ")
    assert notice.minimized == "resolved"
