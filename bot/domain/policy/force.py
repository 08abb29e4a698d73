"""Which rules are in force: the newest version that could be used, else preset strict. Nothing invalid makes a rule laxer."""

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Any, NamedTuple

from bot.domain.model.policy import STRICT, Policy
from bot.domain.model.text import code, sha7
from bot.domain.model.written import Finding, Path, Written, spelled
from bot.domain.policy.keys import as_data
from bot.domain.policy.laxer import laxer
from bot.domain.policy.reading import read_policy


class InForce(NamedTuple):
    """`accepted`: whether the file that was looked at is what is in force."""

    policy: Policy
    findings: tuple[Finding, ...]
    accepted: bool


def in_force(
    previous: Policy | None, written: Written | None, sha: str, verbs: Collection[str] | None = None
) -> InForce:
    """The rules after looking at the default branch at commit `sha`. `written` None = GitHub proved that there is no file;
    a file that could not be fetched is not known, and whoever asked keeps what it had. `verbs`: the commands that exist,
    where they are known."""
    if written is None:
        return InForce(STRICT, tuple(_laxer_than_before(STRICT, previous, Written(None))), accepted=True)
    read = read_policy(written, verbs)
    if read.policy is not None:
        policy = read.policy.model_copy(update={"sha": sha})
        return InForce(policy, (*read.findings, *_laxer_than_before(policy, previous, written)), accepted=True)
    kept = STRICT if previous is None else previous
    return InForce(kept, tuple(_with_what_holds(read.findings, kept, written)), accepted=False)


def _laxer_than_before(policy: Policy, previous: Policy | None, written: Written) -> Iterator[Finding]:
    """What a change of the file takes away, be it by a line that is gone. A first file is compared with what held without
    one; where it begins with the same preset, that is told already."""
    if previous is None or previous.sha == policy.sha:
        return
    first = previous.sha == STRICT.sha
    if first and policy.preset == previous.preset:
        return
    before = f"{_name(previous)}, which held without a file" if first else _name(previous)
    for each in laxer(policy, previous):
        yield written.finding("notice", each.path, f"laxer than {before}: {each.why}")


def _name(policy: Policy) -> str:
    return f"preset {policy.preset}" if policy.sha == STRICT.sha else f"the file of {sha7(policy.sha)}"


def _with_what_holds(findings: Iterable[Finding], kept: Policy, written: Written) -> Iterator[Finding]:
    """What is in force in the place of each error; nothing else of the file is either."""
    rules, data = _name(kept), as_data(kept)
    paths = {spelled(path): path for path in written.places}
    for finding in findings:
        value = _value(data, paths.get(finding.path, ()))
        instead = rules if value is None else f"{code(value)} by {rules}"
        yield finding.model_copy(update={"instead": instead}) if finding.level == "error" else finding


def _value(data: Any, path: Path) -> str | None:
    """As the file would say it; None where the rules in force have nothing there, or too much to show."""
    for part in path:
        if not isinstance(data, dict) or part not in data:
            return None
        data = data[part]
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return text if path and not isinstance(data, dict) and len(text) <= 60 else None
