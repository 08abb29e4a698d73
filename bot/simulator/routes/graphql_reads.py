"""What GraphQL shows of a repository and of a pull request beside the REST API: lists with pages, trees, tips of branches."""

from collections.abc import Callable, Sequence
from typing import Any

from bot.simulator.model.repositories import Commit, Repository
from bot.simulator.model.threads import Pull
from bot.simulator.routes.selection import GraphqlError
from bot.simulator.wire.places import stamp
from bot.simulator.wire.repositories import blob_sha
from bot.simulator.world import World

Node = dict[str, Any]
#: GitHub's own word for how a path differs, by whether it was there before and is there now.
_CHANGES = {(True, True): "MODIFIED", (True, False): "DELETED", (False, True): "ADDED"}


def of_repository(world: World, repo: Repository, shown: Callable[[Pull], Node]) -> Node:
    """`shown`: one pull request, as it stands in lists."""

    def pulls(arguments: Node) -> Node:
        states = arguments.get("states")
        wanted = {states} if isinstance(states, str) else set(states or ())
        found = [one for one in repo.threads.values() if isinstance(one, Pull)]
        if wanted == {"OPEN"}:
            found = [one for one in found if one.open]
        elif wanted:
            raise GraphqlError("the simulator lists all pull requests or the open ones")
        return connection("PullRequestConnection", [shown(one) for one in found], arguments)

    def reference(arguments: Node) -> Node | None:
        return _ref(world, repo, str(arguments["qualifiedName"]).removeprefix("refs/heads/"))

    return {
        "pullRequests": pulls,
        "mergeCommitAllowed": "merge" in repo.methods,
        "squashMergeAllowed": "squash" in repo.methods,
        "rebaseMergeAllowed": "rebase" in repo.methods,
        "ref": reference,
        "defaultBranchRef": _ref(world, repo, repo.default_branch),
        "object": lambda arguments: _object(world, repo, str(arguments["expression"])),
    }


def of_pull(world: World, pull: Pull) -> Node:
    labels = [{"__typename": "Label", "name": one.name} for one in pull.labels]
    head = pull.head_repository

    def files(arguments: Node) -> Node:
        diff = world.diff_of(pull)
        return connection("PullRequestChangedFileConnection", [_file(*one) for one in diff.items()], arguments)

    auto = {"__typename": "AutoMergeRequest", "enabledAt": None} if pull.auto_merge is not None else None
    return {
        "labels": lambda arguments: connection("LabelConnection", labels, arguments),
        "files": files,
        "headRepository": {"__typename": "Repository", "databaseId": head.id} if head is not None else None,
        "autoMergeRequest": auto,
        "baseRef": _ref(world, pull.repository, pull.base_ref),
        "mergeCommit": _merge(world, pull),
        "stack": {"__typename": "PullRequestStack", "id": f"PRS_{pull.stack[0].id}"} if pull.stack else None,
    }


def _merge(world: World, pull: Pull) -> Node | None:
    merge = world.commits.get(pull.merge_commit or "")
    if merge is None:
        return None
    parents = [{"__typename": "Commit", "oid": sha} for sha in merge.parents]

    def introducing(arguments: Node) -> Node:
        repository = {"__typename": "Repository", "databaseId": pull.repository.id}
        found = [
            {"__typename": "PullRequest", "number": one.number, "repository": repository}
            for one in world.pulls_with(pull.repository, merge.sha)
        ]
        return connection("PullRequestConnection", found, arguments)

    return _named(merge) | {
        "committedDate": stamp(merge.at),
        "parents": lambda arguments: connection("CommitConnection", parents, arguments),
        "associatedPullRequests": introducing,
    }


def _file(path: str, sides: tuple[str | None, str | None]) -> Node:
    old, new = sides
    change = _CHANGES[old is not None, new is not None]
    return {"__typename": "PullRequestChangedFile", "path": path, "changeType": change}


def connection(name: str, nodes: Sequence[Node], arguments: Node) -> Node:
    """The first page, which is all that the bot asks for."""
    first = arguments.get("first")
    if not isinstance(first, int) or not 0 < first <= 100:
        raise GraphqlError(f"{name}: `first` must be between 1 and 100")
    page = {"__typename": "PageInfo", "hasNextPage": len(nodes) > first}
    return {"__typename": name, "nodes": list(nodes[:first]), "totalCount": len(nodes), "pageInfo": page}


def _ref(world: World, repo: Repository, branch: str) -> Node | None:
    if branch not in repo.branches:
        return None
    return {"__typename": "Ref", "name": branch, "target": _commit(world, world.commits[repo.branches[branch]])}


def _commit(world: World, commit: Commit) -> Node:
    def history(arguments: Node) -> Node:
        path = arguments.get("path")
        found = [world.commits[sha] for sha in world.history(commit.sha)]
        changing = [one for one in found if path is None or path in _changed(world, one)]
        return connection("CommitHistoryConnection", [_named(one) for one in changing], arguments)

    return _named(commit) | {"history": history}


def _named(commit: Commit) -> Node:
    return {"__typename": "Commit", "__interfaces": ("Node", "GitObject"), "oid": commit.sha}


def _changed(world: World, commit: Commit) -> Any:
    parent = world.commits.get(commit.parents[0]) if commit.parents else None
    return world.diff(parent.files if parent else {}, commit.files)


def _object(world: World, repo: Repository, expression: str) -> Node | None:
    """`HEAD:folder`, which is a tree, a file, or nothing."""
    head, _, path = expression.partition(":")
    tip = repo.branches.get(repo.default_branch)
    if head != "HEAD" or tip is None:
        raise GraphqlError(f"the simulator cannot show object {expression}")
    files = world.commits[tip].files
    if path in files:
        return {"__typename": "Blob", "oid": blob_sha(files[path])}
    below = {one.removeprefix(f"{path}/"): text for one, text in files.items() if one.startswith(f"{path}/")}
    return {"__typename": "Tree", "entries": [_entry(*one) for one in sorted(below.items())]} if below else None


def _entry(path: str, text: str) -> Node:
    """A file, or the folder in which it is."""
    name, slash, _ = path.partition("/")
    kind, mode = ("tree", 0o040000) if slash else ("blob", 0o100644)
    return {"__typename": "TreeEntry", "name": name, "type": kind, "mode": mode, "oid": blob_sha(text)}
