"""What GitHub is told has arrived is stored and genuine: 2xx is said for nothing else."""

from pathlib import Path

import pytest

from bot.settings import AppCredentials, Settings
from tests.web.kit import BODY, House, full_disk, sign

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
    full, noise = await full_disk(settings, credentials, tmp_path)
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
