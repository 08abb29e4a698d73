"""Comments that GitHub refused to take (a locked thread): the check run carries their text."""

from collections.abc import Iterable
from dataclasses import replace

from bot.domain.model.effects import CreateComment, EffectState
from bot.domain.model.text import link
from bot.domain.projections.notices import notices
from bot.domain.projections.show import DesiredComment, Show
from bot.domain.projections.status_comment import status_comments
from bot.domain.projections.wording import on_github

#: Older answers than these are in the list of effects only.
MOST = 3


def unwritten(show: Show) -> list[str]:
    """Each as a block of Markdown; nobody is called from here."""
    answers = [
        _block(show, each.number, each.body.partition("<!-- signalbox:")[0].rstrip()) for each in show.undelivered
    ]
    return [*answers, *(_block(show, each.number, each.text) for each in _refused(show))]


def undelivered(comments: Iterable[tuple[EffectState, CreateComment]]) -> tuple[CreateComment, ...]:
    """Of replies and notices in their order: those that GitHub refused, until it takes a later one on the same thread."""
    open_ones: list[CreateComment] = []
    for state, comment in comments:
        if state == "ok":
            open_ones = [each for each in open_ones if each.number != comment.number]
        elif state == "refused":
            open_ones.append(comment)
    return tuple(open_ones[-MOST:])


def _refused(show: Show) -> list[DesiredComment]:
    if not show.unwritten:
        return []
    quiet = replace(show, policy=show.policy.model_copy(update={"notify": ()}))
    wanted = (*notices(quiet), *status_comments(quiet))
    return [each for each in wanted if each.slot in show.unwritten and each.life != "over"]


def _block(show: Show, number: int, text: str) -> str:
    thread = link(f"#{number}", on_github(show, f"issues/{number}"))
    return f"GitHub did not take this comment on {thread}:\n\n{text}"
