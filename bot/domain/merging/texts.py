"""Title and body of the merge commit. Always ours, always sent; user text in them closes and calls nobody."""

import re
from typing import NamedTuple

from bot.domain.gates.gate import GATES, seats
from bot.domain.model.credits import TrailerKind
from bot.domain.model.ids import NOBODY
from bot.domain.model.linked import LinkedPull
from bot.domain.model.policy import Policy
from bot.domain.model.record import GateName, Record
from bot.domain.model.text import listed, sha7, visible

TITLE_LIMIT = 200
MOST_AUTHORS = 20
_CLOSES = re.compile(
    r"\b(close[sd]?|fix(?:e[sd])?|resolve[sd]?)(\s*:?\s+)"
    r"(?P<drop>(?:[\w.-]+/[\w.-]+)?#|GH-|https?://\S+/(?:issues|pull)/)(\d+)",
    re.IGNORECASE,
)
_LOGIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,99})(?:\[bot\])?")
#: GitHub, or an Enterprise server, as the address of a pull request names it.
_HOST = re.compile(r"https?://([^/:]+)")
_SKIPS = re.compile(r"(?P<drop>\[)(?:skip ci|ci skip|no ci|skip actions|actions skip)\]", re.IGNORECASE)
#: What user text may become a part of, and what of it is dropped then. Not all of it, so that a text never becomes empty:
#: GitHub would write its own.
_MEANING = (
    _CLOSES,
    _SKIPS,
    re.compile(r"^[ \t]*skip-checks[ \t]*(?P<drop>:)[ \t]*true", re.IGNORECASE | re.MULTILINE),
    re.compile(r"(?P<drop>@)\w"),
)
_NAMED = re.compile(r"\{(title|number|issue|summary)\}")


def inert(text: str) -> str:
    """User text for a commit message: no mention, no closing keyword, nothing that skips checks, one line."""
    quiet = visible(text).replace("@", "")
    before = ""
    while quiet != before:  # taking a piece away may join what stood around it to another one
        before = quiet
        quiet = " ".join(_SKIPS.sub("", _CLOSES.sub(r"\1\2\4", quiet)).split())
    return quiet


def merge_texts(record: Record, policy: Policy) -> tuple[str, str]:
    """The commit's title and body by the policy's templates `{title}`, `{number}`, `{issue}` and `{summary}`."""
    title = inert(record.pull.title if record.pull else record.title) or f"Issue {record.issue}"
    values = {
        "number": str(record.pull_request or record.issue),
        "issue": str(record.issue),
        "summary": _summary(record, policy),
    }
    first = _first_line(policy.merge.title, title, values)
    rest = _filled(policy.merge.body, values | {"title": title})
    # As one, because a keyword at the end of the title closes what the body begins with.
    whole = _without_joined(_Filled(f"{first.text}\n\n{rest.text}", (*first.foreign, False, False, *rest.foreign)))
    head, _, body = whole.partition("\n\n")
    credited = _credits(record) if (record.merge.method or policy.merge.method) == "squash" else ""
    return head, "\n\n".join(part for part in (body, credited) if part)


def _credits(record: Record) -> str:
    """A squash has one author, so GitHub is told who else made it, and the history keeps who signed it off."""
    pull = record.pull
    if pull is None:
        return ""
    if pull.co_authors_of != record.head:
        pull = pull.model_copy(update={"co_authors": (), "trailers": ()})
    authors = [*_accounts(pull), *_by_address(pull, "Co-authored-by")][:MOST_AUTHORS]
    return "\n".join([*authors, *_by_address(pull, "Signed-off-by")[:MOST_AUTHORS]])


def _accounts(pull: LinkedPull) -> list[str]:
    """Those that pushed, that GitHub maps commits to, or that commits name by their number."""
    known = (*pull.co_authors, *pull.commit_authors, *pull.pushers)
    others = {who.id: who for who in known if who.id != pull.author.id}
    address = _HOST.match(pull.url)
    host = address.group(1) if address else "github.com"
    named = [
        others[number] for number in sorted(others) if number not in NOBODY and _LOGIN.fullmatch(others[number].login)
    ]
    return [f"Co-authored-by: {who.login} <{who.id}+{who.login}@users.noreply.{host}>" for who in named]


def _by_address(pull: LinkedPull, kind: TrailerKind) -> list[str]:
    """As the commits have them; a name of which nothing harmless is left names nobody."""
    named = ((inert(one.name), one.address) for one in pull.trailers if one.kind == kind)
    return [f"{kind}: {name} <{address}>" for name, address in named if name]


class _Filled(NamedTuple):
    """A text, and of each character whether people wrote it."""

    text: str
    foreign: tuple[bool, ...]


def _filled(template: str, values: dict[str, str]) -> _Filled:
    """Numbers are ours; titles and names are not."""
    text = ""
    foreign: tuple[bool, ...] = ()
    for number, part in enumerate(_NAMED.split(template)):
        value = values[part] if number % 2 else part
        text += value
        foreign += (part in {"title", "summary"} and number % 2 == 1,) * len(value)
    return _Filled(text, foreign)


def _first_line(template: str, title: str, values: dict[str, str]) -> _Filled:
    """The title gives way, so that nothing else is cut: half of `#34` is another number."""
    values = values | {"summary": " ".join(values["summary"].split())}
    taken = len(_filled(template, values | {"title": ""}).text)
    room = max(TITLE_LIMIT - taken, 0) // max(template.count("{title}"), 1)
    text, foreign = _filled(template, values | {"title": title[:room]})
    if len(text) > TITLE_LIMIT:
        text = text[:TITLE_LIMIT].rpartition(" ")[0] or text[:TITLE_LIMIT]
    return _Filled(text, foreign[: len(text)])


def _without_joined(filled: _Filled) -> str:
    """What means more than it says may stay only where it stands in the template alone."""
    text, foreign = filled
    while True:
        found = (match for meaning in _MEANING for match in meaning.finditer(text))
        joined = next((match for match in found if any(foreign[match.start() : match.end()])), None)
        if joined is None:
            return text
        begin, end = joined.span("drop")
        text, foreign = text[:begin] + text[end:], foreign[:begin] + foreign[end:]


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
