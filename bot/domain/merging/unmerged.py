"""How a request to merge ended without one, in words: GitHub refused it, or somebody or something else says that it is over."""

from typing import Literal

from bot.domain.model.merge import Merge
from bot.domain.model.text import moment, plain

#: Kinds of an end, beside GitHub's own no. They stand in `merge.reason_code` of a merge that is `refused`.
Unmerged = Literal["settled_unmerged", "proven_unmerged", "not_sent"]
_CLAUSES: dict[str, str] = {
    "settled_unmerged": "was settled as unmerged",
    "proven_unmerged": "is proven unmerged",
    "not_sent": "could not be sent",
}


def by_github(merge: Merge) -> bool:
    """Whether it was GitHub that said no."""
    return merge.reason_code is None


def tells_of_the_request(merge: Merge) -> bool:
    """Whether the reason is how the request ended, and not what stands in the way of the next one."""
    return merge.reason_code is None or merge.reason_code in _CLAUSES


def unmerged_words(merge: Merge) -> str:
    """Why there is no merge: GitHub's refusal in its own words, or who settled it, or what proves it."""
    reason = plain(merge.reason) if merge.reason else ""
    if not by_github(merge):
        return reason
    return f"GitHub refused: {reason}" if reason else "GitHub refused"


def unmerged_clause(merge: Merge) -> str:
    """The same after "a merge that"."""
    return "GitHub refuses" if by_github(merge) else _CLAUSES.get(merge.reason_code or "", "has not happened")


def unmerged_title(merge: Merge) -> str:
    """What an operator is asked for in the title of the check run."""
    if merge.reason_code == "settled_unmerged":
        return "an operator must open the gate, the merge was settled as unmerged"
    if merge.reason_code == "proven_unmerged":
        return "an operator must act, the merge is proven unmerged"
    return f"an operator must act, {'GitHub refused the merge' if by_github(merge) else 'it is not merged'}"


def unmerged_for_long(merge: Merge) -> str:
    """Why it is put before a person at last."""
    since = moment(merge.refused_since) if merge.refused_since else "long ago"
    if by_github(merge):
        return f"GitHub has refused the merge since {since}: {merge.reason or 'no reason given'}"
    return f"the merge has not happened since {since}: {merge.reason}"
