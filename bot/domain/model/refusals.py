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

#: What each code says to a program's author, for the documentation. People read the refusal's own sentence.
MEANINGS: dict[RefusalCode, str] = {
    "not_allowed": "The person or token does not hold a role that may do this.",
    "could_not_verify": "GitHub could not be asked who this is or what is true, so nothing was counted.",
    "self_approval": "Nobody judges their own plan or their own push.",
    "same_person": "This seat needs somebody other than the one who sits on another.",
    "unknown_pusher": "It is not known who pushed the head, and neither the policy nor GitHub lets us guess.",
    "wrong_phase": "The record is in a phase in which this does nothing.",
    "wrong_place": "It belongs on the issue, and was said on the pull request, or the other way round.",
    "no_record": "There is no lifecycle here, or none that the caller may know of.",
    "not_linked": "The record has no linked pull request, or this pull request is not it.",
    "head_moved": "The head that was named is not the present one any more.",
    "revision_moved": "The plan revision that was named is not the present one any more.",
    "round_moved": "Something new must be judged since: another review round has begun.",
    "base_moved": "The pull request was retargeted since.",
    "stale_comment": "What the status comment showed when this was written is not what is true now.",
    "ambiguous_sha": "More than one commit begins like this.",
    "already_recorded": "It is stored already, and saying it again changes nothing.",
    "nothing_to_revoke": "The person has no decision here that still counts.",
    "no_question": "No question is open.",
    "merge_in_flight": "GitHub has been asked to merge, and until its answer is known nothing may change that.",
    "held": "The record is held; nothing merges until that is lifted.",
    "withdrawn": "The record was withdrawn.",
    "frozen": "The record is frozen: the App is suspended, or its database or instance is in doubt.",
    "blocked": "The record is blocked and waits for an operator.",
    "draft": "The pull request is a draft.",
    "budget_exhausted": "The tries that the policy allows are used up.",
    "bad_argument": "An argument is missing, too much, or cannot be read.",
    "unknown_command": "There is no such command.",
    "too_many_commands": "One comment holds more than ten commands.",
    "version_conflict": "The record has changed since the version that the caller expected.",
    "policy_invalid": "The policy file cannot be used.",
    "stacked_pull_request": "Merging it would merge other pull requests: those below it in a stack, or whose head it contains.",
    "merge_queue": "The branch has a merge queue, and merge queues are not supported.",
    "bypass_configured": "The App may bypass the rules of the branch, so its merge would prove nothing.",
    "needs_workflows_permission": "The change touches workflow files, and the App may not merge those.",
    "checks_missing": "A check that is required has not reported on this head.",
    "issue_gone": "The issue was deleted, transferred or converted.",
    "instance_conflict": "Another instance of Signalbox writes for this App.",
    "database_behind": "The database is older than what GitHub shows of us: it was restored from a copy.",
    "mail_quote": "The comment holds quoted mail, in which commands cannot be told from quotes.",
    "settle_mismatch": "What the operator states is not what GitHub shows.",
    "not_complete": "The gate still misses something.",
}


class Refusal(Value):
    """`message` is the text people read after "Not counted: `/command`. ": what was not done and why, what is true
    now, what would work and who can. It is one to three sentences of GitHub Markdown."""

    code: RefusalCode
    message: str
    command: str | None = None
