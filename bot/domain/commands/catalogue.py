"""Every command there is, in the order in which lists show them. A new command is one file and one line here."""

from collections.abc import Mapping
from types import MappingProxyType

from bot.domain.commands.approve import APPROVE
from bot.domain.commands.candidate import CANDIDATE
from bot.domain.commands.gate import GATE
from bot.domain.commands.help import HELP
from bot.domain.commands.link import LINK
from bot.domain.commands.plan import PLAN
from bot.domain.commands.reject import REJECT
from bot.domain.commands.spec import CommandSpec
from bot.domain.commands.status import STATUS

__all__ = ["BY_NAME", "COMMANDS", "CommandSpec", "by_name"]


def by_name(commands: tuple[CommandSpec, ...]) -> Mapping[str, CommandSpec]:
    """Raises ValueError when two commands have one name, or a name that the grammar cannot read."""
    found: dict[str, CommandSpec] = {}
    for command in commands:
        if command.name in found or not command.name.isalpha() or command.name != command.name.lower():
            raise ValueError(f"the command name {command.name!r} is taken or cannot be typed")
        found[command.name] = command
    return MappingProxyType(found)


COMMANDS: tuple[CommandSpec, ...] = (PLAN, APPROVE, REJECT, GATE, CANDIDATE, LINK, STATUS, HELP)
BY_NAME = by_name(COMMANDS)
