"""Phase labels: exactly one on the issue and on its pull request, restored when changed by hand."""

from bot.domain.model.effects import EnsureLabel
from bot.domain.model.policy import Policy
from bot.domain.model.record import Phase
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
PHASE_LABELS: frozenset[str] = frozenset(f"signalbox/{phase}" for phase in _PHASES)


def definitions(policy: Policy) -> tuple[EnsureLabel, ...]:
    """All labels of ours with colour and description, for a repository that is new to us."""
    start = EnsureLabel(
        name=policy.start_label, color="1f2937", description="Governed by Signalbox. A builder adds it to start."
    )
    phases = (
        EnsureLabel(name=f"signalbox/{phase}", color=color, description=description)
        for phase, (color, description) in _PHASES.items()
    )
    return (start, *phases)


def labels(show: Show) -> tuple[DesiredLabels, ...]:
    """Issue and pull request wear the phase; a pull request that was replaced or unlinked wears none."""
    record = show.record
    want = f"signalbox/{record.phase}"
    linked = () if record.pull_request is None else (record.pull_request,)
    home = () if issue_is_gone(record) else (record.issue,)
    left = (number for number in show.watched_pulls if number not in linked)
    return (
        *(DesiredLabels(slot=f"labels:{number}", number=number, want=want) for number in (*home, *linked)),
        *(DesiredLabels(slot=f"labels:{number}", number=number, want=None) for number in left),
    )
