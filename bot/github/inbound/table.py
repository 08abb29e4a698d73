"""Which translator reads which event, and what a body of an event looks like."""

from bot.github.inbound import checks, comments, installations, issues, people, pulls, reviews
from bot.github.inbound.occurrence import Translate

TRANSLATORS: dict[tuple[str, str | None], Translate] = {
    ("issues", "labeled"): issues.labeled,
    ("issues", "unlabeled"): issues.unlabeled,
    ("issues", "closed"): issues.closed,
    ("issues", "reopened"): issues.reopened,
    ("issues", "transferred"): issues.gone,
    ("issues", "deleted"): issues.gone,
    ("label", "deleted"): issues.definition,
    ("label", "edited"): issues.definition,
    ("issue_comment", "created"): comments.on_issue,
    ("issue_comment", "edited"): comments.changed,
    ("issue_comment", "deleted"): comments.changed,
    ("pull_request_review_comment", "created"): comments.on_diff,
    ("pull_request_review_comment", "edited"): comments.changed_on_diff,
    ("pull_request_review_comment", "deleted"): comments.changed_on_diff,
    ("pull_request", "opened"): pulls.opened,
    ("pull_request", "synchronize"): pulls.synchronize,
    ("pull_request", "edited"): pulls.edited,
    ("pull_request", "closed"): pulls.closed,
    ("pull_request", "reopened"): pulls.reopened,
    ("pull_request", "converted_to_draft"): pulls.draft_changed,
    ("pull_request", "ready_for_review"): pulls.draft_changed,
    ("pull_request", "auto_merge_enabled"): pulls.auto_merge_switched,
    ("pull_request", "auto_merge_disabled"): pulls.auto_merge_switched,
    ("pull_request", "labeled"): pulls.labels_changed,
    ("pull_request", "unlabeled"): pulls.labels_changed,
    ("pull_request_review", "submitted"): reviews.submitted,
    ("pull_request_review", "dismissed"): reviews.dismissed,
    ("check_run", "created"): checks.run_changed,
    ("check_run", "completed"): checks.run_changed,
    ("check_run", "rerequested"): checks.run_rerequested,
    ("check_suite", "completed"): checks.suite_completed,
    ("check_suite", "rerequested"): checks.suite_rerequested,
    ("merge_group", "checks_requested"): checks.group_formed,
    ("status", None): checks.status_posted,
    ("push", None): checks.pushed,
    ("repository", "renamed"): installations.renamed,
    ("repository", "transferred"): installations.renamed,
    ("repository", "deleted"): installations.repository_state,
    ("repository", "archived"): installations.repository_state,
    ("repository", "unarchived"): installations.repository_state,
    ("installation", "created"): installations.changed,
    ("installation", "deleted"): installations.changed,
    ("installation", "suspend"): installations.changed,
    ("installation", "unsuspend"): installations.changed,
    ("installation", "new_permissions_accepted"): installations.changed,
    ("installation_repositories", "added"): installations.repositories_changed,
    ("installation_repositories", "removed"): installations.repositories_changed,
    ("member", "added"): people.changed,
    ("member", "edited"): people.changed,
    ("member", "removed"): people.changed,
    ("membership", "added"): people.changed,
    ("membership", "removed"): people.changed,
    ("organization", "member_added"): people.changed,
    ("organization", "member_removed"): people.changed,
    ("organization", "renamed"): people.changed,
    ("team", "added_to_repository"): people.changed,
    ("team", "deleted"): people.changed,
    ("team", "edited"): people.changed,
    ("team", "removed_from_repository"): people.changed,
    ("team_add", None): people.changed,
}

#: What an event can be about. The event's name comes in a header, which is not signed: a captured body must not pass
#: for another event, such as a deleted issue for a deleted installation.
SUBJECTS = frozenset(
    {
        "issue",
        "comment",
        "label",
        "pull_request",
        "review",
        "thread",
        "check_run",
        "check_suite",
        "context",
        "commits",
        "member",
        "membership",
        "team",
        "rule",
        "repository_ruleset",
        "merge_group",
        "repositories_added",
    }
)

SUBJECTS_OF: dict[str, frozenset[str]] = {
    "issues": frozenset({"issue", "label"}),
    "label": frozenset({"label"}),
    "issue_comment": frozenset({"issue", "comment"}),
    "pull_request": frozenset({"pull_request", "label"}),
    "pull_request_review": frozenset({"pull_request", "review"}),
    "pull_request_review_comment": frozenset({"pull_request", "comment"}),
    "check_run": frozenset({"check_run"}),
    "check_suite": frozenset({"check_suite"}),
    "merge_group": frozenset({"merge_group"}),
    "status": frozenset({"context"}),
    "push": frozenset({"commits"}),
    "repository": frozenset(),
    "installation": frozenset(),
    "installation_repositories": frozenset({"repositories_added"}),
    "member": frozenset({"member"}),
    "membership": frozenset({"member", "team"}),
    "organization": frozenset({"membership"}),
    "team": frozenset({"team"}),
    "team_add": frozenset({"team"}),
}

#: Events of the App itself, not of a repository.
OF_THE_INSTALLATION = frozenset({"installation", "installation_repositories"})

#: Events of an organization, which may name one of its repositories.
OF_THE_ORGANIZATION = frozenset({"membership", "organization", "team"})
