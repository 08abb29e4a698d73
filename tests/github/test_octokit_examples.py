"""The translators accept every real payload that Octokit has collected (fetched by tests/kit/fetch_examples.py)."""

import json
from collections import Counter
from typing import Any

import pytest

from bot.github.inbound.table import TRANSLATORS
from tests.github.test_inbound_fixtures import deliver
from tests.kit.absent import absent
from tests.kit.fetch_examples import TARGET, fetch

INSTALLATION = {"id": 77, "node_id": "MDIz"}


@pytest.fixture(scope="module")
def examples() -> list[tuple[str, dict[str, Any]]]:
    problem = fetch()
    if problem:
        absent(f"GitHub's example payloads were not fetched ({problem}): sudo apt-get install npm")
    index = json.loads((TARGET / "index.json").read_text())
    return [(event["name"], example) for event in index for example in event["examples"]]


def test_all_329_real_payloads_are_translated_without_an_exception(examples: list[tuple[str, dict[str, Any]]]) -> None:
    assert len(examples) == 329
    for event, payload in examples:
        translation = deliver(event, payload)
        assert bool(translation.signals) == (translation.ignored_because is None)


def test_every_real_payload_of_a_translated_event_can_be_read(examples: list[tuple[str, dict[str, Any]]]) -> None:
    """Most examples come from repository hooks; as an App would get them, each is read or set aside for a good reason."""
    reasons: Counter[str] = Counter()
    for event, payload in examples:
        if (event, payload.get("action")) in TRANSLATORS:
            translation = deliver(event, {"installation": INSTALLATION, **payload})
            reasons[translation.ignored_because or "signals"] += 1
    assert reasons.pop("signals") == 102
    assert not [reason for reason in reasons if reason.startswith("unreadable")], reasons
    assert not [reason for reason in reasons if "not one of this event" in reason], reasons
