"""From what is written to a policy, or to every finding that keeps it from being one."""

import re
from pathlib import Path

import pytest
import yaml

from bot.documents.yaml_text import read
from bot.domain.model.policy import STRICT, ReviewSplit
from bot.domain.policy.keys import as_data, field_at, keys
from bot.domain.policy.laxer import GATES
from bot.domain.policy.presets import LEAN, PRESETS, SOLO
from bot.domain.policy.reading import MOST_FINDINGS, read_policy
from tests.domain.policy.kit import policy, reading, said

EXAMPLE = Path(__file__).with_name("interface.yml")
SHARED = Path(__file__).parents[4] / "shared" / "INTERFACE.md"


def test_the_example_of_the_interface_is_accepted_word_for_word_and_is_preset_strict() -> None:
    found = read_policy(read(EXAMPLE.read_bytes()))
    assert found.findings == ()
    assert found.policy == STRICT


@pytest.mark.skipif(not SHARED.exists(), reason="the interface is not on this machine")
def test_our_example_is_the_one_of_the_interface() -> None:
    section = SHARED.read_text(encoding="utf-8").partition("## 5. Policy file")[2]
    assert EXAMPLE.read_text(encoding="utf-8") in section


def test_the_example_names_every_key_of_the_file() -> None:
    written = read(EXAMPLE.read_bytes())
    left_out = {
        key.path
        for key in keys()
        if not written.has(key.path)
        and "[]" not in str(key.path)
        and key.path[-1] not in {"apps", "custom_roles", "teams", "users"}
    }
    assert left_out == {("gates", "submit", "verification")}


def test_a_preset_is_what_the_interface_says_of_it() -> None:
    gates = {
        name: {gate: (p.gates.of(gate).judges, p.gates.of(gate).operators) for gate in GATES}
        for name, p in PRESETS.items()
    }
    assert gates == {
        "strict": {"plan": (1, 0), "testing": (1, 1), "submit": (1, 1)},
        "lean": {"plan": (1, 0), "testing": (0, 0), "submit": (1, 1)},
        "solo": {"plan": (1, 0), "testing": (0, 0), "submit": (0, 1)},
    }
    assert (STRICT.separation, LEAN.separation) == (STRICT.separation, STRICT.separation)
    assert SOLO.separation.author_may_review
    assert SOLO.separation.author_may_gate


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_alone_is_a_file_without_findings(name: str) -> None:
    found = reading(f"preset: {name}")
    assert (found.policy, found.findings) == (PRESETS[name], ())


def test_what_is_written_overrides_the_preset_key_by_key() -> None:
    lean = policy("preset: lean\ngates:\n  submit: {operators: 2}\nbudgets: {check_retries: 5}\n")
    assert lean.gates.submit.model_copy(update={"operators": 1}) == LEAN.gates.submit
    assert (lean.gates.submit.operators, lean.gates.testing) == (2, LEAN.gates.testing)
    assert (lean.budgets.check_retries, lean.budgets.review_cycles) == (5, 3)


def test_reviews_can_be_counted_apart() -> None:
    two = policy("agents: {sentinel-1: [reviewer]}\ngates: {submit: {reviews: {people: 1, agents: 1}}}")
    assert two.gates.submit.reviews == ReviewSplit(people=1, agents=1)
    assert two.gates.submit.judges == 2


@pytest.mark.parametrize(
    ("written", "permission"),
    [
        ("{permission: write}", "write"),
        ("{permission: write, users: [grace]}", "write"),
        ("{users: [grace]}", None),
        ("{teams: [core], users: []}", None),
        ("{custom_roles: [crew]}", None),
        ("{}", "write"),
    ],
)
def test_a_role_that_names_somebody_and_no_permission_is_held_by_those_named_alone(
    written: str, permission: str | None
) -> None:
    assert policy(f"roles: {{reviewers: {written}}}").roles.reviewers.permission == permission


WRONG = [
    ("gates: {plan: {reviews: 0}}", "2 gates.plan.reviews: a plan needs at least one review before it is built"),
    ("gates: {plan: {reviews: -1}}", "2 gates.plan.reviews: this is the number `-1`, and it must be a mapping with"),
    ("gates: {plan: {reviews: 1.0}}", "2 gates.plan.reviews: this is the number `1.0`, and it must be"),
    ("gates: {plan: {reviews: '1'}}", "2 gates.plan.reviews: this is the text `1`, and it must be"),
    ("gates: {plan: {reviews: true}}", "2 gates.plan.reviews: this is `true`, and it must be"),
    ("gates: {plan: {reviews: [1]}}", "2 gates.plan.reviews: this is a list, and it must be"),
    ("gates: {plan: 1}", "2 gates.plan: this is the number `1`, and it must be a mapping with `reviews`"),
    ("gates: {plan: {operators: 1}}", "2 gates.plan.operators: there is no key `operators`; `reviews` can stand here"),
    (
        "gates:\n  testing:\n    operator: 1",
        "4 gates.testing.operator: there is no key `operator`; did you mean `operators`?",
    ),
    (
        "gates: {submit: {reviews: {people: 1, agnts: 1}}}",
        "2 gates.submit.reviews.agnts: there is no key `agnts`; did you mean",
    ),
    ("preset: lax", "2 preset: this is the text `lax`, and it must be `strict`, `lean` or `solo`"),
    ("Preset: solo", "2 Preset: there is no key `Preset`; did you mean `preset`?"),
    ("settle_window: 1", "2 settle_window: there is no key `settle_window`"),
    ("sha: aaaa", "2 sha: there is no key `sha`"),
    ("checks: {settle_seconds: 0}", "2 checks.settle_seconds: there is no key `settle_seconds`"),
    ("recheck_at_merge: 0", "2 recheck_at_merge: this is the number `0`, and it must be `true` or `false`"),
    ("recheck_at_merge: 'false'", "2 recheck_at_merge: this is the text `false`, and it must be `true` or `false`"),
    ("recheck_at_merge: no", "2 recheck_at_merge: `no` is false to some readers of YAML"),
    ("separation: {requester_may_gate: robots}", "2 separation.requester_may_gate: this is the text `robots`"),
    (
        "roles: {operators: {permission: read}}",
        "2 roles.operators.permission: this is the text `read`, and it must be `triage`",
    ),
    ("roles: {operators: {permission: none}}", "2 roles.operators.permission: this is the text `none`"),
    ("roles: {operators: {permission: }}", "2 roles.operators.permission: nothing stands behind this key"),
    (
        "roles: {operator: {permission: admin}}",
        "2 roles.operator: there is no key `operator`; did you mean `operators`?",
    ),
    (
        "roles: {operators: {users: ada}}",
        "2 roles.operators.users: this is the text `ada`, and it must be a list, each a login",
    ),
    (
        "roles: {operators: {users: ['@ada']}}",
        "2 roles.operators.users[0]: this is the text `@ada`, and it must be a login",
    ),
    (
        "roles: {operators: {users: ['dependabot[bot]']}}",
        "2 roles.operators.users[0]: this is the text `dependabot[bot]`",
    ),
    ("roles:", "2 roles: nothing stands behind this key"),
    ("agents: {forge-1: []}", "2 agents.forge-1: this is a list, and it must be a list with at least one entry"),
    ("agents: {forge-1: [operator]}", "2 agents.forge-1[0]: this is the text `operator`, and it must be `builder`"),
    ("agents: {'bad name': [builder]}", '2 agents["bad name"]: '),
    ("verification: [{argv: [make]}]", "2 verification[0]: `name` is missing"),
    (
        "verification: [{name: unit, argv: make}]",
        "2 verification[0].argv: this is the text `make`, and it must be a list",
    ),
    (
        "verification: [{name: unit, argv: [make], timeout: 3601}]",
        "2 verification[0].timeout: this is the number `3601`",
    ),
    (
        "checks:\n  required:\n    - build",
        "4 checks.required[0]: this is the text `build`, and it must be a mapping with",
    ),
    ("checks: {required: [{name: build, app: x}]}", "2 checks.required[0].app: this is the text `x`"),
    (
        "checks: {required: automatic}",
        "2 checks.required: this is the text `automatic`, and it must be `auto` or a list",
    ),
    (
        "checks: {accept: [success, failure]}",
        "2 checks.accept[1]: this is the text `failure`, and it must be `success`",
    ),
    ("checks: {accept: []}", "2 checks.accept: this is a list, and it must be a list with at least one entry"),
    (
        "checks: {timeout_minutes: 0}",
        "2 checks.timeout_minutes: this is the number `0`, and it must be a whole number from 1",
    ),
    ("checks: {timeout_minutes: 1e3}", "2 checks.timeout_minutes: `1e3` is another number to different readers"),
    ("merge: {method: fast-forward}", "2 merge.method: this is the text `fast-forward`, and it must be `merge`"),
    ("merge: {title: ''}", "2 merge.title: this is text without a word in it, and it must be one line"),
    ('merge: {title: "two\\nlines"}', "2 merge.title: this is the text `two lines`, and it must be one line"),
    ("machines: {path: ../x.json}", "2 machines.path: this is the text `../x.json`, and it must be a path inside"),
    ("machines: {path: /etc/passwd}", "2 machines.path: this is the text `/etc/passwd`"),
    ("machines: {path: a/../../b}", "2 machines.path: this is the text `a/../../b`"),
    ("start_label: ''", "2 start_label: this is text without a word in it, and it must be the name of a label"),
    ("start_label: [signalbox]", "2 start_label: this is a list, and it must be the name of a label"),
    ("notify: ['ada and omar']", "2 notify[0]: this is the text `ada and omar`, and it must be a login or a team"),
    (
        "commands: {bare: approve}",
        "2 commands.bare: this is the text `approve`, and it must be `true` or `false` or a list",
    ),
    ("version: 1", "2 version: `version` stands here a second time, first on line 1"),
]


@pytest.mark.parametrize(("text", "finding"), WRONG, ids=[text for text, _ in WRONG])
def test_what_is_wrong_is_told_where_it_stands_and_the_file_is_not_used(text: str, finding: str) -> None:
    found = reading(text)
    assert found.policy is None
    errors = said(found.findings, "error")
    assert [one for one in errors if one.startswith(finding)], errors
    assert len(errors) == 1
    assert not said(found.findings, "notice")


@pytest.mark.parametrize("text", ["", "# nothing\n", "[]", "just text", "- preset: solo"])
def test_a_file_that_is_no_mapping_is_not_used(text: str) -> None:
    found = read_policy(read(text.encode()))
    assert found.policy is None
    assert len(said(found.findings, "error")) == 1


def test_another_version_is_not_guessed_at() -> None:
    found = read_policy(read(b"version: 2\npreset: solo\n"))
    assert said(found.findings) == ["1 version: this is the number `2`, and it must be `1`"]


def test_a_file_without_a_version_is_read_and_told() -> None:
    found = read_policy(read(b"preset: lean\n"))
    assert found.policy == LEAN
    assert said(found.findings) == ["1 : `version: 1` is missing; the file is read as that version"]


def test_a_key_that_is_written_with_a_dot_is_told_where_it_belongs() -> None:
    told = said(reading("merge.title: x\ncontracts.exec_ttl.review: 9").findings)
    assert [one.partition("; ")[2] for one in told] == [
        "write `title` below `merge`",
        "write `review` below `exec_ttl`, below `contracts`",
    ]


def test_what_else_is_wrong_or_surprising_is_told_beside_an_unknown_key() -> None:
    """It was told only after the key was corrected; what may follow from the wrong part still is."""
    text = "rebiews: {native: true}\nstart_label: signalbox/go\nnotify: [ada, ada]\nreviews: {native: maybe}"
    assert said(reading(text).findings) == [
        "2 rebiews: there is no key `rebiews`; did you mean `reviews`?",
        "3 start_label: labels that begin with `signalbox/` are set by Signalbox",
        "4 notify: `ada` stands here 2 times",
        "5 reviews.native: this is the text `maybe`, and it must be `true` or `false`",
    ]
    agents = "agent: {sentinel-1: [reviewer]}\ngates: {submit: {reviews: {people: 1, agents: 1}}}\nnotify: [ada, ada]"
    assert [one[:8] for one in said(reading(agents).findings)] == ["2 agent:", "4 notify"]
    assert said(reading("preset: laxest\nnotify: [ada, ada]").findings)[1:] == []
    listed = "checks: {required: [{name: build, app: one}, {name: lint}]}\nmerge: {title: '{who}'}"
    assert [one.partition(":")[0] for one in said(reading(listed).findings)] == [
        "2 checks.required[0].app",
        "3 merge.title",
    ]


def test_every_wrong_line_is_told_in_the_order_of_the_file() -> None:
    text = "preset: lax\nchecks: {none: maybe}\nmerge:\n  trigger: never\n  colour: red\n"
    assert [line.partition(":")[0] for line in said(reading(text).findings)] == [
        "2 preset",
        "3 checks.none",
        "5 merge.trigger",
        "6 merge.colour",
    ]


def test_of_very_many_findings_the_errors_are_kept() -> None:
    many = "\n".join(f"unknown{n}: 1" for n in range(80)) + "\ngates: {plan: {reviews: 0}}\n"
    found = read_policy(read(many.encode()))
    assert found.policy is None
    assert len(found.findings) == MOST_FINDINGS
    assert {one.level for one in found.findings} == {"error"}


def test_findings_show_what_somebody_wrote_in_code_spans_only() -> None:
    evil = "`@org/team` fixes #1 <img> | x"
    texts = (f"preset: '{evil}'", f"'{evil}': 1", f"merge: {{title: '{{{evil}}}'}}", f"'{evil}': 1\n'{evil}': 2")
    for text in (*texts, f"x: 2026-01-01 {evil}".replace("#", "")):
        for finding in reading(text).findings:
            assert "\n" not in finding.message
            outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", finding.message)
            assert not re.search(r"[@#<|]|fixes", outside), finding.message


def test_every_key_has_words_for_what_it_takes() -> None:
    for key in keys():
        if "[]" not in str(key.path):
            assert field_at(key.path) is not None, key
        assert key.takes
        assert not re.search(r"typing|<class|None", key.takes), key


@pytest.mark.parametrize("name", PRESETS)
def test_a_policy_said_as_a_file_is_the_same_policy(name: str) -> None:

    data = {key: value for key, value in as_data(PRESETS[name]).items() if value != {}}
    found = read_policy(read(yaml.safe_dump(data).encode()))
    assert found.policy == PRESETS[name]
    assert said(found.findings, "error", "notice") == []
