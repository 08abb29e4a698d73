"""The table of what each signal does is whole."""

from typing import get_args

from bot.domain.lifecycle.handling import ROWS
from bot.domain.model.command_signals import CommandSignal
from bot.domain.model.own_signals import OurSignal
from bot.domain.model.sightings import Sighting


def test_every_signal_there_is_has_one_row_and_no_row_is_about_another() -> None:
    every = [
        one.model_fields["kind"].default for family in (Sighting, CommandSignal, OurSignal) for one in get_args(family)
    ]
    assert sorted(ROWS) == sorted(every)
