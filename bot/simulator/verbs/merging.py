"""Both merge endpoints with GitHub's exact statuses and texts, and what a merge does."""

import re
from dataclasses import dataclass
from functools import partial

from bot.simulator.edge import Reply
from bot.simulator.model.landing import Landing
from bot.simulator.model.people import User
from bot.simulator.model.threads import MergeRequest, Pull, Thread
from bot.simulator.refusal import HttpError, not_found
from bot.simulator.verbs.mergeability import MergeabilityVerbs
from bot.simulator.verbs.state import Who
from bot.simulator.wire import pulls as wire

_CLOSING = re.compile(r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:([\w.-]+/[\w.-]+))?#(\d+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class MergeCall:
    """The body of a merge request; `sha` None = whatever the head is. `action` is merge-async's only."""

    sha: str | None = None
    method: str = "merge"
    title: str | None = None
    body: str | None = None
    action: str = "default"


class MergeVerbs(MergeabilityVerbs):
    def merges_by_hand(self, who: Who, pull: Pull, method: str = "merge") -> str:
        """Somebody presses the button (admins can, whatever the rules say); returns the merge commit."""
        user = self._acts(who, pull.repository, "write")
        if not pull.open or pull.draft or pull.conflicting:
            raise HttpError(405, "Pull Request is not mergeable")
        return self._land(pull, user, MergeCall(pull.head, method))

    def merge(self, who: Who, pull: Pull, call: MergeCall) -> Reply:
        """`PUT /pulls/{number}/merge`. Raises HttpError for every other status than 200."""
        user = self.user(who)
        self._may(user, pull.repository, "write")
        if pull.stack:
            raise HttpError(403, "Merging stacked PRs via this endpoint is not supported")
        if pull.in_flight or any(r.status == "pending" for r in pull.requests.values()):
            raise HttpError(405, "Merge already in progress")
        sha = self._checked_land(pull, user, call)
        return Reply(200, {"sha": sha, "merged": True, "message": "Pull Request successfully merged"})

    def merge_async(self, who: Who, pull: Pull, call: MergeCall) -> Reply:
        """`PUT /pulls/{number}/merge-async`: basic state only; rules and the head are looked at when it runs."""
        user = self.user(who)
        if not pull.repository.merge_async:
            raise not_found()
        self._may(user, pull.repository, "write")
        if call.sha is not None and not re.fullmatch(r"[0-9a-f]{40}", call.sha):
            raise HttpError(422, "Validation Failed")
        if pull.merged:
            return Reply(200, _result("merged", "Pull Request is already merged", sha=pull.merge_commit))
        running = next((r for r in pull.requests.values() if r.status == "pending"), None)
        if running is not None:
            return Reply(409, wire.merge_result(running))
        if not pull.open or pull.draft:
            text = "Pull Request is still a draft" if pull.draft else "Pull Request is closed"
            return Reply(400, _result("failed", text))
        request = self._new_request(pull, call)
        self.clock.later(self.merge_async_seconds, partial(self._run, pull, user, request))
        return Reply(202, wire.merge_result(request))

    def merge_status(self, pull: Pull, uuid: str) -> Reply:
        """`GET …/merge-async/{uuid}`: forgotten (404) 24 hours after its last change."""
        request = pull.requests.get(uuid)
        if request is None or (self.clock.now() - request.updated_at).total_seconds() > 86_400:
            raise not_found()
        return Reply(200, wire.merge_result(request))

    def _new_request(self, pull: Pull, call: MergeCall) -> MergeRequest:
        number, now = next(self._ids), self.clock.stamp()
        uuid = f"{number:08x}-0000-41a5-9000-{pull.pull_id:012x}"
        head = call.sha or pull.head
        method = call.method if call.method != "default" else "merge"
        request = MergeRequest(uuid, head, method, call.action, call.title, call.body, now, now)
        pull.requests[uuid] = request
        return request

    def _run(self, pull: Pull, user: User, request: MergeRequest) -> None:
        """The background job: every rule holds now, not when the request was made."""
        call = MergeCall(request.head, request.method, request.title, request.body, request.action)
        if request.action == "merge_queue":
            request.status, request.message = "enqueued", "Pull Request is in the merge queue"
        else:
            try:
                request.sha = self._checked_land(pull, user, call, whole_stack=True)
                request.status, request.message = "merged", "Pull Request successfully merged"
            except HttpError as no:
                request.status, request.message = "failed", no.message
        request.updated_at = self.clock.stamp()

    def _checked_land(self, pull: Pull, user: User, call: MergeCall, *, whole_stack: bool = False) -> str:
        if call.sha is not None and not re.fullmatch(r"[0-9a-f]{40}", call.sha):
            raise HttpError(422, "Validation Failed")
        if not pull.open:
            raise HttpError(405, "Pull Request is not mergeable")
        if call.sha is not None and call.sha != pull.head:
            raise HttpError(409, "Head branch was modified. Review and try the merge again.")
        self._may_merge(pull, user, call.method)
        if whole_stack and pull in pull.stack:
            for below in pull.stack[: pull.stack.index(pull)]:
                if below.open:
                    self._land(below, user, MergeCall(below.head, call.method))
        return self._land(pull, user, call)

    def _land(self, pull: Pull, user: User, call: MergeCall) -> str:
        """The merge itself. The base moves, the pull request is merged, and then what it closes is closed."""
        repo, head, base_ref = pull.repository, pull.head, pull.base_ref
        base = self.tip(repo, base_ref)
        sha = self._merge_commit(pull, base, user, call)
        now = self.clock.stamp()
        pull.merged_at, pull.merged_by, pull.merge_commit, pull.base_sha = now, user, sha, base
        pull.closed_at, pull.closed_by = now, user
        self._touch(pull)
        self.landed.append(Landing(pull, head, sha, base_ref, user, now, call.method, call.sha))
        self._move(repo, base_ref, sha, user, kind="pr_merge")
        self._emit_thread(pull, user, "closed")
        if base_ref == repo.default_branch:
            for issue in self._closed_by(pull, call.body or ""):
                self._close(issue, user, "completed")
        return sha

    def _merge_commit(self, pull: Pull, base: str, user: User, call: MergeCall) -> str:
        files = dict(self.commits[base].files)
        for path, (_, text) in self.diff_of(pull).items():
            files.pop(path, None) if text is None else files.update({path: text})
        title = call.title or f"{pull.title} (#{pull.number})"
        message = f"{title}\n\n{call.body}" if call.body else title
        if call.method == "merge":
            sha = self._commit((base, pull.head), files, message, user)
        elif call.method == "squash":
            sha = self._commit((base,), files, message, user)
        else:
            return self._rebased(pull, base)
        self.introduced[sha] = pull
        return sha

    def _rebased(self, pull: Pull, base: str) -> str:
        """Every commit again, on top of the base; the last one is the answer's sha."""
        tip, files = base, dict(self.commits[base].files)
        for old in self.commits_of(pull):
            commit = self.commits[old]
            parent = self.commits[commit.parents[0]].files if commit.parents else {}
            for path, (_, text) in self.diff(parent, commit.files).items():
                files.pop(path, None) if text is None else files.update({path: text})
            tip = self._commit((tip,), files, commit.message, commit.author)
            self.introduced[tip] = pull
        return tip

    def _closed_by(self, pull: Pull, message: str) -> list[Thread]:
        """Open issues that a closing keyword in the description, a commit or the merge message names."""
        texts = [pull.body, message, *(self.commits[sha].message for sha in self.commits_of(pull))]
        found: list[Thread] = []
        for place, number in (match for text in texts for match in _CLOSING.findall(text)):
            repo = pull.repository
            if place:
                named = [r for r in self.repositories.values() if r.full_name.lower() == place.lower()]
                repo = named[0] if named else repo
            issue = repo.threads.get(int(number))
            if issue is not None and issue.open and not isinstance(issue, Pull) and issue not in found:
                found.append(issue)
        return found


def _result(status: str, message: str, **details: str | None) -> dict[str, object]:
    return {"status": status, "details": {"message": message, **details}}
