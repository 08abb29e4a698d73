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
from bot.github.api import Api, Reply
from bot.github.shapes import Part, Text
from bot.ports.failures import Forbidden, Gone, Unreachable

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
    previous_filename: Text | None = None


async def policy_file(api: Api, question: PolicyFileOf) -> Answer[PolicyFile]:
    """By the commit that changed it last: what a commit holds never changes, so the two reads agree."""
    try:
        log = await api.get("/commits", question.etag, path=PATH, per_page=1)
    except Forbidden:  # a repository without a commit has no log
        seen = await api.still_there()
        await _prove_absent(api)
        return seen.answer(PolicyFile())
    if log.unchanged:
        return log.answer(PolicyFile(etag=question.etag, unchanged=True))
    commits: tuple[_Commit, ...] = log.read(tuple[_Commit, ...])
    if not commits:
        await _prove_absent(api)
        return log.answer(PolicyFile(etag=log.etag))
    commit = commits[0].sha
    try:
        reply = await api.get(f"/contents/{PATH}", ref=commit)
    except Gone:
        await _prove_absent(api)
        return log.answer(PolicyFile(commit=commit, etag=log.etag))
    blob, raw, is_file = _content(reply)
    return reply.answer(PolicyFile(commit=commit, blob=blob, raw=raw, is_file=is_file, etag=log.etag))


async def policy_file_now(api: Api, _question: PolicyFileNow) -> Answer[str]:
    try:
        reply = await api.get(f"/contents/{PATH}")
    except Gone:
        return (await api.still_there()).answer(ABSENT)
    return reply.answer(_content(reply)[0])


async def proposed_file(api: Api, question: ProposedFileIn) -> Answer[ProposedFile | None]:
    """Only a pull request whose files name it changes it: a branch that is merely behind has another content too."""
    files, reply = await api.rows(f"/pulls/{question.pull}/files", _File)
    touched = any(PATH in (one.filename, one.previous_filename) for one in files)
    if not touched and len(files) < MOST_FILES:
        return reply.answer(None)
    try:
        found = await api.get(f"/contents/{PATH}", ref=question.head)
    except Gone:
        return (await api.still_there()).answer(ProposedFile() if touched else None)
    blob, raw, is_file = _content(found)
    return found.answer(ProposedFile(blob=blob, raw=raw, is_file=is_file))


async def _prove_absent(api: Api) -> None:
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
