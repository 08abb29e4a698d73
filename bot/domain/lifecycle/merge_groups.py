"""Merge queues merge around every gate of ours, so our check fails in each of their groups; nothing waits there for ever."""

from bot.domain.model.effects import CreateCheckRun, Effect
from bot.domain.model.ids import Repo

TITLE = "merge queues are not supported here"
SUMMARY = (
    "Signalbox merges one judged head at a time and by itself. A queue merges another commit than the one that was judged,"
    " so this group is refused. Take the pull request out of the queue, and the queue out of the rules of the branch."
)


def refused_group(repo: Repo, head: str) -> Effect:
    """Our check as failure on the head of a merge group, once."""
    write = CreateCheckRun(
        head=head, status="completed", conclusion="failure", title=TITLE, summary=SUMMARY, external_id="merge_group"
    )
    return Effect(kind="merge_group", target=f"head:{head}", once=f"merge_group:{repo.id}:{head}", write=write)
