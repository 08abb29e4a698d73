"""Which rules are in force in a repository: those of the newest file that could be used, kept over restarts.

A file that cannot be fetched is not known: what was in force stays. A repository whose file nobody has ever seen has no rules
yet, and nothing is decided there.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple, Protocol

from bot.app.outside import Outside
from bot.app.policy.accounts import with_accounts
from bot.domain.commands.catalogue import COMMANDS
from bot.domain.model.ids import Repo
from bot.domain.model.policy import STRICT, Policy
from bot.domain.model.policy_file import ABSENT, PolicyFile, PolicyFileOf, ProposedFile
from bot.domain.model.written import Finding, Written
from bot.domain.policy.accounts import is_whole
from bot.domain.policy.force import InForce, in_force
from bot.ports.failures import ForgeFailure
from bot.ports.policies import PolicyVersion, Watch, on_pull
from bot.ports.store import Tx

ReadDocument = Callable[[bytes], Written]
VERBS = frozenset(command.name for command in COMMANDS)
#: How soon a look that did not succeed is repeated.
AGAIN = timedelta(seconds=30)
#: The newest pull requests that are looked at when rules about all of them change.
MOST_PULLS = 500
_NO_FILE = Finding(level="error", line=1, column=1, path="", message="this is no file")


class Ruled(NamedTuple):
    """The rules in force. `blob` is git's name of the newest content that was looked at, whether or not it could be used."""

    number: int
    policy: Policy
    blob: str


class Policies(Protocol):
    """What the use-cases ask about rules."""

    def known(self, tx: Tx, repository_id: int) -> Ruled | None:
        """The newest that are stored; None where nobody has looked yet."""
        ...

    async def look(self, repo: Repo) -> None:
        """Read the file and keep what is new. Raises ForgeFailure; then nothing has changed."""
        ...

    async def of(self, repo: Repo) -> Policy:
        """The newest that are stored, read first where nobody has. Raises ForgeFailure."""
        ...

    def judged(self, file: PolicyFile | ProposedFile, previous: Policy | None, commit: str) -> InForce:
        """What would be in force after this file."""
        ...


def settled(policy: Policy, seconds: float) -> Policy:
    """The rules with this process' own setting, CHECKS_SETTLE_SECONDS."""
    return policy.model_copy(update={"checks": policy.checks.model_copy(update={"settle_seconds": seconds})})


class PolicyBook:
    """`settle_seconds` is the operator's setting, put on every policy."""

    def __init__(self, outside: Outside, read: ReadDocument, settle_seconds: float) -> None:
        self._outside = outside
        self._store = outside.store
        self._read = read
        self._settle = settle_seconds

    def known(self, tx: Tx, repository_id: int) -> Ruled | None:
        version = tx.policies.newest(repository_id)
        return None if version is None else Ruled(version.number, settled(version.policy, self._settle), version.blob)

    async def of(self, repo: Repo) -> Policy:
        known = await self._store.read(lambda tx: self.known(tx, repo.id))
        while known is None:
            await self.look(repo)
            known = await self._store.read(lambda tx: self.known(tx, repo.id))
        return known.policy

    async def look(self, repo: Repo) -> None:
        version, watch = await self._store.read(lambda tx: (tx.policies.newest(repo.id), tx.policies.watch(repo.id)))
        try:
            answer = await self._outside.forge.read(repo, PolicyFileOf(watch.etag if _is_final(version) else None))
        except ForgeFailure as failure:
            await self._unread(repo, failure)
            raise
        file = answer.value
        added = False
        while not added:
            before = version
            look = None if _is_known(file, before) else await self._new(repo, file, before)
            look = None if _is_same(file, before, look) else look
            added, version = await self._store.run(lambda tx: _keep(tx, repo, file, look, before))  # noqa: B023 - run at once
        if look is not None:
            self._tell(repo, file, look)

    def judged(self, file: PolicyFile | ProposedFile, previous: Policy | None, commit: str) -> InForce:
        if file.blob == ABSENT:
            return in_force(previous, None, commit, VERBS)
        return in_force(previous, self._written(file), commit, VERBS)

    def _written(self, file: PolicyFile | ProposedFile) -> Written:
        return self._read(file.raw) if file.is_file else Written(None, {}, (_NO_FILE,))

    async def _new(self, repo: Repo, file: PolicyFile, before: PolicyVersion | None) -> InForce:
        """What is in force after it. Whose logins stand in it must be known, so what was in force stays until they are."""
        previous = None if before is None else before.policy
        look = self.judged(file, previous, file.commit or "")
        try:
            return await with_accounts(self._outside.forge, repo, look, self._written(file), previous)
        except ForgeFailure as failure:
            await self._unread(repo, failure)
            raise

    async def _unread(self, repo: Repo, failure: ForgeFailure) -> None:
        """It is looked at again by itself, whatever becomes of the one who asked."""
        why = failure.for_operator()

        def store(tx: Tx) -> None:
            watch = tx.policies.watch(repo.id).model_copy(update={"problem": why})
            tx.policies.set_watch(repo.id, watch, tx.now() + AGAIN)

        await self._store.run(store)
        self._outside.log("warning", "policy_unread", repository=repo.full_name, why=why)

    def _tell(self, repo: Repo, file: PolicyFile, look: InForce) -> None:
        level, event = ("info", "policy_taken") if look.accepted else ("warning", "policy_refused")
        errors = sum(finding.level == "error" for finding in look.findings)
        fields = {"preset": look.policy.preset, "sha": look.policy.sha, "commit": file.commit, "errors": errors}
        self._outside.log(level, event, repository=repo.full_name, **fields)
        self._outside.nudge()


def _is_known(file: PolicyFile, version: PolicyVersion | None) -> bool:
    return version is not None and (file.unchanged or (file.blob == version.blob and _is_final(version)))


def _is_final(version: PolicyVersion | None) -> bool:
    """Whether looking at the same file again could tell nothing more: of each name in it, it is known what it stands for."""
    return version is not None and (not version.accepted or is_whole(version.policy))


def _is_same(file: PolicyFile, version: PolicyVersion | None, look: InForce | None) -> bool:
    """The same file, and no name in it was seen since."""
    if version is None or look is None or file.blob != version.blob:
        return False
    return look.policy.accounts == version.policy.accounts


def _keep(
    tx: Tx, repo: Repo, file: PolicyFile, look: InForce | None, before: PolicyVersion | None
) -> tuple[bool, PolicyVersion | None]:
    """Whether it was judged against what is in force at this moment, and what that is."""
    newest = tx.policies.newest(repo.id)
    if (newest and newest.number) != (before and before.number):
        return False, newest
    tx.policies.set_watch(repo.id, Watch(etag=file.etag, looked_at=tx.now()), None)
    if look is not None:
        _add(tx, repo, file, look, before)
    return True, newest


def _add(tx: Tx, repo: Repo, file: PolicyFile, look: InForce, before: PolicyVersion | None) -> None:
    version = PolicyVersion(
        repository_id=repo.id,
        commit=file.commit,
        blob=file.blob,
        accepted=look.accepted,
        findings=look.findings,
        policy=look.policy,
        since=_since(tx, look, before),
    )
    number = tx.policies.add(version)
    if (STRICT if before is None else before.policy) == look.policy:
        tx.policies.told(number)
    if file.commit is not None:
        tx.policies.expect(repo.id, file.commit, None)
    if (STRICT if before is None else before.policy).ungoverned != look.policy.ungoverned:
        for pull in tx.policies.pulls(repo.id, MOST_PULLS):
            tx.policies.expect(repo.id, on_pull(pull), pull)


def _since(tx: Tx, look: InForce, before: PolicyVersion | None) -> datetime:
    """Since when these rules are in force: a file that could not be used changes nothing about that."""
    return tx.now() if look.accepted or before is None else before.since
