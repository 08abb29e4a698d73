"""The policy file: on the default branch, and in pull requests."""

from bot.domain.model.policy_file import ABSENT, PATH, PolicyFile, ProposedFile
from bot.simulator.model.repositories import Repository
from bot.simulator.model.threads import Pull
from bot.simulator.wire.repositories import blob_sha
from bot.simulator.world import World


def changed_by(world: World, repo: Repository) -> str | None:
    """The commit of the default branch that changed it last."""
    for sha in world.history(world.tip(repo, repo.default_branch)):
        commit = world.commits[sha]
        parent = world.commits[commit.parents[0]].files if commit.parents else {}
        if PATH in world.diff(parent, commit.files):
            return sha
    return None


def now(world: World, repo: Repository) -> str:
    text = _text(world, repo.branches.get(repo.default_branch))
    return ABSENT if text is None else blob_sha(text)


def at(world: World, commit: str | None, etag: str) -> PolicyFile:
    text = _text(world, commit)
    if text is None:
        return PolicyFile(commit=commit, etag=etag)
    return PolicyFile(commit=commit, blob=blob_sha(text), raw=text.encode(), etag=etag)


def proposed(world: World, pull: Pull, head: str) -> ProposedFile | None:
    if PATH not in world.diff_of(pull):
        return None
    text = _text(world, head)
    return ProposedFile() if text is None else ProposedFile(blob=blob_sha(text), raw=text.encode())


def _text(world: World, commit: str | None) -> str | None:
    return None if commit is None else world.commits[commit].files.get(PATH)
