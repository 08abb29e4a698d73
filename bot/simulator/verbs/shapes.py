"""What issues and pull requests share: how they are touched, closed and announced."""

from typing import Any

from bot.simulator.model.people import App, User
from bot.simulator.model.repositories import Label
from bot.simulator.model.threads import Comment, Happening, Pull, Thread
from bot.simulator.verbs.commits import CommitVerbs
from bot.simulator.wire import pulls as wire_pulls
from bot.simulator.wire import repositories as wire_repositories
from bot.simulator.wire import threads as wire_threads


class Shapes(CommitVerbs):
    def shape_of(self, pull: Pull, *, mergeable: bool | None = None) -> dict[str, Any]:
        """The full JSON of a pull request. Events say `mergeable: null`; only a read computes it."""
        diff = self.diff_of(pull)
        added = sum(len((new or "").splitlines()) for _, new in diff.values())
        removed = sum(len((old or "").splitlines()) for old, _ in diff.values())
        size = (len(self.commits_of(pull)), added, removed, len(diff))
        return wire_pulls.pull_request(pull, mergeable=mergeable, state=self._merge_state(pull, mergeable), size=size)

    def _merge_state(self, pull: Pull, mergeable: bool | None) -> str:
        if mergeable is None or not pull.open:
            return "unknown"
        if pull.draft:
            return "draft"
        return "clean" if mergeable else "dirty"

    def _app_of(self, user: User) -> App | None:
        return next((app for app in self.apps.values() if app.bot is user), None)

    def _touch(self, thread: Thread) -> None:
        thread.updated_at = self.clock.stamp()

    def _close(self, thread: Thread, user: User, reason: str | None) -> None:
        thread.closed_at, thread.closed_by = self.clock.stamp(), user
        thread.state_reason = None if isinstance(thread, Pull) else reason
        self._touch(thread)
        self._emit_thread(thread, user, "closed")

    def _emit_thread(self, thread: Thread, sender: User, action: str, **parts: Any) -> None:
        """`issues` or `pull_request`, whatever the thread is. Its log tells it too."""
        if action in ("labeled", "unlabeled", "closed", "reopened"):
            self._log(thread, sender, action, parts.get("label", {}).get("name"))
        if isinstance(thread, Pull):
            body = {"number": thread.number, "pull_request": self.shape_of(thread)}
            self._emit(thread.repository, "pull_request", sender, action, **body, **parts)
        else:
            self._emit(thread.repository, "issues", sender, action, issue=wire_threads.issue(thread), **parts)

    def _log(self, thread: Thread, user: User, event: str, label: str | None = None) -> None:
        thread.log.append(Happening(next(self._ids), event, user, self.clock.stamp(), label))

    def _emit_label(self, thread: Thread, sender: User, action: str, label: Label) -> None:
        self._emit_thread(thread, sender, action, label=wire_repositories.label(thread.repository, label))

    def _emit_comment(self, comment: Comment, sender: User, action: str, **parts: Any) -> None:
        thread = comment.thread
        if isinstance(thread, Pull) and comment.path is not None:
            body = {"comment": wire_pulls.review_comment(comment), "pull_request": wire_pulls.listed(thread)}
            self._emit(thread.repository, "pull_request_review_comment", sender, action, **body, **parts)
        else:
            body = {"comment": wire_threads.comment(comment), "issue": wire_threads.issue(thread)}
            self._emit(thread.repository, "issue_comment", sender, action, **body, **parts)
