"""Whether an open pull request needs a branch that is to be deleted, however many are open."""

from typing import Any

import httpx
import pytest

from bot.domain.model.effects import DeleteBranch
from bot.ports.failures import Forbidden
from tests.github.conftest import Setting
from tests.github.test_client import REPO, Scripted, dated

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("side", ["base", "head"])
async def test_a_branch_that_is_needed_by_a_pull_request_beyond_the_first_page_is_kept(side: str) -> None:
    def one(number: int, **refs: str) -> dict[str, Any]:
        sides = {name: {"ref": refs.get(name, "x"), "sha": "c" * 40, "repo": {"id": 1}} for name in ("head", "base")}
        return {"number": number, "state": "open", **sides}

    def answers(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/branches/feature"):
            return dated(200, {"commit": {"sha": "c" * 40}, "protected": False})
        if request.url.params.get(side):
            return dated(200, [one(101, **{side: "feature"})])
        filtered = request.url.params.get("base") or request.url.params.get("head")
        return dated(200, [] if filtered else [one(number) for number in range(1, 101)])

    github = Scripted(answers)
    with pytest.raises(Forbidden):
        await github.forge.perform(REPO, DeleteBranch(ref="feature", expected_head="c" * 40))
    assert not [request for request in github.seen if request.method == "DELETE"]


async def test_a_branch_of_the_same_name_in_a_fork_needs_nothing_here(here: Setting) -> None:
    fork = here.world.forks("eve", here.repository)
    here.world.opens_pull("eve", here.repository, head=f"{fork.owner.login}:feature")
    pull = here.world.opens_pull("ada", here.repository)
    here.world.merges_by_hand("ada", pull)
    await here.forge.perform(here.repo, DeleteBranch(ref="feature", expected_head=pull.head))
    assert "feature" not in here.repository.branches
