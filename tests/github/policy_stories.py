"""Stories about the policy file: what both forges are asked of it."""

from typing import Any

from bot.domain.model.policy_file import PATH, PolicyFileNow, PolicyFileOf, ProposedFileIn
from bot.domain.model.questions import Question
from tests.github.conftest import Setting


def written(here: Setting, text: str | None = "preset: lean\n", branch: str = "main") -> str:
    return here.world.pushes("ada", here.repository, branch, files={PATH: text})


def no_policy_file(_: Setting) -> Question[Any]:
    return PolicyFileOf()


def policy_file(here: Setting) -> Question[Any]:
    written(here)
    here.world.pushes("grace", here.repository, "main")
    return PolicyFileOf()


def policy_file_of_another_branch(here: Setting) -> Question[Any]:
    written(here, branch="develop")
    return PolicyFileOf()


def policy_file_that_was_deleted(here: Setting) -> Question[Any]:
    written(here)
    written(here, None)
    return PolicyFileOf()


def policy_file_now(here: Setting) -> Question[Any]:
    written(here)
    return PolicyFileNow()


def no_policy_file_now(here: Setting) -> Question[Any]:
    written(here)
    written(here, None)
    return PolicyFileNow()


def proposed_policy_file(here: Setting) -> Question[Any]:
    written(here)
    head = written(here, "preset: solo\n", "feature")
    return ProposedFileIn(here.world.opens_pull("grace", here.repository).number, head)


def policy_file_that_a_pull_removes(here: Setting) -> Question[Any]:
    written(here)
    head = written(here, None, "feature")
    return ProposedFileIn(here.world.opens_pull("grace", here.repository).number, head)


def pull_that_is_behind_the_policy_file(here: Setting) -> Question[Any]:
    opened = here.world.opens_pull("grace", here.repository)
    written(here)
    return ProposedFileIn(opened.number, opened.head)


POLICY_STORIES = {
    story.__name__.replace("_", " "): story
    for story in (
        *(no_policy_file, policy_file, policy_file_of_another_branch, policy_file_that_was_deleted),
        *(policy_file_now, no_policy_file_now),
        *(proposed_policy_file, policy_file_that_a_pull_removes, pull_that_is_behind_the_policy_file),
    )
}
