"""Sentences for what was said in the wrong place, or is no command: no single command owns them."""

import re

from bot.domain.commands.spec import OF_A_COMMIT, Said, Thread
from bot.domain.lifecycle.refusing import nothing_to_judge
from bot.domain.model.policy import Policy
from bot.domain.model.refusals import Refusal
from bot.domain.model.text import code

#: Where a commit is judged in no case.
BEFORE_A_HEAD = frozenset({"planning", "plan_ready", "plan_rejected"})
#: The most commands of one comment that are read.
MOST_COMMANDS = 10
_THREAD_URL = re.compile(r"(https?://[^\s()<>\[\]]+)/(?:issues|pull)/[0-9]+")


def wrong_place(said: Said, bound: str) -> Refusal:
    """Its message names the command itself, since it goes on from "Not here: "."""
    there = "issue" if said.thread.is_pull else "pull request"
    before = bound == OF_A_COMMIT and _before_a_head(said)
    return said.refusal(
        "wrong_place",
        f"{code(said.source.text)} {bound}, so it works on the {there} only. Nothing changed.\n"
        f"{before or _other_thread(said)}",
    )


def _before_a_head(said: Said) -> str | None:
    """A pull request alone would not help: what is said there, then."""
    record = said.thread.record
    if record is None or record.pull_request is not None or record.phase not in BEFORE_A_HEAD:
        return None
    return nothing_to_judge(record, stops=said.verb == "rework").refusal.message


def _other_thread(said: Said) -> str:
    record = said.thread.record
    if said.thread.is_pull:
        issue = record.issue if record else None
        return f"The issue of this pull request is {_link(said, 'issues', issue)}." if issue else _unlinked(said)
    if record and record.pull_request:
        return f"The pull request of this issue is {_link(said, 'pull', record.pull_request)}."
    return (
        "No pull request is linked to this issue yet; a builder opens one and comments "
        f"{said.typed(f'link #{said.thread.number}')} on it."
    )


def _link(said: Said, kind: str, number: int) -> str:
    here = _THREAD_URL.match(said.source.url)
    return f"[#{number}]({here[1]}/{kind}/{number})" if here else f"`#{number}`"


def no_record(said: Said) -> Refusal:
    """It is not kept for a record that comes later, a stop neither: whoever wrote it must not believe that it holds."""
    not_kept = (
        "Nothing changed, and this is not kept for later: repeat it here then, or say it now where the record is."
    )
    return said.refusal("no_record", f"{nothing_here(said.thread, said.policy)} {not_kept}")


def nothing_here(thread: Thread, policy: Policy) -> str:
    """What is true in a thread without a record, and who can change it."""
    if thread.is_pull:
        return (
            "This pull request is not linked to a record. "
            f"A builder links it with {thread.typed('link', policy)} and the number of the issue."
        )
    return f"This issue has no record. A builder starts one by adding the label {code(policy.start_label)}."


def _unlinked(said: Said) -> str:
    return nothing_here(said.thread, said.policy)


def too_many(said: Said, count: int) -> Refusal:
    return said.refusal(
        "too_many_commands", f"{count} commands in one comment; at most {MOST_COMMANDS} are read, so none was run."
    )


def mail_footer(said: Said) -> Refusal:
    return said.refusal(
        "mail_quote",
        "This comment holds the footer of an e-mail or of a status comment, so it may repeat what others wrote, "
        "and none of it was read. Write the command again in a comment without the quoted mail.",
    )


def edited_meanwhile() -> Refusal:
    return Refusal(
        code="stale_comment",
        message="This comment was edited before it was read, so nobody knows what it said at first. Nothing changed.\n"
        "Write the command again in a new comment.",
    )
