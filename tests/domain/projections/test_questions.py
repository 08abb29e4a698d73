"""Questions in the comment and in the tree: those that are open now, and the command that answers each."""

from bot.domain.explain.tree import explain
from bot.domain.model.policy import STRICT
from bot.domain.model.record import Question, Record
from bot.domain.projections.status_comment import full, short
from tests.kit.blocked_record import blocked
from tests.kit.records import PEOPLE, at, in_testing, merged
from tests.kit.shows import plain, show


def question(name: str, answer: str | None = None) -> Question:
    return Question(id=name, text=f"What of {name}?", asked_by=PEOPLE["grace"], answer=answer)


def asked(*questions: Question) -> Record:
    stopped = blocked(questions=questions)
    assert stopped.blocked is not None
    why = stopped.blocked.model_copy(update={"reason": "question q1 needs an answer"})
    return stopped.model_copy(update={"blocked": why})


def test_the_blocker_is_the_question_that_is_open_now() -> None:
    second = plain(full(show(asked(question("q1", "Yes."), question("q2")), at("10:05"))))
    answered = plain(full(show(asked(question("q1", "Yes.")), at("10:05"))))

    assert "| Blocker | question q2 needs an answer |" in second
    assert "| Blocker | every question is answered, and nobody has let it go on yet |" in answered


def test_of_several_questions_each_is_answered_by_its_name() -> None:
    (row,) = explain(asked(question("q1"), question("q2")), STRICT, at("10:05")).reasons
    (alone,) = explain(asked(question("q1", "Yes."), question("q2")), STRICT, at("10:05")).reasons

    assert "questions q1 and q2 need answers" in row.text
    assert [child.how for child in row.children] == [
        "comment `/answer q1` and the text",
        "comment `/answer q2` and the text",
    ]
    assert [child.how for child in alone.children] == ["comment `/answer` and the text"]


def test_a_question_with_which_the_work_goes_on_is_shown_until_it_is_done() -> None:
    going_on = in_testing(questions=(question("q1", "Yes."), question("q2")))

    for text in (full(show(going_on, at("14:02"))), short(show(going_on, at("14:02")))):
        assert (
            "A question is open, and the work goes on. An operator answers with `/answer` and the text.\n\n> `What"
            in text
        )
    assert "What of q2?" not in full(show(merged(questions=(question("q2"),)), at("14:02")))
