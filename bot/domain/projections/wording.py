"""Fragments that several projections share: links, who is awaited, tables, footers. Sentences live with their text."""

import re
from collections.abc import Callable, Iterable, Sequence

from bot.domain.explain.check_rows import open_names
from bot.domain.explain.offers import ROLE, name
from bot.domain.explain.tree import awaited
from bot.domain.model.explain import Explanation
from bot.domain.model.record import Record
from bot.domain.model.text import NO_BREAK_SPACE, counted, link, listed, moment, plain, sha7, visible
from bot.domain.projections.show import Show

_OF = re.compile(r"(?<![\w`])(\d+) of (\d+)(?![\w`])")


def page(show: Show, anchor: str = "") -> str:
    """Address of the record's page on our dashboard."""
    return f"{show.web.public_url}/lifecycles/{show.record.repository}/{show.record.issue}{anchor}"


def on_github(show: Show, path: str) -> str:
    return f"{show.web.web_url}/{show.record.repository}/{path}"


def commit(show: Show, sha: str) -> str:
    """A commit as GitHub shows it in prose."""
    return link(f"`{sha7(sha)}`", on_github(show, f"commit/{sha7(sha)}"))


def judged(show: Show, sha: str) -> str:
    """The commit under judgement: its link carries all digits."""
    return link(f"`{sha7(sha)}`", on_github(show, f"commit/{sha}"))


def pull(show: Show, number: int) -> str:
    return link(f"#{number}", on_github(show, f"pull/{number}"))


def evidence(show: Show, otherwise: str) -> str:
    """What a stop rests on, each thing with its address; our page shows it where it has none of its own."""
    stopped = show.record.blocked
    here = page(show, f"#v{stopped.version}" if stopped and stopped.version else "")
    if stopped is None or not stopped.proofs:
        return link(plain(stopped.evidence) if stopped and stopped.evidence else otherwise, here)
    return listed([link(plain(proof.what), proof.url or here) for proof in stopped.proofs])


def issue(show: Show) -> str:
    return link(f"#{show.record.issue}", on_github(show, f"issues/{show.record.issue}"))


def issue_is_gone(record: Record) -> bool:
    """Nothing can be written on its thread any more."""
    return record.issue_gone is not None


def why_and_history(show: Show) -> str:
    return link("Why and history", page(show))


def footer(show: Show) -> str:
    """The last visible line: the text it ends changes only when the record or its last refusal does."""
    return f"{why_and_history(show)}{as_of(show)}"


def as_of(show: Show) -> str:
    return f" · as of {moment(max(show.as_of, show.refused.at) if show.refused else show.as_of)}"


def awaited_words(record: Record, explanation: Explanation) -> tuple[str, ...]:
    """Who is awaited, as Markdown: "a reviewer", "check `build`"."""
    return tuple(_checks(record, name) if who == "checks" else ROLE[who] for who in awaited(explanation))


def awaited_plain(record: Record, explanation: Explanation) -> str:
    """The same for a title, which is plain text."""
    words = (_checks(record, visible) if who == "checks" else ROLE[who] for who in awaited(explanation))
    return listed(tuple(words), limit=5)


def bold(words: Iterable[str]) -> str:
    return listed([f"**{word}**" for word in words], limit=5)


def table(heads: tuple[str, str], rows: Sequence[tuple[str, str]]) -> list[str]:
    """Two columns: they fit a phone and read in plain text. Counts stay together."""
    lines = [f"| {heads[0]} | {heads[1]} |".replace("|  |", "| |"), "|---|---|"]
    return lines + [f"| {_OF.sub(_kept, need)} | {who} |" for need, who in rows]


def _kept(match: re.Match[str]) -> str:
    return f"{match[1]}{NO_BREAK_SPACE}of{NO_BREAK_SPACE}{match[2]}"


def _checks(record: Record, spelled: Callable[[str], str]) -> str:
    names = open_names(record)
    if not names:
        return "the checks"
    return f"check {spelled(names[0])}" if len(names) == 1 else counted(len(names), "check")
