"""What GitHub says, in whole sentences that are known. A word out of them proves nothing: another sentence may have it too."""

import re

_AGAIN = r"(?:\. review and try the merge again)?"
HEAD_MOVED = re.compile(rf"head branch was modified{_AGAIN}\.?")
#: (405, lately also 409) The base moved under the request: nothing landed, and it may be tried again.
BASE_MOVED = re.compile(rf"(?:base branch was modified|head branch is out of date){_AGAIN}\.?")
NOT_MERGEABLE = re.compile(r"pull request is not mergeable\.?")

_STATE = "(?:expected|pending|queued|in progress|failing)"
_RULES = (
    rf'required status check "[^"\n]{{1,200}}" is {_STATE}',
    rf"\d+ of \d+ required status checks (?:is|are) {_STATE}",
    r"at least \d+ approving reviews? (?:is|are) required(?: by reviewers with write access)?",
    r"waiting on code owner review: review is required from [\w./@-]+(?:, [\w./@-]+)*",
    r"changes must be made through (?:the merge queue|a pull request)",
    r"pull request is in the merge queue",
    r"(?:merge commits|squash merges|rebase merges) are not allowed on this repository",
    r"this branch must have a linear history",
    r"this branch (?:cannot|can't) be rebased(?: safely)?",
    r"pull request is still (?:a draft|a work in progress)",
    r"you're not authorized to push to this protected branch",
    r"repository rule violations found",
    r"all unresolved conversations on the code must be resolved",
    r"commits must have (?:signed, )?verified signatures",
)
#: (405) GitHub refuses for rules, whatever the time: one or more of these, and nothing else.
RULES_REFUSE = re.compile(rf"(?:(?:{'|'.join(_RULES)})\.?\s*)+")


def says(phrase: re.Pattern[str], text: str) -> bool:
    """Whether that is all that the text says."""
    return phrase.fullmatch(text.strip().lower()) is not None
