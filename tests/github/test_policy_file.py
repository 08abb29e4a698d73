"""A policy file that cannot be fetched is never taken for one that is not there, and an unchanged one costs nothing."""

from typing import Any

import pytest

from bot.domain.model.policy_file import ABSENT, PATH, PolicyFileNow, PolicyFileOf, ProposedFileIn
from bot.domain.model.questions import Question
from bot.ports.failures import Forbidden, ForgeFailure, Unreachable
from tests.github.conftest import Setting
from tests.github.policy_stories import written

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("face", ["forge", "simulated"])]
ASKED: tuple[Question[Any], ...] = (PolicyFileOf(), PolicyFileNow())


@pytest.mark.parametrize("question", ASKED, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("what", ["uninstalls", "suspends", "removes_repository"])
async def test_the_file_of_a_repository_out_of_our_sight_is_not_absent(
    here: Setting, face: str, question: Question[Any], what: str
) -> None:
    written(here)
    getattr(here.world, what)(*((here.repository,) if what == "removes_repository" else ()))
    with pytest.raises(ForgeFailure):
        await getattr(here, face).read(here.repo, question)


@pytest.mark.parametrize("question", ASKED, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("status", [403, 500])
async def test_a_refusal_is_no_proof_that_there_is_no_file(
    here: Setting, face: str, question: Question[Any], status: int
) -> None:
    written(here)
    for operation in ("commits", "contents"):
        here.world.fails(operation, status, times=None)
    with pytest.raises((Forbidden, Unreachable)):
        await getattr(here, face).read(here.repo, question)


async def test_an_unchanged_file_costs_nothing_to_ask_again_and_a_change_is_told(here: Setting, face: str) -> None:
    forge = getattr(here, face)
    written(here)
    first = await forge.read(here.repo, PolicyFileOf())
    assert first.value.raw == b"preset: lean\n"

    again = await forge.read(here.repo, PolicyFileOf(first.value.etag))
    assert (again.value.unchanged, again.requests) == (True, 0)

    commit = written(here, "preset: solo\n")
    changed = await forge.read(here.repo, PolicyFileOf(first.value.etag))
    assert (changed.value.commit, changed.value.raw) == (commit, b"preset: solo\n")


async def test_the_name_of_the_content_is_the_same_whoever_is_asked(here: Setting, face: str) -> None:
    forge = getattr(here, face)
    assert (await forge.read(here.repo, PolicyFileNow())).value == ABSENT
    written(here)
    whole = (await forge.read(here.repo, PolicyFileOf())).value
    assert (await forge.read(here.repo, PolicyFileNow())).value == whole.blob != ABSENT


async def test_a_branch_that_is_merely_behind_proposes_nothing(here: Setting, face: str) -> None:
    opened = here.world.opens_pull("grace", here.repository)
    written(here)
    answer = await getattr(here, face).read(here.repo, ProposedFileIn(opened.number, opened.head))
    assert answer.value is None
    assert PATH not in here.world.diff_of(opened)


async def test_a_content_that_is_not_shown_for_its_commit_is_not_absent(here: Setting, face: str) -> None:
    written(here)
    here.world.fails("contents", 404)
    with pytest.raises(ForgeFailure):
        await getattr(here, face).read(here.repo, PolicyFileOf())
