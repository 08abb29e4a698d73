"""The command line's `Operations` on this machine. What is heavy is imported where it is used: `--help` is fast."""
# ruff: noqa: PLC0415 - see above

import asyncio
import gc
import os
import pwd
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.cli.operations import Ask, Down, Refused
from bot.settings import Settings, SettingsRefused, load, misspelt

if TYPE_CHECKING:  # at run time they are imported by the command that needs them
    from bot.app.browse import Browser
    from bot.app.doctor.finding import Finding
    from bot.bootstrap.audit import ReadersAudit
    from bot.bootstrap.database import OpenStore
    from bot.domain.model.delivery import DeliveryRow, DeliveryState
    from bot.domain.model.written import Written
    from bot.domain.policy.seats import Someone
    from bot.ports.rows import TokenRow


#: What shells say of a program that Ctrl-C ended.
INTERRUPTED = 130


class LocalOperations:
    """Settings are read anew by each command."""

    def serve(self) -> int:
        from bot.bootstrap.serving import loop_factory

        # Until the server takes the signal over, Ctrl-C ends at once: nothing is under way yet that could be cut.
        signal.signal(signal.SIGINT, _leave)
        with asyncio.Runner(loop_factory=loop_factory()) as runner:
            code = runner.run(self._serve())
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        return code

    async def _serve(self) -> int:
        from bot.bootstrap.spared import without

        # structlog and httpx get ready to draw for people and to run in greenlets where they can: 80 ms and 8 MiB of a server.
        with without("rich", "greenlet"):
            from bot.bootstrap import logs, redaction, serving
            from bot.bootstrap.awaiting import opened
            from bot.bootstrap.database import parts_of
            from bot.bootstrap.exposure import exposed
            from bot.bootstrap.github import at_work
            from bot.bootstrap.lanes import lanes
            from bot.bootstrap.metrics import Numbers

        settings = load()
        app = settings.app()
        numbers = Numbers()
        redactor = redaction.Redactor(settings.known_secrets())
        log = numbers.counted(logs.configure(settings.log_level, settings.log_format, redactor))
        for problem in (*settings.warnings(), *misspelt(), *exposed()):
            log("warning", "setting_questionable", setting=problem.setting, msg=f"{problem.setting} {problem.what}")
        # The address first: that somebody else has it is said before the database is touched.
        with serving.listen(settings) as listener:
            await _alone_here(settings)
            store = await opened(partial(_open, settings, numbers.committed), listener, log)
            if store is None:
                return 0
            parts = replace(parts_of(settings, app, store, log), numbers=numbers)
            working = at_work(parts)
            # What is there by now stays: it is not looked through for garbage again, which takes a tenth of a second each time.
            gc.freeze()
            return await serving.serve(parts, lanes(parts, working), listener, working)

    def redacted(self, text: str) -> str:
        from bot.bootstrap.redaction import Redactor

        try:
            known = load().known_secrets()
        except (SettingsRefused, OSError, ValueError):
            known = ()
        return Redactor(known).text(text)

    def demo(self, *, once: bool, hands_on: bool, data: Path | None) -> int:
        from bot.bootstrap.demo.run import run

        with asyncio.Runner() as runner:
            return runner.run(run(once=once, hands_on=hands_on, data=data))

    async def doctor(self) -> "Sequence[Finding]":
        from bot.bootstrap.doctor.run import Around, examine

        return await examine(Around())

    async def migrate(self) -> str:
        from bot.bootstrap.reading import is_current

        settings = load()
        _make_directory(settings)
        with _polite(settings):
            # A running server, which holds the lock of a file, has done this already.
            if is_current(settings.database):
                return "The database is up to date."
            from bot.bootstrap.database import upgrade

            before, after = await asyncio.to_thread(upgrade, settings.database)
        return f"The database has schema {after} now; it {f'had {before}' if before else 'was empty'}."

    @asynccontextmanager
    async def browsing(self) -> "AsyncIterator[Browser]":
        from bot.app.browse import Browser
        from bot.bootstrap.reading import reading
        from bot.bootstrap.ruling import stored

        settings = load()
        with _polite(settings):
            async with reading(settings.database) as read:
                yield Browser(read, stored(settings))

    async def deliveries(self, state: "DeliveryState | None", limit: int) -> "Sequence[DeliveryRow]":
        from bot.bootstrap.reading import reading

        settings = load()
        with _polite(settings):
            async with reading(settings.database) as read:
                return await read(lambda tx: tx.deliveries.list(state, limit, None))

    @asynccontextmanager
    async def audit(self) -> "AsyncIterator[ReadersAudit]":
        from bot.bootstrap.audit import ReadersAudit
        from bot.bootstrap.reading import reading

        settings = load()
        with _polite(settings):
            async with reading(settings.database) as read:
                yield ReadersAudit(read)

    def document(self, raw: bytes) -> "Written":
        from bot.documents.yaml_text import read

        return read(raw)

    async def people(self, repository: str, logins: Sequence[str]) -> "dict[str, Someone | None]":
        from bot.bootstrap.people import people

        return await people(load(), repository, logins)

    async def tokens(self) -> "Sequence[TokenRow]":
        from bot.bootstrap.reading import reading

        settings = load()
        with _polite(settings):
            async with reading(settings.database) as read:
                return await read(lambda tx: tx.tokens.list())

    @asynccontextmanager
    async def admin(self, *, makes: bool = False) -> AsyncIterator[Ask]:
        from bot.cli.admin_client import connect

        settings = load()
        remote = await connect(settings.data_dir, actor())
        if remote is not None:
            try:
                yield remote.ask
            finally:
                await remote.close()
            return
        from bot.bootstrap.desk import desk_alone
        from bot.bootstrap.reading import must_exist

        if not makes:
            with _polite(settings):
                await asyncio.to_thread(must_exist, settings.database)
        store = _open(settings)
        try:
            yield partial(_ask_desk, desk_alone(settings, store))
        finally:
            await store.close()


async def _alone_here(settings: Settings) -> None:
    """A file has a lock; on a shared database two servers could want one socket. Raises Refused."""
    from bot.bootstrap.database import is_shared
    from bot.cli.admin_client import connect

    other = await connect(settings.data_dir, actor()) if is_shared(settings.database) else None
    if other is not None:
        await other.close()
        raise Refused(
            f"DATA_DIR {settings.data_dir} is another server's. Set one for each process: its socket is there."
        )


def _leave(_number: int, _frame: object) -> None:
    os.write(2, b"Stopped before it served anything.\n")
    os._exit(INTERRUPTED)


def actor() -> str:
    """Who types, as `host:user`; the number where the user has no name."""
    try:
        user = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        user = str(os.getuid())
    return f"{socket.gethostname()}:{user}"


async def _ask_desk(desk: Any, op: str, args: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = await desk.answer({"op": op, "args": args, "actor": actor()})
    return answer


def _open(settings: Settings, took: Callable[[float], None] = lambda _seconds: None) -> "OpenStore":
    """See `bot.bootstrap.database.open_store`. Raises Refused, and Down where that may change by itself."""
    from bot.bootstrap.database import open_store

    _make_directory(settings)
    with _polite(settings):
        return open_store(settings.database, took)


def _make_directory(settings: Settings) -> None:
    try:
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as failed:
        raise Refused(f"DATA_DIR {settings.data_dir} is no directory and cannot be made: {failed.strerror}.") from None


@contextmanager
def _polite(settings: Settings) -> Iterator[None]:
    """What the store refuses is a refusal of the command; a password in the database's address is not repeated."""
    from bot.bootstrap.redaction import Redactor
    from bot.store.failures import StoreDown, StoreRefused

    try:
        yield
    except StoreRefused as refused:
        kind = Down if isinstance(refused, StoreDown) else Refused
        raise kind(Redactor(settings.known_secrets()).text(refused.message)) from None
