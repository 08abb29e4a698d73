"""Check runs, check suites, statuses, and the rules that require them."""

from collections.abc import Sequence
from typing import Any

from bot.simulator.model.checks import CheckRun, CheckSuite, Status
from bot.simulator.model.people import App
from bot.simulator.model.repositories import Bypass, Protection, Repository, Required, Ruleset
from bot.simulator.model.threads import Pull
from bot.simulator.refusal import HttpError, not_found
from bot.simulator.verbs.pulls import PullVerbs
from bot.simulator.verbs.state import Where, Who
from bot.simulator.wire import checks as wire
from bot.simulator.wire import repositories as wire_repositories
from bot.simulator.wire.places import WEB, stamp

_OUTPUT = ("title", "summary", "text")


class CheckVerbs(PullVerbs):
    def check_run(
        self,
        app: App | str,
        on: Pull | tuple[Where, str],
        name: str,
        status: str = "completed",
        conclusion: str | None = "success",
        **fields: Any,
    ) -> CheckRun:
        """An App reports a new check run on a pull request's head, or on (repository, sha). `fields`: external_id,
        details_url, title, summary, text."""
        repo, head = self._head(on)
        owner = self.another_app(app) if isinstance(app, str) else app
        if head not in self.commits:
            raise HttpError(422, f"No commit found for SHA: {head}")
        if status != "completed":
            conclusion = None
        now = self.clock.stamp()
        run = CheckRun(next(self._ids), name, owner, self._suite(repo, owner, head), head, status, conclusion, now, now)
        run.suite.runs.append(run)
        run.suite.rerequested = False
        run.completed_at = now if status == "completed" else None
        self._describe(run, fields)
        repo.runs.append(run)
        self._emit_run(repo, run, "created")
        if status == "completed":
            self._completed(repo, run)
        return run

    def updates_check_run(self, repo: Repository, run: CheckRun, **fields: Any) -> None:
        """`status`, `conclusion` and the fields of `check_run`. A conclusion completes the run; another status than
        completed takes the conclusion away."""
        now = self.clock.stamp()
        status = fields.pop("status", None) or ("completed" if fields.get("conclusion") else run.status)
        conclusion = fields.pop("conclusion", None) or (run.conclusion if status == "completed" else None)
        changed = (status, conclusion) != (run.status, run.conclusion)
        run.status, run.conclusion, run.updated_at, run.suite.updated_at = status, conclusion, now, now
        run.suite.rerequested = False
        run.completed_at = now if status == "completed" else None
        self._describe(run, fields)
        if changed and status == "completed":
            self._completed(repo, run)

    def completes(self, run: CheckRun, where: Where, conclusion: str = "success") -> None:
        """A run that was queued or in progress ends."""
        self.updates_check_run(self.repository_at(where), run, status="completed", conclusion=conclusion)

    def rerequests(self, who: Who, where: Where, run: CheckRun) -> None:
        """Somebody presses "Re-run": the suite is queued again, the run itself is untouched until its App acts."""
        repo = self.repository_at(where)
        user = self._acts(who, repo, "write")
        run.suite.rerequested, run.suite.updated_at = True, self.clock.stamp()
        self._emit(repo, "check_run", user, "rerequested", check_run=self._run_shape(repo, run))

    def status(
        self, who: Who, on: Pull | tuple[Where, str], context: str, state: str = "success", url: str | None = None
    ) -> Status:
        """A commit status: error, failure, pending or success."""
        repo, head = self._head(on)
        user, now = self._acts(who, repo, "write"), self.clock.stamp()
        status = Status(next(self._ids), context, user, state, head, now, now, target_url=url)
        repo.statuses.append(status)
        commit = self.commits[head]
        self._emit(
            repo,
            "status",
            user,
            id=status.id,
            sha=head,
            name=repo.full_name,
            avatar_url=None,
            target_url=url,
            context=context,
            description=None,
            state=state,
            commit=wire_repositories.commit(repo, commit),
            branches=self._branches_at(repo, head),
            created_at=stamp(now),
            updated_at=stamp(now),
        )
        return status

    def latest_runs(self, repo: Repository, head: str) -> list[CheckRun]:
        """`filter=latest`: the newest run per name and suite."""
        newest: dict[tuple[int, str], CheckRun] = {}
        for run in repo.runs:
            if run.head == head:
                newest[run.suite.id, run.name] = run
        return list(newest.values())

    def latest_statuses(self, repo: Repository, head: str) -> list[Status]:
        newest = {one.context: one for one in repo.statuses if one.sha == head}
        return list(newest.values())

    def requires(
        self, where: Where, *names: str, app: App | None = None, branch: str | None = None, strict: bool = False
    ) -> Ruleset:
        """A ruleset with required checks, from `app` only if given."""
        repo = self.repository_at(where)
        required = tuple(Required(name, app.id if app else None) for name in names)
        return self.ruleset(repo, branch=branch, required=required, strict=strict)

    def ruleset(self, where: Where, *, branch: str | None = None, bypass: Bypass = "never", **rules: Any) -> Ruleset:
        """Add a ruleset; `rules` are the fields of `Ruleset`."""
        repo = self.repository_at(where)
        names: Sequence[str] = (branch or repo.default_branch,)
        one = Ruleset(next(self._ids), "rules", tuple(names), bypass=bypass, **rules)
        repo.rulesets[one.id] = one
        return one

    def protects(self, where: Where, branch: str | None = None, **rules: Any) -> Protection:
        """Classic protection; `rules` are the fields of `Protection`."""
        repo = self.repository_at(where)
        one = Protection(branch or repo.default_branch, **rules)
        repo.protections[one.branch] = one
        return one

    def _head(self, on: Pull | tuple[Where, str]) -> tuple[Repository, str]:
        return (on.repository, on.head) if isinstance(on, Pull) else (self.repository_at(on[0]), on[1])

    def _suite(self, repo: Repository, app: App, head: str) -> CheckSuite:
        found = next((s for s in repo.suites if s.app is app and s.head == head), None)
        if found is None:
            now = self.clock.stamp()
            branch = next((name for name, sha in repo.branches.items() if sha == head), None)
            found = CheckSuite(next(self._ids), app, head, branch, now, now)
            repo.suites.append(found)
        return found

    def run_at(self, repo: Repository, id: int) -> CheckRun:
        found = next((run for run in repo.runs if run.id == id), None)
        if found is None:
            raise not_found()
        return found

    def _describe(self, run: CheckRun, fields: dict[str, Any]) -> None:
        for key in ("external_id", "details_url", *_OUTPUT):
            if fields.get(key) is not None:
                setattr(run, key, fields[key])
        run.annotations += fields.get("annotations") or []  # those of an update are added to those that stand

    def _completed(self, repo: Repository, run: CheckRun) -> None:
        self._emit_run(repo, run, "completed")
        suite = run.suite
        suite.updated_at = self.clock.stamp()
        if suite.status == "completed":
            shape = wire.check_suite(repo, suite, self.commits[suite.head])
            self._emit(repo, "check_suite", suite.app.bot, "completed", check_suite=shape)

    def _emit_run(self, repo: Repository, run: CheckRun, action: str) -> None:
        self._emit(repo, "check_run", run.app.bot, action, check_run=self._run_shape(repo, run))

    def _run_shape(self, repo: Repository, run: CheckRun) -> dict[str, Any]:
        return wire.check_run(repo, run) | {"check_suite": wire.suite_in_run(repo, run.suite)}

    def _branches_at(self, repo: Repository, sha: str) -> list[dict[str, Any]]:
        web = f"{WEB}/{repo.full_name}"
        return [
            {"name": name, "commit": {"sha": tip, "url": f"{web}/commit/{tip}"}, "protected": bool(repo.rules_on(name))}
            for name, tip in repo.branches.items()
            if tip == sha
        ]
