"""Whatever completes submit reserves, and each of these is the last thing that was missing (LIFECYCLE.md 2.2)."""

from typing import Any

import pytest

from bot.domain.model import command_signals, own_signals, sightings
from bot.domain.model.record import Held, Record, Verification
from bot.domain.model.signals import Signal
from tests.domain.lifecycle import columns, marks
from tests.domain.lifecycle.columns import blocked, without
from tests.domain.lifecycle.happenings import fact, ours, said
from tests.domain.lifecycle.scene import Scene, gathered
from tests.kit.cases import NOW, approves, opens_gate
from tests.kit.records import HEAD, PEOPLE, a_pull

SUBMIT: dict[str, Any] = {"gate": "submit", "sha": HEAD[:12]}
READY = columns.ready()
LAST: dict[str, tuple[Record, Signal]] = {
    "a gate": (without(READY, "submit", "operator"), opens_gate("omar", **SUBMIT)),
    "a review": (without(READY, "submit", "review"), approves("grace", **SUBMIT)),
    "a green check": (
        columns.ready(verification=Verification(state="pending", head=HEAD)),
        fact(sightings.ChecksChanged, head=HEAD, name="build"),
    ),
    "unhold": (
        columns.ready(held=Held(by=PEOPLE["omar"], since=NOW)),
        said(command_signals.Unhold, "omar"),
    ),
    "ready for review": (columns.ready(pull=a_pull(draft=True)), fact(sightings.DraftChanged, pull=34, draft=False)),
    "a policy change": (READY, ours(own_signals.PolicyChanged)),
    "a resume": (blocked(READY), said(command_signals.Resume, "omar", phase="submit")),
}


@pytest.mark.parametrize("last", LAST)
def test_whatever_completes_submit_reserves(last: str) -> None:
    record, signal = LAST[last]
    scene = Scene(record, signal)
    after = marks.after(scene, gathered(scene))
    assert (record.merge.state, after.phase, after.merge.state) == ("none", "submit", "reserved")
