"""Everything that can happen to a record, one class each.

A signal is a hint with a name: whatever creates authority re-reads GitHub before it counts. `key` is the content
key: the same fact delivered twice, or replayed under another GUID, has the same key and is applied once.
Routing: `issue` names the record, or `pull` the linked pull request, or `head`/`branch` what it is about.
"""

from typing import Annotated

from pydantic import Field, TypeAdapter

from bot.domain.model.command_signals import CommandSignal
from bot.domain.model.own_signals import OurSignal
from bot.domain.model.sightings import Sighting

Command = Annotated[CommandSignal, Field(discriminator="kind")]
Signal = Annotated[Sighting | CommandSignal | OurSignal, Field(discriminator="kind")]

SIGNAL: TypeAdapter[Signal] = TypeAdapter(Signal)
