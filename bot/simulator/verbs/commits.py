"""Commits and branches: history, differences, and what happens when a branch moves."""

import hashlib
from collections.abc import Mapping, Sequence

from bot.simulator.model.people import User
from bot.simulator.model.repositories import Commit, Repository
from bot.simulator.model.threads import Pull
from bot.simulator.refusal import HttpError, not_found
from bot.simulator.verbs.state import State

Diff = dict[str, tuple[str | None, str | None]]
ZERO = "0" * 40
#: GitHub lists no more commits of a pull request than these.
MOST_COMMITS = 250


class CommitVerbs(State):
    def _commit(self, parents: Sequence[str], files: Mapping[str, str], message: str, author: User) -> str:
        """A new commit; the sha follows from how many commits came before, so the same story has the same shas."""
        number = next(self._commit_numbers)
        tree = hashlib.sha1(repr(sorted(files.items())).encode(), usedforsecurity=False).hexdigest()
        named = f"{number}:{','.join(parents)}:{tree}:{message}"
        sha = hashlib.sha1(named.encode(), usedforsecurity=False).hexdigest()
        self.commits[sha] = Commit(sha, tree, tuple(parents), message, author, self.clock.stamp(), dict(files))
        return sha

    def commit_at(self, repo: Repository, ref: str) -> Commit:
        """By the name of a tag or a branch (a tag wins where both have it), `heads/…`, full sha, or an unambiguous prefix of at
        least seven digits."""
        name = ref.removeprefix("refs/").removeprefix("heads/")
        tagged = repo.tags.get(ref)
        sha = tagged or repo.branches.get(name, name)
        if sha in self.commits:
            return self.commits[sha]
        if len(sha) >= 7:
            found = [c for c in self.commits if c.startswith(sha.lower())]
            if len(found) == 1:
                return self.commits[found[0]]
        raise HttpError(422, f"No commit found for SHA: {ref}")

    def history(self, sha: str) -> list[str]:
        """The commit and all its ancestors, newest first."""
        seen: set[str] = set()
        unseen = [sha]
        while unseen:
            one = unseen.pop()
            if one not in seen and one in self.commits:
                seen.add(one)
                unseen.extend(self.commits[one].parents)
        return [one for one in reversed(self.commits) if one in seen]

    def contains(self, tip: str, sha: str) -> bool:
        return sha in self.history(tip)

    def merge_base(self, one: str, other: str) -> str | None:
        theirs = set(self.history(other))
        return next((sha for sha in self.history(one) if sha in theirs), None)

    def commits_of(self, pull: Pull) -> list[str]:
        """The pull request's own commits, oldest first."""
        base = set(self.history(pull.base_sha))
        return [sha for sha in reversed(self.history(pull.head)) if sha not in base]

    def diff_of(self, pull: Pull) -> Diff:
        """Path to (before, after) between the merge base and the head."""
        base = self.merge_base(pull.head, pull.base_sha)
        return self.diff(self.commits[base].files if base else {}, self.commits[pull.head].files)

    def diff(self, old: Mapping[str, str], new: Mapping[str, str]) -> Diff:
        paths = sorted({*old, *new})
        return {p: (old.get(p), new.get(p)) for p in paths if old.get(p) != new.get(p)}

    def listed_commits_of(self, pull: Pull) -> list[Commit]:
        """`GET /pulls/{number}/commits`, which ends somewhere."""
        return [self.commits[sha] for sha in self.commits_of(pull)[:MOST_COMMITS]]

    def pulls_with(self, repo: Repository, sha: str) -> list[Pull]:
        """`GET /commits/{sha}/pulls`: the merged pull request that brought it, else those that contain it; only merged ones
        once the default branch has it."""
        if sha in self.introduced and self.introduced[sha].repository is repo:
            return [self.introduced[sha]]
        default = repo.branches.get(repo.default_branch)
        arrived = default is not None and sha in self.history(default)
        pulls = [t for t in repo.threads.values() if isinstance(t, Pull) and (t.merged or not arrived)]
        return [p for p in pulls if p.head == sha or sha in self.commits_of(p)]

    def tip(self, repo: Repository, branch: str) -> str:
        if branch not in repo.branches:
            raise not_found()
        return repo.branches[branch]
