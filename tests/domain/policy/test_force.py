"""Which rules hold: the last version that could be used, else preset strict; and nothing gets laxer unsaid."""

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.documents.yaml_text import read
from bot.domain.model.policy import STRICT, Policy
from bot.domain.model.written import spelled
from bot.domain.policy.force import in_force
from bot.domain.policy.laxer import laxer
from bot.domain.policy.presets import PRESETS, SOLO
from bot.domain.policy.reading import MOST_FINDINGS
from tests.domain.policy.some_policies import files, some_policies

SHA, OLDER = "9d1c44e" + "0" * 33, "2b0ffe1" + "0" * 33
BROKEN = (
    b"version: 1\npreset: solo\ngates: {plan: {reviews: 0}}\n",
    b"version: 1\npreset: solo\nunknown: 1\n",
    b"version: 1\npreset: solo\npreset: lean\n",
    b"preset: [solo\n",
    b"version: 2\npreset: solo\n",
    b"\xff",
    b"",
)


def test_a_good_file_holds_from_its_commit_on() -> None:
    found = in_force(None, read(b"version: 1\npreset: solo\n"), SHA)
    assert found.policy == SOLO.model_copy(update={"sha": SHA})
    assert (found.accepted, found.findings) == (True, ())


def test_a_first_file_that_is_laxer_than_what_held_without_one_says_where() -> None:
    found = in_force(STRICT, read(b"version: 1\npreset: solo\n"), SHA)
    assert found.accepted
    assert {one.path for one in found.findings} == {spelled(part.path) for part in laxer(SOLO, STRICT)}
    same = in_force(STRICT, read(b"version: 1\nblocked_recovery: builder\n"), SHA)
    assert [one.message for one in same.findings] == ["laxer than preset strict: `builder` instead of `human`"]


@pytest.mark.parametrize("raw", BROKEN)
def test_a_file_that_cannot_be_used_leaves_the_last_good_version_in_force(raw: bytes) -> None:
    """threats.md, T25."""
    before = STRICT.model_copy(update={"sha": OLDER, "external_merge": "block"})
    found = in_force(before, read(raw), SHA)
    assert found.policy == before
    assert not found.accepted
    assert all(one.instead for one in found.findings if one.level == "error")


@pytest.mark.parametrize("raw", BROKEN)
def test_without_a_good_version_preset_strict_is_in_force(raw: bytes) -> None:
    """threats.md, T25."""
    found = in_force(None, read(raw), SHA)
    assert (found.policy, found.accepted) == (STRICT, False)


def test_a_repository_without_a_file_has_preset_strict() -> None:
    assert in_force(SOLO, None, SHA) == (STRICT, (), True)


def test_a_change_that_makes_a_rule_laxer_is_told_even_if_it_only_takes_a_line_away() -> None:
    two = b"version: 1\ngates:\n  submit: {reviews: 2}\nexternal_merge: block\n"
    before = in_force(None, read(two), OLDER).policy
    shorter = in_force(before, read(b"version: 1\nexternal_merge: block\n"), SHA)
    assert [(one.level, one.line, one.path, one.message) for one in shorter.findings] == [
        ("notice", 1, "gates.submit.reviews", "laxer than the file of 2b0ffe1: `1` instead of `2`")
    ]
    assert in_force(before, read(two), OLDER).findings == ()
    deleted = in_force(before, None, SHA)
    assert (deleted.policy, deleted.accepted) == (STRICT, True)
    assert [one.path for one in deleted.findings] == ["gates.submit.reviews", "external_merge"]


def test_each_error_says_what_holds_in_its_place() -> None:
    before = SOLO.model_copy(update={"sha": OLDER})
    raw = (
        b"version: 1\ngates:\n  submit: {operators: many}\n  plan: 7\nmerge: {method: fast}\nwhatever: 1\n"
        b"roles: {builders: {users: [1]}}\n"
    )
    told = [(one.path, one.instead) for one in in_force(before, read(raw), SHA).findings]
    assert told == [
        ("gates.submit.operators", "`1` by the file of 2b0ffe1"),
        ("gates.plan", "the file of 2b0ffe1"),
        ("merge.method", "`squash` by the file of 2b0ffe1"),
        ("whatever", "the file of 2b0ffe1"),
        ("roles.builders.users[0]", "the file of 2b0ffe1"),
    ]
    strict = in_force(None, read(raw), SHA).findings
    assert strict[0].instead == "`1` by preset strict"


def test_a_file_never_says_which_commit_it_is() -> None:
    assert not in_force(None, read(b"version: 1\nsha: 0000000\n"), SHA).accepted


@settings(max_examples=300)
@given(files(), st.none() | some_policies())
def test_whatever_a_file_says_it_is_refused_or_every_laxer_rule_is_named(
    data: dict[str, Any], previous: Policy | None
) -> None:
    """threats.md, T25: nothing invalid makes a rule laxer, and nothing is laxer than its preset without a finding there."""
    written = read(yaml.safe_dump(data, sort_keys=False).encode())
    found = in_force(previous, written, SHA)
    if any(one.level == "error" for one in found.findings):
        assert not found.accepted
        assert found.policy == (previous or STRICT)
        return
    assert found.accepted
    assert found.policy.sha == SHA
    named = {one.path for one in found.findings if one.message.startswith("laxer than ")}
    parts = laxer(found.policy, PRESETS[found.policy.preset])
    if previous is not None and previous.preset != found.policy.preset:
        parts += laxer(found.policy, previous)
    assert {spelled(part.path) for part in parts} == named or len(found.findings) == MOST_FINDINGS


@given(st.text(max_size=200), some_policies())
def test_any_text_at_all_is_a_policy_or_leaves_what_was(text: str, previous: Policy) -> None:
    found = in_force(previous, read(text.encode("utf-8", "surrogatepass")), SHA)
    assert found.accepted or (found.policy == previous and found.findings)
