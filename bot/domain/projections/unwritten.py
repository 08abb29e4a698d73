"""Comments that GitHub refused to take (a locked thread): the check run carries their text."""

from dataclasses import replace

from bot.domain.model.text import link
from bot.domain.projections.notices import notices
from bot.domain.projections.show import DesiredComment, Show
from bot.domain.projections.status_comment import status_comments
from bot.domain.projections.wording import on_github


def unwritten(show: Show) -> list[str]:
    """Each as a block of Markdown; nobody is called from here."""
    if not show.unwritten:
        return []
    quiet = replace(show, policy=show.policy.model_copy(update={"notify": ()}))
    wanted = (*notices(quiet), *status_comments(quiet))
    return [_block(show, each) for each in wanted if each.slot in show.unwritten and each.life != "settled"]


def _block(show: Show, comment: DesiredComment) -> str:
    thread = link(f"#{comment.number}", on_github(show, f"issues/{comment.number}"))
    return f"GitHub did not take this comment on {thread}:\n\n{comment.text}"
