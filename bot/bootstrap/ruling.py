"""The rules in force, wired: read through GitHub by the use-cases, and as they are stored by whoever only reads."""

from typing import TYPE_CHECKING

from bot.app.policy.book import settled
from bot.domain.model.policy import STRICT, Policy
from bot.domain.model.record import Record
from bot.ports.store import Tx
from bot.settings import Settings

if TYPE_CHECKING:  # a command that reads asks GitHub nothing
    from bot.app.browse import PolicyFor
    from bot.bootstrap.work import Rules
    from bot.domain.model.written import Written


def rules(settings: Settings) -> "Rules":
    from bot.app.policy.book import PolicyBook  # noqa: PLC0415 - see above

    return lambda outside: PolicyBook(outside, _read, settings.checks_settle_seconds)


def _read(raw: bytes) -> "Written":
    from bot.documents.yaml_text import read  # noqa: PLC0415 - 50 ms that a start can do without

    return read(raw)


def stored(settings: Settings) -> "PolicyFor":
    """What a record is judged by now; preset strict where nobody has read the file yet."""

    def policy_for(tx: Tx, record: Record) -> Policy:
        version = tx.policies.newest(record.repository_id)
        return settled(STRICT if version is None else version.policy, settings.checks_settle_seconds)

    return policy_for
