"""doctor, whole: the settings, this machine, the store beside whoever writes it, and GitHub asked now."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from bot.app.doctor.asked import Asking
from bot.app.doctor.finding import Finding, problem
from bot.app.doctor.stored import of_the_store
from bot.bootstrap.database import is_shared
from bot.bootstrap.doctor import given, kept, listening
from bot.bootstrap.exposure import exposed
from bot.bootstrap.neighbour import written_by
from bot.bootstrap.redaction import Redactor
from bot.bootstrap.runtime import SystemClock, sleep
from bot.cli.admin_client import connect
from bot.ports.runtime import Clock
from bot.ports.store import StoreUnavailable
from bot.settings import Settings, SettingsRefused, load, misspelt, sources
from bot.store.readers import Readers

if TYPE_CHECKING:
    import httpx

    from bot.github.client import GitHubGateway


@dataclass(frozen=True, slots=True)
class Around:
    """The world outside. `transport` None = the network."""

    transport: "httpx.AsyncBaseTransport | None" = None
    clock: Clock = field(default_factory=SystemClock)


async def examine(around: Around) -> list[Finding]:
    """All findings, in the order in which they are shown."""
    try:
        settings = load()
    except SettingsRefused as no:
        # The rest needs settings that can be read; what is wrong beside them does not.
        return [*given.refused(no.problems), *given.of_names(misspelt()), *given.of_open_files(exposed())]
    return await of(settings, sources(), around)


async def of(settings: Settings, origin: Mapping[str, str], around: Around) -> list[Finding]:
    found = [
        *given.of_settings(settings, origin),
        *given.of_names(misspelt()),
        *given.of_open_files(exposed()),
        *given.of_the_network(settings),
        await asyncio.to_thread(listening.of_the_address, settings, serving=await _serves(settings)),
        *given.of_the_intervals(settings),
        *kept.of_the_directory(settings),
        *_database(settings),
        *given.of_the_webhook(settings),
        *await _asked(settings, around),
        *await _stored(settings, around.clock),
    ]
    redactor = Redactor(settings.known_secrets())
    return [
        replace(one, what=redactor.text(one.what), why=redactor.text(one.why), do=redactor.text(one.do))
        for one in found
    ]


def _database(settings: Settings) -> list[Finding]:
    if not is_shared(settings.database):
        return kept.of_the_database(settings)
    from bot.bootstrap.doctor import shared  # noqa: PLC0415 - only where there is such a database

    return shared.of_the_database(settings)


async def _serves(settings: Settings) -> bool:
    """Whether a server of this machine works with these settings."""
    if not is_shared(settings.database):
        return written_by(settings) is not None
    connection = await connect(settings.data_dir, "doctor")
    if connection is None:
        return False
    await connection.close()
    return True


async def _stored(settings: Settings, clock: Clock) -> list[Finding]:
    if is_shared(settings.database):
        return await _shared(settings)
    path: Path | None = kept.database(settings)
    if path is None:
        return []
    readers = Readers(str(path), clock)
    try:
        return await readers.run(of_the_store(settings.sweep_interval_seconds))
    except StoreUnavailable as failed:
        return [problem("database", f"it cannot be read: {failed}", "nothing can be stored or shown.", kept.RESTORE)]
    finally:
        readers.close()


async def _shared(settings: Settings) -> list[Finding]:
    from bot.bootstrap.doctor import shared  # noqa: PLC0415 - see above
    from bot.store.postgresql import opening  # noqa: PLC0415 - see above

    if not shared.is_current(settings):
        return []
    store = opening.looking(settings.database, SystemClock().monotonic)
    try:
        return await store.read(of_the_store(settings.sweep_interval_seconds))
    except StoreUnavailable as failed:
        return [
            problem("database", f"it cannot be read: {failed}", "nothing can be stored or shown.", "look at its log.")
        ]
    finally:
        await store.close()


async def _asked(settings: Settings, around: Around) -> list[Finding]:
    try:
        app = settings.app()
    except SettingsRefused:
        return []  # said with the settings
    if app is None:
        return []
    from bot.github.client import Endpoint, GitHubGateway, Identity  # noqa: PLC0415 - only where there is an App to ask as

    endpoint = Endpoint(api_url=settings.github_api_url, transport=around.transport)
    gateway = GitHubGateway(Identity(app.app_id, app.private_key), endpoint, around.clock, sleep)
    try:
        return await _asking(settings, gateway, around.clock).findings()
    finally:
        await gateway.close()


def _asking(settings: Settings, gateway: "GitHubGateway", clock: Clock) -> Asking:
    from bot.github.forge import GitHubForge  # noqa: PLC0415 - see above
    from bot.github.hooks import GitHubHookLog  # noqa: PLC0415 - see above
    from bot.github.survey import GitHubSurvey  # noqa: PLC0415 - see above

    return Asking(
        survey=GitHubSurvey(gateway),
        hooks=GitHubHookLog(gateway),
        forge=GitHubForge(gateway),
        clock=clock,
        api_url=settings.github_api_url,
        interval=settings.sweep_interval_seconds,
    )
