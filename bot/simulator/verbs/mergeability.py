"""Whether GitHub lets a pull request be merged, and with which words it refuses."""

from bot.simulator.model.people import User
from bot.simulator.model.repositories import Required
from bot.simulator.model.threads import Pull
from bot.simulator.refusal import HttpError
from bot.simulator.verbs.checks import CheckVerbs

_PASSES = ("success", "neutral", "skipped")
_METHOD_NAMES = {"merge": "Merge commits", "squash": "Squash merges", "rebase": "Rebase merges"}


class MergeabilityVerbs(CheckVerbs):
    def reads_mergeable(self, pull: Pull) -> bool | None:
        """What a GET shows: null while GitHub computes it in the background (each read counts one down)."""
        if pull.mergeable_unknown_for > 0:
            pull.mergeable_unknown_for -= 1
            return None
        return None if pull.merged else not pull.conflicting

    def takes_time_to_compute(self, pull: Pull, reads: int) -> None:
        """The next `reads` reads show `mergeable: null`."""
        pull.mergeable_unknown_for = reads

    def touches_workflows(self, pull: Pull) -> bool:
        return any(path.startswith(".github/workflows/") for path in self.diff_of(pull))

    def required_on(self, pull: Pull) -> list[Required]:
        """Checks that rulesets and classic protection ask for on its base."""
        repo, base = pull.repository, pull.base_ref
        required = [r for rules in repo.rules_on(base) for r in rules.required]
        if base in repo.protections:
            required += repo.protections[base].required
        return required

    def missing_checks(self, pull: Pull) -> list[Required]:
        return [one for one in self.required_on(pull) if not self._satisfied(pull, one)]

    def _may_merge(self, pull: Pull, user: User, method: str) -> None:
        """Raise what GitHub answers when a rule stands in the way. Whoever bypasses is not asked for rules."""
        if pull.draft:
            raise HttpError(405, "Pull Request is still a draft")
        allowed = self._methods(pull)
        if method not in allowed:
            raise HttpError(405, f"{_METHOD_NAMES[method]} are not allowed on this repository.")
        if user is self.bot and self.touches_workflows(pull) and self.app.permissions.get("workflows") != "write":
            text = "refusing to allow a GitHub App to create or update workflow without `workflows` permission"
            raise HttpError(403, text)
        if pull.conflicting:
            raise HttpError(405, "Pull Request is not mergeable")
        if not self._bypasses(pull, user):
            self._obey_rules(pull)

    def _obey_rules(self, pull: Pull) -> None:
        repo, base = pull.repository, pull.base_ref
        rulesets, classic = repo.rules_on(base), repo.protections.get(base)
        if any(rules.merge_queue for rules in rulesets):
            raise HttpError(405, "Changes must be made through the merge queue")
        for missing in self.missing_checks(pull):
            raise HttpError(405, f'Required status check "{missing.context}" is expected.')
        needed = max([r.reviews for r in rulesets] + [classic.reviews if classic else 0], default=0)
        if self._approvals(pull) < needed:
            noun = "review is" if needed == 1 else "reviews are"
            raise HttpError(405, f"At least {needed} approving {noun} required by reviewers with write access.")
        strict = any(one.strict and one.required for one in (*rulesets, classic) if one is not None)
        required = self.required_on(pull)
        if strict and not self.contains(pull.head, self.tip(repo, base)):
            several = f"{len(required)} of {len(required)} required status checks are expected."
            raise HttpError(
                405, several if required[1:] else f'Required status check "{required[0].context}" is expected.'
            )

    def _methods(self, pull: Pull) -> tuple[str, ...]:
        rulesets = pull.repository.rules_on(pull.base_ref)
        return tuple(m for m in pull.repository.methods if all(m in one.methods for one in rulesets))

    def _bypasses(self, pull: Pull, user: User) -> bool:
        rulesets = pull.repository.rules_on(pull.base_ref)
        if user is not self.bot or not rulesets or pull.base_ref in pull.repository.protections:
            return False
        return all(one.bypass != "never" for one in rulesets)

    def _satisfied(self, pull: Pull, one: Required) -> bool:
        """A name required in both systems must pass in both; the expected source counts."""
        runs = [r for r in self.latest_runs(pull.repository, pull.head) if r.name == one.context]
        if one.app is not None:
            runs = [r for r in runs if r.app.id == one.app]
        statuses = [s for s in self.latest_statuses(pull.repository, pull.head) if s.context == one.context]
        if one.app is not None:
            statuses = [s for s in statuses if self._posted_by(s.creator, one.app)]
        green = all(r.status == "completed" and r.conclusion in _PASSES and not r.suite.rerequested for r in runs)
        return bool(runs or statuses) and green and all(s.state == "success" for s in statuses)

    def _posted_by(self, user: User, app: int) -> bool:
        owner = self._app_of(user)
        return owner is not None and owner.id == app

    def _approvals(self, pull: Pull) -> int:
        """People with write whose newest verdict is an approval."""
        newest = {r.author.id: r for r in pull.reviews if r.state in ("APPROVED", "CHANGES_REQUESTED")}
        approved = [r for r in newest.values() if r.state == "APPROVED"]
        return sum(self.grant(r.author, pull.repository).allows("write") for r in approved)
