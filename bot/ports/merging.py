"""The one dangerous request, as the shell sees it. Only `bot.app.merge` holds a sender; bootstrap hands it one."""

from collections.abc import Callable
from typing import Protocol

from bot.domain.model.effects import MergeReply
from bot.domain.model.ids import Repo
from bot.domain.model.permit import MergePermit


class MergeSender(Protocol):
    async def merge(self, repo: Repo, permit: MergePermit, may_send: Callable[[], bool]) -> MergeReply:
        """Send the permitted merge request once, with its `sha`, no redirect, no retry. `may_send` is asked directly
        before the bytes leave, after the connection stands; False = nothing is sent. Never raises for an outcome:
        a missing answer is `MergeReply(sent=True, status=None)`."""
        ...
