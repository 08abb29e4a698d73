"""Deleting the branch of a merged pull request, with every condition looked at just before."""

from bot.domain.model.effects import DeleteBranch
from bot.github.api import Api, segment
from bot.github.facts.pulls import ListedPull
from bot.github.lists import PER_PAGE, is_last
from bot.github.reply import Reply
from bot.github.shapes import Id, Part, Text
from bot.ports.failures import Forbidden, Gone

GONE_ALREADY = "reference does not exist"


class _Commit(Part):
    sha: Text


class _Branch(Part):
    commit: _Commit
    protected: bool


class _Open(Part):
    number: Id


async def delete_branch(api: Api, write: DeleteBranch) -> Reply:
    """A branch that is gone is what was wanted. Raises Forbidden when the branch moved on, is protected, or an open
    pull request is based on it or comes from it."""
    ref = segment(write.ref)
    try:
        reply = await api.get(f"/branches/{ref}")
    except Gone:
        return await api.still_there()
    branch = reply.read(_Branch)
    if branch.commit.sha != write.expected_head:
        raise Forbidden(f"DELETE branch {write.ref}: it moved on after the merge")
    if branch.protected:
        raise Forbidden(f"DELETE branch {write.ref}: it is protected")
    await _needed_by_nobody(api, write.ref)
    deleted = await api.write("DELETE", f"/git/refs/heads/{ref}", accept=(404, 422))
    if deleted.status == 422 and GONE_ALREADY not in str(deleted.body).casefold():
        raise Forbidden(f"DELETE branch {write.ref}: 422")
    return deleted


async def _needed_by_nobody(api: Api, ref: str) -> None:
    """Where all that are open stand on one page, that page tells; else GitHub is asked for those of this branch."""
    page = await api.get("/pulls", state="open", per_page=PER_PAGE, page=1)
    listed: tuple[ListedPull, ...] = page.read(tuple[ListedPull, ...])
    needed = any(one.base.ref == ref or _comes_from(one, api.repo.id, ref) for one in listed)
    if not needed and not is_last(page, listed, PER_PAGE):
        based, _ = await api.rows("/pulls", _Open, state="open", base=ref)
        coming, _ = await api.rows("/pulls", _Open, state="open", head=f"{api.owner}:{ref}")
        needed = bool(based or coming)
    if needed:
        raise Forbidden(f"DELETE branch {ref}: an open pull request needs it")


def _comes_from(pull: ListedPull, repository: int, ref: str) -> bool:
    """A branch of the same name in a repository that is gone may be this one."""
    return pull.head.ref == ref and (pull.head.repo is None or pull.head.repo.id == repository)
