"""Title and body of the merge commit. Always ours, always sent; user text in them closes and calls nobody."""

import re

from bot.domain.gates.gate import GATES, seats
from bot.domain.model.ids import NOBODY
from bot.domain.model.policy import Policy
from bot.domain.model.record import GateName, Record
from bot.domain.model.text import listed, sha7, visible

TITLE_LIMIT = 200
MOST_AUTHORS = 20
_CLOSES = re.compile(
    r"\b(close[sd]?|fix(?:e[sd])?|resolve[sd]?)(\s*:?\s+)"
    r"(?:(?:[\w.-]+/[\w.-]+)?#|GH-|https?://\S+/(?:issues|pull)/)(\d+)",
    re.IGNORECASE,
)
_LOGIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,99})(?:\[bot\])?")
#: GitHub, or an Enterprise server, as the address of a pull request names it.
_HOST = re.compile(r"https?://([^/:]+)")
_SKIPS = re.compile(r"\[(?:skip ci|ci skip|no ci|skip actions|actions skip)\]", re.IGNORECASE)


def inert(text: str) -> str:
    """User text for a commit message: no mention, no closing keyword, nothing that skips checks, one line."""
    quiet = visible(text).replace("@", "")
    before = ""
    while quiet != before:  # taking a piece away may join what stood around it to another one
        before = quiet
        quiet = " ".join(_SKIPS.sub("", _CLOSES.sub(r"\1\2\3", quiet)).split())
    return quiet


def merge_texts(record: Record, policy: Policy) -> tuple[str, str]:
    """The commit's title and body by the policy's templates `{title}`, `{number}`, `{issue}` and `{summary}`."""
    number = str(record.pull_request or record.issue)
    title = inert(record.pull.title if record.pull else record.title) or f"Issue {record.issue}"
    values = {"title": title, "number": number, "issue": str(record.issue), "summary": _summary(record, policy)}
    body = _fill(policy.merge.body, values)
    authors = _co_authors(record) if (record.merge.method or policy.merge.method) == "squash" else ""
    return _fill(policy.merge.title, values)[:TITLE_LIMIT], "\n\n".join(part for part in (body, authors) if part)


def _co_authors(record: Record) -> str:
    """A squash has one author, so GitHub is told who else made it: accounts that pushed or that GitHub maps commits to, by their
    number. What commits say of names and addresses is free text, and is not repeated."""
    pull = record.pull
    if pull is None:
        return ""
    others = {who.id: who for who in (*pull.pushers, *pull.commit_authors) if who.id != pull.author.id}
    address = _HOST.match(pull.url)
    host = address.group(1) if address else "github.com"
    named = [
        others[number] for number in sorted(others) if number not in NOBODY and _LOGIN.fullmatch(others[number].login)
    ]
    return "\n".join(
        f"Co-authored-by: {who.login} <{who.id}+{who.login}@users.noreply.{host}>" for who in named[:MOST_AUTHORS]
    )


def _fill(template: str, values: dict[str, str]) -> str:
    return re.sub(r"\{(title|number|issue|summary)\}", lambda match: values[match.group(1)], template)


def _summary(record: Record, policy: Policy) -> str:
    """Who authorised what: the record in four lines."""
    plan = f"Plan r{record.plan.revision} by {record.plan.author.login}" if record.plan else "No plan"
    reviewers = {gate: _names(record, policy, gate, "review") for gate in GATES}
    gates = {gate: _names(record, policy, gate, "operator") for gate in GATES}
    lines = [
        f"{plan}, approved by {reviewers['plan']}.",
        f"Testing of {sha7(record.head or '')}: review {reviewers['testing']}, gate {gates['testing']}.",
        f"Submit: review {reviewers['submit']}, gate {gates['submit']}.",
        f"Signalbox record {record.repository} issue {record.issue}.",
    ]
    return "\n".join(lines)


def _names(record: Record, policy: Policy, gate: GateName, kind: str) -> str:
    return inert(listed([d.by.login for d in seats(record, policy, gate, kind)])) or "nobody"
