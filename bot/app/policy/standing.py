"""Which rules are in force in a repository and what is wrong with its file: the same words for doctor, pages and terminal."""

from typing import Any, NamedTuple

from bot.domain.model.policy import STRICT, Policy
from bot.domain.model.policy_file import PATH
from bot.domain.model.text import counted, sha7
from bot.domain.policy.keys import as_data
from bot.ports.policies import PolicyVersion
from bot.ports.store import Tx


class Standing(NamedTuple):
    """`named` as "lean (9d1c44e)". `concern`: a sentence about a file that is not used or could not be read; `why` it matters
    and what to `do` stand beside it."""

    named: str
    concern: str | None = None
    why: str = ""
    do: str = ""


READ_AGAIN = "it is read again by itself; if this stays, look at the App's permission Contents."
WHY = "what its authors meant does not hold; nothing is laxer for it."
#: What holds where nobody has read the file yet.
NOT_READ = "not known yet"


def standing(tx: Tx, repository_id: int) -> Standing:
    version, watch = tx.policies.newest(repository_id), tx.policies.watch(repository_id)
    if version is None:
        return _unread(watch.problem)
    named = _named(version.policy)
    if not version.accepted:
        errors = [one for one in version.findings if one.level == "error"]
        at = f" at {sha7(version.commit)}" if version.commit else ""
        where = f", the first in line {errors[0].line}" if errors else ""
        concern = f"{PATH}{at} is not used: {counted(len(errors), 'error')}{where}. In force stays {named}."
        do = "correct the file; the check `signalbox policy` on that commit names each line."
        return Standing(named, concern, WHY, do)
    if watch.problem is not None:
        concern = f"{PATH} could not be read: {watch.problem}. In force stays {named}."
        return Standing(named, concern, WHY, READ_AGAIN)
    return Standing(named)


def _unread(problem: str | None) -> Standing:
    if problem is None:
        return Standing(NOT_READ)
    concern = f"{PATH} could not be read: {problem}. Which rules are in force is not known."
    return Standing(NOT_READ, concern, "until it is known nothing is decided there.", READ_AGAIN)


def whole(tx: Tx, repository: str, repository_id: int) -> dict[str, Any]:
    """The rules in force as a file would say them, and what came of the newest file. Without one, preset strict."""
    version = tx.policies.newest(repository_id)
    policy = STRICT if version is None else version.policy
    return {
        "repository": repository,
        "policy_sha": policy.sha,
        "since": None if version is None else version.since.isoformat(),
        "policy": as_data(policy),
        "accounts": policy.accounts,
        "newest_file": None if version is None or version.commit is None else _newest(version),
        "concern": standing(tx, repository_id).concern,
    }


def _newest(version: PolicyVersion) -> dict[str, Any]:
    findings = [finding.model_dump(mode="json") for finding in version.findings]
    return {"commit": version.commit, "accepted": version.accepted, "findings": findings}


def _named(policy: Policy) -> str:
    where = "built in" if policy.sha == STRICT.sha else sha7(policy.sha)
    return f"{policy.preset} ({where})"
