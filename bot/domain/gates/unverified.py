"""A no of the present head whose writer could not be verified: nothing merges over it."""

from bot.domain.model.linked import UnverifiedNo
from bot.domain.model.record import Record


def standing_no(record: Record) -> UnverifiedNo | None:
    """The oldest one about the present head, as far as is known."""
    return next((no for no in record.unverified if no.commit in {None, record.head}), None)
