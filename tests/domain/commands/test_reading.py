"""What is heard where, from whom, and what is answered about the rest."""

import pytest
from inline_snapshot import snapshot

from bot.domain.commands.reading import Misread, Thread, interpret
from bot.domain.model.command_signals import Approve, Link
from bot.domain.model.ids import Actor
from bot.domain.model.policy import STRICT, CommandsRule
from tests.domain.commands.kit import AT, GRACE, a_comment, a_record, bare, hear, issue, only, pull, refused


def test_a_command_carries_where_it_came_from() -> None:
    item = only(hear("Fine.\n/unknown word\n/approve  testing\u200b 3f2a91c", pull()))
    assert isinstance(item, Approve)
    assert (item.key, item.actor, item.delivery, item.at) == ("comment:900:1", GRACE, "d-1", AT)
    source = item.source
    assert (source.comment_id, source.index, source.thread, source.number) == (900, 1, "pull", 34)
    assert (source.node_id, source.created_at, source.text) == ("C_900", AT, "/approve testing 3f2a91c")


def test_a_text_is_no_part_of_the_command_as_written() -> None:
    assert [item.source.text for item in hear("/reject because\n/signalbox status now", pull())] == [
        "/reject",
        "/signalbox status now",
    ]


def test_prose_is_not_answered() -> None:
    assert hear("Use `/approve` if it is right. /approve", pull()) == ()
    assert hear("/unheard of", pull()) == ()


@pytest.mark.parametrize("body", ["/approve", "/status", "/help", "/plan x", "/aprove", "/link #12"])
def test_bare_commands_need_a_record(body: str) -> None:
    assert hear(body, issue(without=True)) == ()


def test_a_bare_link_is_heard_on_any_pull_request() -> None:
    item = only(hear("/link #12", pull(without=True)))
    assert isinstance(item, Link)
    assert only(hear("/signalbox link #12", pull(without=True))).source.text == "/signalbox link #12"
    assert hear("/approve", pull(without=True)) == ()


@pytest.mark.parametrize("verb", ["approve", "status", "help", "plan x", "gate", "reject x", "candidate"])
@pytest.mark.parametrize("thread", [issue(without=True), pull(without=True)], ids=["issue", "pull"])
def test_the_long_form_is_answered_without_a_record(verb: str, thread: Thread) -> None:
    assert refused(f"/signalbox {verb}", thread).refusal.code == "no_record"


def test_without_a_record_people_are_told_how_to_get_one() -> None:
    assert refused("/signalbox approve", issue(without=True)).refusal.message == snapshot(
        "This issue has no record. A builder starts one by adding the label `signalbox`. "
        "Nothing changed, and this is not kept for later: repeat it here then, or say it now where the record is."
    )
    assert refused("/signalbox approve", pull(without=True)).refusal.message == snapshot(
        "This pull request is not linked to a record. A builder links it with `/link` and the number of "
        "the issue. Nothing changed, and this is not kept for later: repeat it here then, or say it now where the record is."
    )


def test_policy_may_turn_bare_commands_off() -> None:
    assert hear("/approve\n/aprove", pull(), bare(False)) == ()
    assert isinstance(only(hear("/signalbox approve", pull(), bare(False))), Approve)
    assert (
        "`/signalbox approve testing 3f2a91c84e07`"
        in refused("/signalbox approve x", pull(), bare(False)).refusal.message
    )


def test_policy_may_list_the_bare_commands() -> None:
    items = hear("/approve\n/status\n/gat\n/statu", pull(), bare(("/Status", "help")))
    assert [item.source.text for item in items] == ["/status", "/statu"]


@pytest.mark.parametrize("verb", ["aprove", "approvee", "appprove", "approvr", "apporve", "spprove", "paprove"])
def test_a_slip_of_one_letter_is_noticed(verb: str) -> None:
    misread = refused(f"/{verb}", pull())
    assert misread.only_for_role_holders
    assert misread.refusal.code == "unknown_command"
    assert misread.refusal.message.startswith("Did you mean `/approve`?\n")


@pytest.mark.parametrize(
    "verb", ["aprov", "approval", "improve", "merge-it", "lgtm", "retest", "hepl me", "a", "x" * 5_000]
)
def test_other_words_are_ignored_bare_and_answered_in_the_long_form(verb: str) -> None:
    if verb != "hepl me":
        assert hear(f"/{verb}", pull()) == ()
    misread = refused(f"/signalbox {verb}", pull())
    assert misread.refusal.code == "unknown_command"
    assert not misread.only_for_role_holders
    assert len(misread.source.text) <= 80


def test_the_answer_to_an_unknown_command_lists_what_works_here_now() -> None:
    assert refused("/aprove", pull()).refusal.message == snapshot("""\
Did you mean `/approve`?
Of use here, now, to whoever holds the role (yours were not looked up; `/help` does): `/approve testing 3f2a91c84e07`, `/reject` and why, `/gate testing 3f2a91c84e07`, `/hold`, `/status`, `/help`.\
""")  # noqa: E501 - the text is exact
    assert refused("/signalbox", issue()).refusal.message == snapshot("""\
Of use here, now, to whoever holds the role (yours were not looked up; `/help` does): `/plan` and the plan below it, `/approve r2`, `/reject r2` and why, `/hold`, `/status`, `/help`.\
""")  # noqa: E501 - the text is exact
    reviewer = only(hear("/aprove", pull(), level="write"))
    assert isinstance(reviewer, Misread)
    assert reviewer.refusal.message == snapshot("""\
Did you mean `/approve`?
You can use here, now: `/approve testing 3f2a91c84e07`, `/reject` and why, `/hold`, `/status`, `/help`.\
""")


def test_a_command_in_the_wrong_place_names_the_right_one() -> None:
    at_testing = a_record()
    assert refused("/gate", issue(at_testing)).refusal.message == snapshot("""\
`/gate` is bound to a commit, so it works on the pull request only. Nothing changed.
The pull request of this issue is [#34](https://github.com/octo/app/pull/34).\
""")
    assert refused("/gate testing", issue(a_record("plan_ready", pull_request=None))).refusal.message == snapshot("""\
`/gate testing` is bound to a commit, so it works on the pull request only. Nothing changed.
The record is in **plan_ready**, so there is no head to judge yet; a reviewer decides the plan in the issue, with `/approve r2`.\
""")
    assert refused("/plan\nfirst", pull()).refusal.message == snapshot("""\
`/plan` submits the plan of an issue, so it works on the issue only. Nothing changed.
The issue of this pull request is [#12](https://github.com/octo/app/issues/12).\
""")
    assert refused("/approve testing", issue(at_testing)).refusal.message.startswith(
        "`/approve testing` is bound to a commit"
    )
    assert refused("/candidate", issue(at_testing)).refusal.code == "wrong_place"
    assert refused("/link #1", issue(at_testing)).refusal.code == "wrong_place"


def test_ten_commands_are_read_and_eleven_are_not() -> None:
    assert len(hear("/status\n" * 10, pull())) == 10
    misread = refused("/status\n" * 11, pull())
    assert (misread.key, misread.refusal.code) == ("comment:900:0", "too_many_commands")
    assert misread.refusal.message == "11 commands in one comment; at most 10 are read, so none was run."


def test_lines_that_are_no_commands_do_not_count() -> None:
    assert len(hear("/usr bin\n" * 50 + "/status\n", pull())) == 1
    assert len(hear("/plan x\n" + "/status\n" * 50, issue())) == 1


@pytest.mark.parametrize(
    ("actor", "app_id"),
    [
        (Actor(kind="bot", id=0, login="signalbox"), None),
        (Actor(kind="bot", id=9, login="other[bot]"), None),
        (Actor(kind="app", id=9, login="other[bot]"), 77),
        (Actor(kind="person", id=2, login="grace"), 77),
        (Actor(kind="agent", id=5, login="forge-1"), None),
    ],
)
def test_programs_are_not_read(actor: Actor, app_id: int | None) -> None:
    comment = a_comment("/approve\n/signalbox nonsense", pull(), actor=actor, app_id=app_id)
    assert interpret(comment, pull(), STRICT).items == ()


def test_what_an_app_says_in_a_persons_name_is_not_read_even_where_that_name_is_listed() -> None:
    """threats.md, T7: a human gate needs a person's own hand."""
    policy = STRICT.model_copy(update={"commands": CommandsRule(bots=("grace", "grace[bot]"))})
    grace = Actor(kind="person", id=2, login="grace")
    heard = {
        app: len(interpret(a_comment("/gate testing", pull(), actor=grace, app_id=app), pull(), policy).items)
        for app in (None, 77)
    }
    assert heard == {None: 1, 77: 0}


def test_programs_that_the_policy_lists_are_read() -> None:
    policy = STRICT.model_copy(update={"commands": CommandsRule(bots=("Renovate[bot]", "forge"))})
    for login, heard in [("renovate[bot]", 1), ("forge[bot]", 1), ("other[bot]", 0)]:
        comment = a_comment("/approve", pull(), actor=Actor(kind="bot", id=9, login=login), app_id=77)
        assert len(interpret(comment, pull(), policy).items) == heard
