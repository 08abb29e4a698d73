"""GitHub behind the Forge port: questions and writes, each in its own module. The merge is in `bot.github.merging` alone."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from bot.domain.model.effects import Write, Written
from bot.domain.model.facts import Answer
from bot.domain.model.ids import Repo
from bot.domain.model.questions import Question
from bot.github import writer
from bot.github.api import Api
from bot.github.client import GitHubGateway
from bot.github.facts import readers, together
from bot.ports.forge import Guard

T = TypeVar("T")


class GitHubForge:
    def __init__(self, gateway: GitHubGateway) -> None:
        self._gateway = gateway

    async def read(self, repo: Repo, question: Question[T]) -> Answer[T]:
        api = Api(self._gateway, repo)
        answer = await readers.read(api, question)
        return replace(answer, requests=api.requests, limit=api.limit, remaining=api.remaining)

    async def together(self, repo: Repo, questions: Collection[Question[Any]]) -> Mapping[Question[Any], Answer[Any]]:
        return await together.answers(Api(self._gateway, repo), questions)

    async def perform(self, repo: Repo, write: Write, guard: Guard | None = None) -> Written:
        return await writer.perform(Api(self._gateway, repo, guard), write)
