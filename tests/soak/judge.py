"""What must be true after a soak, from GitHub's own log and the bot's own history, independently of each other."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from bot.simulator.edge import Request
from bot.simulator.model.landing import Landing
from bot.simulator.model.threads import Comment, Pull
from bot.simulator.webhooks import failed
from bot.simulator.world import World

MARK = re.compile(r"<!-- signalbox:\S+")
#: Who must have said what on the merged head, after it was pushed, for each gate.
DEMANDED = (
    ("grace", "/approve testing"),
    ("omar", "/gate testing"),
    ("grace", "/approve submit"),
    ("omar", "/gate submit"),
)


def faults(world: World) -> Iterator[str]:
    """In sentences; nothing where all is well."""
    for landing in world.landed:
        yield from _unapproved(landing)
    yield from _twice(world)
    yield from _doubled(world)
    if lost := failed(world.hooks):
        yield f"{len(lost)} deliveries never reached the bot: {[one.event for one in lost][:5]}"
    yield from (f"GitHub did not understand: {finding}" for finding in world.findings)


def _unapproved(landing: Landing) -> Iterator[str]:
    """The bot is not asked: only people's comments and the head that landed count."""
    name = f"#{landing.pull.number} at {landing.head[:12]}"
    if landing.expected != landing.head:
        yield f"{name}: the request named {landing.expected}"
    for who, words in DEMANDED:
        if not any(_says(comment, who, f"{words} {landing.head[:12]}") for comment in landing.pull.comments):
            yield f"{name} landed, and {who} never said {words} {landing.head[:12]}"


def _says(comment: Comment, who: str, text: str) -> bool:
    return comment.author.login == who and comment.body.startswith(text)


def _twice(world: World) -> Iterator[str]:
    """A second request for one pull request is allowed only after a no of GitHub, or after a person settled the first."""
    asked = Counter(request.path for request in world.requests if _may_merge(request))
    for path, times in asked.items():
        number = int(path.split("/pulls/")[1].split("/")[0])
        pull = _pull(world, path, number)
        settled = sum(comment.body.startswith("/settle unmerged") for comment in pull.comments)
        if times > 1 + settled:
            yield f"{path} was asked for {times} times, settled as unmerged {settled} times"
    twice = [pull.number for pull, times in Counter(one.pull for one in world.landed).items() if times > 1]
    if twice:
        yield f"merged twice: {twice}"


def _may_merge(request: Request) -> bool:
    """Asks for a merge, and no answer says that GitHub refused it."""
    return request.operation in {"merge", "merge_async"} and not 400 <= (request.status or 0) < 500


def _pull(world: World, path: str, number: int) -> Pull:
    name = "/".join(path.split("/")[2:4])
    repository = next(one for one in world.repositories.values() if one.full_name == name)
    pull = repository.threads[number]
    assert isinstance(pull, Pull)
    return pull


def _doubled(world: World) -> Iterator[str]:
    """Each of our comments has a mark of its own, and each of a person's at most one answer of a kind."""
    for repository in world.repositories.values():
        for thread in repository.threads.values():
            ours = [comment for comment in thread.comments if comment.app is not None]
            marks = Counter(tuple(MARK.findall(comment.body)) for comment in ours)
            for mark, times in marks.items():
                if times > 1:
                    yield f"{repository.name}#{thread.number} has {times} comments with {mark}"


def growth(memories: Sequence[int]) -> float:
    """The newest process's memory by the oldest's."""
    return memories[-1] / memories[0]
