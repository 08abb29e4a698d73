"""The simulated GitHub in plain text, for whoever reads it at a terminal."""

import re
from collections.abc import Mapping, Sequence

from bot.bootstrap.demo.screen import plain
from bot.simulator.model.checks import CheckRun
from bot.simulator.model.threads import Pull, Thread
from bot.simulator.world import World

_HIDDEN = re.compile(r"<!--.*?-->", re.DOTALL)
_FOLD = re.compile(r"</?(details|summary)>")


def spoken(markdown: str) -> str:
    """A comment without hidden marks; what GitHub folds stands open."""
    return _FOLD.sub("", _HIDDEN.sub("", markdown)).strip()


def list_as_text(world: World) -> str:
    threads = [thread for repo in world.repositories.values() for thread in repo.threads.values()]
    return "".join(f"{_title(thread)}\n" for thread in threads) or "Nobody has opened an issue yet.\n"


def thread_as_text(thread: Thread, runs: Sequence[CheckRun]) -> str:
    lines = [_title(thread)]
    if thread.labels:
        lines.append(f"labels: {', '.join(label.name for label in thread.labels)}")
    lines += [
        f"check {run.name}: {run.conclusion or run.status}{f', {run.title}' if run.title else ''}" for run in runs
    ]
    for who, text in [(thread.author, thread.body), *((one.author, one.body) for one in thread.comments)]:
        if text.strip():
            lines += ["", f"{who.login} wrote:", *(f"  {line}" for line in plain(spoken(text)))]
    return "\n".join(lines) + "\n"


def commit_as_text(title: str, changes: Mapping[str, tuple[str | None, str | None]]) -> str:
    return "\n".join([title, *(f"  {word(old, new)} {path}" for path, (old, new) in changes.items())]) + "\n"


def word(old: str | None, new: str | None) -> str:
    return "added" if old is None else "deleted" if new is None else "changed"


def _title(thread: Thread) -> str:
    if not isinstance(thread, Pull):
        return f"#{thread.number} {thread.title} ({'open' if thread.open else 'closed'})"
    state = "merged" if thread.merged_at else "open" if thread.open else "closed"
    return f"#{thread.number} {thread.title} ({state}), {thread.head_ref} at {thread.head[:12]} into {thread.base_ref}"
