"""There is one place that writes a merge request, and one that makes the right to send it. Import contracts say who may hold
the sender and who may name a permit; here is what imports do not show."""

import ast
from collections.abc import Iterator

import pytest

from tests.rules.kit import text, tracked

REQUEST = "bot/github/merging.py"
PERMIT = "bot/app/attempts.py"
#: The other side of the wire, which hears requests and makes none.
FILES = [path for path in tracked("bot/*.py") if not path.startswith("bot/simulator/")]
#: Words of GitHub's merge requests that nothing else has, REST and GraphQL.
WORDS = frozenset({"merge_method", "merge_action", "direct_merge", "commit_title", "merge_when_ready"})
MUTATIONS = (
    "mergePullRequest",
    "mergeBranch",
    "enqueuePullRequest",
    "enablePullRequestAutoMerge",
)
CALLS = frozenset({"async_merge", "async_merge_upstream", "pulls_merge"})


def asks_for_a_merge(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(said)) if said in WORDS or any(f"{word}(" in said for word in MUTATIONS):
                yield said
            case ast.Call(func=ast.Attribute(attr=name, value=ast.Attribute(attr="pulls" | "repos"))) if name in CALLS:
                yield name


def makes_a_permit(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="MergePermit")):
                yield "MergePermit(…)"
            case ast.Attribute(attr="_seal", value=ast.Name(id=owner)):
                yield f"{owner}._seal"


def test_only_one_file_writes_a_merge_request() -> None:
    assert [path for path in FILES if any(asks_for_a_merge(ast.parse(text(path))))] == [REQUEST]


def test_only_the_write_that_stored_the_request_makes_a_permit() -> None:
    made = {path for path in tracked("bot/*.py") if any(makes_a_permit(ast.parse(text(path))))}
    assert made - {"bot/domain/model/permit.py"} == {PERMIT}


@pytest.mark.parametrize(
    "planted",
    [
        'await api.put(f"/pulls/{n}/x", {"sha": head, "merge_method": "squash"})',
        'MERGE = "mutation { mergePullRequest(input: {pullRequestId: $id}) { clientMutationId } }"',
        "github.rest.pulls.async_merge(owner, repo, number)",
    ],
)
def test_another_merge_request_is_found(planted: str) -> None:
    assert [*asks_for_a_merge(ast.parse(planted))]


def test_another_maker_of_permits_is_found() -> None:
    assert len([*makes_a_permit(ast.parse("MergePermit(MergePermit._seal, order)"))]) == 2
