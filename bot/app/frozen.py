"""What is true of a frozen record, what ends it, and who can: for whoever stands at the machine."""

from collections.abc import Iterator, Mapping, Sequence

from bot.domain.explain.ended_rows import FROZEN
from bot.domain.model.record import Frozen
from bot.ports.rows import RecordFilter
from bot.ports.store import Tx

#: Who ends it, and how. What it is that is true says `FROZEN`, as on GitHub.
WAYS: dict[Frozen, str] = {
    "suspended": "an owner of the account lifts the suspension on GitHub, or unarchives the repository; "
    "it then goes on by itself.",
    "database_behind": "an operator puts the newest database back; or, if that is lost, comments /signalbox replan and why on "
    "the issue (/signalbox resume planning where it is blocked), and everything is decided anew.",
    "instance_conflict": "an operator stops one of the two installations; an hour later it goes on by itself.",
}
#: Read at once.
PAGE = 200


def frozen(tx: Tx) -> Mapping[Frozen, Sequence[str]]:
    """Records under way that are frozen, by why, as `owner/repo#1`."""
    found: dict[Frozen, list[str]] = {}
    for why, name in _all(tx):
        found.setdefault(why, []).append(name)
    return {why: found[why] for why in FROZEN if why in found}


def _all(tx: Tx) -> Iterator[tuple[Frozen, str]]:
    cursor: tuple[int, int] | None = None
    while True:
        page = [loaded.record for loaded in tx.records.find(RecordFilter(open_only=True, cursor=cursor, limit=PAGE))]
        for record in page:
            if record.frozen is not None:
                yield record.frozen, f"{record.repository}#{record.issue}"
        if len(page) < PAGE:
            return
        cursor = (page[-1].repository_id, page[-1].issue)
