"""Every request the simulated GitHub understands: name, method, path. Both faces and the faults speak these names."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Operation:
    """`group` is a wider name for faults: `read` for everything that changes nothing."""

    name: str
    method: str
    path: str
    group: str

    def at(self, **parts: object) -> str:
        return self.path.format(**parts)


_R = "/repos/{owner}/{repo}"

_TABLE = f"""
read    app                    GET    /app
read    installations          GET    /app/installations
token   token                  POST   /app/installations/{{id}}/access_tokens
read    hook_deliveries        GET    /app/hook/deliveries
read    hook_delivery          GET    /app/hook/deliveries/{{id}}
hook    redeliver              POST   /app/hook/deliveries/{{id}}/attempts
read    installation_repositories GET /installation/repositories
read    rate_limit             GET    /rate_limit
read    user_by_login          GET    /users/{{login}}
read    user_by_id             GET    /user/{{id}}
read    team                   GET    /orgs/{{org}}/teams/{{slug}}
read    team_membership        GET    /orgs/{{org}}/teams/{{slug}}/memberships/{{login}}
read    repository             GET    {_R}
read    issues                 GET    {_R}/issues
read    repository_comments    GET    {_R}/issues/comments
read    comment                GET    {_R}/issues/comments/{{id}}
comment update_comment         PATCH  {_R}/issues/comments/{{id}}
reaction react                 POST   {_R}/issues/comments/{{id}}/reactions
read    issue                  GET    {_R}/issues/{{number}}
issue   update_issue           PATCH  {_R}/issues/{{number}}
read    comments               GET    {_R}/issues/{{number}}/comments
comment create_comment         POST   {_R}/issues/{{number}}/comments
read    issue_events           GET    {_R}/issues/{{number}}/events
reaction react_issue           POST   {_R}/issues/{{number}}/reactions
read    labels                 GET    {_R}/issues/{{number}}/labels
label   add_labels             POST   {_R}/issues/{{number}}/labels
label   remove_label           DELETE {_R}/issues/{{number}}/labels/{{name}}
read    repository_labels      GET    {_R}/labels
label   ensure_label           POST   {_R}/labels
label   update_label           PATCH  {_R}/labels/{{name}}
read    milestones             GET    {_R}/milestones
read    pulls                  GET    {_R}/pulls
read    review_comment         GET    {_R}/pulls/comments/{{id}}
reaction react_review_comment  POST   {_R}/pulls/comments/{{id}}/reactions
read    pull                   GET    {_R}/pulls/{{number}}
pull    update_pull            PATCH  {_R}/pulls/{{number}}
read    pull_files             GET    {_R}/pulls/{{number}}/files
read    pull_commits           GET    {_R}/pulls/{{number}}/commits
read    reviews                GET    {_R}/pulls/{{number}}/reviews
review  create_review          POST   {_R}/pulls/{{number}}/reviews
read    review                 GET    {_R}/pulls/{{number}}/reviews/{{id}}
read    review_comments        GET    {_R}/pulls/{{number}}/comments
review_request request_review  POST   {_R}/pulls/{{number}}/requested_reviewers
merge   merge                  PUT    {_R}/pulls/{{number}}/merge
merge   merge_async            PUT    {_R}/pulls/{{number}}/merge-async
read    merge_status           GET    {_R}/pulls/{{number}}/merge-async/{{uuid}}
check   create_check_run       POST   {_R}/check-runs
read    check_run              GET    {_R}/check-runs/{{id}}
check   update_check_run       PATCH  {_R}/check-runs/{{id}}
read    activity               GET    {_R}/activity
read    commits                GET    {_R}/commits
read    commit_pulls           GET    {_R}/commits/{{ref}}/pulls
read    check_runs             GET    {_R}/commits/{{ref}}/check-runs
read    check_suites           GET    {_R}/commits/{{ref}}/check-suites
read    combined_status        GET    {_R}/commits/{{ref}}/status
read    statuses               GET    {_R}/commits/{{ref}}/statuses
read    commit                 GET    {_R}/commits/{{ref}}
read    compare                GET    {_R}/compare/{{basehead}}
read    protection             GET    {_R}/branches/{{branch}}/protection
read    branch                 GET    {_R}/branches/{{branch}}
read    branch_rules           GET    {_R}/rules/branches/{{branch}}
read    ruleset                GET    {_R}/rulesets/{{id}}
read    permission             GET    {_R}/collaborators/{{login}}/permission
read    contents               GET    {_R}/contents/{{path}}
read    ref                    GET    {_R}/git/ref/heads/{{branch}}
branch  delete_branch          DELETE {_R}/git/refs/heads/{{branch}}
read    tree                   GET    {_R}/git/trees/{{sha}}
read    blob                   GET    {_R}/git/blobs/{{sha}}
graphql graphql                POST   /graphql
"""


def _parsed() -> dict[str, Operation]:
    rows = (line.split() for line in _TABLE.strip().splitlines())
    return {name: Operation(name, method, path, group) for group, name, method, path in rows}


OPERATIONS = _parsed()

#: What one POST /graphql is called once its query is known. A fault may name these too.
GRAPHQL = {
    "mark_ready": Operation("mark_ready", "POST", "/graphql", "pull"),
    "react_review": Operation("react_review", "POST", "/graphql", "reaction"),
    "minimize_comment": Operation("minimize_comment", "POST", "/graphql", "comment"),
    "merge_evidence": Operation("merge_evidence", "POST", "/graphql", "read"),
    "together": Operation("together", "POST", "/graphql", "read"),
    "edits": Operation("edits", "POST", "/graphql", "read"),
}
