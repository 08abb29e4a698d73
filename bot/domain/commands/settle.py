"""`/settle merged SHA`, `/settle unmerged WHY`: an operator says how a merge ended that could not be proven.

What it says is checked against GitHub before it counts; here only its words are.
"""

from bot.domain.commands.arguments import odd_words, reason, sha, too_long, whole_sha
from bot.domain.commands.spec import CommandSpec, Offer, Said, Thread
from bot.domain.model.command_signals import SettleMerged, SettleUnmerged
from bot.domain.model.refusals import Refusal
from bot.domain.model.text import code, settled_from


def parse(said: Said) -> SettleMerged | SettleUnmerged | Refusal:
    match [said.words[0].lower(), *said.words[1:]] if said.words else []:
        case ["merged", *rest]:
            return _merged(said, rest)
        case ["unmerged", *rest]:
            return _unmerged(said, " ".join(rest))
        case _:
            follows = f"{odd_words(said)} is neither" if said.words else "neither was said"
            return _unsettled(said, f"Either merged or unmerged follows here, and {follows}, so nothing was settled.")


def _merged(said: Said, words: list[str]) -> SettleMerged | Refusal:
    commit = whole_sha(words[0]) if len(words) == 1 else None
    if commit is not None:
        return said.signal(SettleMerged, sha=commit)
    needed = "The merge commit on the base is needed, with all 40 hex digits and nothing behind it"
    if len(words) == 1 and sha(words[0]):
        named = f"and {code(words[0])} has {len(words[0])}"
    else:
        named = f"and {code(' '.join(words), limit=60)} is not that" if words else "and none was named"
    return _unsettled(said, f"{needed}, {named}, so nothing was settled.")


def _unmerged(said: Said, text: str) -> SettleUnmerged | Refusal:
    why = reason(text)
    if why is None:
        return _unsettled(said, "Settling as unmerged needs its reason on the same line, so nothing was settled.")
    if refusal := too_long(said, text, "nothing was settled"):
        return refusal
    return said.signal(SettleUnmerged, why=why)


def _unsettled(said: Said, why: str) -> Refusal:
    merged, unmerged = said.typed("settle merged"), said.typed("settle unmerged")
    return said.refusal(
        "bad_argument",
        f"{why}\nIf it was merged, an operator comments {merged} and the 40-digit merge commit; "
        f"if not, {unmerged} and why.",
    )


def offer(thread: Thread) -> Offer | None:
    """While it is not known whether GitHub merged, and where the policy wants a merge by somebody else confirmed."""
    record = thread.record
    if record is None or not thread.is_pull or record.phase == "done" or record.frozen:
        return None
    merge = record.merge
    if merge.state == "ambiguous":
        since = f" (from {settled_from(merge.window_ends)} on)" if merge.window_ends else ""
        return Offer("settle", f" with merged and the 40-digit merge commit, or with unmerged and why{since}")
    if record.blocked is not None and record.blocked.cause == "external_merge":
        known = whole_sha(merge.sha or "")
        return Offer(f"settle merged {known}") if known else Offer("settle merged", " and the 40-digit merge commit")
    return None


SETTLE = CommandSpec(
    name="settle",
    arguments="merged SHA or unmerged WHY",
    where="pull",
    who=("operator",),
    summary="says how a merge ended that could not be proven",
    examples=(
        ("pull", "/settle merged b81d0e2c5f7a94d3e6b1082c4f9a7d5e3b60c1f8"),
        ("pull", "/settle unmerged The branch was closed by hand."),
    ),
    parse=parse,
    offer=offer,
    bound="settles the merge of a pull request",
)
