"""Combinations that say something else than they seem to: refused where the file cannot mean it, named where it may."""

import pytest

from bot.documents.yaml_text import read
from bot.domain.policy.reading import read_policy
from tests.domain.policy.kit import reading, said

AGENTS = "agents: {sentinel-1: [reviewer], check-1: [verifier]}\n"
UNIT = "verification: [{name: unit, argv: [make, test]}]\n"

REFUSED = [
    ("start_label: signalbox/testing", "2 start_label: labels that begin with `signalbox/` are set by Signalbox"),
    ("requirement_label: Board/next", "2 requirement_label: labels that begin with `Board/` are set by Signalbox"),
    ("start_label: requirement", "1 requirement_label: this is the start label too"),
    ("roles:\n  operators: {users: []}", "3 roles.operators: nobody holds this role"),
    ("roles: {reviewers: {permission: write, apps: [sentry]}}", "2 roles.reviewers.apps: an App can be a builder"),
    (
        "roles: {operators: {custom_roles: [crew, Admin]}}",
        "2 roles.operators.custom_roles[1]: this is one of GitHub's own roles",
    ),
    ("roles: {operators: {apps: [sentry]}}", "2 roles.operators.apps: an App can be a builder"),
    (
        "gates: {testing: {reviews: 0, operators: 0}, submit: {reviews: 0, operators: 0}}",
        "2 gates.submit: nobody would judge",
    ),
    ("preset: solo\ngates: {submit: {operators: 0}}", "3 gates.submit: nobody would judge the head"),
    (
        "agents: {a: [reviewer], b: [reviewer]}\ngates: {testing: {operators: 0}, submit: {operators: 0}}",
        "3 gates.submit: agents alone could complete every gate",
    ),
    (
        "gates: {submit: {reviews: {people: 0, agents: 1}}}",
        "2 gates.submit.reviews: 1 agents shall review, and `agents` lists 0",
    ),
    ("gates:\n  plan:\n    reviews: {people: 0, agents: 0}", "4 gates.plan.reviews: a plan needs at least one review"),
    (
        AGENTS + "gates: {testing: {verification: contract}}",
        "3 gates.testing.verification: there is nothing to dispatch",
    ),
    (UNIT + "gates: {testing: {verification: both}}", "3 gates.testing.verification: nobody could verify"),
    (
        AGENTS + "gates: {testing: {verification: both}}\nverification: [{name: a, argv: [x]}, {name: a, argv: [y]}]",
        "4 verification: `a` stands here 2 times",
    ),
    ("checks: {accept: [skipped]}", "2 checks.accept: a check that succeeded must be green"),
    ("checks: {required: []}", "2 checks.required: no check is named"),
    ("checks: {required: [{name: signalbox}]}", "2 checks.required: no check is named"),
    ("checks:\n  required:\n    - {name: ' '}", "4 checks.required[0].name: no check has this name"),
    ("checks: {required: [{name: build, app: 0}]}", "2 checks.required[0].app: this is no App's number"),
    ("merge: {title: '{titel} (#{number})'}", "2 merge.title: `{titel}` is filled with nothing"),
    ("merge: {body: '{}'}", "2 merge.body: `{}` is filled with nothing"),
    ("workflow: {plan: [testing, testing]}", "2 workflow.plan: `testing` stands here 2 times"),
]


@pytest.mark.parametrize(("text", "finding"), REFUSED, ids=[text for text, _ in REFUSED])
def test_a_file_that_cannot_mean_what_it_says_is_refused(text: str, finding: str) -> None:
    found = reading(text)
    assert found.policy is None
    assert any(line.startswith(finding) for line in said(found.findings, "error")), said(found.findings)


NAMED = [
    (
        "gates: {testing: {operators: 0}, submit: {operators: 0}}",
        "2 gates.submit.operators: no operator judges a pull request, not even one that changes this file",
    ),
    ("preset: lean\ngates: {submit: {operators: 0}}", "3 gates.submit.operators: no operator judges a pull request"),
    ("roles: {builders: {permission: triage}}", "2 roles.builders.permission: with `triage` people decide"),
    (
        "roles: {reviewers: {permission: write, users: [ada, Ada]}}",
        "2 roles.reviewers.users: `ada` stands here 2 times",
    ),
    ("agents: {forge-1: [builder, reviewer]}", "2 agents.forge-1: this agent builds and reviews"),
    ("separation: {author_may_gate: true}", "2 separation.author_may_gate: an author who pushed still may not"),
    (
        "preset: solo\nseparation: {pusher_may_gate: false}",
        "3 separation.pusher_may_gate: an author who pushed still may not",
    ),
    ("preset: lean\nseparation: {distinct_gates: true}", "3 separation.distinct_gates: there are no two operators"),
    (UNIT, "2 verification: no gate asks for it"),
    ("preset: lean\nchecks: {none: allow}", "3 checks.none: where nothing is required, `testing` passes at once"),
    ("checks: {required: [{name: build, app: 1}], none: refuse}", "2 checks.none: this has no effect"),
    ("checks:\n  required:\n    - {name: build}", "4 checks.required[0]: without `app` whoever may write can report"),
    (
        "checks: {required: [{name: build, app: 1}, {name: signalbox, app: 2}]}",
        "2 checks.required[1]: this check is ours and never counts",
    ),
    (
        "checks: {required: [{name: build, app: 1}, {name: build, app: 1}]}",
        "2 checks.required: `build, 1` stands here 2 times",
    ),
    ("merge: {method: rebase, title: '{title}'}", "2 merge.title: this has no effect: a rebase keeps"),
    ("merge: {title: '{title} [skip ci]'}", "2 merge.title: checks will not run"),
    ("notify: [a, b, c, d, e, f]", "2 notify: the first 5 are mentioned"),
]


@pytest.mark.parametrize(("text", "finding"), NAMED, ids=[text for text, _ in NAMED])
def test_what_is_probably_not_meant_is_named_and_used(text: str, finding: str) -> None:
    """threats.md, T11: also that nobody of the operators has to judge a change of the file itself."""
    found = reading(text)
    assert found.policy is not None, said(found.findings)
    assert any(line.startswith(finding) for line in said(found.findings, "warning")), said(found.findings)


def test_a_command_that_does_not_exist_is_named_where_the_commands_are_known() -> None:

    written = read(b"version: 1\ncommands: {bare: [approve, /gate, aprove]}\n")
    known = read_policy(written, {"approve", "gate"})
    assert said(known.findings) == ["2 commands.bare[2]: there is no command `aprove`"]
    assert read_policy(written).findings == ()


@pytest.mark.parametrize(
    ("text", "warned"),
    [
        (
            AGENTS + UNIT + "gates: {testing: {verification: both}}",
            "4 gates.testing.verification: nothing in this version delivers this; no head would pass `testing`",
        ),
        (
            AGENTS + "gates: {submit: {reviews: {people: 1, agents: 1}}}",
            "3 gates.submit.reviews: nothing in this version delivers this; no head would pass `submit`",
        ),
        (
            AGENTS + "gates: {plan: {reviews: {people: 0, agents: 1}}}",
            "3 gates.plan.reviews: nothing in this version delivers this; no plan would pass `plan`",
        ),
    ],
)
def test_a_gate_that_nothing_in_this_version_can_fill_is_warned_of(text: str, warned: str) -> None:
    """Such a file was taken without a word, and its heads waited for ever."""
    found = reading(text)
    assert found.policy is not None
    assert [one[: len(warned)] for one in said(found.findings, "warning")] == [warned]


def test_what_nothing_in_this_version_does_is_told_unless_it_says_what_holds_without_it() -> None:
    idle = "contracts: {queue_ttl: 60}\nworkflow: {enabled: true}\nbudgets: {dispatches: 2, parallel_tasks: 1}"
    told = [f"{one.path}: {one.message}" for one in reading(idle).findings]
    nothing = "nothing in this version does this, so it changes nothing"
    assert told == [f"{path}: {nothing}" for path in ("contracts", "workflow", "budgets.dispatches")]


@pytest.mark.parametrize(
    "text",
    [
        "notify: [ada, octo/core, '@omar']",
        "roles: {builders: {permission: write, apps: [renovate]}}",
        "preset: solo\nnotify: [ada]",
        "separation: {distinct_gates: true}",
        "merge: {method: rebase, trigger: command}",
        "machines: {mode: json_strict}",
        "checks: {none: refuse, timeout_minutes: 120}",
    ],
)
def test_ordinary_files_have_no_warning(text: str) -> None:
    assert said(reading(text).findings, "error", "warning") == []
