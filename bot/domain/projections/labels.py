"""Phase labels: exactly one on the issue and on its pull request, restored when changed by hand."""

from bot.domain.model.effects import EnsureLabel
from bot.domain.model.record import Phase
from bot.domain.model.slot_name import SlotName
from bot.domain.projections.show import DesiredLabels, Show
from bot.domain.projections.wording import issue_is_gone

_PHASES: dict[Phase, tuple[str, str]] = {
    "planning": ("c9d1d9", "Waiting for a plan. Shown by Signalbox, changing it does nothing."),
    "plan_ready": ("54a3ff", "A plan waits for review. Shown by Signalbox, changing it does nothing."),
    "plan_rejected": ("f0883e", "The plan was rejected and needs a new revision. Shown by Signalbox."),
    "building": ("39b5b0", "The approved plan is being built. Shown by Signalbox."),
    "testing": ("a371f7", "One commit is being judged. Shown by Signalbox."),
    "submit": ("e27ab5", "Last judgement before the merge. Shown by Signalbox."),
    "done": ("2da44e", "Merged and confirmed. Shown by Signalbox."),
    "blocked": ("cf222e", "An operator must answer a question. Shown by Signalbox."),
}
#: All that a thread can wear of ours, each with its colour and its words.
PHASE_LABELS = tuple(
    EnsureLabel(name=f"signalbox/{phase}", color=color, description=description)
    for phase, (color, description) in _PHASES.items()
)


def labels(show: Show) -> tuple[DesiredLabels, ...]:
    """Issue and pull request wear the phase; a pull request that was replaced or unlinked wears none."""
    record = show.record
    linked = () if record.pull_request is None else (record.pull_request,)
    home = () if issue_is_gone(record) else (record.issue,)
    left = (number for number in show.watched_pulls if number not in linked)
    return (
        *(_labels(number, f"signalbox/{record.phase}") for number in (*home, *linked)),
        *(_labels(number, None) for number in left),
    )


def _labels(number: int, want: str | None) -> DesiredLabels:
    return DesiredLabels(slot=SlotName.labels(number), number=number, want=want, among=PHASE_LABELS)
