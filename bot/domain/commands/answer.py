"""`/answer [qN]` TEXT: an operator answers an open question, in every phase. Going on is another word: `/resume`."""

from bot.domain.commands.arguments import leading_question, reason, too_long
from bot.domain.commands.spec import CommandSpec, Offer, Said, Thread
from bot.domain.model.command_signals import AnswerQuestion
from bot.domain.model.refusals import Refusal


def parse(said: Said) -> AnswerQuestion | Refusal:
    question, rest = leading_question(said.text)
    text = reason(rest)
    if text is None:
        words = f"answer {question}" if question else _words(said.thread)
        return said.refusal(
            "bad_argument",
            "An answer needs its text, so nothing was answered. "
            f"An operator comments {said.typed(words)} and the answer.",
        )
    if refusal := too_long(said, rest, "nothing was answered"):
        return refusal
    return said.signal(AnswerQuestion, question=question, text=text)


def _open(thread: Thread) -> tuple[str, ...]:
    questions = thread.record.questions if thread.record else ()
    return tuple(question.id for question in questions if question.answer is None)


def _words(thread: Thread) -> str:
    """The question is named where there are several."""
    ids = _open(thread)
    return f"answer {ids[0]}" if len(ids) > 1 else "answer"


def offer(thread: Thread) -> Offer | None:
    record = thread.record
    over = record is None or record.frozen is not None or record.phase == "done"
    return Offer(_words(thread), " and the text") if _open(thread) and not over else None


ANSWER = CommandSpec(
    name="answer",
    arguments="[qN] TEXT",
    where="both",
    who=("operator",),
    summary="answers an open question",
    examples=(
        ("issue", "/answer In the old vault."),
        ("issue", "/answer q2 In the old vault."),
        ("pull", "/answer q1\nIn the old vault.\nAsk for access there."),
    ),
    parse=parse,
    offer=offer,
    takes="text",
)
