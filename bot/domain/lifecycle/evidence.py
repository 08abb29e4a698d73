"""What a stop rests on, copied into the record because GitHub forgets: names, states and addresses (LIFECYCLE.md 2.6)."""

from bot.domain.merging.unmerged import by_github
from bot.domain.model.record import CheckEvidence, Proof, Record
from bot.domain.model.text import moment, visible

_STATES = {"success": "is green", "pending": "has not completed", "missing": "did not report", "failed": "failed"}
#: More than this many are only counted.
MOST = 5


def of_checks(checks: tuple[CheckEvidence, ...]) -> tuple[Proof, ...]:
    """Each check with what it said last; its address is the log on GitHub."""
    shown = tuple(Proof(what=_says(check), url=check.url) for check in checks[:MOST])
    left = len(checks) - len(shown)
    return (*shown, Proof(what=f"and {left} more")) if left else shown


def of_the_merge(record: Record) -> tuple[Proof, ...]:
    """GitHub's own words, where it said some."""
    merge = record.merge
    return (Proof(what=f"GitHub: {visible(merge.reason)}"),) if merge.reason and by_github(merge) else ()


def _says(check: CheckEvidence) -> str:
    since = f" since {moment(check.since)}" if check.since and check.state == "pending" else ""
    return f"{visible(check.name)} {_STATES[check.state]}{since}"
