"""Who may speak to us at all, and where a body belongs."""

import json

import pytest

from bot.github.inbound.routing import Routing, decoded, routing
from bot.github.inbound.signature import verify
from tests.github.test_inbound_fixtures import load

SECRET = "It's a Secret to Everybody"
BODY = b"Hello, World!"
GOOD = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"


def test_github_s_own_test_vector_is_accepted() -> None:
    assert verify([SECRET], BODY, GOOD)


def test_during_rotation_either_secret_is_accepted() -> None:
    assert verify(["new", SECRET], BODY, GOOD)
    assert verify([SECRET, "new"], BODY, GOOD)


@pytest.mark.parametrize(
    "signature",
    [
        None,
        "",
        "sha256=",
        GOOD.upper(),
        GOOD.removeprefix("sha256="),
        "sha1=" + "0" * 40,
        GOOD[:-1] + "8",
        GOOD + " ",
        f"{GOOD},{GOOD}",
        "sha256=\u0661" + "0" * 63,
        "\ud800",
    ],
)
def test_every_other_form_is_refused(signature: str | None) -> None:
    assert not verify([SECRET], BODY, signature)


def test_one_changed_byte_is_refused() -> None:
    assert not verify([SECRET], b"Hello, World?", GOOD)


def test_no_secret_and_empty_secrets_accept_nothing() -> None:
    empty = "sha256=b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
    assert not verify([], b"", empty)
    assert not verify([""], b"", empty)


def test_a_body_says_where_it_belongs() -> None:
    assert routing(json.dumps(load("issue_comment.created")).encode()) == Routing(
        1, 77, "octo/app", "created", thread=12
    )


def test_events_of_the_app_have_lane_zero() -> None:
    assert routing(json.dumps(load("installation.suspend")).encode()) == Routing(0, 77, None, "suspend")


def test_a_push_has_no_action() -> None:
    assert routing(json.dumps(load("push")).encode()).action is None


@pytest.mark.parametrize("document", [{"repository": 5}, {"repository": {"id": "1"}}, {"installation": []}])
def test_unreadable_fields_route_to_lane_zero(document: dict[str, object]) -> None:
    assert routing(json.dumps(document | {"action": "x"}).encode()) == Routing(0, None, None, "x")


@pytest.mark.parametrize(
    ("unreadable", "placed"),
    [
        ({"sender": {"id": "12"}}, Routing(1, 77, "octo/app", "created", thread=12)),
        ({"repository": {"id": "1", "full_name": "octo/app"}}, Routing(0, 77, "octo/app", "created", thread=12)),
        ({"repository": {"id": 1, "full_name": "octo"}}, Routing(1, 77, None, "created", thread=12)),
        ({"installation": {"id": None}}, Routing(1, None, "octo/app", "created", thread=12)),
        ({"issue": {"number": "12"}}, Routing(1, 77, "octo/app", "created")),
    ],
)
def test_a_stop_of_which_one_field_cannot_be_read_is_placed_by_the_others(
    unreadable: dict[str, object], placed: Routing
) -> None:
    assert routing(json.dumps(load("issue_comment.created") | unreadable).encode()) == placed


@pytest.mark.parametrize("body", [b"", b"[]", b"7", b"{", b"\xff", b"[" * 100_000], ids=range(6))
def test_what_is_no_object_cannot_be_routed(body: bytes) -> None:
    with pytest.raises(ValueError, match="not a JSON object"):
        routing(body)


def test_half_of_a_surrogate_pair_keeps_no_delivery_from_being_read() -> None:
    assert decoded(b'{"action": "a\\ud800"}') == {"action": "a\ud800"}
