"""What a decision at the terminal rests on, in plain sentences: what is stored of the record, and what GitHub showed."""

from collections.abc import Iterator
from typing import Any

from bot.app.readings import Answers
from bot.domain.explain.ended_rows import blocker
from bot.domain.model.facts import MergeEvidence, PullFacts, Unknown
from bot.domain.model.questions import Question
from bot.domain.model.record import Record
from bot.domain.model.text import moment, settled_from, sha7


def stored(record: Record) -> Iterator[str]:
    """Why it does not go on by itself."""
    if record.blocked is not None:
        stopped = record.blocked
        yield f"blocked in {stopped.from_} since {moment(stopped.since)}: {blocker(record)}"
    for question in record.questions:
        yield f"question {question.id} is {'open' if question.answer is None else 'answered'}: {question.text}"
    for name, (used, allowed) in record.budgets.model_dump().items():
        if allowed and used >= allowed:
            yield f"the budget {name} is used up: {used} of {allowed}"
    merge = record.merge
    if record.in_flight and merge.head is not None:
        asked = f" at {moment(merge.requested_at)}" if merge.requested_at else ""
        yield f"GitHub was asked{asked} to merge {sha7(merge.head)}, and the merge is {merge.state}"
        if merge.answer:
            yield f"its answer: {merge.answer}"
        if merge.window_ends:
            yield f"GitHub is read until {settled_from(merge.window_ends)} before anybody may settle it"


def read(answers: Answers) -> Iterator[str]:
    """What GitHub showed. Only what people decide on; what could not be read is said too."""
    for question, answer in answers.items():
        if isinstance(answer, Unknown):
            yield f"GitHub did not show {_name(question)}: {answer.why}"
        elif isinstance(answer.value, MergeEvidence):
            yield from _both_sides(answer.value)
        elif isinstance(answer.value, PullFacts):
            yield _pull(answer.value)


def _both_sides(seen: MergeEvidence) -> Iterator[str]:
    pull = {True: "merged", False: "not merged", None: "unreadable"}[seen.pull_merged]
    opened = {True: ", open", False: ", closed", None: ""}[seen.pull_open]
    by = f" by {seen.merged_by.login}" if seen.merged_by else ""
    yield f"GitHub shows the pull request as {pull}{opened}{by}"
    base = seen.base or "the base"
    if seen.on_base is None:
        yield f"GitHub does not show whether {base} contains it"
    elif seen.on_base and seen.merge_sha:
        yield f"{base} contains {sha7(seen.merge_sha)} as this merge"
    else:
        yield f"{base} {'contains it' if seen.on_base else 'does not contain it'}"


def _pull(seen: PullFacts) -> str:
    state = "merged" if seen.merged else "open" if seen.open else "closed"
    return f"GitHub shows pull request #{seen.number} {state}, head {sha7(seen.head_sha)}"


def _name(question: Question[Any]) -> str:
    words = "".join(f" {char.lower()}" if char.isupper() else char for char in type(question).__name__)
    return words.strip().removesuffix(" of").removesuffix(" on")
