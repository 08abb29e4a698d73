"""Plan revisions and what changed between neighbours, line by line."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from bot.domain.model.record import Plan
from bot.web.pages.inline import revealed

#: Revisions on the page, the newest ones.
MOST = 5
#: Longer plans are not compared here: the time it takes grows with the square.
MOST_LINES = 2000

Change = tuple[Literal["same", "del", "ins"], str]


@dataclass(frozen=True, slots=True)
class Difference:
    """`changes` None = too long to compare."""

    before: int
    after: int
    changes: tuple[Change, ...] | None


def newest(plans: Mapping[int, Plan]) -> tuple[Plan, ...]:
    return tuple(plans[revision] for revision in sorted(plans, reverse=True)[:MOST])


def differences(plans: Mapping[int, Plan]) -> tuple[Difference, ...]:
    """Newest first; neighbours only."""
    return tuple(
        Difference(plan.revision - 1, plan.revision, _changes(plans[plan.revision - 1].text, plan.text))
        for plan in newest(plans)
        if plan.revision - 1 in plans
    )


def _changes(old: str, new: str) -> tuple[Change, ...] | None:
    before, after = revealed(old).splitlines(), revealed(new).splitlines()
    if max(len(before), len(after)) > MOST_LINES:
        return None
    return tuple(_compared(before, after))


def _compared(before: list[str], after: list[str]) -> Iterator[Change]:
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after).get_opcodes():
        if tag == "equal":
            yield from (("same", line) for line in before[i1:i2])
        else:
            yield from (("del", line) for line in before[i1:i2])
            yield from (("ins", line) for line in after[j1:j2])
