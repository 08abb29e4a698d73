"""Whatever every real example of an event has, the simulated one has too (but for what GitHub has dropped since)."""

import json
import re
from typing import Any

import pytest

from tests.kit.absent import absent
from tests.kit.fetch_examples import TARGET
from tests.simulator.test_webhooks import NAMES, emitted

EXAMPLES = TARGET / "index.json"

#: Gone from REST 2026-03-10, or lists that were simply not empty in every old example.
ABSENT = re.compile(r"merge_commit_sha$|\.permissions\.|assignees?\.|milestone\.|labels\.\[\]\.|issue\.draft$")


def _real() -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    if EXAMPLES.exists():
        for event in json.loads(EXAMPLES.read_text()):
            for payload in event["examples"]:
                found.setdefault(f"{event['name']} {payload.get('action', '-')}", []).append(payload)
    return found


REAL = _real()
SHARED = [name for name in NAMES if name in REAL]


def _keys(value: Any, before: str = "") -> set[str]:
    if isinstance(value, dict):
        return {before + key for key in value} | {k for key in value for k in _keys(value[key], f"{before}{key}.")}
    if isinstance(value, list):
        return {k for one in value for k in _keys(one, f"{before}[].")}
    return set()


@pytest.mark.parametrize("name", SHARED)
def test_no_key_of_all_real_examples_is_missing(name: str) -> None:
    always = set.intersection(*(_keys(one) for one in REAL[name]))
    ours = set.union(*(_keys(one.payload) for one in emitted()[name]))
    assert {key for key in always - ours if not ABSENT.search(key)} == set()


def test_the_examples_are_there_where_they_must_be() -> None:
    if not REAL:
        absent("GitHub's example payloads are not fetched: `make test` does it")
    assert len(SHARED) > 30
