"""Every expected "no": a code for programs and a sentence for people."""

from typing import Literal, get_args

from bot.domain.model.ids import Value

RefusalCode = Literal[
    "not_allowed",
    "could_not_verify",
    "self_approval",
    "same_person",
    "unknown_pusher",
    "wrong_phase",
    "wrong_place",
    "no_record",
    "not_linked",
    "head_moved",
    "revision_moved",
    "round_moved",
    "base_moved",
    "stale_comment",
    "ambiguous_sha",
    "already_recorded",
    "nothing_to_revoke",
    "no_question",
    "merge_in_flight",
    "held",
    "withdrawn",
    "frozen",
    "blocked",
    "draft",
    "budget_exhausted",
    "bad_argument",
    "unknown_command",
    "too_many_commands",
    "version_conflict",
    "policy_invalid",
    "stacked_pull_request",
    "merge_queue",
    "bypass_configured",
    "needs_workflows_permission",
    "checks_missing",
    "issue_gone",
    "instance_conflict",
    "database_behind",
    "mail_quote",
    "settle_mismatch",
    "not_complete",
]

REFUSAL_CODES: tuple[RefusalCode, ...] = get_args(RefusalCode)


class Refusal(Value):
    """`message` is the text people read after "Not counted: `/command`. ": what was not done and why, what is true
    now, what would work and who can. It is one to three sentences of GitHub Markdown."""

    code: RefusalCode
    message: str
    command: str | None = None
