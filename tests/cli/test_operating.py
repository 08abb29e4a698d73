"""Settings of operation, at the process they are for: what it logs, counts, and how many lanes it works in."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from bot.bootstrap.github import at_work
from bot.bootstrap.lanes import lanes
from bot.bootstrap.parts import Parts
from bot.settings import AppCredentials, Settings
from bot.simulator.world import World
from bot.store.inline import InlineStore
from tests.cli.test_serve import Serve, serve
from tests.kit.keys import app_key
from tests.kit.town import START
from tests.web.kit import HOOK, Lines, SetClock

__all__ = ["serve"]


def asked(url: str, **headers: str) -> httpx.Response:
    return httpx.get(f"{url}/metrics", headers=headers, timeout=30, trust_env=False)


def test_the_served_process_counts_what_it_does(serve: Serve) -> None:
    server = serve(METRICS_TOKEN="scrape-me-canary").until_ready()
    assert server.deliver().status_code == 202
    assert httpx.post(f"{server.url}{HOOK}", content=b"{}", timeout=30, trust_env=False).status_code == 401

    text = asked(server.url, authorization="Bearer scrape-me-canary").text

    assert 'signalbox_deliveries_refused_total{code="bad_signature"} 1.0' in text
    assert 'signalbox_log_events_total{event="delivery_accepted",level="debug"} 1.0' in text
    assert "signalbox_store_commit_seconds_count" in text
    assert asked(server.url, authorization="Bearer another").status_code == 401
    server.stop()
    (refusal,) = [line for line in server.lines if line["event"] == "delivery_refused"]
    assert list(refusal)[:3] == ["ts", "level", "event"]
    assert (refusal["level"], refusal["code"], refusal["peer"]) == ("info", "bad_signature", "127.0.0.1")
    assert "scrape-me-canary" not in str(server.lines)


def test_debug_lines_are_said_only_when_asked_for(serve: Serve) -> None:
    events = []
    for level in ("info", "debug"):
        server = serve(LOG_LEVEL=level).until_ready()
        server.deliver()
        server.stop()
        events.append({line["event"] for line in server.lines})

    assert "delivery_accepted" not in events[0]
    assert "delivery_accepted" in events[1]


def parts_with(data_dir: Path, **settings: Any) -> Parts:
    clock, world = SetClock(), World(START)
    key = app_key(world)
    return Parts(
        Settings(data_dir=data_dir, **settings),
        AppCredentials(world.app.id, key, ("hush",)),
        InlineStore(":memory:", clock),
        Lines(),
        clock=clock,
    )


@pytest.mark.parametrize(("write_interval", "collecting"), [(1, 2), (60, 2), (0.05, 0.1), (0, 0)])
def test_changes_are_collected_for_two_seconds_and_not_where_writes_are_not_paced(
    write_interval: float, collecting: float, tmp_path: Path
) -> None:
    working = at_work(parts_with(tmp_path, write_interval_seconds=write_interval))

    assert working is not None
    assert working.outside.timing.collecting == collecting


@pytest.mark.parametrize("workers", [1, 3])
def test_workers_is_how_many_repositories_are_worked_on_at_once(workers: int, tmp_path: Path) -> None:
    parts = parts_with(tmp_path, workers=workers)

    names = [lane.name.rpartition("-")[0] for lane in lanes(parts, at_work(parts))]

    assert {name: names.count(name) for name in names} == {
        **dict.fromkeys(("inbox", "publisher", "effector", "merger", "timers", "sweep"), workers),
        **dict.fromkeys(("contact", "seen", "policies", "retention", "audit"), 1),
    }
