"""The policy file, read so that nobody takes a file that could not be fetched for one that is not there."""

from base64 import b64decode
from binascii import Error as NoBase64
from contextlib import suppress
from typing import Any

from bot.domain.model.facts import Answer
from bot.domain.model.policy_file import (
    ABSENT,
    PATH,
    PolicyFile,
    PolicyFileNow,
    PolicyFileOf,
    ProposedFile,
    ProposedFileIn,
)
from bot.github.api import Api
from bot.github.failures import NoCommits
from bot.github.reply import Reply
from bot.github.shapes import Part, Text
from bot.ports.failures import Gone, Unreachable

#: What stands at the path instead of a file has this name, so that it is another one than any file's.
NO_FILE = "no file"
#: GitHub shows no content beyond 1 MB. That much of nothing is refused by its length alone.
UNSHOWN = b" " * 1_000_000
MOST_FILES = 3000


class _Commit(Part):
    sha: Text


class _Content(Part):
    type: Text
    sha: Text
    encoding: Text = ""
    content: Text = ""


class _File(Part):
    filename: Text
    status: Text = ""
    previous_filename: Text | None = None

    @property
    def touches(self) -> bool:
        return PATH in (self.filename, self.previous_filename)

    @property
    def takes_away(self) -> bool:
        """Whether nothing stands at the path any more."""
        return self.previous_filename == PATH or (self.filename == PATH and self.status == "removed")


async def policy_file(api: Api, question: PolicyFileOf) -> Answer[PolicyFile]:
    """By the commit that changed it last: what a commit holds never changes, so the two reads agree."""
    try:
        log = await api.get("/commits", question.etag, path=PATH, per_page=1)
    except NoCommits:  # it has no log; any other refusal says nothing of what is there
        seen = await api.still_there()
        await _nothing_at_the_tip(api)
        return seen.answer(PolicyFile())
    if log.unchanged:
        return log.answer(PolicyFile(etag=question.etag, unchanged=True))
    commits: tuple[_Commit, ...] = log.read(tuple[_Commit, ...])
    if not commits:
        await _nothing_at_the_tip(api)
        return log.answer(PolicyFile(etag=log.etag))
    commit = commits[0].sha
    try:
        reply = await api.get(f"/contents/{PATH}", ref=commit)
    except Gone:
        await _taken_away_by(api, commit)
        await _nothing_at_the_tip(api)
        return log.answer(PolicyFile(commit=commit, etag=log.etag))
    blob, raw, is_file = _content(reply)
    return reply.answer(PolicyFile(commit=commit, blob=blob, raw=raw, is_file=is_file, etag=log.etag))


async def policy_file_now(api: Api, _question: PolicyFileNow) -> Answer[str]:
    try:
        reply = await api.get(f"/contents/{PATH}")
    except Gone:
        seen = await api.still_there()
        commits = (await api.get("/commits", path=PATH, per_page=1)).read(tuple[_Commit, ...])
        if commits:
            await _taken_away_by(api, commits[0].sha)
        return seen.answer(ABSENT)
    return reply.answer(_content(reply)[0])


async def proposed_file(api: Api, question: ProposedFileIn) -> Answer[ProposedFile | None]:
    """Only a pull request whose files name it changes it: a branch that is merely behind has another content too."""
    files, reply = await api.rows(f"/pulls/{question.pull}/files", _File)
    touched = any(one.touches for one in files)
    if not touched and len(files) < MOST_FILES:
        return reply.answer(None)
    try:
        found = await api.get(f"/contents/{PATH}", ref=question.head)
    except Gone as hidden:
        if touched and not any(one.takes_away for one in files):
            raise Unreachable(f"{hidden.detail}, and the pull request does not take it away") from hidden
        return (await api.still_there()).answer(ProposedFile() if touched else None)
    blob, raw, is_file = _content(found)
    return found.answer(ProposedFile(blob=blob, raw=raw, is_file=is_file))


async def _taken_away_by(api: Api, commit: str) -> None:
    """The log knows this commit of the file: only one that took it away leaves nothing there, and says so. Raises Unreachable."""
    files, _ = await api.rows(f"/commits/{commit}", _File, inside="files")
    if not any(one.takes_away for one in files):
        raise Unreachable(f"GET /contents/{PATH}: 404 at {commit}, which does not take it away")


async def _nothing_at_the_tip(api: Api) -> None:
    """Whoever asks knows that the repository is there. Raises Unreachable where the newest commit has the file all the same: it
    is being changed just now."""
    with suppress(Gone):
        await api.get(f"/contents/{PATH}")
        raise Unreachable(f"GET /contents/{PATH}: its log does not know it yet")


def _content(reply: Reply) -> tuple[str, bytes, bool]:
    """Git's name, the bytes, and whether it is a file at all."""
    body: Any = reply.body
    if isinstance(body, list):  # a folder
        return NO_FILE, b"", False
    read = reply.read(_Content)
    if read.type != "file":
        return read.sha, b"", False
    if read.encoding != "base64":
        return read.sha, UNSHOWN, True
    try:
        return read.sha, b64decode(read.content), True
    except NoBase64 as error:
        raise Unreachable(f"GET /contents/{PATH}: unreadable content") from error
