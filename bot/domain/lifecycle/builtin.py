"""The built-in delivery machine, compiled once."""

from importlib.resources import files

from bot.domain.lifecycle.actions import ACTIONS
from bot.domain.lifecycle.guards import GUARDS
from bot.domain.lifecycle.turn import Turn
from bot.domain.machine.document import Document
from bot.domain.machine.engine import Machine, compile_machine
from bot.domain.model.record import MachineRef


def _delivery() -> Machine[Turn]:
    text = files("bot.domain.machines").joinpath("delivery.json").read_text(encoding="utf-8")
    return compile_machine("delivery", Document.model_validate_json(text), GUARDS, ACTIONS)


DELIVERY = _delivery()
DELIVERY_REF = MachineRef(hash=DELIVERY.hash)
