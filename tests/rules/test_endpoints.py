"""The bot calls what was agreed on, and what a decision note adds to that."""

import re

import pytest

from bot.simulator.operations import OPERATIONS
from tests.rules.kit import ROOT, text

COPY = "tests/rules/endpoints.md"
SHARED = ROOT.parent / "shared" / "endpoints.md"
NOTE = "docs/decisions/speaking-to-github.md"
_REPOSITORY = "/repos/{}/{}"
#: The simulated GitHub serves these to its own stories; no path of theirs is asked by `bot/github`.
NOT_ASKED = {"labels", "repository_labels", "update_label", "review", "check_run", "graphql"}

Shape = tuple[str, str]


def shape(method: str, path: str) -> Shape:
    return method, re.sub(r"\{[^}]*\}", "{}", path.rstrip("`.,; ")).replace("{}...{}", "{}")


def agreed(listed: str) -> set[Shape]:
    """`GET …/pulls/{n}, /files` lists two: what stands below the first, or in the place of its last parts."""
    found: set[Shape] = set()
    for line in listed.splitlines():
        methods: list[str] = []
        base = ""
        for method, path in re.findall(r"\b(GET|POST|PUT|PATCH|DELETE)\b|((?:…)?/[\w/{}.*-]+)", line):
            if method:
                methods = [*methods, method] if not base else [method]
                base = ""
                continue
            full = path.replace("…", _REPOSITORY) if path.startswith("…") else path
            parts = base.split("/") if not path.startswith("…") else []
            places = {full, *("/".join(parts[:count]) + full for count in range(1, len(parts) + 1))}
            found |= {shape(one, place) for one in methods for place in places}
            base = base or full
    return found


def added(note: str) -> set[Shape]:
    return {shape(method, path) for method, path in re.findall(r"`(GET|POST|PUT|PATCH|DELETE) (/[^`?]+)", note)}


def test_nothing_is_called_that_neither_the_list_nor_a_note_has() -> None:
    allowed = agreed(text(COPY)) | added(text(NOTE))
    called = {name: shape(one.method, one.path) for name, one in OPERATIONS.items() if name not in NOT_ASKED}
    assert {name: one for name, one in called.items() if one not in allowed} == {}


def test_a_call_that_nobody_agreed_on_is_seen() -> None:
    listed = agreed("GET …/pulls/{n}, /files · PATCH …/pulls/{n} (title only)")
    assert ("GET", "/repos/{}/{}/pulls/{}/files") in listed
    assert ("PATCH", "/repos/{}/{}/pulls/{}/files") not in listed
    assert ("DELETE", "/repos/{}/{}/pulls/{}") not in listed


@pytest.mark.skipif(not SHARED.exists(), reason="the specification is not on this machine")
def test_the_copy_of_the_list_is_the_list() -> None:
    assert text(COPY) == SHARED.read_text(encoding="utf-8")
