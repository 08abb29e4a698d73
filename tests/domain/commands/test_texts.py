"""Commands that carry a text: a question, an answer, a reason."""

import pytest
from inline_snapshot import snapshot

from bot.domain.commands.reading import Misread
from bot.domain.commands.spec import Thread
from bot.domain.model.command_signals import AnswerQuestion, AskStatus, BlockWork, Cancel, Hold, Replan, Rework
from tests.domain.commands.kit import a_question, a_record, bare, hear, issue, only, pull, refused

VERBS = ["block", "answer", "reject", "rework", "replan", "cancel", "hold"]
NEEDS_TEXT = [verb for verb in VERBS if verb != "hold"]


def text_of(item: object) -> str | None:
    match item:
        case BlockWork(question=text) | AnswerQuestion(text=text) | Cancel(why=text):
            return text
        case Replan(why=text) | Rework(why=text) | Hold(why=text):
            return text
        case _:
            return getattr(item, "reason", None)


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(
    ("written", "kept"),
    [
        (" no lock is held", "no lock is held"),
        ("\nno lock\n\nis held\n", "no lock\n\nis held"),
        (" no lock\r\nis held", "no lock\nis held"),
        (" no\n```\n/approve\n```\nend", "no\n```\n/approve\n```\nend"),
        (" no\n> /approve\nend", "no\n> /approve\nend"),
        (" no\n    /etc/passwd\n/usr/bin is read", "no\n    /etc/passwd\n/usr/bin is read"),
        (" no lock\nOn Monday, ada wrote:\n> /approve", "no lock"),
        (" \u5931\u6557", "\u5931\u6557"),
    ],
)
def test_a_text_is_kept_as_written(verb: str, written: str, kept: str) -> None:
    assert text_of(only(hear(f"/{verb}{written}", pull()))) == kept


@pytest.mark.parametrize("verb", VERBS)
def test_a_text_ends_at_the_next_command(verb: str) -> None:
    first, second = hear(f"/{verb} no\nmore\n/status\nnot this", pull())
    assert text_of(first) == "no\nmore"
    assert isinstance(second, AskStatus)


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb != "answer"])
def test_a_stop_that_says_too_much_still_stops_and_shows_that_it_was_cut(verb: str) -> None:
    kept = text_of(only(hear(f"/{verb} " + "long " * 2_000, pull())))
    assert kept is not None
    assert 3_990 < len(kept) <= 4_000
    assert kept.endswith("long … (cut at 4,000 characters; the comment has all of it)")
    assert text_of(only(hear(f"/{verb} " + "y" * 4_000, pull()))) == "y" * 4_000


def test_an_answer_that_is_too_long_answers_nothing_and_its_writer_is_told() -> None:
    told = refused(f"/answer {'y' * 5_000}", pull()).refusal

    assert told.code == "bad_argument"
    assert told.message == (
        "Its text has 5,000 characters, and at most 4,000 are kept, so nothing was answered. "
        "An operator comments it again in fewer words, with a link to the rest."
    )
    assert text_of(only(hear(f"/answer {'y' * 4_000}", pull()))) == "y" * 4_000


@pytest.mark.parametrize("verb", NEEDS_TEXT)
@pytest.mark.parametrize("written", ["", " ", " .", "\n\n---", " \u200b", " \U0001f44d", " <!-- -->", "\n/status"])
def test_a_text_that_says_nothing_is_refused(verb: str, written: str) -> None:
    item = hear(f"/{verb}{written}", pull())[0]
    assert isinstance(item, Misread), item
    assert item.refusal.code == "bad_argument"
    assert f"`/{verb}` and" in item.refusal.message


def test_what_a_missing_text_is_answered_with() -> None:
    told = "\n".join(refused(f"/{verb}", pull()).refusal.message for verb in NEEDS_TEXT if verb != "reject")
    assert told.replace(". A", ".\nA") == snapshot("""\
A block needs the question that has to be answered first, so nothing was blocked.
A builder, a reviewer or an operator comments `/block` and the question.
An answer needs its text, so nothing was answered.
An operator comments `/answer` and the answer.
Sending the head back needs its reason, so nothing was sent back.
A reviewer or an operator comments `/rework` and why.
Going back to planning needs its reason, so nothing changed.
A builder or an operator comments `/replan` and why.
Withdrawing needs its reason, so nothing was withdrawn.
A builder or an operator comments `/cancel` and why.\
""")


def test_the_long_form_is_named_where_bare_commands_are_off() -> None:
    for verb in NEEDS_TEXT:
        assert f"`/signalbox {verb}` and" in refused(f"/signalbox {verb}", pull(), bare(False)).refusal.message


@pytest.mark.parametrize("written", ["", " ", "\n", " ...", " \u200b"])
def test_a_hold_needs_no_reason(written: str) -> None:
    item = only(hear(f"/hold{written}", issue()))
    assert isinstance(item, Hold)
    assert item.why is None


@pytest.mark.parametrize(
    ("written", "question", "text"),
    [
        ("In the vault.", None, "In the vault."),
        ("q2 In the vault.", "q2", "In the vault."),
        ("Q2: In the vault.", "q2", "In the vault."),
        ("q2\nIn the vault.", "q2", "In the vault."),
        ("q10, in the vault", "q10", "in the vault"),
        ("q0 in the vault", None, "q0 in the vault"),
        ("q2nd in the vault", None, "q2nd in the vault"),
        ("queue 2", None, "queue 2"),
        ("q\u0662 in the vault", None, "q\u0662 in the vault"),
        ("q2 q3 both", "q2", "q3 both"),
        ("`q2` in the vault", None, "`q2` in the vault"),
    ],
)
def test_an_answer_may_name_its_question(written: str, question: str | None, text: str) -> None:
    for body in (f"/answer {written}", f"/signalbox Answer {written}"):
        item = only(hear(body, issue()))
        assert isinstance(item, AnswerQuestion)
        assert (item.question, item.text) == (question, text)


def test_punctuation_behind_the_verb_does_not_hide_the_question() -> None:
    item = only(hear("/answer: q2 in the vault", issue()))
    assert isinstance(item, AnswerQuestion)
    assert (item.question, item.text) == ("q2", "in the vault")


def test_an_answer_without_its_text_names_the_question_that_was_meant() -> None:
    assert "`/answer q7` and the answer" in refused("/answer q7", issue()).refusal.message
    several = issue(a_record("blocked", questions=(a_question("q1", "yes"), a_question("q2"), a_question("q3"))))
    assert "`/answer q2` and the answer" in refused("/answer", several).refusal.message


@pytest.mark.parametrize("thread", [issue(), issue(a_record("building", pull_request=None))])
def test_a_head_is_not_sent_back_on_the_issue(thread: Thread) -> None:
    refusal = refused("/rework it leaks", thread).refusal
    assert refusal.code == "wrong_place"
    assert refusal.message.startswith(
        "`/rework` sends back the head of a pull request, so it works on the pull request only."
    )
