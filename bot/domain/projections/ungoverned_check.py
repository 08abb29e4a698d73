"""What our check says on a pull request without a record."""

from typing import NamedTuple

from bot.domain.explain.offers import spelled
from bot.domain.model.effects import CheckConclusion
from bot.domain.model.policy import Policy
from bot.domain.model.text import code


class UngovernedCheck(NamedTuple):
    conclusion: CheckConclusion
    title: str
    summary: str


def ungoverned_check(policy: Policy) -> UngovernedCheck | None:
    """None = nothing is said."""
    match policy.ungoverned:
        case "ignore":
            return None
        case "neutral":
            return UngovernedCheck(
                "neutral",
                "not governed: this pull request has no record",
                f"The policy lets pull requests pass that have no record, so Signalbox judges nothing here. {_way(policy)}",
            )
        case "require":
            return UngovernedCheck(
                "action_required",
                "not governed: this pull request needs a record",
                f"The policy asks for a record behind every pull request, and this one has none. {_way(policy)}",
            )


def withdrawn_check() -> UngovernedCheck:
    """In the place of what was said under older rules, so that nothing passes by it any more."""
    return UngovernedCheck(
        "cancelled", "not governed", "The policy no longer says anything about pull requests without a record."
    )


def _way(policy: Policy) -> str:
    link = code(f"/{spelled(policy, 'link').removeprefix('/')}")
    return (
        f"To have it judged, a builder adds the label {code(policy.start_label)} to an issue, "
        f"and comments {link} and the number of that issue here."
    )
