"""Which issues does a pull request name? Closing keywords in its description, or a branch `signalbox/N-…`.

The words are a hint of what its author wants; whether the link counts is decided by who the author is.
"""

import re
from functools import partial

from bot.domain.model.effects import CreateComment, Effect
from bot.domain.model.facts import PullFacts
from bot.domain.model.ids import Repo
from bot.domain.model.policy import Policy
from bot.domain.model.record import Record
from bot.domain.model.text import code

NOT_A_BUILDER = "whether this pull request is for a governed issue is a builder's word."
SEVERAL = "it names more than one governed issue."
EDITED = "its description was edited after it was opened, and only what it said then links by itself."
_BRANCH = re.compile(r"signalbox/(\d{1,9})-")
_KEYWORD = re.compile(
    r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\s*:?\s+(?:(?P<repo>[\w.-]+/[\w.-]+))?#(?P<number>\d{1,9})\b",
    re.IGNORECASE,
)


def named_issues(pull: PullFacts, repo: Repo) -> tuple[int, ...]:
    """The issues of this repository that the pull request names, each once."""
    branch = named_by_branch(pull, repo)
    found: dict[int, None] = {} if branch is None else {branch: None}
    for match in _KEYWORD.finditer(pull.body[:65_536]):
        other = match.group("repo")
        if other is None or other.lower() == repo.full_name.lower():
            found[int(match.group("number"))] = None
    return tuple(found)


def named_by_branch(pull: PullFacts, repo: Repo) -> int | None:
    """The issue that its branch names, if it does: unlike a description, a branch keeps its name."""
    branch = _BRANCH.match(pull.head_ref) if pull.head_repository_id == repo.id else None
    return int(branch.group(1)) if branch else None


def link_hint(repo: Repo, pull: int, issues: tuple[int, ...], why: str = NOT_A_BUILDER, first: str = "") -> Effect:
    """One comment, once for each pull request: why it is not linked, and how a builder links it. `first`: what has to be
    done before."""
    marker = f"<!-- signalbox:link:{repo.id}:{pull} -->"
    ways = " or ".join(f"`/link #{issue}`" for issue in issues[:3])
    body = f"Not linked by itself: {why}\nA builder {first}comments {ways}.\n{marker}"
    write = CreateComment(number=pull, body=body, marker=marker)
    return Effect(kind="notice", target=f"thread:{pull}", once=f"link:{repo.id}:{pull}", write=write)


def why_not_linked(record: Record, policy: Policy, pull: PullFacts) -> Effect | None:
    """The one comment on a pull request that names this record's issue and is not linked, if it makes sense: done is final,
    so nobody links anything there. While GitHub may be merging nobody can; the pull request's next news asks again."""
    if record.phase == "done" or record.in_flight or not pull.open or pull.base_repository_id != record.repository_id:
        return None
    hint = partial(link_hint, record.repo, pull.number, (record.issue,))
    if record.withdrawn:
        label = code(policy.start_label)
        return hint(f"issue #{record.issue} is withdrawn.", f"reopens it or adds the label {label} again, then ")
    if record.pull_request is not None:
        return hint(f"issue #{record.issue} has #{record.pull_request} already, and this one would replace it.")
    return hint()
