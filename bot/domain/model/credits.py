"""Whom a commit's message credits besides its author."""

import re

from bot.domain.model.ids import Person


def credited_by(message: str, host: str) -> tuple[Person, ...]:
    """Accounts of this host that its trailers name by number. Other addresses belong to nobody that is known."""
    address = rf"(?P<id>[1-9][0-9]{{0,15}})\+(?P<login>[A-Za-z0-9_-]+(?:\[bot\])?)@users\.noreply\.{re.escape(host)}"
    found = re.finditer(rf"^Co-authored-by:[^<>\n]*<{address}>[ \t\r]*$", message, re.IGNORECASE | re.MULTILINE)
    return tuple(Person(id=int(one["id"]), login=one["login"]) for one in found)
