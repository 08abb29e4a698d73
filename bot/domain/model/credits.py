"""Whom the commits of a pull request credit, for the text of the one commit that a squash makes of them.

By account where GitHub or a trailer names one by number; else by the name and the address that the trailer has. Both are free
text of whoever pushed: they are repeated, as GitHub repeats them, and nothing follows from them.
"""

import re
from collections.abc import Iterable
from typing import Literal

from bot.domain.model.ids import Person, Value

TrailerKind = Literal["Co-authored-by", "Signed-off-by"]
#: Who made it with others, and who states that it may be given. `Reviewed-by` and its like would claim a judgement that the
#: record does not have, and `Fixes` acts on issues.
KINDS: dict[str, TrailerKind] = {"co-authored-by": "Co-authored-by", "signed-off-by": "Signed-off-by"}
MOST_TRAILERS = 40
_TRAILER = re.compile(
    rf"^(?P<kind>{'|'.join(KINDS)}):(?P<name>[^<>\r\n]{{1,200}})<(?P<address>[^<>\s]{{3,254}})>[ \t\r]*$",
    re.IGNORECASE | re.MULTILINE,
)
#: Plain ones only, and a letter or digit before the `@`, or GitHub would take what follows it for somebody to call.
_ADDRESS = re.compile(
    r"[A-Za-z0-9](?:[A-Za-z0-9._%+-]{0,62}[A-Za-z0-9])?@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,24}"
)


class Trailer(Value):
    """Somebody whom a commit names by an address."""

    kind: TrailerKind
    name: str
    address: str


class Credits(Value):
    """`people`: the commits' authors, and co-authors who are named by the number of their account here. `trailers`: everybody
    else whom the commits name, each address once."""

    people: tuple[Person, ...] = ()
    trailers: tuple[Trailer, ...] = ()


def credits_of(commits: Iterable[tuple[Person | None, str]], host: str) -> Credits:
    """Of each commit its author's account and its message. `host`: where the numbers of accounts are GitHub's."""
    commits = tuple(commits)
    people = {author.id: author for author, _ in reversed(commits) if author is not None}
    numbered = re.compile(
        rf"(?P<id>[1-9][0-9]{{0,15}})\+(?P<login>[A-Za-z0-9_-]+(?:\[bot\])?)@users\.noreply\.{re.escape(host)}",
        re.IGNORECASE,
    )
    trailers: dict[tuple[str, str], Trailer] = {}
    for found in (one for _, message in commits for one in _TRAILER.finditer(message)):
        kind, address = KINDS[found["kind"].lower()], found["address"]
        account = numbered.fullmatch(address) if kind == "Co-authored-by" else None
        if account is not None:
            number = int(account["id"])
            people.setdefault(number, Person(id=number, login=account["login"]))
        elif _ADDRESS.fullmatch(address):
            credit = Trailer(kind=kind, name=found["name"].strip()[:100], address=address)
            trailers.setdefault((kind, address.lower()), credit)
    return Credits(
        people=tuple(people[number] for number in sorted(people)), trailers=tuple(trailers.values())[:MOST_TRAILERS]
    )
