"""Rules that a test gives by hand, in the place of those that are read from a file."""

from collections.abc import Callable

from bot.app.outside import Outside
from bot.app.policy.book import PolicyBook, Ruled
from bot.bootstrap.work import Rules
from bot.documents.yaml_text import read
from bot.domain.model.ids import Repo
from bot.domain.model.policy import Policy
from bot.domain.model.policy_file import ABSENT
from bot.ports.store import Tx


class Given(PolicyBook):
    """What `policy()` says now is in force everywhere, and the repositories have no file; None = as the files say."""

    def __init__(self, outside: Outside, policy: Callable[[], Policy | None]) -> None:
        super().__init__(outside, read, 60.0)
        self._policy = policy

    def known(self, tx: Tx, repository_id: int) -> Ruled | None:
        policy = self._policy()
        return super().known(tx, repository_id) if policy is None else Ruled(0, policy, ABSENT)

    async def of(self, repo: Repo) -> Policy:
        policy = self._policy()
        return await super().of(repo) if policy is None else policy

    async def look(self, repo: Repo) -> None:
        if self._policy() is None:
            await super().look(repo)


def given(policy: Callable[[], Policy | None]) -> Rules:
    return lambda outside: Given(outside, policy)
