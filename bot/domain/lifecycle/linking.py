"""Which issues does a pull request name? Closing keywords in its description, or a branch `signalbox/N-…`.

The words are a hint of what its author wants; whether the link counts is decided by who the author is.
"""

import re

from bot.domain.model.effects import CreateComment, Effect
from bot.domain.model.facts import PullFacts
from bot.domain.model.ids import Repo

_BRANCH = re.compile(r"signalbox/(\d{1,9})-")
_KEYWORD = re.compile(
    r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\s*:?\s+(?:(?P<repo>[\w.-]+/[\w.-]+))?#(?P<number>\d{1,9})\b",
    re.IGNORECASE,
)


def named_issues(pull: PullFacts, repo: Repo) -> tuple[int, ...]:
    """The issues of this repository that the pull request names, each once."""
    found: dict[int, None] = {}
    if pull.head_repository_id == repo.id and (branch := _BRANCH.match(pull.head_ref)):
        found[int(branch.group(1))] = None
    for match in _KEYWORD.finditer(pull.body[:65_536]):
        other = match.group("repo")
        if other is None or other.lower() == repo.full_name.lower():
            found[int(match.group("number"))] = None
    return tuple(found)


def link_hint(repo: Repo, pull: int, issues: tuple[int, ...]) -> Effect:
    """One comment, once for each pull request: how a builder links it."""
    marker = f"<!-- signalbox:link:{repo.id}:{pull} -->"
    ways = " or ".join(f"`/link #{issue}`" for issue in issues[:3])
    why = "Not linked by itself: whether this pull request is for a governed issue is a builder's word."
    body = f"{why}\nA builder comments {ways}.\n{marker}"
    write = CreateComment(number=pull, body=body, marker=marker)
    return Effect(kind="notice", target=f"thread:{pull}", once=f"link:{repo.id}:{pull}", write=write)
