"""A no of the present head, or a stop, whose writer could not be verified: nothing merges over it."""

from bot.domain.model.record import Record
from bot.domain.model.unverified import UnverifiedNo


def standing_no(record: Record) -> UnverifiedNo | None:
    """The oldest one about the present head, as far as is known."""
    return next((no for no in record.unverified if no.commit in {None, record.head}), None)


def waits_for_a_word(record: Record) -> bool:
    """Whether a no or a stop keeps its merge back of which nobody knows whether its writer may."""
    return record.unverified_stop is not None or standing_no(record) is not None
