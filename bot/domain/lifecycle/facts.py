"""The facts a rule is given: answers of GitHub, and what the store knows beside the record."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, TypeVar, cast

from bot.domain.lifecycle.results import Lacking, Unread
from bot.domain.model.facts import Answer, Unknown
from bot.domain.model.questions import Question
from bot.domain.model.shown import ShownRow

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Facts:
    """`base_is_free`: no other record holds the base's lock. `linked_elsewhere`: the issue whose record has the pull request
    in question already; `may_be_taken`: that one is withdrawn and gives it up; `may_land_there`: it is withdrawn and keeps
    it, since a request to merge it may still land. `unheard_since`: when a delivery came that may tell of a stop and could
    not be worked on; `news_waits`: something is not worked on yet that may. `history_is_sound`: the record is what its
    history says; looked at before a merge is asked for only. `policy_file`: git's name of the content of the policy file that
    is the newest we have looked at. `settle_window` and `merge_retry` are the operator's settings, in seconds; `async_only`:
    the operator wants no synchronous merge; `calls`: they want to be called when a record needs them. `clock_ahead`: by how
    much the host's clock was set since the merge was asked for."""

    answers: Mapping[Question[Any], Answer[Any] | Unknown] = field(default_factory=dict)
    shown: tuple[ShownRow, ...] = ()
    base_is_free: bool = True
    linked_elsewhere: int | None = None
    unheard_since: datetime | None = None
    news_waits: bool = False
    history_is_sound: bool = True
    may_be_taken: bool = False
    may_land_there: bool = False
    policy_file: str | None = None
    settle_window: float = 900.0
    merge_retry: float = 5.0
    async_only: bool = False
    clock_ahead: timedelta = timedelta(0)
    calls: bool = False

    def ask(self, question: Question[T]) -> T | Unknown:
        """The answer, or Unknown when GitHub could not say. Raises Lacking when nobody asked yet."""
        try:
            answer = self.answers[question]
        except KeyError:
            raise Lacking(cast("Question[object]", question)) from None
        return answer if isinstance(answer, Unknown) else cast("T", answer.value)

    def need(self, question: Question[T]) -> T:
        """The answer; raises Unread when GitHub could not say."""
        answer = self.ask(question)
        if isinstance(answer, Unknown):
            raise Unread(answer.why)
        return answer

    def github_time(self) -> datetime | None:
        """GitHub's clock at the newest read, in whole seconds; None when nothing was read."""
        return max((a.date for a in self.answers.values() if isinstance(a, Answer)), default=None)
