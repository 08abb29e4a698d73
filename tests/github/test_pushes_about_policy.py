"""Which pushes may have changed the policy file: only one that lists all its files, and not this one, is passed over."""

from typing import Any

import pytest

from bot.domain.model.policy_file import PATH
from bot.domain.model.sightings import BranchPushed
from bot.github.inbound.checks import MOST_COMMITS
from tests.github.test_inbound_fixtures import deliver, load

MAIN: dict[str, Any] = {"ref": "refs/heads/main", "created": False, "forced": False, "deleted": False}
OTHER: dict[str, Any] = {"added": ["a.py"], "modified": ["b.py"], "removed": ["c.py"]}


def about_policy(**changes: Any) -> bool:
    push: dict[str, Any] = load("push") | MAIN | {"commits": [OTHER]} | changes
    push["repository"] = push["repository"] | {"default_branch": "main"}
    (signal,) = deliver("push", push).signals
    assert isinstance(signal, BranchPushed)
    return signal.touches_policy


@pytest.mark.parametrize("how", ["added", "modified", "removed"])
@pytest.mark.parametrize("place", [0, 1])
def test_a_commit_that_names_the_file_is_looked_at(how: str, place: int) -> None:
    commits = [OTHER, OTHER]
    commits[place] = OTHER | {how: ["z.py", PATH]}
    assert about_policy(commits=commits)


def test_a_push_that_lists_other_files_alone_is_passed_over() -> None:
    assert not about_policy()


@pytest.mark.parametrize(
    "unknown",
    [
        {"forced": True},
        {"created": True},
        {"commits": []},
        {"commits": [OTHER] * MOST_COMMITS},
        {"commits": [OTHER | {"modified": None}]},
        {"commits": [{key: files for key, files in OTHER.items() if key != "removed"}]},
    ],
    ids=["forced", "created", "no commits", "as many as GitHub tells", "a list is null", "a list is missing"],
)
def test_a_push_that_does_not_list_all_its_files_is_looked_at(unknown: dict[str, Any]) -> None:
    assert about_policy(**unknown)


def test_another_branch_changes_no_rules() -> None:
    assert not about_policy(ref="refs/heads/topic", commits=[OTHER | {"modified": [PATH]}])


def test_where_the_default_branch_is_not_told_every_branch_may_be_it() -> None:
    push: dict[str, Any] = load("push") | MAIN | {"ref": "refs/heads/topic", "commits": [OTHER | {"modified": [PATH]}]}
    push["repository"] = {key: value for key, value in push["repository"].items() if key != "default_branch"}
    (signal,) = deliver("push", push).signals
    assert isinstance(signal, BranchPushed)
    assert signal.touches_policy
