"""`/plan` TEXT: submits the next revision of the plan. The text is the rest of the comment, never cut."""

from bot.domain.commands.spec import CommandSpec, Offer, Said, Thread
from bot.domain.model.command_signals import SubmitPlan
from bot.domain.model.refusals import Refusal

_PHASES = frozenset({"planning", "plan_ready", "plan_rejected"})


def parse(said: Said) -> SubmitPlan | Refusal:
    if not any(char.isalnum() for char in said.text):
        return said.refusal(
            "bad_argument",
            f"No plan follows, so nothing was submitted. A builder starts a comment with {said.typed('plan')} and "
            "writes the whole plan below it.",
        )
    return said.signal(SubmitPlan, text=said.text)


def not_first(said: Said) -> Refusal:
    return said.refusal(
        "bad_argument",
        "Everything after it is the plan, so it must be the first command of its comment. Nothing was submitted; "
        "a builder submits the plan in a comment of its own.",
    )


def quotes_mail(said: Said, line: int) -> Refusal:
    """`line` counts the lines of the comment from 1."""
    return said.refusal(
        "mail_quote",
        f"Line {line} of the comment looks like the start of a quoted e-mail, and a plan is never cut, so nothing was "
        "submitted. A builder submits it again without that line, or with it in a code block.",
    )


def offer(thread: Thread) -> Offer | None:
    record = thread.record
    open_for_plans = record is not None and record.phase in _PHASES and not record.withdrawn and not thread.is_pull
    return Offer("plan", " and the plan below it") if open_for_plans else None


PLAN = CommandSpec(
    name="plan",
    arguments="TEXT",
    where="issue",
    who=("builder",),
    summary="submits the plan, or its next revision",
    examples=(
        ("issue", "/plan\n1. Rotate the key.\n2. Revoke the old one."),
        ("issue", "/plan Rotate the signing key"),
    ),
    parse=parse,
    offer=offer,
    takes="everything",
    bound="submits the plan of an issue",
)
