"""Pushing: what moves when a branch moves."""

from collections.abc import Mapping

from bot.simulator.model.people import User
from bot.simulator.model.repositories import Activity, Repository
from bot.simulator.model.threads import Pull
from bot.simulator.refusal import HttpError, not_found
from bot.simulator.verbs.commits import ZERO
from bot.simulator.verbs.shapes import Shapes
from bot.simulator.verbs.state import Where, Who
from bot.simulator.wire.places import API, WEB, stamp


class BranchVerbs(Shapes):
    def branches(self, who: Who, where: Where, name: str, source: str | None = None) -> str:
        """Make a branch at the tip of `source` (default: the default branch); returns that sha."""
        repo = self.repository_at(where)
        user = self._acts(who, repo, "write")
        if name not in repo.branches:
            self._move(repo, name, self.tip(repo, source or repo.default_branch), user)
        return repo.branches[name]

    def pushes(
        self,
        who: Who,
        to: Pull | Where,
        branch: str | None = None,
        *,
        files: Mapping[str, str | None] | None = None,
        message: str = "A change",
    ) -> str:
        """Push one commit to a pull request's head, or to `branch` of a repository; returns the sha. `files` by path,
        None deletes; by default one new file. A branch that does not exist starts at the default branch."""
        repo, name = self._target(to, branch)
        user = self._acts(who, repo, "write")
        parent = repo.branches.get(name) or self.tip(repo, repo.default_branch)
        changes = files or {f"change-{len(self.commits)}.txt": "changed\n"}
        merged = {**self.commits[parent].files, **changes}
        tree = {path: text for path, text in merged.items() if text is not None}
        sha = self._commit((parent,), tree, message, user)
        self._move(repo, name, sha, user)
        return sha

    def updates_branch(self, who: Who, pull: Pull) -> str:
        """Merge the base into the head, as the button does; returns the sha."""
        repo, name = self._target(pull, None)
        user, base = self._acts(who, repo, "write"), self.tip(pull.repository, pull.base_ref)
        files = {**self.commits[pull.head].files, **self.commits[base].files}
        sha = self._commit((pull.head, base), files, f"Merge branch '{pull.base_ref}' into {name}", user)
        self._move(repo, name, sha, user)
        return sha

    def force_pushes(self, who: Who, to: Pull | Where, branch: str | None = None, *, sha: str | None = None) -> str:
        """Set the branch to `sha` (an old commit, too), or amend its tip: the same tree as a new commit."""
        repo, name = self._target(to, branch)
        user = self._acts(who, repo, "write")
        if sha is None:
            tip = self.commits[self.tip(repo, name)]
            sha = self._commit(tip.parents, tip.files, tip.message, user)
        self._move(repo, name, sha, user, forced=True)
        return sha

    def deletes_branch(self, who: Who, where: Where, name: str) -> None:
        """Pull requests from or onto it are closed, as GitHub does it."""
        repo = self.repository_at(where)
        user = self._acts(who, repo, "write")
        before = repo.branches.get(name)
        if before is None:
            raise HttpError(422, "Reference does not exist")
        if name == repo.default_branch or name in repo.protections:
            raise HttpError(422, "Cannot delete protected branch")
        del repo.branches[name]
        self._note(repo, name, (before, ZERO), "branch_deletion", user)
        self._announce(repo, name, (before, ZERO), user)
        for pull in self.needed_by_open_pulls(repo, name):
            self._close(pull, user, None)

    def needed_by_open_pulls(self, repo: Repository, branch: str) -> list[Pull]:
        """Open pull requests that come from a branch or are based on it."""
        return [
            pull
            for pull in self._open_pulls()
            if (pull.head_repository is repo and pull.head_ref == branch)
            or (pull.repository is repo and pull.base_ref == branch)
        ]

    def _target(self, to: Pull | Where, branch: str | None) -> tuple[Repository, str]:
        if isinstance(to, Pull):
            if to.head_repository is None:
                raise not_found()
            return to.head_repository, to.head_ref
        repo = self.repository_at(to)
        return repo, branch or repo.default_branch

    def _open_pulls(self) -> list[Pull]:
        threads = [t for repo in self.repositories.values() for t in repo.threads.values()]
        return [t for t in threads if isinstance(t, Pull) and t.open]

    def _move(  # what moves, where to, by whom and how
        self, repo: Repository, branch: str, sha: str, user: User, *, forced: bool = False, kind: str = "push"
    ) -> None:
        """The only place where a branch gets another tip. `kind` as the repository's activity calls it."""
        before = repo.branches.get(branch, ZERO)
        repo.branches[branch] = sha
        repo.pushed_at = self.clock.stamp()
        self._announce(repo, branch, (before, sha), user, forced=forced)
        if before == sha:
            return
        made = "branch_creation" if before == ZERO else "force_push" if forced else kind
        self._note(repo, branch, (before, sha), made, user)
        for pull in self._open_pulls():
            if pull.head_repository is repo and pull.head_ref == branch:
                self._synchronize(pull, sha, user, forced=forced)
            elif pull.repository is repo and pull.base_ref == branch and self.contains(sha, pull.head):
                self._merged_by_push(pull, sha, user)

    def _note(self, repo: Repository, branch: str, moved: tuple[str, str], kind: str, user: User) -> None:
        repo.activity.append(Activity(len(repo.activity) + 1, branch, *moved, kind, user, self.clock.stamp()))

    def _synchronize(self, pull: Pull, sha: str, user: User, *, forced: bool = False) -> None:
        before, pull.head = pull.head, sha
        pull.base_sha = pull.repository.branches.get(pull.base_ref, pull.base_sha)
        pull.conflicting = False
        self._touch(pull)
        if forced:
            self._log(pull, user, "head_ref_force_pushed")
        self._emit_thread(pull, user, "synchronize", before=before, after=sha)

    def _merged_by_push(self, pull: Pull, sha: str, user: User) -> None:
        """Its commits were pushed straight to the base: GitHub marks it merged."""
        pull.merged_at, pull.merged_by, pull.merge_commit = self.clock.stamp(), user, sha
        self.introduced[pull.head] = pull
        self._close(pull, user, None)

    def _announce(
        self, repo: Repository, branch: str, moved: tuple[str, str], user: User, *, forced: bool = False
    ) -> None:
        before, after = moved
        commits = [self._pushed(repo, after)] if after in self.commits else []
        self._emit(
            repo,
            "push",
            user,
            ref=f"refs/heads/{branch}",
            before=before,
            after=after,
            base_ref=None,
            forced=forced,
            created=before == ZERO,
            deleted=after == ZERO,
            compare=f"{WEB}/{repo.full_name}/compare/{before[:12]}...{after[:12]}",
            commits=commits,
            head_commit=commits[0] if commits else None,
            pusher={"name": user.login, "email": f"{user.login}@users.noreply.github.com"},
        )

    def _pushed(self, repo: Repository, sha: str) -> dict[str, object]:
        commit = self.commits[sha]
        parent = self.commits[commit.parents[0]].files if commit.parents else {}
        diff = self.diff(parent, commit.files)
        email = f"{commit.author.login}@users.noreply.github.com"
        author = {"name": commit.author.login, "email": email, "username": commit.author.login}
        return {
            "id": sha,
            "tree_id": commit.tree_sha,
            "distinct": True,
            "message": commit.message,
            "timestamp": stamp(commit.at),
            "url": f"{API}/repos/{repo.full_name}/commits/{sha}",
            "author": author,
            "committer": author,
            "added": [p for p, (old, _) in diff.items() if old is None],
            "removed": [p for p, (_, new) in diff.items() if new is None],
            "modified": [p for p, (old, new) in diff.items() if old is not None and new is not None],
        }
