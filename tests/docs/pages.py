"""Pages as their code blocks, and output compared with what a page shows."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from textwrap import dedent
from typing import NamedTuple

from tests.rules.kit import text

_BLOCK = re.compile(r"^ *```(\w+)[ ]?(.*)\n((?:.*\n)*?) *```$", re.MULTILINE)
_SHA = re.compile(r"\b[0-9a-f]{7,40}\b")
_TIME = re.compile(r"(\d{1,2} [A-Z][a-z]{2} \d{4}, )?\d\d:\d\d(:\d\d)? UTC")


class Block(NamedTuple):
    """`note` is what stands behind the language: where a command is typed."""

    language: str
    note: str
    text: str


def blocks(page: str) -> Iterator[Block]:
    for found in _BLOCK.finditer(text(page)):
        language, note, content = found.groups()
        yield Block(language, note, dedent(content))


@dataclass
class Comparison:
    """Commits have other names in every run, so that only their identity is compared: a commit of the page stands for one
    commit of the run, everywhere. Times are compared as such."""

    commits: dict[str, str] = field(default_factory=dict)

    def missing(self, shown: str, printed: str) -> list[str]:
        """The lines of the page that were not printed, in the order in which they are shown."""
        left = iter(printed.splitlines())
        return [line for line in shown.splitlines() if not any(self._same(line, other) for other in left)]

    def _same(self, line: str, other: str) -> bool:
        if _plain(line) != _plain(other):
            return False
        pairs = [(a[:7], b[:7]) for a, b in zip(_SHA.findall(line), _SHA.findall(other), strict=True)]
        known = dict(self.commits)
        if any(known.setdefault(mine, theirs) != theirs for mine, theirs in pairs):
            return False
        if len(set(known.values())) != len(known):
            return False
        self.commits = known
        return True


def _plain(line: str) -> str:
    """Without what differs from run to run; the length of a commit's name stays."""
    return _TIME.sub("a time", _SHA.sub(lambda sha: "#" * len(sha[0]), line)).rstrip()
