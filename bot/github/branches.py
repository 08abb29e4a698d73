"""Deleting the branch of a merged pull request, with every condition looked at just before."""

from bot.domain.model.effects import DeleteBranch
from bot.github.api import Api, Reply, segment
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
    based, _ = await api.rows("/pulls", _Open, state="open", base=ref)
    coming, _ = await api.rows("/pulls", _Open, state="open", head=f"{api.owner}:{ref}")
    if based or coming:
        raise Forbidden(f"DELETE branch {ref}: an open pull request needs it")
