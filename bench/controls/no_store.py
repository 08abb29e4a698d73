"""Signalbox as it is served, but nothing is stored: what durability costs is the difference."""

import sys

from bot.__main__ import main
from bot.app.intake import Accepted, Intake, Routing


async def accept(_self: Intake, _guid: str, _event: str, _body: bytes, _routing: Routing) -> Accepted:
    return "accepted"


Intake.accept = accept  # type: ignore[method-assign, assignment]  # the one thing that differs
sys.argv[1:] = ["serve"]
main()
