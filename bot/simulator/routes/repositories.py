"""Repositories: content, commits, branches, rules, permissions."""

import base64
from urllib.parse import urlencode

from bot.simulator.edge import Reply
from bot.simulator.refusal import HttpError, not_found
from bot.simulator.routes.call import Call, Handler
from bot.simulator.wire import branches as wire_branches
from bot.simulator.wire import people as wire_people
from bot.simulator.wire import pulls as wire_pulls
from bot.simulator.wire import repositories as wire
from bot.simulator.wire.places import WEB


def _repository(call: Call) -> Reply:
    return Reply(200, wire.full_repository(call.repository))


def _permission(call: Call) -> Reply:
    user = call.world.user(call.parts["login"])
    return Reply(200, wire_people.permission(user, call.world.grant(user, call.repository)))


def _contents(call: Call) -> Reply:
    ref = call.query.get("ref") or call.repository.default_branch
    path, files = call.parts["path"], call.world.commit_at(call.repository, ref).files
    if path not in files:
        raise not_found()
    return Reply(200, wire.contents(call.repository, ref, path, files[path]))


def _activity(call: Call) -> Reply:
    """Newest first unless asked otherwise. Further pages are named by a cursor: the last row before them."""
    wanted, kind = call.query.get("ref"), call.query.get("activity_type")
    rows = [
        one
        for one in call.repository.activity
        if wanted in (None, one.branch, f"refs/heads/{one.branch}") and kind in (None, one.kind)
    ]
    if call.query.get("direction") != "asc":
        rows.reverse()
    cursor = call.query.get("after")
    behind = rows[next((place for place, one in enumerate(rows, 1) if str(one.id) == cursor), 0) :]
    reply = call.page(behind, wire.activity)
    if "Link" not in reply.headers:
        return reply
    query = urlencode({**call.query, "after": behind[len(reply.body) - 1].id})
    return Reply(reply.status, reply.body, {"Link": f'<{call.base}{call.path}?{query}>; rel="next"'})


def _commits(call: Call) -> Reply:
    """Newest first, from `sha`; `path` keeps those that changed it."""
    world, repo = call.world, call.repository
    start = world.commit_at(repo, call.query.get("sha") or repo.default_branch).sha
    shas, path = world.history(start), call.query.get("path")
    if path:
        shas = [sha for sha in shas if path in _changed(call, sha)]
    return call.page([world.commits[sha] for sha in shas], lambda one: wire.commit(repo, one))


def _changed(call: Call, sha: str) -> dict[str, tuple[str | None, str | None]]:
    commit = call.world.commits[sha]
    parent = call.world.commits[commit.parents[0]].files if commit.parents else {}
    return call.world.diff(parent, commit.files)


def _commit(call: Call) -> Reply:
    commit = call.world.commit_at(call.repository, call.parts["ref"])
    files = [wire.file_diff(call.repository, commit.sha, p, *sides) for p, sides in _changed(call, commit.sha).items()]
    added, removed = sum(f["additions"] for f in files), sum(f["deletions"] for f in files)
    stats = {"total": added + removed, "additions": added, "deletions": removed}
    return Reply(200, wire.commit(call.repository, commit) | {"stats": stats, "files": files})


def _commit_pulls(call: Call) -> Reply:
    sha = call.world.commit_at(call.repository, call.parts["ref"]).sha
    found = call.world.pulls_with(call.repository, sha)
    extra = {} if not call.old else {"merge_commit_sha": None}
    return call.page(found, lambda one: wire_pulls.listed(one) | extra)


def _compare(call: Call) -> Reply:
    """`base...head`: identical, ahead, behind or diverged."""
    base_ref, dots, head_ref = call.parts["basehead"].partition("...")
    if not dots:
        raise not_found()
    world, repo = call.world, call.repository
    try:
        base, head = world.commit_at(repo, base_ref), world.commit_at(repo, head_ref)
    except HttpError:
        raise not_found() from None
    shared = world.merge_base(head.sha, base.sha)
    if shared is None:
        raise HttpError(404, f"No common ancestor between {base_ref} and {head_ref}.")
    old, new = set(world.history(base.sha)), set(world.history(head.sha))
    ahead = [sha for sha in reversed(world.history(head.sha)) if sha not in old]
    behind = len(old - new)
    status = "diverged" if ahead and behind else "ahead" if ahead else "behind" if behind else "identical"
    url, web = f"{wire.api_of(repo)}/compare/{base_ref}...{head_ref}", f"{WEB}/{repo.full_name}/compare"
    diff = world.diff(world.commits[shared].files, head.files)
    return Reply(
        200,
        {
            "url": url,
            "html_url": f"{web}/{base_ref}...{head_ref}",
            "permalink_url": f"{web}/{base.sha[:7]}...{head.sha[:7]}",
            "diff_url": f"{web}/{base_ref}...{head_ref}.diff",
            "patch_url": f"{web}/{base_ref}...{head_ref}.patch",
            "base_commit": wire.commit(repo, base),
            "merge_base_commit": wire.commit(repo, world.commits[shared]),
            "status": status,
            "ahead_by": len(ahead),
            "behind_by": behind,
            "total_commits": len(ahead),
            "commits": call.page([world.commits[sha] for sha in ahead], lambda one: wire.commit(repo, one)).body,
            "files": [wire.file_diff(repo, head.sha, path, *sides) for path, sides in diff.items()],
        },
    )


def _branch(call: Call) -> Reply:
    repo, name = call.repository, call.parts["branch"]
    if name not in repo.branches:
        raise HttpError(404, "Branch not found")
    classic = repo.protections.get(name)
    tip = call.world.commits[repo.branches[name]]
    return Reply(200, wire_branches.branch(repo, name, tip, classic.required if classic else ()))


def _protection(call: Call) -> Reply:
    classic = call.repository.protections.get(call.parts["branch"])
    if classic is None:
        raise HttpError(404, "Branch not protected")
    return Reply(200, wire_branches.protection(call.repository, classic))


def _branch_rules(call: Call) -> Reply:
    return call.page(wire_branches.branch_rules(call.repository, call.parts["branch"]), lambda one: one)


def _ruleset(call: Call) -> Reply:
    found = call.repository.rulesets.get(call.parts["id"])
    if found is None:
        raise not_found()
    return Reply(200, wire_branches.ruleset(call.repository, found))


def _ref(call: Call) -> Reply:
    branch = call.parts["branch"]
    return Reply(200, wire.git_ref(call.repository, branch, call.world.tip(call.repository, branch)))


def _delete_branch(call: Call) -> Reply:
    call.world.deletes_branch(call.bot, call.repository, call.parts["branch"])
    return Reply(204)


def _tree(call: Call) -> Reply:
    """By tree or commit sha, always as if `recursive`."""
    wanted = call.parts["sha"]
    commit = next((c for c in call.world.commits.values() if wanted in (c.tree_sha, c.sha)), None)
    if commit is None:
        raise not_found()
    api = wire.api_of(call.repository)
    tree = []
    for path, text in sorted(commit.files.items()):
        sha = wire.blob_sha(text)
        url = f"{api}/git/blobs/{sha}"
        tree.append(
            {"path": path, "mode": "100644", "type": "blob", "size": len(text.encode()), "sha": sha, "url": url}
        )
    url = f"{api}/git/trees/{commit.tree_sha}"
    return Reply(200, {"sha": commit.tree_sha, "url": url, "truncated": False, "tree": tree})


def _blob(call: Call) -> Reply:
    wanted = call.parts["sha"]
    texts = (text for c in call.world.commits.values() for text in c.files.values())
    text = next((one for one in texts if wire.blob_sha(one) == wanted), None)
    if text is None:
        raise not_found()
    raw = text.encode()
    return Reply(
        200,
        {
            "sha": wanted,
            "node_id": f"B_{wanted}",
            "size": len(raw),
            "url": f"{wire.api_of(call.repository)}/git/blobs/{wanted}",
            "content": base64.encodebytes(raw).decode(),
            "encoding": "base64",
        },
    )


REPOSITORIES: dict[str, Handler] = {
    "repository": _repository,
    "permission": _permission,
    "contents": _contents,
    "activity": _activity,
    "commits": _commits,
    "commit": _commit,
    "commit_pulls": _commit_pulls,
    "compare": _compare,
    "branch": _branch,
    "protection": _protection,
    "branch_rules": _branch_rules,
    "ruleset": _ruleset,
    "ref": _ref,
    "delete_branch": _delete_branch,
    "tree": _tree,
    "blob": _blob,
}
