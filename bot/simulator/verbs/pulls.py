"""Pull requests and reviews."""

from collections.abc import Sequence
from typing import Any

from bot.simulator.model.people import User
from bot.simulator.model.threads import Comment, Pull, Review, ReviewState
from bot.simulator.refusal import HttpError, invalid
from bot.simulator.verbs.branches import BranchVerbs
from bot.simulator.verbs.state import Where, Who
from bot.simulator.wire import people as wire_people
from bot.simulator.wire import pulls as wire
from bot.simulator.wire import teams as wire_teams


class PullVerbs(BranchVerbs):
    def opens_pull(  # noqa: PLR0913  # a story names what it needs, the rest has defaults
        self,
        who: Who,
        where: Where,
        title: str = "A change",
        *,
        head: str = "feature",
        base: str | None = None,
        body: str = "",
        draft: bool = False,
    ) -> Pull:
        """From branch `head`, or `owner:branch` of a fork; a branch that does not exist yet is pushed first."""
        repo = self.repository_at(where)
        owner, _, branch = head.rpartition(":")
        source = self.repository_at(f"{owner}/{repo.name}") if owner else repo
        user = self.somebody(who)
        if branch not in source.branches:
            self.pushes(user, source, branch)
        user, now = self._acts(who, repo), self.clock.stamp()
        base_ref = base or repo.default_branch
        sha, base_sha = source.branches[branch], self.tip(repo, base_ref)
        if self._open_from(source.id, branch, repo.id, base_ref):
            raise HttpError(422, f"A pull request already exists for {source.owner.login}:{branch}.")
        if self.contains(base_sha, sha):
            raise invalid("PullRequest", "head", "custom", f"No commits between {base_ref} and {branch}")
        app = self._app_of(user)
        pull = Pull(next(self._ids), repo, repo.next_number(), title, body, user, now, now, app=app)
        pull.pull_id, pull.draft = next(self._ids), draft
        pull.head_repository, pull.head_owner, pull.head_ref, pull.head = source, source.owner, branch, sha
        pull.base_ref, pull.base_sha = base_ref, base_sha
        repo.threads[pull.number] = pull
        self._emit_thread(pull, user, "opened")
        return pull

    def retargets(self, who: Who, pull: Pull, base: str) -> None:
        """Change the base branch."""
        user = self._acts(who, pull.repository, "read" if self.somebody(who) is pull.author else "write")
        changes = {"base": {"ref": {"from": pull.base_ref}, "sha": {"from": pull.base_sha}}}
        pull.base_ref, pull.base_sha = base, self.tip(pull.repository, base)
        self._touch(pull)
        self._log(pull, user, "base_ref_changed")
        self._emit_thread(pull, user, "edited", changes=changes)

    def converts_to_draft(self, who: Who, pull: Pull) -> None:
        user = self._acts(who, pull.repository)
        if not pull.draft:
            pull.draft = True
            self._touch(pull)
            self._emit_thread(pull, user, "converted_to_draft")

    def marks_ready(self, who: Who, pull: Pull) -> None:
        user = self._acts(who, pull.repository)
        if pull.draft:
            pull.draft = False
            self._touch(pull)
            self._emit_thread(pull, user, "ready_for_review")

    def conflicts(self, pull: Pull) -> None:
        """Its changes no longer fit the base, until the next push."""
        pull.conflicting = True

    def stacks(self, *pulls: Pull) -> None:
        """Make them one stack, bottom first."""
        for pull in pulls:
            pull.stack = list(pulls)

    def lists_without_stack(self, *pulls: Pull) -> None:
        """Lists are late: they do not show yet that these are in a stack."""
        for pull in pulls:
            pull.stack_unlisted = True

    def enables_auto_merge(self, who: Who, pull: Pull) -> None:
        user = self._acts(who, pull.repository, "write")
        pull.auto_merge = user
        self._emit_thread(pull, user, "auto_merge_enabled")

    def disables_auto_merge(self, who: Who, pull: Pull) -> None:
        user = self._acts(who, pull.repository, "write")
        pull.auto_merge = None
        self._emit_thread(pull, user, "auto_merge_disabled")

    def deletes_fork(self, who: Who, pull: Pull) -> None:
        """The head repository disappears; the pull request and its commits stay. No webhook reaches us."""
        self._acts(who)
        fork = pull.head_repository
        if fork is None or fork is pull.repository:
            raise ValueError("only a fork can be deleted")
        del self.repositories[fork.id]
        for other in self._open_pulls():
            if other.head_repository is fork:
                other.head_repository = None
        pull.head_repository = None

    def enqueues(self, who: Who, pull: Pull) -> str:
        """Put it into the merge queue: GitHub makes a commit of its own and asks for checks on it; returns that sha."""
        repo, user, base = (
            pull.repository,
            self._acts(who, pull.repository, "write"),
            self.tip(pull.repository, pull.base_ref),
        )
        files = {**self.commits[base].files, **self.commits[pull.head].files}
        sha = self._commit((base, pull.head), files, f"Merge pull request #{pull.number}", user)
        branch = f"gh-readonly-queue/{pull.base_ref}/pr-{pull.number}-{base}"
        self._move(repo, branch, sha, user)
        commit = self._pushed(repo, sha)
        group = {
            "head_sha": sha,
            "head_ref": f"refs/heads/{branch}",
            "base_sha": base,
            "base_ref": f"refs/heads/{pull.base_ref}",
            "head_commit": {
                name: commit[name] for name in ("id", "tree_id", "message", "timestamp", "author", "committer")
            },
        }
        self._emit(repo, "merge_group", user, "checks_requested", merge_group=group)
        return sha

    def requests_review(self, who: Who, pull: Pull, logins: Sequence[str], slugs: Sequence[str] = ()) -> None:
        """Only collaborators can be asked, and teams of the owner; the author cannot."""
        user = self._acts(who, pull.repository, "triage")
        asked = [self.user(login) for login in logins]
        owned = {one.slug: one for one in self.teams.values() if one.organization is pull.repository.owner}
        if (
            any(one.id not in pull.repository.grants or one is pull.author for one in asked)
            or set(slugs) - owned.keys()
        ):
            raise HttpError(
                422,
                "Reviews may only be requested from collaborators. One or more of the users or teams you specified "
                "is not a collaborator of the repository.",
            )
        for slug in slugs:
            if owned[slug] not in pull.team_reviewers:
                pull.team_reviewers.append(owned[slug])
                self._emit_thread(pull, user, "review_requested", requested_team=wire_teams.team(owned[slug]))
        for one in asked:
            if one not in pull.reviewers:
                pull.reviewers.append(one)
                self._emit_thread(pull, user, "review_requested", requested_reviewer=wire_people.user(one))

    def reviews(self, who: Who, pull: Pull, state: ReviewState, body: str = "", *, commit: str | None = None) -> Review:
        """APPROVED, CHANGES_REQUESTED or COMMENTED, on the present head unless `commit` says otherwise."""
        user = self._acts(who, pull.repository)
        if user is pull.author and state != "COMMENTED":
            verb = "approve" if state == "APPROVED" else "request changes on"
            raise HttpError(422, f"Can not {verb} your own pull request", extra={"errors": []})
        now = self.clock.stamp()
        review = Review(next(self._ids), pull, user, state, body, commit or pull.head, now, now, app=self._app_of(user))
        pull.reviews.append(review)
        self.reviews_by_id[review.id] = review
        if user in pull.reviewers:
            pull.reviewers.remove(user)
        self._touch(pull)
        self._emit_review(review, user, "submitted")
        return review

    def comments_on_line(
        self, who: Who, pull: Pull, body: str, path: str = "README.md", *, commit: str | None = None
    ) -> Comment:
        """A review comment on a line of the diff, as it was at that commit."""
        user, now = self._acts(who, pull.repository), self.clock.stamp()
        comment = Comment(next(self._ids), pull, user, body, now, now, app=self._app_of(user))
        comment.path, comment.commit = path, commit or pull.head
        pull.review_comments.append(comment)
        self.comments_by_id[comment.id] = comment
        self._touch(pull)
        self._emit_comment(comment, user, "created")
        return comment

    def edits_review(self, who: Who, review: Review, body: str) -> None:
        """Change the body of a review: its author, or anybody with write access."""
        needs = "read" if self.somebody(who) is review.author else "write"
        user = self._acts(who, review.pull.repository, needs)
        before, review.body = review.body, body
        review.updated_at = review.edited_at = self.clock.stamp()
        self._emit_review(review, user, "edited", changes={"body": {"from": before}})

    def dismisses_review(self, who: Who, review: Review) -> None:
        user = self._acts(who, review.pull.repository, "write")
        if review.state not in ("APPROVED", "CHANGES_REQUESTED"):
            raise HttpError(422, "Can not dismiss a commented pull request review")
        review.state, review.updated_at = "DISMISSED", self.clock.stamp()
        self._touch(review.pull)
        self._emit_review(review, user, "dismissed")

    def open_pulls_at(self, where: Where, head: str) -> list[Pull]:
        """Open pull requests of a repository with exactly this head."""
        repo = self.repository_at(where)
        return [t for t in repo.threads.values() if isinstance(t, Pull) and t.open and t.head == head]

    def _open_from(self, source: int, branch: str, repo: int, base: str) -> bool:
        return any(
            p.repository.id == repo and p.base_ref == base and p.head_ref == branch
            for p in self._open_pulls()
            if p.head_repository is not None and p.head_repository.id == source
        )

    def _emit_review(self, review: Review, sender: User, action: str, **parts: Any) -> None:
        shape = wire.review(review)
        shape["state"] = shape["state"].lower()
        body = {"review": shape, "pull_request": wire.listed(review.pull)}
        self._emit(review.pull.repository, "pull_request_review", sender, action, **body, **parts)
