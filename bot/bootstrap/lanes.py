"""The work that goes on beside answering requests, as named endless coroutines."""

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from bot.ports.runtime import Log
from bot.ports.store import CommitUnknown, StoreUnavailable

if TYPE_CHECKING:  # `bot.bootstrap.bot` imports this module; the rest is imported by a server that serves
    import httpx

    from bot.app.outside import Outside
    from bot.app.pacing import Pacing
    from bot.bootstrap.bot import Parts
    from bot.bootstrap.runtime import EventNudge
    from bot.bootstrap.work import Work
    from bot.github.client import GitHubGateway
    from bot.ports.merging import MergeSender

#: A lane that found nothing to do looks again after this many seconds, nudged or not.
LOOK_AGAIN = 1.0
#: Lanes of which several may run at once; the others need no more than one.
MANY = frozenset({"inbox", "publisher", "sweep"})


@dataclass(frozen=True, slots=True)
class Lane:
    """`run()` goes on until it is cancelled. An exception that escapes it ends the process."""

    name: str
    run: Callable[[], Coroutine[Any, Any, None]]


def lanes(parts: "Parts", transport: "httpx.AsyncBaseTransport | None" = None) -> Sequence[Lane]:
    """All lanes of this process; none in set-up mode. `transport` None = the network."""
    if parts.app is None:
        return ()
    from bot.app.retention import Retention  # noqa: PLC0415 - see above
    from bot.bootstrap.ruling import rules  # noqa: PLC0415 - see above
    from bot.bootstrap.work import assemble_sweep  # noqa: PLC0415 - see above
    from bot.github.hooks import GitHubDirectory, GitHubHookLog  # noqa: PLC0415 - see above

    settings = parts.settings
    gateway = _gateway(parts, transport)
    pacing = _pacing(parts)
    outside = _outside(parts, gateway, pacing)
    work = _work(parts, outside, _sender(gateway, pacing))
    sweep = assemble_sweep(
        outside, GitHubDirectory(gateway), GitHubHookLog(gateway), rules(settings), settings.sweep_interval_seconds
    )
    steps = {**work.steps, "sweep": sweep.step, "retention": Retention(outside, settings.retention_days).step}
    return [
        Lane(f"{name}-{number}", partial(forever, name, step, parts.nudge, parts.log))
        for name, step in steps.items()
        for number in range(settings.workers if name in MANY else 1)
    ]


def use_cases(parts: "Parts") -> "Work":
    """Those of the lanes once more, for what is asked for beside them. The App is configured."""
    gateway = _gateway(parts, None)
    pacing = _pacing(parts)
    return _work(parts, _outside(parts, gateway, pacing), _sender(gateway, pacing))


def _work(parts: "Parts", outside: "Outside", sender: "MergeSender") -> "Work":
    from bot.bootstrap.ruling import rules  # noqa: PLC0415 - see above
    from bot.bootstrap.work import assemble  # noqa: PLC0415 - see above
    from bot.domain.projections.show import WebAddress  # noqa: PLC0415 - see above
    from bot.github.inbound.translate import translate  # noqa: PLC0415 - see above

    assert parts.app is not None, "work is done only where the App is configured"
    web = WebAddress(parts.settings.public_address, web_url(parts.settings.github_api_url))
    translator = partial(translate, app_id=parts.app.app_id)
    return assemble(outside, sender, translator, rules(parts.settings), web)


async def forever(name: str, step: Callable[[], Awaitable[bool]], nudge: "EventNudge", log: Log) -> None:
    """One unit after the other; when there is none, wait to be nudged. While the database does not answer, wait too:
    what is stored says how to go on, and /readyz says why nothing happens."""
    while True:
        heard: int | None = nudge.heard
        try:
            moved = await step()
        except (StoreUnavailable, CommitUnknown) as outage:
            log("warning", "lane_waits", lane=name, why=str(outage))
            moved, heard = False, None
        if not moved:
            await nudge.wait(LOOK_AGAIN, after=heard)


def web_url(api_url: str) -> str:
    """GitHub's pages beside its API: `https://HOST/api/v3` on an Enterprise server."""
    parts = urlsplit(api_url)
    host = parts.netloc.removeprefix("api.") if parts.path in {"", "/"} else parts.netloc
    return f"{parts.scheme}://{host}"


def _gateway(parts: "Parts", transport: "httpx.AsyncBaseTransport | None") -> "GitHubGateway":
    from bot.bootstrap.runtime import sleep  # noqa: PLC0415 - see above
    from bot.github.client import Endpoint, GitHubGateway, Identity  # noqa: PLC0415 - see above

    assert parts.app is not None, "lanes run only where the App is configured"
    settings = parts.settings
    endpoint = Endpoint(
        api_url=settings.github_api_url, merge_timeout=settings.merge_timeout_seconds, transport=transport
    )
    heard = () if parts.numbers is None else (parts.numbers.heard,)
    return GitHubGateway(Identity(parts.app.app_id, parts.app.private_key), endpoint, parts.clock, sleep, *heard)


def _pacing(parts: "Parts") -> "Pacing":
    from bot.app.pacing import Pacing  # noqa: PLC0415 - see above
    from bot.bootstrap.runtime import sleep  # noqa: PLC0415 - see above

    waited = () if parts.numbers is None else (parts.numbers.waited,)
    return Pacing(parts.store, parts.clock, sleep, parts.settings.write_interval_seconds, *waited)


def _sender(gateway: "GitHubGateway", pacing: "Pacing") -> "MergeSender":
    from bot.app.pacing import PacedMergeSender  # noqa: PLC0415 - see above
    from bot.github.merging import GitHubMergeSender  # noqa: PLC0415 - see above

    return PacedMergeSender(GitHubMergeSender(gateway), pacing)


def _outside(parts: "Parts", gateway: "GitHubGateway", pacing: "Pacing") -> "Outside":
    from bot.app.outside import Outside  # noqa: PLC0415 - see above
    from bot.app.pacing import PacedForge  # noqa: PLC0415 - see above
    from bot.app.telling import ToldForge  # noqa: PLC0415 - see above
    from bot.app.timing import Timing  # noqa: PLC0415 - see above
    from bot.github.forge import GitHubForge  # noqa: PLC0415 - see above

    settings = parts.settings
    forge = ToldForge(GitHubForge(gateway), parts.log, parts.clock)
    return Outside(
        store=parts.store,
        forge=PacedForge(forge, pacing),
        clock=parts.clock,
        log=parts.log,
        nudge=parts.nudge,
        timing=Timing(
            settle_window=settings.settle_window_seconds,
            merge_timeout=settings.merge_timeout_seconds,
            merge_retry=settings.merge_retry_seconds,
            merge_api=settings.merge_api,
        ),
        owner=parts.ids.new("process"),
    )
