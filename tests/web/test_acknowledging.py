"""What GitHub is told has arrived is stored and genuine: 2xx is said for nothing else."""

import json
import sqlite3
from pathlib import Path

import pytest

from bot.settings import AppCredentials, Settings
from bot.store import connections, engine
from bot.store.sqlite import SqliteStore
from tests.web.kit import BODY, House, SetClock, house, sign

pytestmark = pytest.mark.anyio
GUID = "72d3162e-cc78-11e3-81ab-4c9367dc0958"


@pytest.mark.parametrize("signature", ["sha256=" + "0" * 64, sign(BODY, "another secret"), sign(BODY + b" ")])
async def test_what_is_forged_is_not_acknowledged_and_leaves_no_row(home: House, signature: str) -> None:
    answer = await home.deliver(x_hub_signature_256=signature)
    assert answer.status_code == 401
    assert await home.stored() == []


async def test_what_could_not_be_stored_is_not_acknowledged(
    settings: Settings, credentials: AppCredentials, tmp_path: Path
) -> None:
    def small(path: str) -> sqlite3.Connection:
        connection = connections.writing(path)
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 8}")
        return connection

    await engine.open(settings.database, SetClock()).close()
    full = house(settings, SqliteStore(str(tmp_path / "signalbox.db"), SetClock(), connect=small), credentials)
    noise = json.dumps({"action": "x", "noise": [hash((n, "x")) for n in range(20_000)]}).encode()
    answer = await full.deliver(noise)
    stored = await full.stored()
    await full.store.close()
    assert answer.status_code == 503
    assert stored == []


async def test_another_body_under_a_known_number_is_not_acknowledged(home: House) -> None:
    assert (await home.deliver()).status_code == 202
    assert (await home.deliver(b'{"action":"opened"}')).status_code == 409
    kept = await home.store.read(lambda tx: tx.deliveries.get(GUID))
    assert kept is not None
    assert kept[0].body == BODY
