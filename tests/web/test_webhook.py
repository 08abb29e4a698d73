"""Every answer of the webhook's table (INTERFACE.md section 3), in its order, and what each leaves behind."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.settings import AppCredentials, Settings
from bot.store import engine
from bot.web.webhook import MAX_BODY
from tests.web.kit import BODY, HOOK, SECRETS, House, SetClock, full_disk, hook_headers, house, sign

pytestmark = pytest.mark.anyio
GUID = "72d3162e-cc78-11e3-81ab-4c9367dc0958"
DEEP = b"[" * 100_000 + b"]" * 100_000


async def in_chunks(size: int) -> AsyncIterator[bytes]:
    """A body without a Content-Length."""
    for _ in range(size // 2**20):
        yield bytes(2**20)


async def test_a_signed_delivery_is_stored_raw_and_accepted(home: House) -> None:
    answer = await home.deliver()

    assert (answer.status_code, answer.json()) == (202, {"delivery": GUID, "status": "accepted"})
    stored = await home.store.read(lambda tx: tx.deliveries.get(GUID))
    assert stored is not None
    delivery, row = stored
    assert (delivery.body, delivery.lane, delivery.installation_id) == (BODY, 1, 77)
    assert (row.event, row.action, row.repository, row.state) == ("issues", "labeled", "octo/app", "received")


async def test_the_same_delivery_again_is_a_duplicate_and_stored_once(home: House) -> None:
    await home.deliver()

    answer = await home.deliver()

    assert (answer.status_code, answer.json()) == (202, {"delivery": GUID, "status": "duplicate"})
    assert len(await home.stored()) == 1


async def test_a_known_guid_with_another_body_is_a_conflict_and_changes_nothing(home: House) -> None:
    await home.deliver()

    answer = await home.deliver(b'{"action":"opened"}')

    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "guid_conflict")
    stored = await home.store.read(lambda tx: tx.deliveries.get(GUID))
    assert stored is not None
    assert stored[0].body == BODY


@pytest.mark.parametrize("secret", SECRETS)
async def test_every_secret_of_a_rotation_is_accepted(home: House, secret: str) -> None:
    answer = await home.deliver(x_hub_signature_256=sign(BODY, secret))

    assert answer.status_code == 202


async def test_ping_is_answered_and_not_stored(home: House) -> None:
    answer = await home.deliver(x_github_event="ping")

    assert answer.status_code == 200
    assert await home.stored() == []


@pytest.mark.parametrize(
    "signature",
    [
        pytest.param("", id="empty"),
        pytest.param("sha1=" + "a" * 40, id="sha1"),
        pytest.param("sha256=" + "0" * 64, id="wrong"),
        pytest.param(sign(BODY + b" "), id="of another body"),
        pytest.param(sign(BODY, "third-secret"), id="of another secret"),
        pytest.param(sign(BODY, ""), id="of an empty secret"),
        pytest.param(sign(BODY).upper().replace("SHA", "sha"), id="upper-case hex"),
        pytest.param(sign(BODY) + "\n", id="with a line end"),
        pytest.param(sign(BODY)[:-1], id="cut"),
        pytest.param(f"{sign(BODY)}, {sign(BODY)}", id="twice in one header"),
    ],
)
async def test_a_forged_delivery_is_refused_and_leaves_no_row(home: House, signature: str) -> None:
    """threats.md, T3."""
    answer = await home.deliver(x_hub_signature_256=signature)

    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "bad_signature")
    assert await home.stored() == []


async def test_a_delivery_without_a_signature_is_refused(home: House) -> None:
    """threats.md, T3."""
    answer = await home.deliver(drop="x-hub-signature-256", x_hub_signature="sha1=" + "a" * 40)

    assert answer.status_code == 401
    assert await home.stored() == []


async def test_two_signature_headers_are_as_good_as_none(home: House) -> None:
    """threats.md, T3."""
    twice = [*hook_headers(BODY).items(), ("x-hub-signature-256", sign(BODY))]

    answer = await home.http.post(HOOK, content=BODY, headers=twice)

    assert answer.status_code == 401
    assert await home.stored() == []


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({"x_github_delivery": ""}, 400, "bad_headers"),
        ({"x_github_delivery": "../../etc"}, 400, "bad_headers"),
        ({"x_github_delivery": "a" * 65}, 400, "bad_headers"),
        ({"x_github_event": ""}, 400, "bad_headers"),
        ({"x_github_event": "Issues!"}, 400, "bad_headers"),
        ({"content_type": "application/x-www-form-urlencoded"}, 415, "not_json"),
        ({"content_type": "application/jsonx"}, 415, "not_json"),
        ({"content_type": ""}, 415, "not_json"),
    ],
)
async def test_a_signed_delivery_with_wrong_headers_is_refused(
    home: House, headers: dict[str, str], status: int, code: str
) -> None:
    answer = await home.deliver(**headers)

    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert await home.stored() == []


async def test_a_delivery_of_this_app_with_another_secret_is_warned_of_once_with_what_to_do(
    home: House, credentials: AppCredentials
) -> None:
    """A wrong WEBHOOK_SECRET showed only as an info line, as strangers' tries do."""
    wrong = {"x_hub_signature_256": sign(BODY, "another-secret")}
    await home.deliver(**wrong)
    assert [line for line in home.log.kept if line["level"] == "warning"] == []

    for _ in range(2):
        await home.deliver(**wrong, x_github_hook_installation_target_id=str(credentials.app_id))

    (line,) = [line for line in home.log.kept if line["level"] == "warning"]
    assert line["event"] == "webhook_secret_doubted"
    assert "set WEBHOOK_SECRET to the secret of the App's webhook" in str(line["msg"])


async def test_a_signed_delivery_for_another_app_is_refused(home: House) -> None:
    """threats.md, T23: a secret may be shared, or be the one of a repository's own hook."""
    answers = [await home.deliver(x_github_hook_installation_target_id=target) for target in ("10", "", "1")]

    assert [answer.status_code for answer in answers] == [400, 400, 202]
    assert answers[0].json()["error"]["code"] == "other_app"
    assert len(await home.stored()) == 1


async def test_a_content_type_may_name_its_charset(home: House) -> None:
    assert (await home.deliver(content_type="application/json; charset=utf-8")).status_code == 202


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"text"', b"\xff\xfe", DEEP, b'{"a":' * 50_000])
async def test_a_signed_body_that_is_no_json_object_is_malformed(home: House, body: bytes) -> None:
    answer = await home.deliver(body)

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "malformed")
    assert await home.stored() == []


async def test_a_signed_body_just_below_the_limit_is_stored_whole(home: House) -> None:
    """known-faults.md, row 114."""
    body = b'{"action":"opened","text":"' + b"x" * (MAX_BODY - 29) + b'"}'
    assert len(body) == MAX_BODY

    answer = await home.deliver(body)
    above = await home.deliver(body + b" ", x_github_delivery="another")

    assert (answer.status_code, above.status_code) == (202, 413)
    stored = await home.store.read(lambda tx: tx.deliveries.get(GUID))
    assert stored is not None
    assert stored[0].body == body


async def test_a_body_above_the_limit_is_refused_by_its_announced_length(home: House) -> None:
    """known-faults.md, row 114."""
    answer = await home.deliver(content_length=str(MAX_BODY + 1))

    assert (answer.status_code, answer.headers["connection"]) == (413, "close")


async def test_a_body_above_the_limit_is_refused_while_it_arrives_in_chunks(home: House) -> None:
    """known-faults.md, row 114."""
    answer = await home.deliver(in_chunks(MAX_BODY + 2**20))

    assert answer.status_code == 413
    assert await home.stored() == []


async def test_size_is_checked_before_the_signature(home: House) -> None:
    answer = await home.deliver(in_chunks(MAX_BODY + 2**20), x_hub_signature_256="sha256=" + "0" * 64)

    assert answer.status_code == 413


async def test_the_signature_is_checked_before_everything_a_stranger_could_probe(home: House) -> None:
    unsigned = {"x_hub_signature_256": "sha256=" + "0" * 64}

    answers = [
        await home.deliver(b"{", content_type="text/html", x_github_event="", **unsigned),
        await home.deliver(b"{", content_type="text/html", x_github_event=""),
        await home.deliver(b"{", content_type="text/html"),
        await home.deliver(b"{"),
    ]

    assert [answer.status_code for answer in answers] == [401, 400, 415, 400]
    assert [answer.json()["error"]["code"] for answer in answers][1::2] == ["bad_headers", "malformed"]


async def test_only_posting_is_possible(home: House) -> None:
    answer = await home.http.get(HOOK)

    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


async def test_in_set_up_mode_nothing_is_taken(settings: Settings) -> None:
    fresh = house(settings)

    answer = await fresh.deliver()

    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "not_set_up")
    assert await fresh.stored() == []
    await fresh.store.close()


async def test_twenty_identical_deliveries_at_once_are_stored_once(
    settings: Settings, credentials: AppCredentials
) -> None:
    """threats.md, T2."""
    busy = house(settings, engine.open(settings.database, SetClock()), credentials)

    answers = await asyncio.gather(*(busy.deliver() for _ in range(20)))

    assert {answer.status_code for answer in answers} == {202}
    assert sorted(answer.json()["status"] for answer in answers) == ["accepted", *["duplicate"] * 19]
    assert len(await busy.stored()) == 1
    await busy.store.close()


async def test_a_full_disk_is_said_and_nothing_is_acknowledged(
    settings: Settings, credentials: AppCredentials, tmp_path: Path
) -> None:
    full, noise = await full_disk(settings, credentials, tmp_path)

    answer = await full.deliver(noise)

    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "not_stored")
    assert "retry-after" in answer.headers
    assert await full.stored() == []
    assert "delivery_not_stored" in full.log.events()
    assert (await full.deliver(BODY)).status_code == 202
    await full.store.close()


async def test_answers_to_strangers_reveal_nothing(home: House) -> None:
    answer = await home.deliver(x_hub_signature_256="sha256=" + "0" * 64)

    said = f"{answer.headers} {answer.text} {home.log.kept}"
    assert not any(secret in said for secret in SECRETS)
    assert "server" not in answer.headers
