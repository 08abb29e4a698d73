"""How records are shown in tests: the addresses of the documentation, and texts as people see them."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from bot.domain.model.policy import Policy
from bot.domain.model.record import Record
from bot.domain.model.seal import Seal
from bot.domain.projections.check_run import check_runs
from bot.domain.projections.show import DesiredCheck, Show, WebAddress
from tests.kit.records import POLICY

WEB = WebAddress(public_url="https://signalbox.example")
SEAL = Seal(b"a key of the App")
#: Where the history of every shown record stands.
PATH = "0123456789abcdef"


def show(record: Record, as_of: datetime | None = None, policy: Policy = POLICY, **more: Any) -> Show:
    refusal: Mapping[str, Any] | None = more.pop("last_refusal", None)
    when = as_of or record.phase_since
    shown = Show(record=record, policy=policy, as_of=when, web=WEB, instance="i-1", last_refusal=refusal, **more)
    return replace(shown, seal=SEAL, path=PATH)


def plain(text: str) -> str:
    """With ordinary spaces, as the documentation prints it."""
    return text.replace("\u00a0", " ")


def check(record: Record, policy: Policy = POLICY, as_of: datetime | None = None) -> DesiredCheck:
    """The check run on the present head."""
    (found,) = (run for run in check_runs(show(record, as_of, policy)) if not run.final)
    return found
