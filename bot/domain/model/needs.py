"""What the GitHub App must be allowed and told, and what is missing without it. A test holds it against `app.yml`."""

from typing import NamedTuple


class Need(NamedTuple):
    """`level`: read or write. `title` as GitHub's settings name it; `without` finishes "without it …"."""

    permission: str
    level: str
    title: str
    without: str


CORE = (
    Need("metadata", "read", "Metadata", "nothing can be read"),
    Need("contents", "write", "Contents", "nothing is merged and no branch is deleted"),
    Need("issues", "write", "Issues", "issues get no status comment, label or answer"),
    Need(
        "pull_requests",
        "write",
        "Pull requests",
        "pull requests get no status comment or answer, and nothing is merged",
    ),
    Need("checks", "write", "Checks", "no check run is shown, and nothing is merged whose check cannot be shown"),
    Need("statuses", "read", "Commit statuses", "results that are reported as statuses cannot be read"),
)
OPTIONAL = (
    Need(
        "members",
        "read",
        "Members",
        "roles held by teams cannot be verified, so whoever holds one by a team alone is refused",
    ),
    Need(
        "administration", "read", "Administration", "classic branch protection is read only as far as the branch tells"
    ),
    Need("merge_queues", "read", "Merge queues", "a new merge queue is found with the next look at the rules"),
    Need("workflows", "write", "Workflows", "merging changes of workflow files is refused"),
)
#: Event to the permission without which GitHub does not deliver it, and rejects a manifest that names it.
EVENTS = {
    "check_run": "checks",
    "check_suite": "checks",
    "issue_comment": "issues",
    "issues": "issues",
    "label": "issues",
    "pull_request": "pull_requests",
    "pull_request_review": "pull_requests",
    "pull_request_review_comment": "pull_requests",
    "push": "contents",
    "repository": "metadata",
    "status": "statuses",
}
#: What comes with the optional permissions. Doctor misses none of these, since every look finds what they tell; they stand here
#: so that the manifest's optional groups are held against them as the others are.
OPTIONAL_EVENTS = {
    "branch_protection_rule": "administration",
    "member": "members",
    "membership": "members",
    "merge_group": "merge_queues",
    "organization": "members",
    "repository_ruleset": "administration",
    "team": "members",
    "team_add": "members",
}
_ORDER = ("none", "read", "write", "admin")


def granted(need: Need, permissions: dict[str, str]) -> bool:
    """An unknown level is none: nobody is promised what nobody knows."""
    level = permissions.get(need.permission, "none")
    return level in _ORDER and _ORDER.index(level) >= _ORDER.index(need.level)
