"""What is said of a policy file: the check run on the commit that changed it, and the one comment on a pull request that does.

A proposal is judged as it would be if it were merged, and says that it is not in force.
"""

from dataclasses import dataclass
from typing import Literal

from bot.domain.model.effects import Annotation, CheckConclusion
from bot.domain.model.policy import STRICT, Policy
from bot.domain.model.policy_file import PATH
from bot.domain.model.text import code, counted, listed, sha7
from bot.domain.model.written import Finding
from bot.domain.policy.force import InForce

_LEVELS: dict[str, Literal["notice", "warning", "failure"]] = {
    "error": "failure",
    "warning": "warning",
    "notice": "notice",
}
_WORDS = {"error": "error", "warning": "warning", "notice": "notice"}
#: Findings that a comment shows; the check has all of them.
MOST_IN_COMMENT = 8
COMMENT = "<!-- signalbox:policy -->"


@dataclass(frozen=True, slots=True)
class PolicyLook:
    """`judged` is what came of the file, `absent`: there is none at that commit. `in_force` is what holds on the default
    branch; `proposed`: the file is that of a pull request."""

    judged: InForce
    in_force: Policy
    head: str
    absent: bool = False
    proposed: bool = False


@dataclass(frozen=True, slots=True)
class PolicyCheck:
    conclusion: CheckConclusion
    title: str
    summary: str
    text: str
    annotations: tuple[Annotation, ...]


def named(policy: Policy) -> str:
    """Rules, as people find them again."""
    if policy.sha == STRICT.sha:
        return f"preset {policy.preset}, without a file"
    return f"preset {policy.preset}, the file of `{sha7(policy.sha)}`"


def policy_check(look: PolicyLook) -> PolicyCheck:
    lines = [_line(finding) for finding in look.judged.findings]
    return PolicyCheck(
        conclusion="success" if look.judged.accepted else "failure",
        title=_title(look),
        summary="\n\n".join(_sentences(look)),
        text="\n".join(f"- {line}" for line in lines),
        annotations=() if look.absent else tuple(_annotation(finding) for finding in look.judged.findings),
    )


def policy_comment(look: PolicyLook) -> str:
    """The whole body, with its marker."""
    shown = [f"- {_line(finding)}" for finding in look.judged.findings[:MOST_IN_COMMENT]]
    more = len(look.judged.findings) - len(shown)
    if more > 0:
        shown.append(f"- and {more} more, on the check `signalbox policy`")
    first, *rest = _sentences(look)
    parts = [f"**The policy file at `{sha7(look.head)}`.** {first}", "\n".join(shown), " ".join(rest), COMMENT]
    return "\n\n".join(part for part in parts if part)


def unchanged_comment(in_force: Policy) -> str:
    """Of a pull request that once changed the file."""
    return f"This pull request no longer changes `{PATH}`. In force is {named(in_force)}.\n\n{COMMENT}"


def _title(look: PolicyLook) -> str:
    if not look.judged.accepted:
        would = "would not be used" if look.proposed else "not used"
        return f"{would}: {_counts(look.judged.findings, 'error')}"
    preset = f"preset {look.judged.policy.preset}"
    if look.proposed:
        return "takes the file away, not merged yet" if look.absent else f"could be used ({preset}), not merged yet"
    return f"no file: {preset} is in force" if look.absent else f"in force: {preset}"


def _sentences(look: PolicyLook) -> list[str]:
    found = _counts(look.judged.findings)
    said = [_what(look) + (f" {found} found." if found else "")]
    if look.proposed:
        said.append(
            "This is not in force: a pull request never configures its own gate."
            f" In force is {named(look.in_force)}, until this is merged."
        )
    elif not look.judged.accepted:
        said.append(f"In force stays {named(look.in_force)}. Nothing of this file is.")
    return said


def _what(look: PolicyLook) -> str:
    preset = f"preset {look.judged.policy.preset}"
    if look.absent:
        return f"This takes `{PATH}` away; {'then preset strict would be' if look.proposed else 'preset strict is'} in force."
    if not look.judged.accepted:
        return f"`{PATH}` {'would not be used' if look.proposed else 'is not used'}."
    return f"`{PATH}` {'could be used' if look.proposed else 'is in force'}; it begins with {preset}."


def _counts(findings: tuple[Finding, ...], only: str | None = None) -> str:
    numbers = {level: sum(one.level == level for one in findings) for level in _WORDS if only in {None, level}}
    return listed([counted(number, _WORDS[level]) for level, number in numbers.items() if number])


def _line(finding: Finding) -> str:
    about = f", {code(finding.path)}" if finding.path else ""
    instead = f" In force instead: {finding.instead}." if finding.instead else ""
    return f"Line {finding.line}{about}, {_WORDS[finding.level]}: {finding.message}.{instead}"


def _annotation(finding: Finding) -> Annotation:
    instead = f"\nIn force instead: {finding.instead}." if finding.instead else ""
    return Annotation(
        path=PATH,
        line=finding.line,
        level=_LEVELS[finding.level],
        title=f"{_WORDS[finding.level]}{f' in {finding.path}' if finding.path else ''}",
        message=f"{finding.message}.{instead}",
    )
