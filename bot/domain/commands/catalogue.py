"""Every command there is, in the order in which lists show them. A new command is one file and one line here."""

from collections.abc import Mapping
from types import MappingProxyType

from bot.domain.commands.answer import ANSWER
from bot.domain.commands.approve import APPROVE
from bot.domain.commands.block import BLOCK
from bot.domain.commands.cancel import CANCEL
from bot.domain.commands.candidate import CANDIDATE
from bot.domain.commands.gate import GATE
from bot.domain.commands.help import HELP
from bot.domain.commands.hold import HOLD
from bot.domain.commands.link import LINK
from bot.domain.commands.merge import MERGE
from bot.domain.commands.plan import PLAN
from bot.domain.commands.priority import PRIORITY
from bot.domain.commands.reject import REJECT
from bot.domain.commands.replan import REPLAN
from bot.domain.commands.resume import RESUME
from bot.domain.commands.retry import RETRY
from bot.domain.commands.revoke import REVOKE
from bot.domain.commands.rework import REWORK
from bot.domain.commands.settle import SETTLE
from bot.domain.commands.spec import CommandSpec
from bot.domain.commands.status import STATUS
from bot.domain.commands.unhold import UNHOLD
from bot.domain.commands.unlink import UNLINK

__all__ = ["BY_NAME", "COMMANDS", "CommandSpec", "by_name"]


def by_name(commands: tuple[CommandSpec, ...]) -> Mapping[str, CommandSpec]:
    """Raises ValueError when two commands have one name, or a name that the grammar cannot read."""
    found: dict[str, CommandSpec] = {}
    for command in commands:
        if command.name in found or not command.name.isalpha() or command.name != command.name.lower():
            raise ValueError(f"the command name {command.name!r} is taken or cannot be typed")
        found[command.name] = command
    return MappingProxyType(found)


COMMANDS: tuple[CommandSpec, ...] = (
    PLAN,
    APPROVE,
    REJECT,
    GATE,
    MERGE,
    SETTLE,
    CANDIDATE,
    LINK,
    ANSWER,
    RESUME,
    RETRY,
    UNHOLD,
    REWORK,
    REPLAN,
    BLOCK,
    HOLD,
    REVOKE,
    CANCEL,
    UNLINK,
    PRIORITY,
    STATUS,
    HELP,
)
BY_NAME = by_name(COMMANDS)
