"""What notices about blocked work say: the blocker, the evidence, and what an operator types for this very blocker."""

from bot.domain.explain.ended_rows import builders_resume, open_questions
from bot.domain.explain.offers import person, spelled
from bot.domain.gates.checks import lacks_required
from bot.domain.merging.unmerged import by_github
from bot.domain.model.record import Blocked, Phase, Question, Record
from bot.domain.model.resuming import furthest, given_up
from bot.domain.model.text import code, in_words, link, plain, sha12, spanned
from bot.domain.projections.notice_texts import what_came_of_it, what_was_missing, who_merged
from bot.domain.projections.questions import listed_questions, shown_questions
from bot.domain.projections.show import Show
from bot.domain.projections.wording import commit, evidence

_DOING: dict[Phase, str] = {
    "planning": "It was in planning",
    "plan_ready": "A plan was waiting for its review",
    "plan_rejected": "A rejected plan was waiting for its next revision",
}
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def blocked(show: Show) -> str:
    """Every blocker that the issue's thread is told of, but a merge outside."""
    stopped = _stopped(show)
    match stopped.cause:
        case "budget":
            return _budget(show)
        case "checks" if lacks_required(show.record.verification):
            meaning = "Nothing is merged of which nobody knows which check it has to pass."
            return _by_itself(
                show, meaning, "names what is required under `checks` in the policy, or in the rules of the base"
            )
        case "checks":
            return _by_itself(show, "Nothing is merged on a check that did not report.", "sees to the check")
        case "merge_refused":
            return _by_itself(show, "A merge by hand would count as outside.", _after_no_merge(show))
        case _:
            return _question(show)


def _after_no_merge(show: Show) -> str:
    return "changes what GitHub names" if by_github(show.record.merge) else "looks at the pull request"


def merged_outside(show: Show) -> str:
    """Where the policy wants an operator to settle what somebody else merged."""
    settle = spelled(show.policy, "settle merged")
    return _joined(
        show,
        f"**An operator is needed: {who_merged(show)} merged this outside Signalbox**{what_came_of_it(show)}.\n"
        f"{what_was_missing(show)}",
        f"An operator settles it with `{settle}` and the 40-digit merge commit; "
        f"if it was a mistake, revert it on GitHub as well ({_evidence(show)}).",
    )


def issue_gone(show: Show) -> str:
    """Told on the pull request: the thread of the issue is not here any more."""
    label = code(show.policy.start_label)
    return (
        f"**This pull request cannot go on: {plain(_stopped(show).reason)}** ({_evidence(show)}).\n"
        "Its record ends here, and Signalbox will not merge it. No command changes that.\n"
        f"A builder starts anew by adding the label {label} to the issue that takes its place."
    )


def _question(show: Show) -> str:
    questions = open_questions(show.record)
    if not questions:
        return _joined(
            show,
            "**An operator is needed: every question is answered, and the work waits for the word to go on.**",
            f"{_was_doing(show)} ({_evidence(show)}).\n{_who(show).capitalize()} lets it go on with {_resume(show)}.",
        )
    who = person(questions[0].asked_by.login)
    one = len(questions) == 1
    head = (
        f"**An operator is needed: {who} asks one question, and the work waits for the answer.**"
        if one
        else f"**An operator is needed: {in_words(len(questions))} questions are open, and the work waits for the answers.**"
    )
    return (
        f"{head}\n\n{shown_questions(questions)}\n\n{_was_doing(show)}{_because(show)} ({_evidence(show)}).\n"
        f"An operator answers {_how_to_answer(show, questions)}, then {_lets_go_on(show)} with {_resume(show)}."
    )


def _budget(show: Show) -> str:
    record = show.record
    retry, cancel = spelled(show.policy, "retry"), spelled(show.policy, "cancel")
    why, allowed = _used_up(record)
    more = f"{in_words(allowed)} more" if allowed else "more tries"
    return _joined(
        show,
        f"**An operator is needed: {why}.**\n{_last_head(show)}No agent will continue by itself ({_evidence(show)}).",
        f"An operator allows {more} with `{retry}`, or withdraws it with `{cancel}` and why. A retry approves nothing.",
    )


def _by_itself(show: Show, meaning: str, remedy: str) -> str:
    """Something outside stood still for too long."""
    return _joined(
        show,
        f"**An operator is needed: {plain(_stopped(show).reason)}.**\n"
        f"{_was_doing(show)} ({_evidence(show)}). {meaning}",
        f"An operator {remedy}, then {_lets_go_on(show)} with {_resume(show)}.",
    )


def _joined(show: Show, told: str, way_out: str) -> str:
    """What happened and what to type, with open questions between them where somebody asked some meanwhile."""
    questions = open_questions(show.record)
    if not questions:
        return f"{told}\n{way_out}"
    answering = f"An operator answers {_how_to_answer(show, questions)}."
    return f"{told}\n\n{listed_questions(questions)}\n\n{answering}\n{way_out}"


def _used_up(record: Record) -> tuple[str, int]:
    """Which budget it was, in words, and how much a retry allows again."""
    cycles, retries = record.budgets.review_cycles, record.budgets.check_retries
    if cycles[1] and cycles[0] >= cycles[1] and record.is_rejected:
        ordinal = _ORDINALS[cycles[1] - 1] if cycles[1] <= len(_ORDINALS) else "last"
        return f"the {ordinal} rejection used up the review cycles of this task ({cycles[0]} of {cycles[1]})", cycles[1]
    if retries[1] and retries[0] >= retries[1]:
        return f"the checks used up their tries for this work ({retries[0]} of {retries[1]})", retries[1]
    return plain(_stopped_of(record).reason), 0


def _last_head(show: Show) -> str:
    record = show.record
    if record.head is None or not record.is_rejected:
        return ""
    by = f" by {person(record.feedback_by.login)}" if record.feedback_by else ""
    reason = link("reason", record.feedback_url)
    return f"The head {commit(show, record.head)} was rejected{by}{f' ({reason})' if reason != 'reason' else ''}. "


def _how_to_answer(show: Show, questions: tuple[Question, ...]) -> str:
    answer = spelled(show.policy, "answer")
    if len(questions) == 1:
        return f"with `{answer}` and the text"
    return f"each one with `{answer}`, its id and the text"


def _was_doing(show: Show) -> str:
    record, phase = show.record, _stopped(show).from_
    plan = f" plan r{record.plan.revision}" if record.plan else ""
    if phase == "building":
        return f"It was building{plan}"
    if phase in {"testing", "submit"}:
        head = spanned(record.head and sha12(record.head))
        return f"It was testing {head}" if phase == "testing" else f"It was about to merge {head}"
    return _DOING.get(phase, f"It was in {phase}")


def _because(show: Show) -> str:
    """The blocker, unless it only says that there is a question."""
    reason = _stopped(show).reason
    if reason in {f"question {each.id} needs an answer" for each in show.record.questions}:
        return ""
    return f": {plain(reason)}"


def _who(show: Show) -> str:
    return "a builder or an operator" if builders_resume(show.record, show.policy) else "an operator"


def _lets_go_on(show: Show) -> str:
    """After what an operator has to do first."""
    return f"{_who(show)} lets it go on" if builders_resume(show.record, show.policy) else "lets it go on"


def _resume(show: Show) -> str:
    """The furthest it can go on to, and that an earlier phase will do."""
    target = furthest(_stopped(show).from_)
    earlier = "" if target == "planning" else " or an earlier phase"
    costs = given_up(show.record)
    return f"`{spelled(show.policy, f'resume {target}')}`{earlier}{f'; {costs}' if costs else ''}"


def _evidence(show: Show) -> str:
    shown = evidence(show, "evidence")
    return f"evidence: {shown}" if _stopped(show).proofs else shown


def _stopped(show: Show) -> Blocked:
    return _stopped_of(show.record)


def _stopped_of(record: Record) -> Blocked:
    assert record.blocked is not None, "only a blocked record has these notices"
    return record.blocked
