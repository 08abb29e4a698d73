"""The use-cases over GitHub itself. Heavy: imported by a server that serves, and by the request that needs it."""

from functools import partial
from typing import NamedTuple

import httpx

from bot.app.contact import Calling
from bot.app.outside import Outside
from bot.app.pacing import PacedForge, PacedMergeSender, Pacing
from bot.app.places import Places
from bot.app.sweep.sweeper import Sweep
from bot.app.telling import ToldForge
from bot.app.timing import COLLECTING, Timing
from bot.bootstrap.parts import Parts, web_url
from bot.bootstrap.ruling import rules
from bot.bootstrap.runtime import sleep
from bot.bootstrap.work import Desk, Work, assemble, assemble_desk, assemble_sweep
from bot.domain.model.seal import Seal
from bot.domain.projections.show import WebAddress
from bot.github.client import Endpoint, GitHubGateway, Identity, mark_secret
from bot.github.forge import GitHubForge
from bot.github.hooks import GitHubDirectory, GitHubHookLog
from bot.github.inbound.translate import translate
from bot.github.merging import GitHubMergeSender
from bot.github.survey import GitHubSurvey


class AtWork(NamedTuple):
    """Everything that goes on in this process, made once."""

    outside: Outside
    work: Work
    sweep: Sweep
    calling: Calling

    async def ends(self) -> None:
        """What was under way when the lanes were cut is given to other processes."""
        await self.work.inbox.ends()
        await self.sweep.ends()


def at_work(parts: Parts, transport: httpx.AsyncBaseTransport | None = None) -> AtWork | None:
    """None in set-up mode. `transport` None = the network."""
    if parts.app is None:
        return None
    settings = parts.settings
    gateway = _gateway(parts, transport)
    pacing = _pacing(parts)
    outside = _outside(parts, gateway, pacing)
    sender = PacedMergeSender(GitHubMergeSender(gateway), pacing)
    web = WebAddress(settings.public_address, web_url(settings.github_api_url))
    translator = partial(translate, app_id=parts.app.app_id)
    work = assemble(outside, sender, translator, rules(settings), web)
    sweep = assemble_sweep(
        outside,
        GitHubDirectory(gateway),
        GitHubHookLog(gateway),
        translator,
        rules(settings),
        settings.sweep_interval_seconds,
    )
    calling = Calling(GitHubSurvey(gateway), parts.contact, parts.clock, parts.log, settings.github_api_url)
    return AtWork(outside, work, sweep, calling)


def at_the_desk(parts: Parts) -> Desk:
    """For a command that has the database to itself: nothing in it can merge. The App is configured."""
    return assemble_desk(_outside(parts, _gateway(parts, None), _pacing(parts)), rules(parts.settings))


def _gateway(parts: Parts, transport: httpx.AsyncBaseTransport | None) -> GitHubGateway:
    assert parts.app is not None, "lanes run only where the App is configured"
    settings = parts.settings
    endpoint = Endpoint(
        api_url=settings.github_api_url, merge_timeout=settings.merge_timeout_seconds, transport=transport
    )
    heard = () if parts.numbers is None else (parts.numbers.heard,)
    return GitHubGateway(Identity(parts.app.app_id, parts.app.private_key), endpoint, parts.clock, sleep, *heard)


def _pacing(parts: Parts) -> Pacing:
    store, interval = parts.store, parts.settings.write_interval_seconds
    waited = {} if parts.numbers is None else {"waited": parts.numbers.waited}
    places = Places(store, sleep, interval, parts.ids.new("pace")) if store.shared and interval else None
    return Pacing(store, parts.clock, sleep, interval, places=places, **waited)


def _outside(parts: Parts, gateway: GitHubGateway, pacing: Pacing) -> Outside:
    assert parts.app is not None, "lanes run only where the App is configured"
    settings = parts.settings
    forge = ToldForge(GitHubForge(gateway), parts.log, parts.clock)
    return Outside(
        store=parts.store,
        forge=PacedForge(forge, pacing),
        clock=parts.clock,
        log=parts.log,
        nudge=parts.nudge,
        timing=Timing(
            share=(settings.workers + 1) // 2,
            settle_window=settings.settle_window_seconds,
            merge_timeout=settings.merge_timeout_seconds,
            merge_retry=settings.merge_retry_seconds,
            merge_api=settings.merge_api,
            collecting=min(COLLECTING, 2 * settings.write_interval_seconds),
            calls=settings.notify_url is not None,
        ),
        owner=parts.ids.new("process"),
        seal=Seal(mark_secret(parts.app.private_key)),
    )
