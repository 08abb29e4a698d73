"""One running Signalbox: what it is made of, and the order in which its parts start and stop."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from starlette.types import ASGIApp

from bot.app.browse import Browser
from bot.app.contact import Contact
from bot.app.intake import Intake
from bot.app.restart import take_over
from bot.bootstrap.desk import admin_desk
from bot.bootstrap.lanes import Lane
from bot.bootstrap.lifespan import Lifespan
from bot.bootstrap.parts import Parts, token_desk, web_url
from bot.bootstrap.ruling import stored
from bot.bootstrap.runtime import Tasks
from bot.domain.model.text import moment
from bot.settings import AppCredentials
from bot.web.access import Guard
from bot.web.admin_socket import AdminSocket
from bot.web.api import Api
from bot.web.app import Front, pages
from bot.web.health import Check, Health, database_answers
from bot.web.metrics import Metrics
from bot.web.pages.routes import Pages
from bot.web.webhook import Inbound, Webhook

if TYPE_CHECKING:  # a command that has the database to itself counts nothing
    from bot.bootstrap.github import AtWork


@dataclass(slots=True)
class Bot:
    """`asgi` answers HTTP, and its lifespan calls `start` and `stop`. `spawn` runs work beside everything else,
    `ends` is what is done once it was cut."""

    parts: Parts
    admin: AdminSocket
    spawn: Tasks
    lanes: Sequence[Lane]
    ends: Callable[[], Awaitable[None]] | None = None
    asgi: ASGIApp = field(init=False)

    async def start(self) -> None:
        if not self.parts.store.shared:  # else what is claimed may be another process' own, and ends by itself
            found = await self.parts.store.run(take_over)
            if any(found):
                self.parts.log("info", "work_taken_over", **found._asdict())
        await self.admin.start()
        for lane in self.lanes:
            self.spawn(lane.run(), lane.name)
        self.parts.hears()
        self.parts.log("debug", "lanes_started", lanes=[lane.name for lane in self.lanes])

    async def stop(self) -> None:
        """In reverse order; the store comes last and brings what it has accepted to an end."""
        await self.admin.stop()
        await self.spawn.stop()
        if self.ends is not None:
            await self.ends()
        await self.parts.store.close()


def build(
    parts: Parts,
    lanes: Sequence[Lane],
    on_crash: Callable[[str, BaseException], None],
    working: "AtWork | None" = None,
) -> Bot:
    """`working`: what the lanes step, also for what is asked of the admin socket. `on_crash` hears of a lane that ended by
    an exception, and ends the process."""
    tokens = token_desk(parts.store)
    policy_for = stored(parts.settings)
    spawn = Tasks(on_crash)
    desk = admin_desk(parts, lambda: None if working is None else working.work.desk, serving=True)
    # Who is alone takes everything over at its next start.
    ends = working.ends if working is not None and parts.store.shared else None
    bot = Bot(parts, AdminSocket(parts.settings.data_dir, desk), spawn, lanes, ends)
    checks = [database_answers(parts.store), writer_works(parts), lanes_alive(spawn)]
    health = Health(checks, [github_answers(parts.contact)], set_up=parts.app is None)
    api = Api(Browser(parts.store.read, policy_for))
    shown = Pages(
        parts.store.read, policy_for, web_url(parts.settings.github_api_url), partial(silence, parts.contact, SEEN)
    )
    entries = (*health.entries(), *metrics(parts).entries(), *api.entries(), *shown.entries())
    token = parts.settings.metrics_token
    bot.asgi = Front(
        parts.settings.webhook_path,
        Webhook(inbound(parts.app), Intake(parts.store, parts.clock, parts.nudge), parts.log),
        pages(entries, Guard(tokens, token.get_secret_value().strip() if token else None), parts.log),
        Lifespan(bot.start, bot.stop),
    )
    return bot


def metrics(parts: Parts) -> Metrics:
    from bot.bootstrap.metrics import CONTENT_TYPE, Numbers  # noqa: PLC0415 - only a server has numbers

    return Metrics((parts.numbers or Numbers()).scraper(parts.store), CONTENT_TYPE)


def inbound(app: AppCredentials | None) -> Inbound | None:
    if app is None:
        return None
    from bot.github.inbound.routing import routing  # noqa: PLC0415 - only a server that serves needs it
    from bot.github.inbound.signature import verify  # noqa: PLC0415 - see above

    verified = partial(verify, app.webhook_secrets)
    return Inbound(app_id=app.app_id, verify=verified, route=partial(routing, app_id=app.app_id))


def writer_works(parts: Parts) -> Check:
    async def check() -> str | None:
        return None if parts.writer_works() else "Nothing can be stored now."

    return check


def lanes_alive(spawn: Tasks) -> Check:
    async def check() -> str | None:
        return "A worker has stopped." if spawn.crashed else None

    return check


def github_answers(contact: Contact) -> Check:
    """What doctor and the log say of it, without the address."""

    async def check() -> str | None:
        return silence(contact, ": work waits, and nothing is lost.")

    return check


#: How the sentence about it ends on a page.
SEEN = "; what you see is from then."


def silence(contact: Contact, rest: str) -> str | None:
    if contact.trouble is None or contact.since is None:
        return None
    return f"GitHub {contact.trouble.short} since {moment(contact.since)}{rest}"
