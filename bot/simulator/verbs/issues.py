"""Issues, labels and comments, on pull requests as well."""

from collections.abc import Sequence
from typing import Any

from bot.simulator.model.people import User
from bot.simulator.model.repositories import Label, Repository
from bot.simulator.model.threads import Comment, Pull, Reaction, Review, Thread
from bot.simulator.refusal import HttpError, invalid, not_found
from bot.simulator.verbs.shapes import Shapes
from bot.simulator.verbs.state import Where, Who
from bot.simulator.wire import repositories as wire_repositories
from bot.simulator.wire import threads as wire


class IssueVerbs(Shapes):
    def opens_issue(self, who: Who, where: Where, title: str, body: str = "", labels: Sequence[str] = ()) -> Thread:
        repo = self.repository_at(where)
        user, now = self._acts(who, repo), self.clock.stamp()
        issue = Thread(next(self._ids), repo, repo.next_number(), title, body, user, now, now)
        repo.threads[issue.number] = issue
        self._emit(repo, "issues", user, "opened", issue=wire.issue(issue))
        if labels:
            self.labels(who, issue, *labels)
        return issue

    def edits(self, who: Who, thread: Thread, *, title: str | None = None, body: str | None = None) -> None:
        """Change the title or the description of an issue or pull request."""
        user = self._acts(who, thread.repository)
        changes: dict[str, Any] = {}
        if title is not None:
            changes["title"], thread.title = {"from": thread.title}, title
        if body is not None:
            changes["body"], thread.body = {"from": thread.body}, body
            thread.edited_at = self.clock.stamp()
        self._touch(thread)
        self._emit_thread(thread, user, "edited", changes=changes)

    def labels(self, who: Who, thread: Thread, *names: str) -> None:
        """Add labels; one that does not exist yet in the repository is created, as the API does it."""
        user = self._acts(who, thread.repository, "triage")
        for name in names:
            label = thread.repository.label(name) or self._new_label(thread.repository, user, name)
            if label not in thread.labels:
                thread.labels.append(label)
                self._touch(thread)
                self._emit_label(thread, user, "labeled", label)

    def unlabels(self, who: Who, thread: Thread, name: str) -> None:
        user = self._acts(who, thread.repository, "triage")
        label = thread.repository.label(name)
        if label is None or label not in thread.labels:
            raise HttpError(404, "Label does not exist")
        thread.labels.remove(label)
        self._touch(thread)
        self._emit_label(thread, user, "unlabeled", label)

    def creates_label(self, who: Who, where: Where, name: str, color: str, description: str | None = None) -> Label:
        repo = self.repository_at(where)
        user = self._acts(who, repo, "triage")
        if repo.label(name) is not None:
            raise invalid("Label", "name", "already_exists")
        return self._new_label(repo, user, name, color, description)

    def deletes_label(self, who: Who, where: Where, name: str) -> None:
        """Remove a label from the repository and from every thread."""
        repo = self.repository_at(where)
        user = self._acts(who, repo, "triage")
        label = repo.labels.pop(name.lower(), None)
        if label is None:
            raise not_found()
        for thread in repo.threads.values():
            if label in thread.labels:
                thread.labels.remove(label)
        self._emit(repo, "label", user, "deleted", label=wire_repositories.label(repo, label))

    def comments(self, who: Who, thread: Thread, body: str) -> Comment:
        user = self._acts(who, thread.repository)
        self._may_write_on(user, thread)
        _fits(body)
        now = self.clock.stamp()
        app = self._app_of(user)
        comment = Comment(next(self._ids), thread, user, body, now, now, app=app)
        thread.comments.append(comment)
        self.comments_by_id[comment.id] = comment
        self._touch(thread)
        self._emit_comment(comment, user, "created")
        return comment

    def edits_comment(self, who: Who, comment: Comment, body: str) -> None:
        """The author, or anybody with write access."""
        needs = "read" if self.somebody(who) is comment.author else "write"
        user = self._acts(who, comment.thread.repository, needs)
        _fits(body)
        before, comment.body = comment.body, body
        comment.updated_at = comment.edited_at = self.clock.stamp()
        comment.editor = user
        self._touch(comment.thread)
        self._emit_comment(comment, user, "edited", changes={"body": {"from": before}})

    def deletes_comment(self, who: Who, comment: Comment) -> None:
        needs = "read" if self.somebody(who) is comment.author else "write"
        user = self._acts(who, comment.thread.repository, needs)
        thread = comment.thread
        kept = thread.review_comments if isinstance(thread, Pull) and comment.path else thread.comments
        kept.remove(comment)
        del self.comments_by_id[comment.id]
        self._touch(comment.thread)
        self._emit_comment(comment, user, "deleted")

    def minimizes(self, who: Who, comment: Comment, reason: str) -> None:
        """Hide a comment; its text stays. No webhook tells of it."""
        needs = "read" if self.somebody(who) is comment.author else "write"
        self._acts(who, comment.thread.repository, needs)
        comment.minimized = reason.lower()

    def reacts(self, who: Who, to: Comment | Review | Thread, content: str) -> Reaction:
        """The same reaction twice stays one. Reactions send no webhook."""
        user = self._acts(who)
        found = next((r for r in to.reactions if r.user is user and r.content == content), None)
        if found is None:
            found = Reaction(next(self._ids), user, content, self.clock.stamp())
            to.reactions.append(found)
        return found

    def closes(self, who: Who, thread: Thread, reason: str = "completed") -> None:
        """Close an issue (`reason`: completed, not_planned) or a pull request without merging."""
        needs = "read" if self.somebody(who) is thread.author else "triage"
        user = self._acts(who, thread.repository, needs)
        if thread.open:
            self._close(thread, user, reason)

    def reopens(self, who: Who, thread: Thread) -> None:
        needs = "read" if self.somebody(who) is thread.author else "triage"
        user = self._acts(who, thread.repository, needs)
        if isinstance(thread, Pull):
            self._may_reopen(thread)
        thread.closed_at = thread.closed_by = None
        thread.state_reason = None if isinstance(thread, Pull) else "reopened"
        self._touch(thread)
        self._emit_thread(thread, user, "reopened")

    def locks(self, who: Who, thread: Thread, *, locked: bool = True) -> None:
        """Only those with write access may comment on a locked thread."""
        user = self._acts(who, thread.repository, "write")
        thread.locked = locked
        self._emit_thread(thread, user, "locked" if locked else "unlocked")

    def transfers_issue(self, who: Who, issue: Thread, where: Where) -> Thread:
        """The issue gets a new number in another repository; the old address redirects there."""
        source, target = issue.repository, self.repository_at(where)
        user, now = self._acts(who, source, "write"), self.clock.stamp()
        old_shape = wire.issue(issue)
        moved = Thread(next(self._ids), target, target.next_number(), issue.title, issue.body, issue.author, now, now)
        target.threads[moved.number] = moved
        del source.threads[issue.number]
        source.gone[issue.number] = moved
        changes = {"new_issue": wire.issue(moved), "new_repository": wire_repositories.repository(target)}
        self._emit(source, "issues", user, "transferred", issue=old_shape, changes=changes)
        return moved

    def deletes_issue(self, who: Who, issue: Thread) -> None:
        """Gone for good: 410."""
        repo = issue.repository
        user = self._acts(who, repo, "admin")
        del repo.threads[issue.number]
        repo.gone[issue.number] = None
        self._emit(repo, "issues", user, "deleted", issue=wire.issue(issue))

    def _may_reopen(self, pull: Pull) -> None:
        if pull.merged:
            raise HttpError(422, "Validation Failed")
        tip = pull.head_repository.branches.get(pull.head_ref) if pull.head_repository else None
        if tip != pull.head:
            raise HttpError(422, "The pull request cannot be reopened: its head branch was changed or deleted.")

    def _may_write_on(self, user: User, thread: Thread) -> None:
        if thread.locked and (user is self.bot or not self.grant(user, thread.repository).allows("write")):
            raise HttpError(403, "Unable to create comment because issue is locked.")

    def _new_label(
        self, repo: Repository, sender: User, name: str, color: str = "ededed", description: str | None = None
    ) -> Label:
        label = Label(next(self._ids), name, color, description)
        repo.labels[name.lower()] = label
        self._emit(repo, "label", sender, "created", label=wire_repositories.label(repo, label))
        return label


def _fits(body: str) -> None:
    if not body.strip():
        raise HttpError(422, "Validation Failed")
    if len(body) > 65_536:
        raise invalid("IssueComment", "body", "too_long", "Validation Failed")
