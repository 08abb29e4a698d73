"""How many rounds of questions a decision takes."""

from typing import Any

from bot.domain.lifecycle.decide import decide
from bot.domain.lifecycle.facts import Facts
from bot.domain.lifecycle.results import Gather, Result
from bot.domain.model.facts import Answer
from bot.domain.model.policy import STRICT, Policy, RoleRule
from bot.domain.model.policy_file import ABSENT
from bot.domain.model.questions import MemberOf, Question
from bot.domain.policy.accounts import as_team
from tests.kit.cases import NOW, advanced, answers
from tests.kit.merge_steps import ASK
from tests.kit.records import merging

TEAMS = tuple(f"octo/team-{number}" for number in range(20))
BY_TEAMS = RoleRule(permission=None, teams=TEAMS)
POLICY = STRICT.model_copy(
    update={
        "roles": STRICT.roles.model_copy(update={"reviewers": BY_TEAMS, "operators": BY_TEAMS}),
        "accounts": {as_team(team): number for number, team in enumerate(TEAMS, start=1)},
    }
)


def rounds(policy: Policy) -> tuple[int, Result]:
    """Everybody is in the last team only."""
    record = merging("reserved", locked=True)
    known = answers(record)
    given: dict[Question[Any], Answer[Any]] = {}
    asked = 0
    while True:
        result = decide(record, ASK, Facts(answers=given, policy_file=ABSENT), policy, NOW)
        if not isinstance(result, Gather):
            return asked, result
        asked += 1
        for question in result.questions:
            value = question.team == TEAMS[-1] if isinstance(question, MemberOf) else known[question]
            given[question] = Answer(value, NOW)


def test_two_deciders_of_twenty_teams_are_read_in_few_rounds() -> None:
    plain, _ = rounds(STRICT)
    asked, result = rounds(POLICY)
    assert (asked - plain, advanced(result).merge.state) == (2, "requested")
