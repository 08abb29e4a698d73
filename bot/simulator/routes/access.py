"""Which token and which permission each operation needs."""

from bot.simulator.operations import Operation
from bot.simulator.routes.tokens import Token, Tokens

#: Signed by the App itself instead of an installation token.
BY_APP = frozenset({"app", "installations", "token", "hook_deliveries", "hook_delivery", "redeliver"})

_WRITES = {
    "comment": "issues",
    "issue": "issues",
    "label": "issues",
    "reaction": "issues",
    "pull": "pull_requests",
    "review": "pull_requests",
    "review_request": "pull_requests",
    "merge": "contents",
    "branch": "contents",
    "check": "checks",
}

_READS = {
    "protection": "administration",
    "team": "members",
    "team_membership": "members",
    "check_runs": "checks",
    "check_suites": "checks",
    "combined_status": "statuses",
    "statuses": "statuses",
    "contents": "contents",
    "commits": "contents",
    "commit": "contents",
    "compare": "contents",
    "ref": "contents",
    "issues": "issues",
    "issue": "issues",
    "issue_events": "issues",
    "pulls": "pull_requests",
    "pull": "pull_requests",
    "merge_status": "pull_requests",
}


def check(tokens: Tokens, token: Token, operation: Operation) -> None:
    """Raise 403 when the token was not given what the operation needs."""
    if operation.group in _WRITES:
        tokens.may(token, _WRITES[operation.group], "write")
    elif operation.name in _READS:
        tokens.may(token, _READS[operation.name], "read")
